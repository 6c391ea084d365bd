"""Derivatives of joint torques by the unknowns: in the band for hub and motor sensors, apart for chords.

With the three angles of a joint (see `joints`), their torques T (as they stand in the residual) and slopes P = dT/dangle,
V = dT/drate, the tangent is  grad_r [ (P + speed V) grad_c + V Hess_c d' ]_c  +  T_r Hess_r.
"""

from __future__ import annotations

from flexarm.methods.ancf.joints import (
    B_ANGLE,
    B_RATE,
    M_ANGLE,
    M_RATE,
    MOTOR_RATE,
    READING,
    READING_RATE,
    read_joint,
)
from flexarm.methods.ancf.layout import (
    CHORD_SENSOR,
    J_A,
    J_ACTS,
    J_B,
    J_CHANNEL,
    J_COMMAND,
    J_END,
    J_PSI,
    J_ROOT,
    J_SENSE,
    J_SPRING,
    K_DAMPER,
    K_LAW,
    K_SPRING,
    MOTOR_SENSOR,
    S_BEND,
    S_CAP,
    S_DV,
    S_DY,
    S_GRADIENT,
    S_LAW,
    S_PLACES,
    S_READ,
    S_SPEEDS,
    S_TORQUE,
    V_CHORD,
)
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import law_value


@njit_part
def joint_tangent(joint, jfig, q, v, row, z, h, speed, frame, small, vec, band):
    """Add springs, motors and laws to the band; directions of chord laws go into vec from V_CHORD on."""
    half = band.shape[1] // 2
    chords = 0
    for i in range(joint.shape[0]):
        acts, spring = joint[i, J_ACTS], joint[i, J_SPRING]
        if not acts and not spring:
            continue
        read = small[S_READ]
        read_joint(joint, jfig, q, v, row, frame, i, read)
        for r in range(3):
            small[S_TORQUE, r] = 0.0
            for c in range(3):
                small[S_PLACES + r, c], small[S_SPEEDS + r, c] = 0.0, 0.0
        if spring:
            torque = jfig[i, K_SPRING] * (read[B_ANGLE] - read[M_ANGLE])
            torque += jfig[i, K_DAMPER] * (read[B_RATE] - read[M_RATE])
            before = 1 if joint[i, J_COMMAND] else 2
            for r in range(3):
                sr = 1.0 if r == 0 else -1.0 if r == before else 0.0
                small[S_TORQUE, r] += sr * torque
                for c in range(3):
                    sc = 1.0 if c == 0 else -1.0 if c == before else 0.0
                    small[S_PLACES + r, c] += sr * sc * jfig[i, K_SPRING]
                    small[S_SPEEDS + r, c] += sr * sc * jfig[i, K_DAMPER]
        if acts:
            k = joint[i, J_CHANNEL]
            tau, dy, dv, dm = law_value(
                row[k],
                jfig[i, K_LAW:],
                z[k],
                h,
                read[READING],
                read[READING_RATE],
                read[MOTOR_RATE],
                small[S_LAW:S_CAP],
            )
            motor = 2 if spring else 0
            sensed = motor if joint[i, J_SENSE] == MOTOR_SENSOR else 0
            if joint[i, J_SENSE] == CHORD_SENSOR:
                chord_column(joint, q, i, motor, vec[V_CHORD + chords])
                small[S_DY, chords], small[S_DV, chords] = dy, dv
                chords += 1
                dy, dv = 0.0, 0.0
            for r in range(3):
                sr = 1.0 if r == motor else -1.0 if r == 1 else 0.0
                small[S_TORQUE, r] -= sr * tau
                for c in range(3):
                    reads = 1.0 if c == sensed else -1.0 if c == 1 else 0.0
                    turns = 1.0 if c == motor else -1.0 if c == 1 else 0.0
                    small[S_PLACES + r, c] -= sr * dy * reads
                    small[S_SPEEDS + r, c] -= sr * (dv * reads + dm * turns)
        add_angles(joint, q, v, i, speed, small, band, half)


@njit_part
def add_angles(joint, q, v, i, speed, small, band, half):
    """Carry torques and slopes of the three angles to the unknowns."""
    grad, bend = small[S_GRADIENT], small[S_BEND]
    for c in range(3):
        p = place_of(joint, i, c)
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
        torque = small[S_TORQUE, c]
        band[p, half] += torque * xx
        band[p, half + 1] += torque * xy
        band[p + 1, half - 1] += torque * xy
        band[p + 1, half] -= torque * xx
    for r in range(3):
        pr = place_of(joint, i, r)
        if pr < 0:
            continue
        for c in range(3):
            pc = place_of(joint, i, c)
            if pc < 0:
                continue
            P, V = small[S_PLACES + r, c] + speed * small[S_SPEEDS + r, c], small[S_SPEEDS + r, c]
            for k in range(1 if r == 2 else 2):
                for j in range(1 if c == 2 else 2):
                    value = grad[2 * r + k] * (P * grad[2 * c + j] + V * bend[2 * c + j])
                    band[pr + k, pc + j - pr - k + half] += value


@njit_part
def place_of(joint, i, c):
    """Place in q of a joint's angle; -1 if it has none."""
    if c == 0:
        return joint[i, J_B]
    if c == 1:
        return joint[i, J_A]
    return joint[i, J_PSI]


@njit_inline
def chord_column(joint, q, i, motor, column):
    """Direction (size,) in which the motor of a chord law acts."""
    column[:] = 0.0
    if motor == 2:
        column[joint[i, J_PSI]] = 1.0
    for c in range(2):
        p = place_of(joint, i, c)
        if p >= 0 and (c == 1 or motor == 0):
            square = q[p] * q[p] + q[p + 1] * q[p + 1]
            sign = 1.0 if c == 0 else -1.0
            column[p], column[p + 1] = -sign * q[p + 1] / square, sign * q[p] / square


@njit_part
def chord_row(joint, q, v, i, dy, dv, speed, x):
    """Product of a chord law's sensor row with the vector x: slopes dy and dv of the torque by reading and rate."""
    total = 0.0
    for link in range(max(0, i - 1), i + 1):
        r, t = joint[link, J_ROOT], joint[link, J_END]
        cx, cy, dx, dz = q[t] - q[r], q[t + 1] - q[r + 1], v[t] - v[r], v[t + 1] - v[r + 1]
        square = cx * cx + cy * cy
        xx, xy = 2.0 * cx * cy / (square * square), (cy * cy - cx * cx) / (square * square)
        wx = -(dy + speed * dv) * cy / square + dv * (xx * dx + xy * dz)
        wy = (dy + speed * dv) * cx / square + dv * (xy * dx - xx * dz)
        sign = 1.0 if link == i else -1.0
        total += sign * (wx * (x[t] - x[r]) + wy * (x[t + 1] - x[r + 1]))
    return total
