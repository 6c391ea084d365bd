"""Mass matrix and forces of one body in the axes of its frame: a sum over its mass points, or constants of a rigid body.

The sum is that of the kinetic energy itself, so the mass matrix is positive however far the body bends. Rotary inertia turns with the
sections. Forces contain gravity and what the motion of the frame does without q''.
Legend: d place of a mass point, c its distance from the section, a its acceleration without q'', less gravity; (fx, fy, fz) its mass
times a, (kx, ky, kz) the moment that turns it.

Equations: N13, N14, N15.
"""

from __future__ import annotations

from flexarm.methods.modes.spatial.arrays import BENT, MOVED, RHO, SPIN, SPUN
from flexarm.methods.modes.spatial.sections import move_section
from flexarm.numerics.jit import njit_apart, njit_inside, njit_part
from flexarm.numerics.rotations import apply, apply_back, cross


@njit_inside
def symmetric(I, x, y, z):
    """A symmetric tensor (xx, yy, zz, xy, xz, yz) times a vector."""
    return I[0] * x + I[3] * y + I[4] * z, I[3] * x + I[1] * y + I[5] * z, I[4] * x + I[5] * y + I[2] * z


@njit_inside
def row_times(T, r, I):
    """Row r of a rotation times a symmetric tensor of nine numbers."""
    x, y, z = T[0, 3 * r], T[0, 3 * r + 1], T[0, 3 * r + 2]
    return x * I[0] + y * I[1] + z * I[2], x * I[1] + y * I[4] + z * I[5], x * I[2] + y * I[5] + z * I[8]


@njit_part
def turned_tensor(T, I):
    """T I T^T for a rotation and a tensor of nine numbers, as (xx, yy, zz, xy, xz, yz)."""
    ax, ay, az = row_times(T, 0, I)
    bx, by, bz = row_times(T, 1, I)
    cx, cy, cz = row_times(T, 2, I)
    return (
        ax * T[0, 0] + ay * T[0, 1] + az * T[0, 2], bx * T[0, 3] + by * T[0, 4] + bz * T[0, 5],
        cx * T[0, 6] + cy * T[0, 7] + cz * T[0, 8], ax * T[0, 3] + ay * T[0, 4] + az * T[0, 5],
        ax * T[0, 6] + ay * T[0, 7] + az * T[0, 8], bx * T[0, 6] + by * T[0, 7] + bz * T[0, 8],
    )  # fmt: skip


@njit_part
def shift_to_centre(work, n, cx, cy, cz):
    """From the section to a centre of mass at c from it: work.motion and D."""
    motion, D, W = work.motion, work.D, work.W
    sx, sy, sz = motion[SPIN], motion[SPIN + 1], motion[SPIN + 2]
    ux, uy, uz = cross(sx, sy, sz, cx, cy, cz)
    ax, ay, az = cross(motion[SPUN], motion[SPUN + 1], motion[SPUN + 2], cx, cy, cz)
    bx, by, bz = cross(sx, sy, sz, ux, uy, uz)
    motion[RHO] += cx
    motion[RHO + 1] += cy
    motion[RHO + 2] += cz
    motion[MOVED] += ux
    motion[MOVED + 1] += uy
    motion[MOVED + 2] += uz
    motion[BENT] += ax + bx
    motion[BENT + 1] += ay + by
    motion[BENT + 2] += az + bz
    for i in range(n):
        x, y, z = cross(W[i, 0], W[i, 1], W[i, 2], cx, cy, cz)
        D[i, 0] += x
        D[i, 1] += y
        D[i, 2] += z


