"""What is known at the end of a step: moments, torques of the joints, energies, and the sums of the energy balance.

The numerical part is measured by itself: the change of energy minus the work that inertia, weight and springs do along the
step. What damping takes is its own power. Nothing closes the balance by definition.

Equations: G7, G15, G16.
"""

from __future__ import annotations

import math

from flexarm.methods.segments import layout as at
from flexarm.methods.segments.drives import accepted_torques, end_joints
from flexarm.methods.segments.loads import load_work, spread_loads
from flexarm.methods.segments.sweep import gear_torque
from flexarm.numerics.jit import njit_part


@njit_part
def chain_energy(now, part, w):
    """Energy of the chain; work on springs and on dampers along the step; power of the dampers.

    Moments of the springs go into `w`.
    """
    theta, omega, body = now.theta, now.omega, part.body
    px, py, vx, vy = 0.0, 0.0, 0.0, 0.0
    energy, stored, resisted, power = 0.0, 0.0, 0.0, 0.0
    before, slower, past, past_rate = 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0]):
        c, s, m, rate = w[b, at.W_C], w[b, at.W_S], body[b, at.M], omega[b]
        XO, YO = body[b, at.OX] * c - body[b, at.OY] * s, body[b, at.OX] * s + body[b, at.OY] * c
        XC, YC = body[b, at.CX] * c - body[b, at.CY] * s, body[b, at.CX] * s + body[b, at.CY] * c
        ux, uy = vx - rate * YC, vy + rate * XC
        energy += 0.5 * (m * (ux * ux + uy * uy) + body[b, at.J] * rate * rate)
        energy += 0.5 * body[b, at.GEAR] * (rate - slower) * (rate - slower)
        energy -= m * (part.gravity_x * (px + XC) + part.gravity_y * (py + YC))
        if part.kind[b, at.CONNECTION] == at.SPRING:
            wound, old = theta[b] - before, w[b, at.W_THETA] - past
            winding, drag = rate - slower, body[b, at.C] * (rate - slower)
            w[b, at.W_MOMENT] = body[b, at.K] * wound + drag
            energy += 0.5 * body[b, at.K] * wound * wound
            stored += 0.5 * body[b, at.K] * (wound + old) * (wound - old)
            resisted += 0.5 * (drag + body[b, at.C] * (w[b, at.W_OMEGA] - past_rate)) * (wound - old)
            power += drag * winding
        before, slower, past, past_rate = theta[b], rate, w[b, at.W_THETA], w[b, at.W_OMEGA]
        px, py, vx, vy = px + XO, py + YO, vx - rate * YO, vy + rate * XO
    return energy, stored, resisted, power


@njit_part
def inertia_work(now, part, work):
    """Work along the step of the forces of inertia and weight on all angles, Q; moments of motors and rigid connections into
    `work.body`."""
    theta, omega, alpha, Q, body, w = now.theta, now.omega, now.alpha, now.Q, part.body, work.body
    qx, qy, moment, total, beyond = 0.0, 0.0, 0.0, 0.0, 0.0
    for b in range(theta.shape[0] - 1, -1, -1):
        c, s, m, turn = w[b, at.W_C], w[b, at.W_S], body[b, at.M], alpha[b]
        XO, YO = body[b, at.OX] * c - body[b, at.OY] * s, body[b, at.OX] * s + body[b, at.OY] * c
        XC, YC = body[b, at.CX] * c - body[b, at.CY] * s, body[b, at.CX] * s + body[b, at.CY] * c
        spin = omega[b] * omega[b]
        Fx = m * (w[b, at.W_AX] - turn * YC - spin * XC - part.gravity_x)
        Fy = m * (w[b, at.W_AY] + turn * XC - spin * YC - part.gravity_y)
        own = gear_torque(now, part, b)
        Q[b] = body[b, at.J] * turn + XC * Fy - YC * Fx + XO * qy - YO * qx + own - beyond
        beyond = own
        qx += Fx
        qy += Fy
        if part.loads:
            Q[b] -= w[b, at.W_LM]
            qx -= w[b, at.W_LX]
            qy -= w[b, at.W_LY]
        total += 0.5 * (w[b, at.W_Q] + Q[b]) * (theta[b] - w[b, at.W_THETA])
        if part.kind[b, at.CONNECTION] == at.RIGID:
            w[b, at.W_MOMENT] = moment - Q[b]
        elif part.kind[b, at.CONNECTION] == at.TORQUE:
            w[b, at.W_MOMENT] = -work.motor[b, 0]
        moment = w[b, at.W_MOMENT]
    return total


@njit_part
def end_step(now, row, z, h, part, work, fresh):
    """Torques, energies and sums at a step point; `fresh` if no step lies before it. False if not finite."""
    energy, stored, resisted, power = chain_energy(now, part, work.body)
    if part.loads:
        spread_loads((now, part, work))
    accepted_torques(now, row, z, h, part, work)
    moved = inertia_work(now, part, work)
    end_joints(now, z, part, work.body, fresh)
    sums = now.sums
    if not fresh:
        if part.loads:
            pushed = load_work((now, part, work))
            moved += pushed
            sums[at.WORK] += pushed
        lost = 0.5 * h * (sums[at.POWER] + power)
        sums[at.LOST] += lost
        sums[at.NUMERICAL] += energy - sums[at.ENERGY] - moved - stored + lost - resisted
    sums[at.ENERGY], sums[at.POWER] = energy, power
    return math.isfinite(energy)
