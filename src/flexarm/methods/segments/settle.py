"""What is known at the end of a step: moments, torques of the joints, energies, and the sums of the audit.

The numerical part is measured by itself: the change of energy minus the work that inertia, weight and springs do along the
step. What damping takes is its own power. Nothing closes the balance by definition.
"""

from __future__ import annotations

import math

from flexarm.methods.segments.drives import side
from flexarm.methods.segments.layout import (
    CONNECTION,
    CX,
    CY,
    DRAG,
    DRIVE,
    DRIVEN,
    ENERGY,
    F_ROOT,
    F_ROTOR,
    F_TIP,
    J_CHANNEL,
    J_DRIVE,
    J_MODE,
    J_ROOT,
    J_SENSE_MOTOR,
    J_SPRING,
    J_TIP,
    LOST,
    MOTOR,
    MOTOR_RATE,
    MOVED,
    NUMERICAL,
    OX,
    OY,
    P_GX,
    P_GY,
    POSITION,
    POWER,
    RATE,
    RIGID,
    SPRING,
    THROUGH,
    W_AX,
    W_AY,
    W_C,
    W_MOMENT,
    W_OMEGA,
    W_Q,
    W_S,
    W_THETA,
    WORK,
    C,
    J,
    K,
    M,
)
from flexarm.numerics.jit import NO, YES, njit_part
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import law_step


@njit_part
def stored(theta, omega, body, kind, par, w):
    """Energy of the chain; what springs and dampers resisted along the step; power of the dampers.

    Moments of the springs go into `w`.
    """
    px, py, vx, vy = 0.0, 0.0, 0.0, 0.0
    energy, taken, resisted, power = 0.0, 0.0, 0.0, 0.0
    before, slower, past, past_rate = 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0]):
        c, s, m, rate = w[b, W_C], w[b, W_S], body[b, M], omega[b]
        XO, YO = body[b, OX] * c - body[b, OY] * s, body[b, OX] * s + body[b, OY] * c
        XC, YC = body[b, CX] * c - body[b, CY] * s, body[b, CX] * s + body[b, CY] * c
        ux, uy = vx - rate * YC, vy + rate * XC
        energy += 0.5 * (m * (ux * ux + uy * uy) + body[b, J] * rate * rate)
        energy -= m * (par[P_GX] * (px + XC) + par[P_GY] * (py + YC))
        if kind[b, CONNECTION] == SPRING:
            wound, old = theta[b] - before, w[b, W_THETA] - past
            winding, drag = rate - slower, body[b, C] * (rate - slower)
            w[b, W_MOMENT] = body[b, K] * wound + drag
            energy += 0.5 * body[b, K] * wound * wound
            taken += 0.5 * body[b, K] * (wound + old) * (wound - old)
            resisted += 0.5 * (drag + body[b, C] * (w[b, W_OMEGA] - past_rate)) * (wound - old)
            power += drag * winding
        before, slower, past, past_rate = theta[b], rate, w[b, W_THETA], w[b, W_OMEGA]
        px, py, vx, vy = px + XO, py + YO, vx - rate * YO, vy + rate * XO
    return energy, taken, resisted, power


@njit_part
def loads(theta, omega, alpha, body, kind, par, w, Q):
    """Forces of inertia and weight on all angles into Q, moments of rigid connections into `w`; their work on the step."""
    qx, qy, moment, work = 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0] - 1, -1, -1):
        c, s, m, turn = w[b, W_C], w[b, W_S], body[b, M], alpha[b]
        XO, YO = body[b, OX] * c - body[b, OY] * s, body[b, OX] * s + body[b, OY] * c
        XC, YC = body[b, CX] * c - body[b, CY] * s, body[b, CX] * s + body[b, CY] * c
        spin = omega[b] * omega[b]
        Fx = m * (w[b, W_AX] - turn * YC - spin * XC - par[P_GX])
        Fy = m * (w[b, W_AY] + turn * XC - spin * YC - par[P_GY])
        Q[b] = body[b, J] * turn + XC * Fy - YC * Fx + XO * qy - YO * qx
        qx += Fx
        qy += Fy
        work += 0.5 * (w[b, W_Q] + Q[b]) * (theta[b] - w[b, W_THETA])
        if kind[b, CONNECTION] == RIGID:
            w[b, W_MOMENT] = moment - Q[b]
        moment = w[b, W_MOMENT]
    return work


@njit_part
def settle(theta, omega, alpha, joints, s, Q, row, z, law, h, body, kind, joint, jfig, par, w, law_work, fresh):
    """Torques, energies and sums at a step point; `fresh` if no step lies before it. False if not finite."""
    energy, taken, resisted, power = stored(theta, omega, body, kind, par, w)
    for i in range(joint.shape[0]):
        if joint[i, J_MODE] == DRIVEN:
            k, b = joint[i, J_CHANNEL], joint[i, J_DRIVE]
            reads_motor = joint[i, J_SENSE_MOTOR] == 1
            y, rate = side(theta, joint, i, reads_motor), side(omega, joint, i, reads_motor)
            turning = side(omega, joint, i, YES[0])
            tau = law_step(row[k], law[k], z[k], h, y, rate, turning, 0.0, 0.0, 0.0, law_work)
            w[b, W_MOMENT] = -tau
    work = loads(theta, omega, alpha, body, kind, par, w, Q)
    for i in range(joint.shape[0]):
        root, tip, b, k = joint[i, J_ROOT], joint[i, J_TIP], joint[i, J_DRIVE], joint[i, J_CHANNEL]
        old = w[b, W_THETA] - (w[tip, W_THETA] if tip >= 0 else 0.0)
        joints[MOTOR, i], joints[MOTOR_RATE, i] = side(theta, joint, i, YES[0]), side(omega, joint, i, YES[0])
        joints[POSITION, i] = side(theta, joint, i, NO[0]) - jfig[i, F_ROOT] * w[root, W_MOMENT]
        joints[POSITION, i] -= jfig[i, F_TIP] * w[b, W_MOMENT]
        joints[RATE, i] = side(omega, joint, i, NO[0])
        if jfig[i, F_ROOT] + jfig[i, F_TIP] > 0.0:
            winding = omega[root] - omega[root - 1] if root > 0 else omega[root]
            joints[RATE, i] -= (jfig[i, F_ROOT] + jfig[i, F_TIP]) * body[root, K] * winding
        tau = -w[b, W_MOMENT]
        drag = z[k, Z_DRAG] if joint[i, J_MODE] == DRIVEN else 0.0
        if joint[i, J_MODE] >= MOVED and not fresh:
            turned, rubbed = joints[MOTOR, i] - old, 0.5 * (joints[DRAG, i] + drag)
            s[WORK] += turned * (0.5 * (joints[DRIVE, i] + tau) - rubbed)
            s[LOST] -= turned * rubbed
        joints[DRIVE, i], joints[DRAG, i] = tau, drag
        if joint[i, J_SPRING] >= 0:
            joints[THROUGH, i] = -w[joint[i, J_SPRING], W_MOMENT]
        else:
            joints[THROUGH, i] = tau - jfig[i, F_ROTOR] * alpha[root]
    if not fresh:
        lost = 0.5 * h * (s[POWER] + power)
        s[LOST] += lost
        s[NUMERICAL] += energy - s[ENERGY] - work - taken + lost - resisted
    s[ENERGY], s[POWER] = energy, power
    return math.isfinite(energy)
