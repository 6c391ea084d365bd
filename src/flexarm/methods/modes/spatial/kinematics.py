"""Frames of all bodies in space, from the root outwards: places, rotations, spins, Jacobians and velocity terms.

Vectors are in the axes of the ground. gamma is the part of the acceleration of a frame, and of the rate of its spin, that is not
J q''. The columns of a body's Jacobian begin with those of its parent.

Equations: N9, N10, N11, N12.
"""

from __future__ import annotations

import math

from flexarm.methods.modes.spatial.arrays import BENT, MOVED, RHO, SPIN, SPUN
from flexarm.methods.modes.spatial.sections import move_section, turn_root
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rotations import apply, cross, multiply


@njit_part
def shift_frame(work, b, columns, dx, dy, dz):
    """Move the origin of frame b by d, as a point of its rigid body."""
    J, gamma, spin = work.J, work.gamma, work.spin
    wx, wy, wz = spin[b, 0], spin[b, 1], spin[b, 2]
    x, y, z = cross(gamma[b, 3], gamma[b, 4], gamma[b, 5], dx, dy, dz)
    ux, uy, uz = cross(wx, wy, wz, dx, dy, dz)
    cx, cy, cz = cross(wx, wy, wz, ux, uy, uz)
    gamma[b, 0] += x + cx
    gamma[b, 1] += y + cy
    gamma[b, 2] += z + cz
    work.origin[b, 0] += dx
    work.origin[b, 1] += dy
    work.origin[b, 2] += dz
    for m in range(columns):
        x, y, z = cross(J[b, m, 3], J[b, m, 4], J[b, m, 5], dx, dy, dz)
        J[b, m, 0] += x
        J[b, m, 1] += y
        J[b, m, 2] += z


@njit_part
def move_to_section(part, work, k, p, b, q, v):
    """Frame b = that of section k on body p."""
    n, first, count = part.count[p], part.first[p], part.column_count[p]
    J, R, motion, gamma, spin = work.J, work.turned, work.motion, work.gamma, work.spin
    for i in range(3):
        work.origin[b, i], spin[b, i] = work.origin[p, i], spin[p, i]
    for i in range(6):
        gamma[b, i] = gamma[p, i]
    for m in range(count):
        for i in range(6):
            J[b, m, i] = J[p, m, i]
    if n == 0:
        for i in range(9):
            R[b, i] = R[p, i]
        dx, dy, dz = apply(R, p, part.r0[k, 0], part.r0[k, 1], part.r0[k, 2])
        shift_frame(work, b, count, dx, dy, dz)
        return
    move_section(part, work, k, q, v, first, n)
    dx, dy, dz = apply(R, p, motion[RHO], motion[RHO + 1], motion[RHO + 2])
    shift_frame(work, b, count, dx, dy, dz)
    wx, wy, wz = spin[p, 0], spin[p, 1], spin[p, 2]
    ux, uy, uz = apply(R, p, motion[MOVED], motion[MOVED + 1], motion[MOVED + 2])
    cx, cy, cz = cross(wx, wy, wz, ux, uy, uz)
    ax, ay, az = apply(R, p, motion[BENT], motion[BENT + 1], motion[BENT + 2])
    gamma[b, 0] += 2.0 * cx + ax
    gamma[b, 1] += 2.0 * cy + ay
    gamma[b, 2] += 2.0 * cz + az
    add_spin(work, b, p, wx, wy, wz, 1.0)
    for i in range(n):
        m = count - n + i
        x, y, z = apply(R, p, work.D[i, 0], work.D[i, 1], work.D[i, 2])
        J[b, m, 0] += x
        J[b, m, 1] += y
        J[b, m, 2] += z
        x, y, z = apply(R, p, work.W[i, 0], work.W[i, 1], work.W[i, 2])
        J[b, m, 3] += x
        J[b, m, 4] += y
        J[b, m, 5] += z
    multiply(R, p, work.T, 0, R, b)


@njit_part
def add_spin(work, b, p, wx, wy, wz, sign):
    """Add the spin in work.motion, which is in the axes of frame p of spin w, to frame b."""
    motion, R = work.motion, work.turned
    rx, ry, rz = apply(R, p, motion[SPIN], motion[SPIN + 1], motion[SPIN + 2])
    cx, cy, cz = cross(wx, wy, wz, rx, ry, rz)
    ax, ay, az = apply(R, p, motion[SPUN], motion[SPUN + 1], motion[SPUN + 2])
    work.spin[b, 0] += sign * rx
    work.spin[b, 1] += sign * ry
    work.spin[b, 2] += sign * rz
    work.gamma[b, 3] += sign * (cx + ax)
    work.gamma[b, 4] += sign * (cy + ay)
    work.gamma[b, 5] += sign * (cz + az)


