"""Derivatives of joint torques by the unknowns: in the band for hub and motor sensors, apart for chords.

Equations: A21, A22.

A joint has three angles (see `joints`): 0 first section, 1 section before, 2 motor. w.torque (3,) holds their torques as they
stand in the residual, w.by_angle and w.by_rate (3, 3) the slopes.
"""

from __future__ import annotations

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.joints import law_torque, read_joint
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def joint_tangent(m, s, w, row, h, speed, band):
    """Add springs, motors and laws to the band; directions and slopes of chord laws go into the workspace."""
    chords = 0
    for i in range(m.links):
        if not m.acts[i] and not m.sprung[i]:
            continue
        read_joint(m, s, w, row, i)
        for r in range(3):
            w.torque[r] = 0.0
            for c in range(3):
                w.by_angle[r, c], w.by_rate[r, c] = 0.0, 0.0
        if m.sprung[i]:
            torque = m.spring[i] * (w.first_angle[i] - w.motor_angle[i])
            torque += m.damper[i] * (w.first_rate[i] - w.motor_rate[i])
            before = 1 if m.commanded[i] else 2
            for r in range(3):
                sr = sign(r, 0, before)
                w.torque[r] += sr * torque
                for c in range(3):
                    sc = sign(c, 0, before)
                    w.by_angle[r, c] += sr * sc * m.spring[i]
                    w.by_rate[r, c] += sr * sc * m.damper[i]
        if m.acts[i]:
            tau, dy, dv, dm = law_torque(m, s, w, row, h, i)
            motor = 2 if m.sprung[i] else 0
            sensed = motor if m.sensor[i] == at.MOTOR_SENSOR else 0
            if m.sensor[i] == at.CHORD_SENSOR:
                chord_column(m, s.q, i, w.directions[chords])
                w.chord_slopes[0, chords], w.chord_slopes[1, chords] = dy, dv
                chords += 1
                dy, dv = 0.0, 0.0
            for r in range(3):
                sr = sign(r, motor, 1)
                w.torque[r] -= sr * tau
                for c in range(3):
                    reads, turns = sign(c, sensed, 1), sign(c, motor, 1)
                    w.by_angle[r, c] -= sr * dy * reads
                    w.by_rate[r, c] -= sr * (dv * reads + dm * turns)
        add_angles(m, s, w, i, speed, band)


@njit_inline
def sign(angle, forward, backward):
    """How a torque acts on one of the three angles."""
    return 1.0 if angle == forward else -1.0 if angle == backward else 0.0


@njit_part
def add_angles(m, s, w, i, speed, band):
    """Carry torques and slopes of the three angles to the unknowns."""
    q, v, grad, bend, half = s.q, s.v, w.gradient, w.bend, band.shape[1] // 2
    for c in range(3):
        p = place_of(m, i, c)
        grad[2 * c], grad[2 * c + 1], bend[2 * c], bend[2 * c + 1] = 0.0, 0.0, 0.0, 0.0
        if p < 0:
            continue
        if c == 2:
            grad[4] = 1.0
            continue
        x, y = q[p], q[p + 1]
        square = x * x + y * y
        xx, xy = 2.0 * x * y / (square * square), (y * y - x * x) / (square * square)
        grad[2 * c], grad[2 * c + 1] = -y / square, x / square
        bend[2 * c] = xx * v[p] + xy * v[p + 1]
        bend[2 * c + 1] = xy * v[p] - xx * v[p + 1]
        torque = w.torque[c]
        band[p, half] += torque * xx
        band[p, half + 1] += torque * xy
        band[p + 1, half - 1] += torque * xy
        band[p + 1, half] -= torque * xx
    for r in range(3):
        pr = place_of(m, i, r)
        if pr < 0:
            continue
        for c in range(3):
            pc = place_of(m, i, c)
            if pc < 0:
                continue
            P, V = w.by_angle[r, c] + speed * w.by_rate[r, c], w.by_rate[r, c]
            for k in range(1 if r == 2 else 2):
                for j in range(1 if c == 2 else 2):
                    value = grad[2 * r + k] * (P * grad[2 * c + j] + V * bend[2 * c + j])
                    band[pr + k, pc + j - pr - k + half] += value


@njit_part
def place_of(m, i, c):
    """Place in q of a joint's angle; -1 if it has none."""
    if c == 0:
        return m.first[i]
    if c == 1:
        return m.before[i]
    return m.motor[i]


@njit_inline
def chord_column(m, q, i, column):
    """Direction (size,) in which the motor of a chord law acts."""
    column[:] = 0.0
    if m.sprung[i]:
        column[m.motor[i]] = 1.0
    for c in range(2):
        p = place_of(m, i, c)
        if p >= 0 and (c == 1 or not m.sprung[i]):
            square = q[p] * q[p] + q[p + 1] * q[p + 1]
            way = 1.0 if c == 0 else -1.0
            column[p], column[p + 1] = -way * q[p + 1] / square, way * q[p] / square


@njit_part
def chord_row(m, s, i, dy, dv, speed, x):
    """Product of a chord law's sensor row with the vector x: slopes dy and dv of the torque by reading and rate."""
    q, v, total = s.q, s.v, 0.0
    for link in range(max(0, i - 1), i + 1):
        r, t = m.root[link], m.tip[link]
        cx, cy, dx, dz = q[t] - q[r], q[t + 1] - q[r + 1], v[t] - v[r], v[t + 1] - v[r + 1]
        square = cx * cx + cy * cy
        xx, xy = 2.0 * cx * cy / (square * square), (cy * cy - cx * cx) / (square * square)
        wx = -(dy + speed * dv) * cy / square + dv * (xx * dx + xy * dz)
        wy = (dy + speed * dv) * cx / square + dv * (xy * dx - xx * dz)
        way = 1.0 if link == i else -1.0
        total += way * (wx * (x[t] - x[r]) + wy * (x[t + 1] - x[r + 1]))
    return total
