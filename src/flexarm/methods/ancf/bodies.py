"""Rigid bodies on sections: hubs, rotors, lumps with inertia, payload. They turn with a section and do not stretch.

A body with mass m and inertia J rides on the section whose vector is b: its angle is that of b, whatever the length of b,
and its centre lies at r + d, where d has constant components along b and across it. With g = R90 b/|b|^2, the gradient of the
angle, w = g b' and

    alpha = g b'' - 2 w (b b')/|b|^2,   force on r: m (alpha R90 d - w^2 d),   on b: g (J alpha + m R90 d (r'' - gravity))

are exactly what Lagrange's equations give; m r'' itself is in the constant mass matrix. Were the inertia put on the vector b as
on any other position, it would also resist its stretching, and swing on the axial stiffness of the link.
A rotor behind a spring that follows a command turns by that command beyond its section.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.layout import MOTOR_RATE
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import ACCELERATION, VELOCITY

B_R, B_B, B_MASS, B_INERTIA, B_X, B_Y, B_GX, B_GY, B_JOINT, B_CHANNEL = range(10)
"""Columns of the bodies: places of r and of the section's vector (-1: the ground), mass, inertia about the centre, offset of the
centre along the vector and across it, gravity, joint whose command turns it besides (-1: none) and its channel."""
B_SIZE = 10


@njit_inline
def offset_of(body, k, x, y, size):
    """Offset d of a body whose section has the vector (x, y) of this size."""
    cx, cy = body[k, B_X] / size, body[k, B_Y] / size
    return cx * x - cy * y, cx * y + cy * x


@njit_part
def turn_push(q, v, a, p):
    """Turning acceleration of the vector at p."""
    x, y = q[p], q[p + 1]
    square = x * x + y * y
    rate = (x * v[p + 1] - y * v[p]) / square
    return (x * a[p + 1] - y * a[p]) / square - 2.0 * rate * (x * v[p] + y * v[p + 1]) / square


@njit_part
def body_forces(body, q, v, a, row, pull, f):
    """Add inertia and a share `pull` of the weight of all offsets to f; returns the potential of the latter."""
    energy = 0.0
    for k in range(body.shape[0]):
        r, p, mass, channel = int(body[k, B_R]), int(body[k, B_B]), body[k, B_MASS], int(body[k, B_CHANNEL])
        if p < 0:
            continue
        x, y = q[p], q[p + 1]
        square = x * x + y * y
        rate, push = (x * v[p + 1] - y * v[p]) / square, turn_push(q, v, a, p)
        torque = body[k, B_INERTIA] * push
        if channel >= 0:
            torque += body[k, B_INERTIA] * row[channel, ACCELERATION]
        if mass > 0.0:
            dx, dy = offset_of(body, k, x, y, math.sqrt(square))
            gx, gy = pull * body[k, B_GX], pull * body[k, B_GY]
            torque += mass * ((dx * dx + dy * dy) * push + dx * (a[r + 1] - gy) - dy * (a[r] - gx))
            f[r] -= mass * (push * dy + rate * rate * dx)
            f[r + 1] += mass * (push * dx - rate * rate * dy)
            energy -= mass * (gx * dx + gy * dy)
        f[p] -= torque * y / square
        f[p + 1] += torque * x / square
    return energy


@njit_part
def body_energy(body, q, v, frame, row, past):
    """Kinetic energy of the bodies beyond m r'^2/2; `past`: commanded rotors with the rates in `frame`, not in `row`."""
    total = 0.0
    for k in range(body.shape[0]):
        r, p, mass, channel = int(body[k, B_R]), int(body[k, B_B]), body[k, B_MASS], int(body[k, B_CHANNEL])
        rate, turn = 0.0, 0.0
        if channel >= 0:
            turn = frame[MOTOR_RATE, int(body[k, B_JOINT])] if past else row[channel, VELOCITY]
        if p >= 0:
            square = q[p] * q[p] + q[p + 1] * q[p + 1]
            rate = (q[p] * v[p + 1] - q[p + 1] * v[p]) / square
            if mass > 0.0:
                dx, dy = offset_of(body, k, q[p], q[p + 1], math.sqrt(square))
                total += mass * rate * (v[r + 1] * dx - v[r] * dy + 0.5 * rate * (dx * dx + dy * dy))
        total += 0.5 * body[k, B_INERTIA] * (rate + turn) ** 2
    return total


