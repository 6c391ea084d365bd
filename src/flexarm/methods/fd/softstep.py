"""Soft steps: what `newmark` takes after a jump when something damps.

Average acceleration turns the sign of a strongly damped mode from step to step and keeps it alive. The two-stage method
of Alexander (diagonally implicit, second order, stiffly accurate) lets such modes die as they should. Both stages are
solves with ``M + g C + g^2 K``, g = (1 - 1/sqrt 2) h.

For a quadratic energy E the method obeys exactly

    E1 - E0 = h sum b_i dE/dt(stage i) - h^2 g^2 / (2 h^2) (|k_2|^2 - |k_1|^2),     |k|^2 = V K V + A M A,

so work and loss are sums over the stages, and the last term is the energy that the scheme takes: `numerical`.
"""

from __future__ import annotations

import math

from flexarm.methods.fd.damped import lost_at_rate
from flexarm.methods.fd.forces import forces
from flexarm.methods.fd.layout import (
    DRAG,
    DRIVE_TORQUE,
    I_COUNT,
    I_DRIVE,
    I_LAW,
    I_MOTION,
    I_PATCHES,
    I_SENSE,
    IMPULSE,
    LOST,
    NUMERICAL,
    P_DAMPER,
    P_DRIVE_MASS,
    P_ETA,
    P_SCALE,
    P_SENSE,
    PATCH_STROKE,
    REACTION,
    WORK,
)
from flexarm.numerics.band import multiply, solve
from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import FORCE, POSITION, VELOCITY, law_step
from flexarm.numerics.rows import inside_row

SHARE = 1.0 - 1.0 / math.sqrt(2.0)
"""Place of the first stage in the step, and the implicit share of both."""
STEPS = 4
"""Soft steps after a jump: what is left of a strongly damped mode is then below 1e-3 of it."""

# rows of the scratch array
Q0, V0, V1, A1, NORM, SLOPE, RATE = range(7)
SCRATCH = 7


@njit_part
def law_torque(q, v, rhs, reply, place, z, row, law, h, cq, cv, par, ip, work):
    """Torque at the end of an implicit stage whose positions and rates are ``q + cq a``, ``v + cv a``.

    `rhs` holds the accelerations a without that torque, `reply` their response to a unit torque.
    """
    if not ip[I_LAW]:
        return row[0, FORCE]
    k, c, scale, sense = ip[I_DRIVE], ip[I_SENSE], par[P_SCALE], par[P_SENSE]
    sensed, driven = place[c], place[k]
    y = sense * (q[c] + cq * rhs[sensed])
    rate = sense * (v[c] + cv * rhs[sensed])
    turning = (v[k] + cv * rhs[driven]) / scale
    gy = sense * cq * reply[sensed]
    gv = sense * cv * reply[sensed]
    gm = cv * reply[driven] / scale
    return law_step(row[0], law[0], z[0], h, y, rate, turning, gy, gv, gm, work)


@njit_part
def stage(
    q, v, a, z, row, span, g, law, coef, par, ip, patch, lump, amplitude, m, d, f, rhs, law_work, band, free, place, reply
):  # fmt: skip
    """Backward Euler over g from (q, v), in place; accelerations into a. Returns the torque of the motor.

    span : time since the state z of the law.
    """
    count, drive, scale = free.shape[0], ip[I_DRIVE], par[P_SCALE]
    for i in range(count):
        q[free[i]] += g * v[free[i]]
    if ip[I_MOTION]:
        q[drive], v[drive] = scale * row[0, POSITION], scale * row[0, VELOCITY]
    for p in range(ip[I_PATCHES]):
        amplitude[p] = row[1 + p, FORCE]
    forces(q, v, coef, par, ip, patch, lump, amplitude, m, d, f)
    if not ip[I_MOTION] and not ip[I_LAW]:
        f[drive] += row[0, FORCE] / scale
    for i in range(count):
        rhs[i] = f[free[i]]
    solve(band, rhs[:count])
    tau = 0.0
    if not ip[I_MOTION]:
        tau = law_torque(q, v, rhs, reply, place, z, row, law, span, g * g, g, par, ip, law_work)
        if ip[I_LAW]:
            for i in range(count):
                rhs[i] += reply[i] * tau
    for i in range(count):
        j = free[i]
        a[j] = rhs[i]
        q[j] += g * g * a[j]
        v[j] += g * a[j]
    return tau


