"""Accelerations with which steps go on after torques have jumped.

The section before an elbow has hardly any inertia, so a torque that jumps there begins with an acceleration that no step can
follow. What the trapezoidal rule would see of it is left: (M + h/2 C + h^2/4 K) a = M a0, with a0 from the forces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.arrays import views
from flexarm.methods.fem.spatial.assemble import ALL, MASS
from flexarm.methods.fem.spatial.matrix import dense

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


def leave_out_fast_motions(model: SpatialModel, state: State, row: np.ndarray, h: float) -> None:
    """Filter the accelerations in `state`, in place, for steps of length h; forces and energies stay as they are."""
    rest = state.copy()
    for part in _accelerations(model, rest):  # they add to the tangent, and huge ones would spoil it
        part[:] = 0.0
    tangent = dense(model.look(rest, row, ALL, 2.0 / h, 4.0 / h**2)[1])
    mass = dense(model.look(rest, row, MASS, 0.0, 4.0 / h**2)[1])
    a, A, ja = _accelerations(model, state)
    nodes = np.flatnonzero(model.mesh.frames[:, at.F_KIND] == at.NODE)
    places = model.mesh.frames[nodes, at.F_DOF][:, None] + np.arange(6)
    joints = [
        (int(model.joint[i, column]), row_of, i)
        for i in range(model.links)
        for column, row_of in ((at.J_PSI, at.PSI), (at.J_TURN, at.TURN))
        if model.joint[i, column] >= 0
    ]
    push = np.zeros(len(mass))
    push[places] = a[nodes]
    for k, row_of, i in joints:
        push[k] = ja[row_of, i]
    slow = np.linalg.solve(tangent, mass @ push)
    a[nodes] = A[nodes] = slow[places]
    for k, row_of, i in joints:
        ja[row_of, i] = ja[row_of + 1, i] = slow[k]


def _accelerations(model: SpatialModel, state: State) -> tuple[np.ndarray, ...]:
    """a and A of the frames, ja of the joints, as `views` names them."""
    return views(state.x, model.F, model.links)[7:10]
