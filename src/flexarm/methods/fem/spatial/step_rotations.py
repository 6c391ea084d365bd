"""Rotations of a step beside those of the stiff arm.

With N the rotation of the stiff arm at the commanded joints, R = S N and the spin w = s + S w0, the scheme integrates S and s:

    R+ = exp(Th) S N+,   w = s + R b,   alpha = s' + s x R b + R b',

where b, b' are spin and angular acceleration of the stiff arm in its own axes. What is commanded enters exactly, whatever
the step is; a planar arm has the scheme of its planar model.

Equations: S12.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.drives import set_joint, set_joints
from flexarm.methods.fem.spatial.kinematics import pose_frame
from flexarm.methods.fem.spatial.simd_nodes import load_nodes, turn_with_stiff_arm
from flexarm.numerics.jit import njit_apart, njit_inside
from flexarm.numerics.rotations import apply, apply_back, cross


@njit_inside
def stiff_turns(parts, scratch, N, body):
    """Rotations N of the stiff arm at phi0, and its spins `body` in its own axes, for the frames that follow others.

    A node of a beam turns as the frame at which its beam begins.
    """
    frames, phi, axis = parts.frames, scratch.phi0, scratch.axis
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] < at.DERIVED:
            continue
        P, i = frames[f, at.F_PARENT], frames[f, at.F_JOINT]
        if frames[P, at.F_KIND] == at.NODE:
            P = frames[P, at.F_BASE]
        pose_frame(f, P, parts, phi, N, axis)
        wx, wy, wz = apply(N, P, body[P, 0], body[P, 1], body[P, 2])
        tx, ty, tz = apply(N, P, body[P, 3], body[P, 4], body[P, 5])
        if i >= 0 and not parts.joints[i, at.J_SLIDES]:
            rate, push = phi[i, 1], phi[i, 2]
            sx, sy, sz = axis[f, 0] * rate, axis[f, 1] * rate, axis[f, 2] * rate
            cx, cy, cz = cross(wx, wy, wz, sx, sy, sz)
            tx, ty, tz = tx + axis[f, 0] * push + cx, ty + axis[f, 1] * push + cy, tz + axis[f, 2] * push + cz
            wx, wy, wz = wx + sx, wy + sy, wz + sz
        body[f, 0], body[f, 1], body[f, 2] = apply_back(N, f, wx, wy, wz)
        body[f, 3], body[f, 4], body[f, 5] = apply_back(N, f, tx, ty, tz)


@njit_inside
def relative_spin(f, base, state, body, rel):
    """Spin and angular acceleration of a node beside the stiff arm, into rel[f]; `base` begins its beam."""
    R, v, a = state.rotation, state.velocity, state.acceleration
    x, y, z = apply(R, f, body[base, 0], body[base, 1], body[base, 2])
    p, q, t = apply(R, f, body[base, 3], body[base, 4], body[base, 5])
    sx, sy, sz = v[f, 3] - x, v[f, 4] - y, v[f, 5] - z
    cx, cy, cz = cross(sx, sy, sz, x, y, z)
    rel[f, 0], rel[f, 1], rel[f, 2] = sx, sy, sz
    rel[f, 3], rel[f, 4], rel[f, 5] = a[f, 3] - cx - p, a[f, 4] - cy - q, a[f, 5] - cz - t


@njit_apart
def begin_rotations(parts, state, scratch, solver):
    """Nodes at the start of a step, carried along with the stiff arm to the drives of the step's end; see `simd_nodes`."""
    frames, j, record = parts.frames, state.deviation, state.joint_record
    N, before, within, body = solver.stiff_rotation, solver.old_stiff, solver.stiff_turn, solver.stiff_spin
    for i in range(parts.joints.shape[0]):
        position = record[at.JOINT, i] - j[at.PSI, i] + parts.joint_data[i, at.K_OFFSET]
        set_joint(scratch.phi0, i, position, record[at.JOINT_RATE, i] - j[at.PSI_RATE, i], record[at.PUSH, i])
    stiff_turns(parts, scratch, N, body)
    load_nodes(state, solver)
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] >= at.DERIVED:
            for k in range(9):
                before[f, k] = N[f, k]
    set_joints(solver.row, parts, state, scratch)
    stiff_turns(parts, scratch, N, body)
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] >= at.DERIVED:  # turn of the stiff arm within the step, in its own axes
            for c in range(3):
                x, y, z = apply_back(before, f, N[f, c], N[f, 3 + c], N[f, 6 + c])
                within[f, c], within[f, 3 + c], within[f, 6 + c] = x, y, z
    turn_with_stiff_arm(solver)
