"""Rigid bodies on frames: payload, hubs, motors, rigid links.

With the centre at d = R c and the tensor I about it:

    acc_c = acc + alpha x d + w x (w x d),   f = m (acc_c - g),   moment = d x f + R (I W' + W x I W).

In the linear theory d is that of the stiff arm, and the centre moves by th x d beside it.

Equations: S7.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.rotations import apply, apply_back, cross


@njit_inside
def add_root_load(i, f, sign, state, scratch):
    """Add the forces on the root frame f of link i to those that its beam does not feel: before and after they are added."""
    for k in range(6):
        scratch.root_load[i, k] += sign * state.force[f, k]


@njit_inside
def body_forces(b, f, parts, state, scratch, v, a, linear):
    """Add inertia and weight of body b on frame f; returns kinetic energy and potential.

    v, a : total velocities and accelerations of the frames.
    """
    body, g, r, R, th = parts.body_properties, parts.gravity, state.position, state.rotation, state.small_rotation
    force = state.force
    m = body[b, at.B_MASS]
    dx, dy, dz = apply(R, f, body[b, at.B_CENTRE], body[b, at.B_CENTRE + 1], body[b, at.B_CENTRE + 2])
    wx, wy, wz = v[f, 3], v[f, 4], v[f, 5]
    if linear:
        ux, uy, uz, ax, ay, az = relative_motion(f, dx, dy, dz, v, a, th, scratch)
        bx, by, bz = 0.0, 0.0, 0.0
        hx, hy, hz = cross(th[f, 0], th[f, 1], th[f, 2], dx, dy, dz)
        hx, hy, hz = dx + hx, dy + hy, dz + hz
    else:
        ux, uy, uz = cross(wx, wy, wz, dx, dy, dz)
        ax, ay, az = cross(a[f, 3], a[f, 4], a[f, 5], dx, dy, dz)
        bx, by, bz = cross(wx, wy, wz, ux, uy, uz)
        hx, hy, hz = dx, dy, dz
    fx = m * (a[f, 0] + ax + bx - g[0])
    fy = m * (a[f, 1] + ay + by - g[1])
    fz = m * (a[f, 2] + az + bz - g[2])
    mx, my, mz = cross(dx, dy, dz, fx, fy, fz)
    x, y, z = apply_back(R, f, wx, wy, wz)
    px, py, pz = tensor(body, b, x, y, z)
    qx, qy, qz = apply_back(R, f, a[f, 3], a[f, 4], a[f, 5])
    qx, qy, qz = tensor(body, b, qx, qy, qz)
    cx, cy, cz = cross(x, y, z, px, py, pz)
    qx, qy, qz = apply(R, f, qx + cx, qy + cy, qz + cz)
    force[f, 0] += fx
    force[f, 1] += fy
    force[f, 2] += fz
    force[f, 3] += mx + qx
    force[f, 4] += my + qy
    force[f, 5] += mz + qz
    vx, vy, vz = v[f, 0] + ux, v[f, 1] + uy, v[f, 2] + uz
    kinetic = 0.5 * (m * (vx * vx + vy * vy + vz * vz) + px * x + py * y + pz * z)
    height = g[0] * (r[f, 0] + hx) + g[1] * (r[f, 1] + hy) + g[2] * (r[f, 2] + hz)
    return kinetic, -m * height


@njit_part
def relative_motion(f, dx, dy, dz, v, a, th, scratch):
    """Velocity and acceleration of d + th x d, where d turns with the stiff arm; v, a are those of both together."""
    nv, na = scratch.stiff_velocity, scratch.stiff_acceleration
    W, A = (nv[f, 3], nv[f, 4], nv[f, 5]), (na[f, 3], na[f, 4], na[f, 5])
    sx, sy, sz = cross(W[0], W[1], W[2], dx, dy, dz)
    c, e = cross(A[0], A[1], A[2], dx, dy, dz), cross(W[0], W[1], W[2], sx, sy, sz)
    cx, cy, cz = c[0] + e[0], c[1] + e[1], c[2] + e[2]
    w = (v[f, 3] - W[0], v[f, 4] - W[1], v[f, 5] - W[2])
    u, p = cross(w[0], w[1], w[2], dx, dy, dz), cross(th[f, 0], th[f, 1], th[f, 2], sx, sy, sz)
    q = cross(a[f, 3] - A[0], a[f, 4] - A[1], a[f, 5] - A[2], dx, dy, dz)
    t, o = cross(w[0], w[1], w[2], sx, sy, sz), cross(th[f, 0], th[f, 1], th[f, 2], cx, cy, cz)
    return (
        sx + u[0] + p[0], sy + u[1] + p[1], sz + u[2] + p[2],
        cx + q[0] + 2.0 * t[0] + o[0], cy + q[1] + 2.0 * t[1] + o[1], cz + q[2] + 2.0 * t[2] + o[2],
    )  # fmt: skip


@njit_inside
def tensor(body, b, x, y, z):
    """The tensor of a body times a vector in the frame's axes."""
    t = at.B_TENSOR
    return (
        body[b, t] * x + body[b, t + 1] * y + body[b, t + 2] * z,
        body[b, t + 3] * x + body[b, t + 4] * y + body[b, t + 5] * z,
        body[b, t + 6] * x + body[b, t + 7] * y + body[b, t + 8] * z,
    )


