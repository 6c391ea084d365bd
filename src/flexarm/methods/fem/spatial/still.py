"""The quasi-static theory: equilibrium with the inertia of the stiff motion and the weight."""

from __future__ import annotations

from flexarm.methods.fem.spatial.kinematics import nominal
from flexarm.methods.fem.spatial.layout import F_DOF, F_KIND, NODE
from flexarm.numerics.copies import copy_rows
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.rotations import apply, relative, turn


@njit_inside
def stiff_arm(parts, scratch, r, R, v, a):
    """Motion of all frames of the stiff arm at the joint values that are set."""
    nominal(
        parts.frames, parts.figures, parts.joint, parts.slide, scratch.phi0, r, R, v, a, scratch.axis, scratch.lever
    )


@njit_inside
def place_stiff(parts, state, scratch, solver):
    """Put the nodes on the stiff arm, moving with it; notes where they were."""
    frames, r, R, v, a = parts.frames, state[0], state[1], state[3], state[7]
    old, step, nr, nv, na = solver.old, solver.step, scratch.nr, scratch.nv, scratch.na
    copy_rows(R, old)
    stiff_arm(parts, scratch, nr, R, nv, na)
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            for k in range(6):
                v[f, k], a[f, k] = nv[f, k], na[f, k]
            for k in range(3):
                step[f, k], r[f, k] = r[f, k], nr[f, k]


@njit_part
def go_still(frames, change, r, R, w):
    """Take the correction -change over; returns the largest displacement in it."""
    largest = 0.0
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] != NODE:
            continue
        dof = frames[f, F_DOF]
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
    frames, r, R, old, step = parts.frames, state[0], state[1], solver.old, solver.step
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            x, y, z = relative(old, f, R, f)
            step[f, 3], step[f, 4], step[f, 5] = apply(old, f, x, y, z)
            for k in range(3):
                step[f, k] = r[f, k] - step[f, k]
