"""Accelerations at a start: what the forces give the mass at rest in its place.

Equations: S15.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.step_rotations import relative_spin, stiff_turns
from flexarm.numerics.jit import njit_apart, njit_part


@njit_part
def clear_accelerations(parts, state):
    """Forget the accelerations of all unknowns."""
    frames, a, ja = parts.frames, state.acceleration, state.joint_acceleration
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] == at.NODE:
            for k in range(6):
                a[f, k] = 0.0
    for i in range(ja.shape[1]):
        ja[at.PSI, i] = ja[at.TURN, i] = 0.0


@njit_apart
def set_accelerations(parts, state, scratch, solver):
    """The negative of solver.residual as accelerations, physical ones and those of the scheme."""
    frames, joints, change, rel = parts.frames, parts.joints, solver.residual, solver.relative
    a, A, ja = state.acceleration, state.scheme_acceleration, state.joint_acceleration
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] == at.NODE:
            for k in range(6):
                a[f, k] = A[f, k] = -change[frames[f, at.F_DOF] + k]
    if parts.theory == at.EXACT:
        stiff_turns(parts, scratch, solver.stiff_rotation, solver.stiff_spin)
        for f in range(frames.shape[0]):
            if frames[f, at.F_KIND] == at.NODE:
                relative_spin(f, frames[f, at.F_BASE], state, solver.stiff_spin, rel)
                for k in range(3, 6):
                    A[f, k] = rel[f, k]
    for i in range(joints.shape[0]):
        for column, place in ((at.J_PSI, at.PSI), (at.J_TURN, at.TURN)):
            if joints[i, column] >= 0:
                ja[place, i] = ja[place + 1, i] = -change[joints[i, column]]
