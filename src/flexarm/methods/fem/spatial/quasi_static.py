"""The quasi-static theory: equilibrium with the inertia of the stiff motion and the weight.

Equations: S27.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.kinematics import stiff_arm
from flexarm.numerics.copies import copy_rows
from flexarm.numerics.jit import njit_apart, njit_inside
from flexarm.numerics.rotations import apply, relative, turn


@njit_inside
def place_stiff(parts, state, scratch, solver):
    """Put the nodes on the stiff arm, moving with it; notes where they were."""
    frames, r, R, v, a = parts.frames, state.position, state.rotation, state.velocity, state.acceleration
    step, nr, nv, na = solver.step, scratch.stiff_position, scratch.stiff_velocity, scratch.stiff_acceleration
    copy_rows(R, solver.old_rotation)
    stiff_arm(parts, scratch, scratch.phi0, nr, R, nv, na)
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] == at.NODE:
            for k in range(6):
                v[f, k], a[f, k] = nv[f, k], na[f, k]
            for k in range(3):
                step[f, k], r[f, k] = r[f, k], nr[f, k]


@njit_apart
def correct_equilibrium(parts, state, scratch, change):
    """Take the correction -change over; returns the largest displacement in it."""
    frames, r, R, w, largest = parts.frames, state.position, state.rotation, scratch.turned, 0.0
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] != at.NODE:
            continue
        dof = frames[f, at.F_DOF]
        turn(-change[dof + 3], -change[dof + 4], -change[dof + 5], R, f, w, 0)
        for k in range(9):
            R[f, k] = w[0, k]
        for k in range(3):
            r[f, k] -= change[dof + k]
            largest = max(largest, abs(change[dof + k]))
    return largest


@njit_inside
def note_moves(parts, state, solver):
    """What the nodes moved and turned within the step."""
    frames, r, R, old, step = parts.frames, state.position, state.rotation, solver.old_rotation, solver.step
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] == at.NODE:
            x, y, z = relative(old, f, R, f)
            step[f, 3], step[f, 4], step[f, 5] = apply(old, f, x, y, z)
            for k in range(3):
                step[f, k] = r[f, k] - step[f, k]
