"""Rotors behind gears of joints that no command moves: the part of their inertia that feels the joint alone.

With phi the angle of the motor (the link's first section, or an unknown of its own behind a spring), beta that of the section
before the joint, and I = n (n - 1) J (see `flexarm.arm.joint`), the kinetic energy is I (phi' - beta')^2 / 2. Its torque
I (phi'' - beta'') turns the motor forward and the section before the joint backward.

Equations: A14, A15, A17, A31.
"""

from __future__ import annotations

from flexarm.methods.ancf.joints import put_torque, turn_rate
from flexarm.methods.ancf.section_turns import angle_slopes, turn_acceleration
from flexarm.numerics.jit import njit_part


@njit_part
def motor_push(m, q, v, a, i):
    """Acceleration of a motor against the section before its joint."""
    push = a[m.motor[i]] if m.sprung[i] else turn_acceleration(q, v, a, m.first[i])
    return push - turn_acceleration(q, v, a, m.before[i])


@njit_part
def motor_rate(m, q, v, i):
    """Rate of a motor against the section before its joint."""
    return (v[m.motor[i]] if m.sprung[i] else turn_rate(q, v, m.first[i])) - turn_rate(q, v, m.before[i])


@njit_part
def gear_forces(m, q, v, a, f):
    """Add the torques of inertia to f."""
    for i in range(m.links):
        if m.gear[i] != 0.0:
            torque = m.gear[i] * motor_push(m, q, v, a, i)
            if m.sprung[i]:
                f[m.motor[i]] += torque
            else:
                put_torque(q, m.first[i], torque, f)
            put_torque(q, m.before[i], -torque, f)


@njit_part
def gear_energy(m, q, v):
    """Kinetic energy."""
    total = 0.0
    for i in range(m.links):
        if m.gear[i] != 0.0:
            total += 0.5 * m.gear[i] * motor_rate(m, q, v, i) ** 2
    return total


@njit_part
def gear_tangent(m, q, v, a, speed, push, share, band):
    """Add the derivative of `gear_forces` to the band; the arguments are those of `body_tangent`."""
    half = band.shape[1] // 2
    for i in range(m.links):
        if m.gear[i] == 0.0:
            continue
        torque = m.gear[i] * motor_push(m, q, v, a, i)
        motor, before = m.motor[i] if m.sprung[i] else m.first[i], m.before[i]
        mx, my, ux, uy = 1.0, 0.0, push, 0.0
        if not m.sprung[i]:
            mx, my, ux, uy = angle_slopes(q, v, a, motor, speed, push, share)
            bend(motor, share * torque, mx, my, half, band)
        bx, by, wx, wy = angle_slopes(q, v, a, before, speed, push, share)
        bend(before, -share * torque, bx, by, half, band)
        count = 1 if m.sprung[i] else 2
        for r in range(count):
            g = m.gear[i] * (mx if r == 0 else my)
            for c in range(count):
                band[motor + r, half + c - r] += g * (ux if c == 0 else uy)
            for c in range(2):
                band[motor + r, before + c - motor - r + half] -= g * (wx if c == 0 else wy)
        for r in range(2):
            g = m.gear[i] * (bx if r == 0 else by)
            for c in range(count):
                band[before + r, motor + c - before - r + half] -= g * (ux if c == 0 else uy)
            for c in range(2):
                band[before + r, half + c - r] += g * (wx if c == 0 else wy)


@njit_part
def bend(p, torque, gx, gy, half, band):
    """Derivative of a torque on the vector at p, whose angle has the gradient (gx, gy), by the vector."""
    xx, xy = -2.0 * torque * gx * gy, torque * (gx * gx - gy * gy)
    band[p, half] += xx
    band[p, half + 1] += xy
    band[p + 1, half - 1] += xy
    band[p + 1, half] -= xx


@njit_part
def gear_means(m, s, w, h, f):
    """Mean torques of inertia over a step, which do exactly the work of the change of the energy."""
    for i in range(m.links):
        if m.gear[i] != 0.0:
            torque = m.gear[i] * (motor_rate(m, s.q, s.v, i) - motor_rate(m, w.old_q, w.old_v, i)) / h
            if m.sprung[i]:
                f[m.motor[i]] += torque
            else:
                mean_torque(w.old_q, w.old_v, s.q, s.v, m.first[i], torque, h, f)
            mean_torque(w.old_q, w.old_v, s.q, s.v, m.before[i], -torque, h, f)


@njit_part
def mean_torque(q0, v0, q1, v1, p, torque, h, f):
    """A mean torque on the vector at p that works along h times its mean rate: what it misses acts along the vector's way."""
    x, y = 0.5 * (q0[p] + q1[p]), 0.5 * (q0[p + 1] + q1[p + 1])
    sx, sy = q1[p] - q0[p], q1[p + 1] - q0[p + 1]
    square, way = x * x + y * y, sx * sx + sy * sy
    turned = (x * sy - y * sx) / square
    missed = torque * (0.5 * h * (turn_rate(q0, v0, p) + turn_rate(q1, v1, p)) - turned)
    scale = missed / way if way > 1e-30 * square else 0.0
    f[p] += scale * sx - torque * y / square
    f[p + 1] += scale * sy + torque * x / square
