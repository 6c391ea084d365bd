"""Rigid bodies on sections: hubs, rotors, lumps with inertia, payload. They turn with a section and do not stretch.

Equations: A14, A15, A16, A17, A31.

A body with mass m and inertia J rides on the section whose vector is b: its angle is that of b, whatever the length of b,
and its centre lies at r + d, where d has constant components along b and across it; g is the gradient of the angle. m r'' itself
is in the constant mass matrix. Were the inertia put on the vector b as on any other position, it would also resist its stretching,
and swing on the axial stiffness of the link.
A rotor behind a spring or a gear that follows a command turns by that command, times the gear's ratio, beyond its section.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.gears import gear_energy, gear_forces, gear_means, gear_tangent
from flexarm.methods.ancf.section_turns import angle_slopes, rate_slopes, turn_acceleration
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import ACCELERATION, VELOCITY


@njit_inline
def offset_of(m, k, x, y, size):
    """Offset d of a body whose section has the vector (x, y) of this size."""
    cx, cy = m.body_offset[k, 0] / size, m.body_offset[k, 1] / size
    return cx * x - cy * y, cx * y + cy * x


@njit_part
def body_forces(m, q, v, a, row, pull, f):
    """Add inertia and a share `pull` of the weight of all offsets to f; returns the potential of the latter."""
    energy = 0.0
    for k in range(m.body_mass.shape[0]):
        r, p, channel, mass, J = m.body_node[k], m.body_section[k], m.body_channel[k], m.body_mass[k], m.body_inertia[k]
        if p < 0:
            continue
        x, y = q[p], q[p + 1]
        square = x * x + y * y
        rate, push = (x * v[p + 1] - y * v[p]) / square, turn_acceleration(q, v, a, p)
        torque = J * push
        if channel >= 0:
            torque += J * m.body_ratio[k] * row[channel, ACCELERATION]
        if mass > 0.0:
            dx, dy = offset_of(m, k, x, y, math.sqrt(square))
            gx, gy = pull * m.gravity[0], pull * m.gravity[1]
            torque += mass * ((dx * dx + dy * dy) * push + dx * (a[r + 1] - gy) - dy * (a[r] - gx))
            f[r] -= mass * (push * dy + rate * rate * dx)
            f[r + 1] += mass * (push * dx - rate * rate * dy)
            energy -= mass * (gx * dx + gy * dy)
        f[p] -= torque * y / square
        f[p + 1] += torque * x / square
    gear_forces(m, q, v, a, f)
    return energy


@njit_part
def body_energy(m, s, row, past):
    """Kinetic energy of the bodies beyond m r'^2/2; `past`: commanded rotors with the rates of the state, not of `row`."""
    q, v, total = s.q, s.v, 0.0
    for k in range(m.body_mass.shape[0]):
        r, p, channel, mass, J = m.body_node[k], m.body_section[k], m.body_channel[k], m.body_mass[k], m.body_inertia[k]
        rate, turn = 0.0, 0.0
        if channel >= 0:
            turn = m.body_ratio[k] * (s.motor_rate[m.body_joint[k]] if past else row[channel, VELOCITY])
        if p >= 0:
            square = q[p] * q[p] + q[p + 1] * q[p + 1]
            rate = (q[p] * v[p + 1] - q[p + 1] * v[p]) / square
            if mass > 0.0:
                dx, dy = offset_of(m, k, q[p], q[p + 1], math.sqrt(square))
                total += mass * rate * (v[r + 1] * dx - v[r] * dy + 0.5 * rate * (dx * dx + dy * dy))
        total += 0.5 * J * (rate + turn) ** 2
    return total + gear_energy(m, q, v)


@njit_part
def body_tangent(m, q, v, a, row, speed, push, share, band):
    """Add the derivative of `body_forces` to the band; velocities follow by `speed`, accelerations by `push`.

    `share` scales everything but the mass.
    """
    half = band.shape[1] // 2
    for k in range(m.body_mass.shape[0]):
        r, p, channel, mass, J = m.body_node[k], m.body_section[k], m.body_channel[k], m.body_mass[k], m.body_inertia[k]
        if p < 0:
            continue
        x, y = q[p], q[p + 1]
        square = x * x + y * y
        (rate, wx, wy), turning = rate_slopes(q, v, p, speed), turn_acceleration(q, v, a, p)
        gx, gy, sx, sy = angle_slopes(q, v, a, p, speed, push, share)
        torque, inertia, lift = J * turning, J, 0.0
        if channel >= 0:
            torque += J * m.body_ratio[k] * row[channel, ACCELERATION]
        if mass > 0.0:
            dx, dy = offset_of(m, k, x, y, math.sqrt(square))
            ux, uy = a[r] - m.gravity[0], a[r + 1] - m.gravity[1]
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
    gear_tangent(m, q, v, a, speed, push, share, band)


@njit_part
def body_means(m, s, w, row, h, f):
    """Mean inertia and weight of the bodies over a step, which do exactly the work of the change of their energies.

    The gradient of the mean shape is corrected along the way of the section's vector by what it misses.
    """
    q0, v0, q1, v1 = w.old_q, w.old_v, s.q, s.v
    for k in range(m.body_mass.shape[0]):
        r, p, channel, mass, J = m.body_node[k], m.body_section[k], m.body_channel[k], m.body_mass[k], m.body_inertia[k]
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
            push += m.body_ratio[k] * (row[channel, VELOCITY] - s.motor_rate[m.body_joint[k]])
        base = J * push / h
        missed = base * (0.5 * h * (before + after) - turned)
        if mass > 0.0:
            dx, dy = offset_of(m, k, x, y, math.sqrt(square))
            x0, y0 = offset_of(m, k, q0[p], q0[p + 1], math.sqrt(first))
            x1, y1 = offset_of(m, k, q1[p], q1[p + 1], math.sqrt(last))
            jx, jy = before * y0 - after * y1, after * x1 - before * x0
            ax, ay = mass * (v1[r] - v0[r] + jx) / h, mass * (v1[r + 1] - v0[r + 1] + jy) / h
            gx, gy = mass * m.gravity[0], mass * m.gravity[1]
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
    gear_means(m, s, w, h, f)