@njit_apart
def add_point(work, n, m, I, w, up, turning):
    """Add the mass point in work.motion, D and W; I its tensor in the axes of the body. Spin w of the frame, its acceleration less
    gravity `up` and the rate of its spin `turning` are those without q''."""
    motion, D, W, N, P, Q = work.motion, work.D, work.W, work.N, work.P, work.Q
    total, force, shape_force = work.inertia, work.force, work.shape_force
    x, y, z = motion[RHO], motion[RHO + 1], motion[RHO + 2]
    wx, wy, wz = w
    gx, gy, gz = cross(wx, wy, wz, x, y, z)
    gx, gy, gz = gx + 2.0 * motion[MOVED], gy + 2.0 * motion[MOVED + 1], gz + 2.0 * motion[MOVED + 2]
    gx, gy, gz = cross(wx, wy, wz, gx, gy, gz)
    hx, hy, hz = cross(turning[0], turning[1], turning[2], x, y, z)
    fx = m * (up[0] + hx + gx + motion[BENT])
    fy = m * (up[1] + hy + gy + motion[BENT + 1])
    fz = m * (up[2] + hz + gz + motion[BENT + 2])
    sx, sy, sz = motion[SPIN], motion[SPIN + 1], motion[SPIN + 2]
    ax, ay, az = cross(wx, wy, wz, sx, sy, sz)
    kx, ky, kz = symmetric(I, turning[0] + ax + motion[SPUN], turning[1] + ay + motion[SPUN + 1], turning[2] + az + motion[SPUN + 2])  # fmt: skip
    sx, sy, sz = sx + wx, sy + wy, sz + wz
    lx, ly, lz = symmetric(I, sx, sy, sz)
    lx, ly, lz = cross(sx, sy, sz, lx, ly, lz)
    kx, ky, kz = kx + lx, ky + ly, kz + lz
    lx, ly, lz = cross(x, y, z, fx, fy, fz)
    force[0] += fx
    force[1] += fy
    force[2] += fz
    force[3] += kx + lx
    force[4] += ky + ly
    force[5] += kz + lz
    total[0] += m
    total[1] += m * x
    total[2] += m * y
    total[3] += m * z
    total[4] += m * (y * y + z * z) + I[0]
    total[5] += m * (x * x + z * z) + I[1]
    total[6] += m * (x * x + y * y) + I[2]
    total[7] += I[3] - m * x * y
    total[8] += I[4] - m * x * z
    total[9] += I[5] - m * y * z
    for i in range(n):
        dx, dy, dz, ex, ey, ez = D[i, 0], D[i, 1], D[i, 2], W[i, 0], W[i, 1], W[i, 2]
        shape_force[i] += dx * fx + dy * fy + dz * fz + ex * kx + ey * ky + ez * kz
        dx, dy, dz = m * dx, m * dy, m * dz
        ex, ey, ez = symmetric(I, ex, ey, ez)
        lx, ly, lz = cross(x, y, z, dx, dy, dz)
        N[i, 0] += dx
        N[i, 1] += dy
        N[i, 2] += dz
        P[i, 0] += lx + ex
        P[i, 1] += ly + ey
        P[i, 2] += lz + ez
        for j in range(i + 1):
            Q[i, j] += dx * D[j, 0] + dy * D[j, 1] + dz * D[j, 2] + ex * W[j, 0] + ey * W[j, 1] + ez * W[j, 2]


@njit_part
def by_points(part, work, b, q, v, w, up, turning):
    """A body that bends."""
    n, first = part.count[b], part.first[b]
    for i in range(n):
        work.shape_force[i] = 0.0
        for c in range(3):
            work.N[i, c], work.P[i, c] = 0.0, 0.0
        for j in range(i + 1):
            work.Q[i, j] = 0.0
    for k in range(part.first_point[b], part.first_point[b + 1]):
        move_section(part, work, k, q, v, first, n)
        ox, oy, oz = part.point_offset[k, 0], part.point_offset[k, 1], part.point_offset[k, 2]
        if ox != 0.0 or oy != 0.0 or oz != 0.0:
            cx, cy, cz = apply(work.T, 0, ox, oy, oz)
            shift_to_centre(work, n, cx, cy, cz)
        I = turned_tensor(work.T, part.point_tensor[k])
        add_point(work, n, part.point_mass[k], I, w, up, turning)


@njit_part
def by_constants(part, work, b, w, up, turning):
    """A rigid body."""
    total, force, tensor = work.inertia, work.force, part.I0[b]
    for i in range(3):
        total[1 + i] = part.S[b, i]
    for i in range(6):
        total[4 + i] = tensor[i]
    m, x, y, z = part.mass[b], part.S[b, 0], part.S[b, 1], part.S[b, 2]
    total[0] = m
    gx, gy, gz = cross(w[0], w[1], w[2], x, y, z)
    gx, gy, gz = cross(w[0], w[1], w[2], gx, gy, gz)
    hx, hy, hz = cross(turning[0], turning[1], turning[2], x, y, z)
    force[0], force[1], force[2] = m * up[0] + hx + gx, m * up[1] + hy + gy, m * up[2] + hz + gz
    ax, ay, az = symmetric(tensor, turning[0], turning[1], turning[2])
    lx, ly, lz = symmetric(tensor, w[0], w[1], w[2])
    lx, ly, lz = cross(w[0], w[1], w[2], lx, ly, lz)
    gx, gy, gz = cross(x, y, z, up[0], up[1], up[2])
    force[3], force[4], force[5] = ax + lx + gx, ay + ly + gy, az + lz + gz


@njit_part
def body_terms(part, work, b, q, v):
    """work.inertia, force and, of a body that bends, N, P, Q and shape_force; returns the potential of gravity."""
    R, g, gamma, spin = work.turned, part.gravity, work.gamma, work.spin
    w = apply_back(R, b, spin[b, 0], spin[b, 1], spin[b, 2])
    up = apply_back(R, b, gamma[b, 0] - g[0], gamma[b, 1] - g[1], gamma[b, 2] - g[2])
    turning = apply_back(R, b, gamma[b, 3], gamma[b, 4], gamma[b, 5])
    for i in range(10):
        work.inertia[i] = 0.0
    for i in range(6):
        work.force[i] = 0.0
    if part.count[b] > 0:
        by_points(part, work, b, q, v, w, up, turning)
    else:
        by_constants(part, work, b, w, up, turning)
    x, y, z = apply(R, b, work.inertia[1], work.inertia[2], work.inertia[3])
    m, r = work.inertia[0], work.origin
    return -g[0] * (m * r[b, 0] + x) - g[1] * (m * r[b, 1] + y) - g[2] * (m * r[b, 2] + z)