@njit_part
def body_tangent(b, f, parts, state, scratch, v, a, rate, factor, linear):
    """Write `factor` times the mass matrix, and what weight and acceleration change with the spin, to scratch.K.

    With `rate` comes what the spin does to w x I w. A hub has no inertia across its axis that could outweigh this, so that
    without it no step would be short enough for Newton's method.
    """
    body, g, R, K = parts.body_properties, parts.gravity, state.rotation, scratch.K
    m = body[b, at.B_MASS]
    d = apply(R, f, body[b, at.B_CENTRE], body[b, at.B_CENTRE + 1], body[b, at.B_CENTRE + 2])
    square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    ax, ay, az = cross(a[f, 3], a[f, 4], a[f, 5], d[0], d[1], d[2])
    load = (
        m * (a[f, 0] + ax - g[0]),
        m * (a[f, 1] + ay - g[1]),
        m * (a[f, 2] + az - g[2]),
    )
    pull = load[0] * d[0] + load[1] * d[1] + load[2] * d[2]
    w = (rate * v[f, 3], rate * v[f, 4], rate * v[f, 5])
    x, y, z = apply_back(R, f, w[0], w[1], w[2])
    x, y, z = tensor(body, b, x, y, z)
    spun = apply(R, f, x, y, z)
    for c in range(3):
        x, y, z = tensor(body, b, R[f, 3 * c], R[f, 3 * c + 1], R[f, 3 * c + 2])
        x, y, z = apply(R, f, x, y, z)  # column c of the tensor in space
        K[3, 3 + c], K[4, 3 + c], K[5, 3 + c] = cross(w[0], w[1], w[2], x, y, z)
        K[3 + (c + 1) % 3, 3 + c] -= spun[(c + 2) % 3]
        K[3 + (c + 2) % 3, 3 + c] += spun[(c + 1) % 3]
        K[3, 3 + c], K[4, 3 + c], K[5, 3 + c] = (
            K[3, 3 + c] + factor * x,
            K[4, 3 + c] + factor * y,
            K[5, 3 + c] + factor * z,
        )
    for r in range(3):
        for c in range(3):
            same = 1.0 if r == c else 0.0
            K[r, c] = factor * m * same
            K[3 + r, 3 + c] += factor * m * (same * square - d[r] * d[c])
            if not linear:  # the lever turns: (t x d) x load
                K[3 + r, 3 + c] += d[r] * load[c] - same * pull
            K[r, 3 + c] = K[3 + r, c] = 0.0
    for sign, r, c, k in ((1.0, 0, 1, 2), (1.0, 1, 2, 0), (1.0, 2, 0, 1)):
        value = factor * m * d[k] * sign  # -m [d] and m [d]
        K[r, 3 + c] += value
        K[c, 3 + r] -= value
        K[3 + r, c] -= value
        K[3 + c, r] += value