@njit_part
def keep_carrier(work, b, count):
    """What the spinners of joint b need of what carries it; its frame is that of the carrier, and the joint's axis is known."""
    J, spin, gamma = work.J, work.spin, work.gamma
    x, y, z = work.axis[b, 0], work.axis[b, 1], work.axis[b, 2]
    gx, gy, gz = cross(spin[b, 0], spin[b, 1], spin[b, 2], x, y, z)
    work.carrier_gamma[b] = x * gamma[b, 3] + y * gamma[b, 4] + z * gamma[b, 5]
    for i in range(3):
        work.carrier_spin[b, i] = spin[b, i]
    for m in range(count):
        work.carrier_row[b, m] = x * J[b, m, 3] + y * J[b, m, 4] + z * J[b, m, 5]
        work.carrier_gyro[b, m] = gx * J[b, m, 3] + gy * J[b, m, 4] + gz * J[b, m, 5]


@njit_part
def pass_joint(part, work, b, count, q, v):
    """Frame b, at its joint and turned with the carrier, goes through the joint; `count` columns were before it."""
    J, gamma, spin, R = work.J, work.gamma, work.spin, work.turned
    x, y, z = R[b, 2], R[b, 5], R[b, 8]
    work.axis[b, 0], work.axis[b, 1], work.axis[b, 2] = x, y, z
    if part.hinge[b] < 0:
        return
    keep_carrier(work, b, count)
    for i in range(6):
        J[b, count, i] = 0.0
    k = part.coordinate[part.hinge[b]]
    position, rate = q[k], v[k]
    wx, wy, wz = spin[b, 0], spin[b, 1], spin[b, 2]
    cx, cy, cz = cross(wx, wy, wz, x, y, z)
    if part.slides[b]:
        d = position + part.offset[b]
        shift_frame(work, b, count, d * x, d * y, d * z)
        gamma[b, 0] += 2.0 * rate * cx
        gamma[b, 1] += 2.0 * rate * cy
        gamma[b, 2] += 2.0 * rate * cz
        J[b, count, 0], J[b, count, 1], J[b, count, 2] = x, y, z
        return
    gamma[b, 3] += rate * cx
    gamma[b, 4] += rate * cy
    gamma[b, 5] += rate * cz
    spin[b, 0], spin[b, 1], spin[b, 2] = wx + rate * x, wy + rate * y, wz + rate * z
    J[b, count, 3], J[b, count, 4], J[b, count, 5] = x, y, z
    c, s = math.cos(position), math.sin(position)
    for i in range(3):
        p, t = R[b, 3 * i], R[b, 3 * i + 1]
        R[b, 3 * i], R[b, 3 * i + 1] = c * p + s * t, c * t - s * p


@njit_part
def leave_root(part, work, b, q, v):
    """From the root section of body b, the frame until now, to the frame from which its shapes are counted."""
    n, count, R, T, J = part.count[b], part.column_count[b], work.turned, work.T, work.J
    turn_root(part, work, b, q, v)
    for r in range(3):  # R T^T
        x, y, z = R[b, 3 * r], R[b, 3 * r + 1], R[b, 3 * r + 2]
        for c in range(3):
            R[b, 3 * r + c] = x * T[0, 3 * c] + y * T[0, 3 * c + 1] + z * T[0, 3 * c + 2]
    motion = work.motion
    rx, ry, rz = apply(R, b, motion[SPIN], motion[SPIN + 1], motion[SPIN + 2])
    wx, wy, wz = work.spin[b, 0] - rx, work.spin[b, 1] - ry, work.spin[b, 2] - rz
    add_spin(work, b, b, wx, wy, wz, -1.0)
    for i in range(n):
        m = count - n + i
        x, y, z = apply(R, b, work.W[i, 0], work.W[i, 1], work.W[i, 2])
        J[b, m, 0], J[b, m, 1], J[b, m, 2] = 0.0, 0.0, 0.0
        J[b, m, 3], J[b, m, 4], J[b, m, 5] = -x, -y, -z


@njit_part
def place_all(part, work, q, v):
    """Frames of all bodies."""
    R = work.turned
    for b in range(part.parent.shape[0]):
        p, before = part.parent[b], 0
        if p < 0:
            for i in range(3):
                work.origin[b, i], work.spin[b, i] = 0.0, 0.0
            for i in range(6):
                work.gamma[b, i] = 0.0
            for i in range(9):
                R[b, i] = 1.0 if i % 4 == 0 else 0.0
        else:
            before = part.column_count[p]
            move_to_section(part, work, part.mount[b], p, b, q, v)
        dx, dy, dz = apply(R, b, part.place[b, 0], part.place[b, 1], part.place[b, 2])
        shift_frame(work, b, before, dx, dy, dz)
        turn_on(work, b, part.rot)
        pass_joint(part, work, b, before, q, v)
        turn_on(work, b, part.post)
        dx, dy, dz = apply(R, b, part.lever[b, 0], part.lever[b, 1], part.lever[b, 2])
        shift_frame(work, b, part.column_count[b] - part.count[b], dx, dy, dz)
        if part.count[b] > 0:
            leave_root(part, work, b, q, v)


@njit_part
def turn_on(work, b, turns):
    """R[b] <- R[b] turns[b]."""
    R = work.turned
    for r in range(3):
        x, y, z = R[b, 3 * r], R[b, 3 * r + 1], R[b, 3 * r + 2]
        for c in range(3):
            R[b, 3 * r + c] = x * turns[b, c] + y * turns[b, 3 + c] + z * turns[b, 6 + c]
