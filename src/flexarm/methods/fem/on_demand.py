"""What some arms need beside the steps of a serial arm of two-node elements; nobody else compiles it."""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.bordered import constrain
from flexarm.methods.fem.condensation import follow
from flexarm.methods.fem.friction import rub
from flexarm.methods.fem.general_element import general_forces, general_residual


def load_kernels(part: at.Parts, work: at.Workspace) -> None:
    """Load the kernels that the arm of these tables asks for."""
    state = part, work.now, work
    if part.shape.shape[0] > 1 or part.theory == at.LINK:
        general_forces.load(*state)
        general_residual.load(*state, 0.0, True)
    if len(part.far_nodes) or len(part.copies):
        follow.load(*state, 0, 0.0, True)
    if len(part.side) or len(work.pivots):
        constrain.load(*state, 0, 0.0, True)
    if part.friction:
        rub.load(*state, work.start_z, work.rows[0], 0, 0.0)