@njit_part
def squared(slope, rate, order, stiffness, mass, work):
    """|k|^2 of a stage: slope K slope + rate M rate, both as bands over the coordinates in `order`."""
    count, total = order.shape[0], 0.0
    for part in range(2):
        vector = slope if part == 0 else rate
        for i in range(count):
            work[0, i] = vector[order[i]]
        multiply(stiffness if part == 0 else mass, work[0, :count], work[1, :count])
        for i in range(count):
            total += work[0, i] * work[1, i]
    return total


@njit_part
def book_stage(q, v, slope, turn, tau, drag, row, part, s, coef, par, ip, patch, lump, amplitude, m, d, f):
    """Work, loss and impulse of one stage that counts for the time `part`; slope = rates, or that of the motion.

    turn : slope of the rate of the motion.
    """
    drive, scale = ip[I_DRIVE], par[P_SCALE]
    for p in range(ip[I_PATCHES]):
        stroke = 0.0
        for j in range(ip[I_COUNT]):
            stroke += patch[3 * p + PATCH_STROKE, j] * slope[j]
        s[WORK] += part * row[1 + p, FORCE] * stroke
    if par[P_ETA] > 0.0 or par[P_DAMPER] > 0.0:
        s[LOST] += lost_at_rate(v, slope[drive], d, f, part, lump, coef, par, ip)
    if ip[I_MOTION]:
        forces(q, v, coef, par, ip, patch, lump, amplitude, m, d, f)
        reaction, rate = -f[drive] * scale, v[drive] / scale
        s[WORK] += part * (reaction * slope[drive] / scale + par[P_DRIVE_MASS] * rate * turn / scale)
        s[IMPULSE] += part * reaction
        s[REACTION] = reaction
    else:
        turned = part * v[drive] / scale
        s[WORK] += (tau - drag) * turned
        s[LOST] -= drag * turned
        s[IMPULSE] += part * tau
        s[DRIVE_TORQUE], s[DRAG] = tau, drag


@njit_part
def soft_step(
    q, v, s, a, z, before, row, h, law, coef, par, ip, patch, lump, amplitude, work, law_work, soft, free, place, order,
    reply, band, stiffness, mass, spare, spare_z, spare_row,
):  # fmt: skip
    """One step in two stages, in place.

    band : factored ``M + g C + g^2 K``; stiffness, mass : bands over the coordinates in `order`; soft : scratch.
    """
    m, d, f, rhs = work[0], work[1], work[2], work[4]
    size, drive, g, first = ip[I_COUNT], ip[I_DRIVE], SHARE * h, (1.0 - SHARE) * h
    q0, v0, v1, a1 = soft[Q0], soft[V0], soft[V1], soft[A1]
    slope, rate = soft[SLOPE], soft[RATE]
    for j in range(size):
        q0[j], v0[j], a[j] = q[j], v[j], 0.0
    for j in range(z.shape[1]):
        spare_z[0, j] = z[0, j]
    inside_row(before, row, h, SHARE, spare_row)
    tau = stage(
        q, v, a, spare_z, spare_row, g, g, law, coef, par, ip, patch, lump, amplitude, m, d, f, rhs, law_work, band,
        free, place, reply,
    )  # fmt: skip
    for j in range(size):
        v1[j], a1[j] = v[j], a[j]
    if ip[I_MOTION]:  # slopes that lead to the given place and rate
        v1[drive], a1[drive] = (q[drive] - q0[drive]) / g, (v[drive] - v0[drive]) / g
    book_stage(
        q,
        v,
        v1,
        a1[drive],
        tau,
        spare_z[0, Z_DRAG],
        spare_row,
        first,
        s,
        coef,
        par,
        ip,
        patch,
        lump,
        amplitude,
        m,
        d,
        f,
    )
    size1 = squared(v1, a1, order, stiffness, mass, spare)
    for j in range(size):
        q[j], v[j] = q0[j] + first * v1[j], v0[j] + first * a1[j]
    tau = stage(
        q, v, a, z, row, h, g, law, coef, par, ip, patch, lump, amplitude, m, d, f, rhs, law_work, band, free, place,
        reply,
    )  # fmt: skip
    for j in range(size):
        slope[j], rate[j] = v[j], a[j]
    if ip[I_MOTION]:
        slope[drive] = (q[drive] - q0[drive] - first * v1[drive]) / g
        rate[drive] = (v[drive] - v0[drive] - first * a1[drive]) / g
    book_stage(q, v, slope, rate[drive], tau, z[0, Z_DRAG], row, g, s, coef, par, ip, patch, lump, amplitude, m, d, f)
    if ip[I_MOTION]:
        s[IMPULSE] += par[P_DRIVE_MASS] * (v[drive] - v0[drive]) / par[P_SCALE]
    s[NUMERICAL] -= 0.5 * g * g * (squared(slope, rate, order, stiffness, mass, spare) - size1)