@njit_part
def body_tangent(body, q, v, a, row, speed, push, share, band):
    """Add the derivative of `body_forces` to the band; velocities follow by `speed`, accelerations by `push`.

    `share` scales everything but the mass.
    """
    half = band.shape[1] // 2
    for k in range(body.shape[0]):
        r, p, mass, channel = int(body[k, B_R]), int(body[k, B_B]), body[k, B_MASS], int(body[k, B_CHANNEL])
        if p < 0:
            continue
        x, y = q[p], q[p + 1]
        square = x * x + y * y
        gx, gy = -y / square, x / square
        rate, along = gx * v[p] + gy * v[p + 1], (x * v[p] + y * v[p + 1]) / square
        bent, turning = gx * a[p] + gy * a[p + 1], turn_push(q, v, a, p)
        wx, wy = (v[p + 1] - 2.0 * rate * x) / square + speed * gx, (-v[p] - 2.0 * rate * y) / square + speed * gy
        lx, ly = (v[p] + (speed - 2.0 * along) * x) / square, (v[p + 1] + (speed - 2.0 * along) * y) / square
        sx = push * gx + share * ((a[p + 1] - 2.0 * bent * x) / square - 2.0 * (along * wx + rate * lx))
        sy = push * gy + share * ((-a[p] - 2.0 * bent * y) / square - 2.0 * (along * wy + rate * ly))
        torque, inertia, lift = body[k, B_INERTIA] * turning, body[k, B_INERTIA], 0.0
        if channel >= 0:
            torque += body[k, B_INERTIA] * row[channel, ACCELERATION]
        if mass > 0.0:
            dx, dy = offset_of(body, k, x, y, math.sqrt(square))
            ux, uy = a[r] - body[k, B_GX], a[r + 1] - body[k, B_GY]
            inertia += mass * (dx * dx + dy * dy)
            torque += mass * ((dx * dx + dy * dy) * turning + dx * uy - dy * ux)
            lift = share * mass * (dx * ux + dy * uy)
            hx, hy = turning * dx - rate * rate * dy, turning * dy + rate * rate * dx
            c = p - r + half
            band[r, c] += mass * (-dy * sx - share * (hx * gx + 2.0 * rate * dx * wx))
            band[r, c + 1] += mass * (-dy * sy - share * (hx * gy + 2.0 * rate * dx * wy))
            band[r + 1, c - 1] += mass * (dx * sx - share * (hy * gx + 2.0 * rate * dy * wx))
            band[r + 1, c] += mass * (dx * sy - share * (hy * gy + 2.0 * rate * dy * wy))
            c = r - p + half
            band[p, c] -= push * mass * gx * dy
            band[p, c + 1] += push * mass * gx * dx
            band[p + 1, c - 1] -= push * mass * gy * dy
            band[p + 1, c] += push * mass * gy * dx
        tx, ty = inertia * sx - lift * gx, inertia * sy - lift * gy
        xx, xy = share * torque * 2.0 * gx * -gy, share * torque * (gx * gx - gy * gy)
        band[p, half] += gx * tx + xx
        band[p, half + 1] += gx * ty + xy
        band[p + 1, half - 1] += gy * tx + xy
        band[p + 1, half] += gy * ty - xx


@njit_part
def body_means(body, q0, v0, q1, v1, frame, row, h, f):
    """Mean inertia and weight of the bodies over a step, which do exactly the work of the change of their energies.

    The gradient of the mean shape is corrected along the way of the section's vector by what it misses.
    """
    for k in range(body.shape[0]):
        r, p, mass, channel = int(body[k, B_R]), int(body[k, B_B]), body[k, B_MASS], int(body[k, B_CHANNEL])
        if p < 0:
            continue
        x, y = 0.5 * (q0[p] + q1[p]), 0.5 * (q0[p + 1] + q1[p + 1])
        sx, sy = q1[p] - q0[p], q1[p + 1] - q0[p + 1]
        square, first, last = x * x + y * y, q0[p] ** 2 + q0[p + 1] ** 2, q1[p] ** 2 + q1[p + 1] ** 2
        turned = (x * sy - y * sx) / square
        before = (q0[p] * v0[p + 1] - q0[p + 1] * v0[p]) / first
        after = (q1[p] * v1[p + 1] - q1[p + 1] * v1[p]) / last
        push = after - before
        if channel >= 0:
            push += row[channel, VELOCITY] - frame[MOTOR_RATE, int(body[k, B_JOINT])]
        base = body[k, B_INERTIA] * push / h
        missed = base * (0.5 * h * (before + after) - turned)
        if mass > 0.0:
            dx, dy = offset_of(body, k, x, y, math.sqrt(square))
            x0, y0 = offset_of(body, k, q0[p], q0[p + 1], math.sqrt(first))
            x1, y1 = offset_of(body, k, q1[p], q1[p + 1], math.sqrt(last))
            jx, jy = before * y0 - after * y1, after * x1 - before * x0
            ax, ay = mass * (v1[r] - v0[r] + jx) / h, mass * (v1[r + 1] - v0[r + 1] + jy) / h
            gx, gy = mass * body[k, B_GX], mass * body[k, B_GY]
            force = dx * (ay - gy) - dy * (ax - gx)
            mx, my = -0.5 * h * (before * y0 + after * y1), 0.5 * h * (before * x0 + after * x1)
            missed += ax * mx + ay * my - gx * (x1 - x0) - gy * (y1 - y0) - force * turned
            base += force
            f[r] += mass * jx / h
            f[r + 1] += mass * jy / h
        way = sx * sx + sy * sy
        scale = missed / way if way > 1e-30 * square else 0.0
        f[p] += scale * sx - base * y / square
        f[p + 1] += scale * sy + base * x / square
