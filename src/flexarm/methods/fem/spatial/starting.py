"""Accelerations at a start: what the forces give the mass at rest in its place."""

from __future__ import annotations

from flexarm.methods.fem.spatial.layout import EXACT, F_BASE, F_DOF, F_KIND, I_THEORY, J_PSI, J_TURN, NODE
from flexarm.methods.fem.spatial.turning import beside, stiff_turns
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def no_accelerations(frames, a, ja):
    """Forget the accelerations of all unknowns."""
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            for k in range(6):
                a[f, k] = 0.0
    for i in range(ja.shape[1]):
        ja[0, i] = ja[2, i] = 0.0


@njit_inline
def take_accelerations(parts, state, scratch, solver):
    """The negative of solver.residual as accelerations, physical ones and those of the scheme."""
    frames, joint, change, rel = parts.frames, parts.joint, solver.residual, solver.rel
    R, v, a, A, ja = state[1], state[3], state[7], state[8], state[9]
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            for k in range(6):
                a[f, k] = A[f, k] = -change[frames[f, F_DOF] + k]
    if parts.ip[I_THEORY] == EXACT:
        stiff_turns(frames, parts.figures, joint, scratch.phi0, solver.N, scratch.axis, solver.body)
        for f in range(frames.shape[0]):
            if frames[f, F_KIND] == NODE:
                beside(f, frames[f, F_BASE], R, v, a, solver.body, rel)
                for k in range(3, 6):
                    A[f, k] = rel[f, k]
    for i in range(joint.shape[0]):
        if joint[i, J_PSI] >= 0:
            ja[0, i] = ja[1, i] = -change[joint[i, J_PSI]]
        if joint[i, J_TURN] >= 0:
            ja[2, i] = ja[3, i] = -change[joint[i, J_TURN]]
