"""Frames that follow from others: through a joint, round a corner, along a rigid link.

With P the frame before, a the joint's axis and phi its position, p the lever to the frame:

    R = R_P C1 Rz(phi) C2,   w = w_P + a phi',   alpha = alpha_P + a phi'' + w_P x a phi'
    r = r_P + p,   v = v_P + w x p,   acc = acc_P + alpha x p + w x (w x p)

and a rigid link that slides has p = a phi + ... with the terms of relative motion. The same recursion gives the stiff arm
(`stiff_arm`), on whose motion the linear theories are built.

Equations: S8.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.numerics.jit import njit, njit_inside, njit_part
from flexarm.numerics.rotations import apply, cross


@njit_inside
def pose_frame(f, P, parts, phi, R, axis):
    """R[f] of a frame that follows from P, and the axis of its joint in axis[f]."""
    geometry, i = parts.geometry, parts.frames[f, at.F_JOINT]
    c, s = 1.0, 0.0
    if i >= 0 and not parts.joints[i, at.J_SLIDES]:
        c, s = phi[i, 3], phi[i, 4]
    for row in range(3):
        p, q, w = R[P, 3 * row], R[P, 3 * row + 1], R[P, 3 * row + 2]
        x = p * geometry[f, at.G_BEFORE] + q * geometry[f, at.G_BEFORE + 3] + w * geometry[f, at.G_BEFORE + 6]
        y = p * geometry[f, at.G_BEFORE + 1] + q * geometry[f, at.G_BEFORE + 4] + w * geometry[f, at.G_BEFORE + 7]
        z = p * geometry[f, at.G_BEFORE + 2] + q * geometry[f, at.G_BEFORE + 5] + w * geometry[f, at.G_BEFORE + 8]
        x, y = c * x + s * y, c * y - s * x
        axis[f, row] = z
        for col in range(3):
            R[f, 3 * row + col] = (
                x * geometry[f, at.G_AFTER + col]
                + y * geometry[f, at.G_AFTER + 3 + col]
                + z * geometry[f, at.G_AFTER + 6 + col]
            )


@njit_inside
def spread(parts, state, scratch):
    """Position, rotation, velocity and acceleration of all frames that follow from nodes; axes and levers beside."""
    frames, phi, axis = parts.frames, scratch.phi, scratch.axis
    r, R, v, a = state.position, state.rotation, state.velocity, state.acceleration
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] >= at.DERIVED:
            pose_frame(f, frames[f, at.F_PARENT], parts, phi, R, axis)
            place_derived(f, parts, phi, r, R, v, a, axis, scratch.lever)


@njit_inside
def place_derived(f, parts, phi, r, R, v, a, axis, lever):
    """Motion of one frame from that of the frame before; its rotation and axis are known."""
    frames, geometry = parts.frames, parts.geometry
    P, i = frames[f, at.F_PARENT], frames[f, at.F_JOINT]
    wx, wy, wz = v[P, 3], v[P, 4], v[P, 5]
    tx, ty, tz = a[P, 3], a[P, 4], a[P, 5]
    if i >= 0 and not parts.joints[i, at.J_SLIDES]:
        rate, push = phi[i, 1], phi[i, 2]
        sx, sy, sz = axis[f, 0] * rate, axis[f, 1] * rate, axis[f, 2] * rate
        cx, cy, cz = cross(wx, wy, wz, sx, sy, sz)
        tx, ty, tz = tx + axis[f, 0] * push + cx, ty + axis[f, 1] * push + cy, tz + axis[f, 2] * push + cz
        wx, wy, wz = wx + sx, wy + sy, wz + sz
    px, py, pz = apply(R, f, geometry[f, at.G_LEVER], geometry[f, at.G_LEVER + 1], geometry[f, at.G_LEVER + 2])
    if frames[f, at.F_KIND] == at.SLID:
        px, py, pz = px + axis[f, 0] * phi[i, 0], py + axis[f, 1] * phi[i, 0], pz + axis[f, 2] * phi[i, 0]
    lever[f, 0], lever[f, 1], lever[f, 2] = px, py, pz
    ux, uy, uz = cross(wx, wy, wz, px, py, pz)
    ax, ay, az = cross(tx, ty, tz, px, py, pz)
    bx, by, bz = cross(wx, wy, wz, ux, uy, uz)
    if frames[f, at.F_KIND] == at.SLID:
        sx, sy, sz = axis[f, 0] * phi[i, 1], axis[f, 1] * phi[i, 1], axis[f, 2] * phi[i, 1]
        cx, cy, cz = cross(wx, wy, wz, sx, sy, sz)
        ux, uy, uz = ux + sx, uy + sy, uz + sz
        bx, by, bz = bx + 2.0 * cx, by + 2.0 * cy, bz + 2.0 * cz
        ax, ay, az = ax + axis[f, 0] * phi[i, 2], ay + axis[f, 1] * phi[i, 2], az + axis[f, 2] * phi[i, 2]
    r[f, 0], r[f, 1], r[f, 2] = r[P, 0] + px, r[P, 1] + py, r[P, 2] + pz
    v[f, 0], v[f, 1], v[f, 2] = v[P, 0] + ux, v[P, 1] + uy, v[P, 2] + uz
    v[f, 3], v[f, 4], v[f, 5] = wx, wy, wz
    a[f, 0], a[f, 1], a[f, 2] = a[P, 0] + ax + bx, a[P, 1] + ay + by, a[P, 2] + az + bz
    a[f, 3], a[f, 4], a[f, 5] = tx, ty, tz


@njit
def stiff_arm(parts, scratch, phi, r, R, v, a):
    """Motion of all frames of the stiff arm at the joint values phi.

    Velocities and accelerations of nodes on a sliding beam are those at a fixed share of the length.
    """
    frames = parts.frames
    for f in range(frames.shape[0]):
        kind = frames[f, at.F_KIND]
        if kind == at.GROUND:
            for k in range(9):
                R[f, k] = 1.0 if k % 4 == 0 else 0.0
            for k in range(6):
                v[f, k] = a[f, k] = r[f, k % 3] = 0.0
        elif kind == at.NODE:
            _stiff_node(f, frames[f, at.F_BASE], parts, phi, r, R, v, a)
        else:
            pose_frame(f, frames[f, at.F_PARENT], parts, phi, R, scratch.axis)
            place_derived(f, parts, phi, r, R, v, a, scratch.axis, scratch.lever)


@njit_part
def _stiff_node(f, b, parts, phi, r, R, v, a):
    """A node of the stiff beam that begins at frame b."""
    geometry, i = parts.geometry, parts.sliding_joint[f]
    for k in range(9):
        R[f, k] = R[b, k]
    s, ds, dds = geometry[f, at.G_PLACE], 0.0, 0.0
    if i >= 0:
        share = geometry[f, at.G_SHARE]
        s, ds, dds = share * phi[i, 0], share * phi[i, 1], share * phi[i, 2]
    tx, ty, tz = R[b, 0], R[b, 3], R[b, 6]
    wx, wy, wz = v[b, 3], v[b, 4], v[b, 5]
    cx, cy, cz = cross(wx, wy, wz, tx, ty, tz)
    ax, ay, az = cross(a[b, 3], a[b, 4], a[b, 5], tx, ty, tz)
    bx, by, bz = cross(wx, wy, wz, cx, cy, cz)
    r[f, 0], r[f, 1], r[f, 2] = r[b, 0] + s * tx, r[b, 1] + s * ty, r[b, 2] + s * tz
    v[f, 0], v[f, 1], v[f, 2] = v[b, 0] + s * cx + ds * tx, v[b, 1] + s * cy + ds * ty, v[b, 2] + s * cz + ds * tz
    a[f, 0] = a[b, 0] + s * (ax + bx) + 2.0 * ds * cx + dds * tx
    a[f, 1] = a[b, 1] + s * (ay + by) + 2.0 * ds * cy + dds * ty
    a[f, 2] = a[b, 2] + s * (az + bz) + 2.0 * ds * cz + dds * tz
    for k in range(3, 6):
        v[f, k], a[f, k] = v[b, k], a[b, k]
