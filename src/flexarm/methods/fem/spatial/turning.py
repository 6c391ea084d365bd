"""Rotations of a step beside those of the stiff arm.

With N the rotation of the stiff arm at the commanded joints, R = S N and the spin w = s + S w0, the scheme integrates S and s:

    R+ = exp(Th) S N+,   w = s + R b,   alpha = s' + s x R b + R b',

where b, b' are spin and angular acceleration of the stiff arm in its own axes. What is commanded enters exactly, whatever
the step is; a planar arm has the scheme of its planar model.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.drives import set_joints
from flexarm.methods.fem.spatial.kinematics import nominal
from flexarm.methods.fem.spatial.layout import F_KIND, JOINT, JOINT_RATE, K_OFFSET, NODE, PSI, PSI_RATE, PUSH
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rotations import apply, apply_back, cross, multiply, relative


@njit_part
def stiff_arm(parts, state, scratch, solver):
    """Stiff arm at phi0: its rotations, and body-fixed spins of all nodes."""
    frames, gfig, joint, slide = parts[0], parts[1], parts[5], parts[9]
    axis, lever, _, phi0, nr, nv, na = scratch[3:10]
    N, body = solver[8], solver[11]
    nominal(frames, gfig, joint, slide, phi0, nr, N, nv, na, axis, lever)
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            body[f, 0], body[f, 1], body[f, 2] = apply_back(N, f, nv[f, 3], nv[f, 4], nv[f, 5])
            body[f, 3], body[f, 4], body[f, 5] = apply_back(N, f, na[f, 3], na[f, 4], na[f, 5])


@njit_part
def beside(f, R, v, a, body, rel):
    """Spin and angular acceleration of a node beside the stiff arm, into rel[f]."""
    x, y, z = apply(R, f, body[f, 0], body[f, 1], body[f, 2])
    p, q, t = apply(R, f, body[f, 3], body[f, 4], body[f, 5])
    sx, sy, sz = v[f, 3] - x, v[f, 4] - y, v[f, 5] - z
    cx, cy, cz = cross(sx, sy, sz, x, y, z)
    rel[f, 0], rel[f, 1], rel[f, 2] = sx, sy, sz
    rel[f, 3], rel[f, 4], rel[f, 5] = a[f, 3] - cx - p, a[f, 4] - cy - q, a[f, 5] - cz - t


@njit_part
def together(f, R, v, a, body, rel):
    """Spin and angular acceleration of a node from those beside the stiff arm."""
    x, y, z = apply(R, f, body[f, 0], body[f, 1], body[f, 2])
    p, q, t = apply(R, f, body[f, 3], body[f, 4], body[f, 5])
    cx, cy, cz = cross(rel[f, 0], rel[f, 1], rel[f, 2], x, y, z)
    v[f, 3], v[f, 4], v[f, 5] = rel[f, 0] + x, rel[f, 1] + y, rel[f, 2] + z
    a[f, 3], a[f, 4], a[f, 5] = rel[f, 3] + cx + p, rel[f, 4] + cy + q, rel[f, 5] + cz + t


@njit_part
def begin(row, parts, state, scratch, solver):
    """Motion beside the stiff arm at the start of a step; S N+ into solver[3], the stiff arm of `row` into the scratch."""
    frames, joint, jfig = parts[0], parts[5], parts[6]
    R, v, j, figures, a, ja = state[1], state[3], state[4], state[5], state[7], state[9]
    w, phi, phi0 = scratch[1], scratch[5], scratch[6]
    old, N, start, rel, body = solver[3], solver[8], solver[9], solver[10], solver[11]
    for i in range(joint.shape[0]):
        phi0[i, 0] = figures[JOINT, i] - j[PSI, i] + jfig[i, K_OFFSET]
        phi0[i, 1], phi0[i, 2] = figures[JOINT_RATE, i] - j[PSI_RATE, i], figures[PUSH, i]
    stiff_arm(parts, state, scratch, solver)
    for f in range(frames.shape[0]):
        for k in range(9):
            start[f, k] = R[f, k]
        if frames[f, F_KIND] == NODE:
            beside(f, R, v, a, body, rel)
            for r in range(3):
                for c in range(3):
                    old[f, 3 * r + c] = (
                        R[f, 3 * r] * N[f, 3 * c]
                        + R[f, 3 * r + 1] * N[f, 3 * c + 1]
                        + R[f, 3 * r + 2] * N[f, 3 * c + 2]
                    )
    set_joints(row, joint, jfig, j, ja, phi0, phi)
    stiff_arm(parts, state, scratch, solver)
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            multiply(old, f, N, f, w, 0)
            for k in range(9):
                old[f, k] = w[0, k]


@njit_part
def whole_turns(parts, state, solver):
    """Replace the rotation beside the stiff arm in the moves of the step by the whole one."""
    frames, R, step, start = parts[0], state[1], solver[4], solver[9]
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] == NODE:
            x, y, z = relative(start, f, R, f)
            step[f, 3], step[f, 4], step[f, 5] = apply(start, f, x, y, z)
