"""The implicit scheme: Newmark with average acceleration on a band of half-width two; any step, cost linear in n.

It conserves energy exactly, so nothing is booked as `numerical`, except in the few soft steps after a jump (`softstep`)
where something damps. A joint law is solved with the step: its torque acts
through ``reply``, the response of the factored system to a unit torque (Woodbury), so gains may change at no cost.
"""

from __future__ import annotations

from flexarm.methods.fd.damped import lost_at_rate
from flexarm.methods.fd.endcells import carry_ends
from flexarm.methods.fd.forces import forces
from flexarm.methods.fd.layout import (
    DRAG,
    DRIVE_TORQUE,
    I_COUNT,
    I_DRIVE,
    I_LAW,
    I_MOTION,
    I_N,
    I_PATCHES,
    I_ROOT_CELL,
    I_SENSE,
    I_SOFT,
    I_TIP_CELL,
    IMPULSE,
    LOST,
    NODE,
    P_DAMPER,
    P_DRIVE_MASS,
    P_ETA,
    P_SCALE,
    P_SENSE,
    REACTION,
    START_STEPS,
    SUMS,
    WORK,
)
from flexarm.methods.fd.leapfrog import patch_work
from flexarm.methods.fd.report import derived, peaks
from flexarm.methods.fd.softstep import STEPS, law_torque, soft_step
from flexarm.numerics.band import solve
from flexarm.numerics.jit import borrow, njit, njit_part
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import FORCE, KP, KV, POSITION, VELOCITY, law_step


@njit
def march(
    x, z, table, records, every, phase, h, law, coef, par, ip, patch, lump, amplitude, work, law_work, band, free, place,
    reply, soft, order, soft_reply, soft_band, stiffness, mass, spare, spare_z, spare_row,
):  # fmt: skip
    """Step through `table`; returns steps done and records written; a tip that is not finite ends it.

    band : factored ``M + h/2 C + h^2/4 K`` of the free coordinates; free : their indices; place : the inverse map;
    reply : response of the accelerations to a unit torque; the rest is for soft steps.
    """
    x, z, table, records, law, coef = borrow(x), borrow(z), borrow(table), borrow(records), borrow(law), borrow(coef)
    par, ip, patch, lump, amplitude = borrow(par), borrow(ip), borrow(patch), borrow(lump), borrow(amplitude)
    work, law_work, band, free = borrow(work), borrow(law_work), borrow(band), borrow(free)
    place, reply = borrow(place), borrow(reply)
    soft, order, soft_reply, soft_band = borrow(soft), borrow(order), borrow(soft_reply), borrow(soft_band)
    stiffness, mass, spare = borrow(stiffness), borrow(mass), borrow(spare)
    spare_z, spare_row = borrow(spare_z), borrow(spare_row)
    size, steps, written = ip[I_COUNT], table.shape[0] - 1, 0
    q, v, s = x[:size], x[size : 2 * size], x[2 * size : 2 * size + SUMS]
    a = x[2 * size + SUMS : 3 * size + SUMS]
    for k in range(steps):
        before, row = table[k], table[k + 1]
        if s[START_STEPS] > 0.0:
            s[START_STEPS] -= 1.0
            soft_step(
                q, v, s, a, z, before, row, h, law, coef, par, ip, patch, lump, amplitude, work, law_work, soft, free,
                place, order, soft_reply, soft_band, stiffness, mass, spare, spare_z, spare_row,
            )  # fmt: skip
        else:
            average_step(
                q, v, s, a, z, before, row, h, law, coef, par, ip, patch, lump, amplitude, work, law_work, band, free,
                place, reply,
            )  # fmt: skip
        if not abs(q[NODE + ip[I_N]]) < 1e100:
            return k, written
        if ip[I_ROOT_CELL] or ip[I_TIP_CELL]:
            carry_ends(q, v, s, a, row, h, patch, coef, par, ip)
        peaks(q, s, coef, par, ip)
        due = every > 0 and (phase + k + 1) % every == 0
        if due or k + 1 == steps:
            derived(q, v, s, a, row, coef, par, ip)
        if due:
            for j in range(2 * size + SUMS):
                records[written, j] = x[j]
            written += 1
    return steps, written


@njit_part
def average_step(
    q, v, s, a, z, start, row, h, law, coef, par, ip, patch, lump, amplitude, work, law_work, band, free, place, reply
):
    """One step of average acceleration, in place, with work, loss and impulse."""
    count, drive, scale = free.shape[0], ip[I_DRIVE], par[P_SCALE]
    m, d, f, mean, rhs = work[0], work[1], work[2], work[3], work[4]
    before, rate_before = q[drive] / scale, v[drive] / scale
    for j in range(ip[I_COUNT]):
        mean[j] = q[j]
    for i in range(count):
        j = free[i]
        q[j] += h * (v[j] + 0.25 * h * a[j])
        v[j] += 0.5 * h * a[j]
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
        tau = law_torque(q, v, rhs, reply, place, z, row, law, h, 0.25 * h * h, 0.5 * h, par, ip, law_work)
        if ip[I_LAW]:
            for i in range(count):
                rhs[i] += reply[i] * tau
    for i in range(count):
        j = free[i]
        a[j] = rhs[i]
        q[j] += 0.25 * h * h * a[j]
        v[j] += 0.5 * h * a[j]
    for j in range(ip[I_COUNT]):
        mean[j] = (q[j] - mean[j]) / h
    if ip[I_PATCHES]:
        for p in range(ip[I_PATCHES]):
            amplitude[p] = start[1 + p, FORCE]
        s[WORK] += patch_work(mean, row, patch, amplitude, h, ip)
    if par[P_ETA] > 0.0 or par[P_DAMPER] > 0.0:
        driven = 0.5 * scale * (rate_before + row[0, VELOCITY]) if ip[I_MOTION] else mean[drive]
        s[LOST] += lost_at_rate(mean, driven, d, f, h, lump, coef, par, ip)
    turned = q[drive] / scale - before
    if ip[I_MOTION]:
        forces(q, v, coef, par, ip, patch, lump, amplitude, m, d, f)
        reaction, rate = -f[drive] * scale, row[0, VELOCITY]
        s[WORK] += 0.5 * (s[REACTION] + reaction) * turned
        s[WORK] += 0.5 * par[P_DRIVE_MASS] * (rate * rate - rate_before * rate_before)
        s[IMPULSE] += 0.5 * h * (s[REACTION] + reaction) + par[P_DRIVE_MASS] * (rate - rate_before)
        s[REACTION] = reaction
    else:
        drag = z[0, Z_DRAG]
        s[WORK] += 0.5 * (s[DRIVE_TORQUE] - s[DRAG] + tau - drag) * turned
        s[LOST] -= 0.5 * (s[DRAG] + drag) * turned
        s[IMPULSE] += 0.5 * h * (s[DRIVE_TORQUE] + tau)
        s[DRIVE_TORQUE], s[DRAG] = tau, drag


@njit_part
def settle_massless(q, v, row, j, stiffness, damping, load, par, ip):
    """Make a massless coordinate j consistent: its rate from the damped balance, or its value if nothing damps it.

    stiffness, damping : rows j of K and C; load : constant force on it.
    """
    kp, kv, push = 0.0, 0.0, load
    if j == ip[I_DRIVE]:
        push += row[0, FORCE]
        if ip[I_LAW]:
            c = ip[I_SENSE]
            push += row[0, KP] * row[0, POSITION] + row[0, KV] * row[0, VELOCITY]
            if c == j:
                kp, kv = row[0, KP], row[0, KV]
            else:
                push -= par[P_SENSE] * (row[0, KP] * q[c] + row[0, KV] * v[c])
    pull, drag, pull_rate = 0.0, 0.0, 0.0
    for i in range(ip[I_COUNT]):
        if i != j:
            pull += stiffness[i] * q[i]
            drag += damping[i] * v[i]
            pull_rate += stiffness[i] * v[i]
    if damping[j] + kv > 0.0:
        v[j] = (push - pull - (stiffness[j] + kp) * q[j] - drag) / (damping[j] + kv)
    else:
        q[j] = (push - pull) / (stiffness[j] + kp)
        v[j] = (kp * row[0, VELOCITY] - pull_rate) / (stiffness[j] + kp)


@njit
def restart(
    x, z, row, law, coef, par, ip, patch, lump, amplitude, work, law_work, mass_band, free, place, massless, stiffness,
    damping, load,
):  # fmt: skip
    """Accelerations, torque and reaction from the right-hand limits in `row`.

    mass_band : factored mass of the free coordinates (1 for a massless one); massless : its index or -1;
    stiffness, damping, load : its rows of K, C and its constant force.
    """
    size, count = ip[I_COUNT], free.shape[0]
    q, v, s = x[:size], x[size : 2 * size], x[2 * size : 2 * size + SUMS]
    a = x[2 * size + SUMS : 3 * size + SUMS]
    m, d, f, rhs = work[0], work[1], work[2], work[4]
    drive, scale = ip[I_DRIVE], par[P_SCALE]
    for p in range(ip[I_PATCHES]):
        amplitude[p] = row[1 + p, FORCE]
    if ip[I_MOTION]:
        s[WORK] += 0.5 * par[P_DRIVE_MASS] * (row[0, VELOCITY] ** 2 - (v[drive] / scale) ** 2)
        s[IMPULSE] += par[P_DRIVE_MASS] * (row[0, VELOCITY] - v[drive] / scale)
        q[drive], v[drive] = scale * row[0, POSITION], scale * row[0, VELOCITY]
    if massless >= 0:
        push = load
        for p in range(ip[I_PATCHES]):
            push -= amplitude[p] * patch[3 * p, NODE]
        settle_massless(q, v, row, massless, stiffness, damping, push, par, ip)
    forces(q, v, coef, par, ip, patch, lump, amplitude, m, d, f)
    if ip[I_MOTION]:
        s[REACTION] = -f[drive] * scale
    else:
        tau = row[0, FORCE]
        if ip[I_LAW]:
            c = ip[I_SENSE]
            y, rate = par[P_SENSE] * q[c], par[P_SENSE] * v[c]
            tau = law_step(row[0], law[0], z[0], 0.0, y, rate, v[drive] / scale, 0.0, 0.0, 0.0, law_work)
        f[drive] += tau / scale
        s[DRIVE_TORQUE], s[DRAG] = tau, z[0, Z_DRAG]
    for i in range(count):
        rhs[i] = f[free[i]]
    if massless >= 0:
        rhs[place[massless]] = 0.0
    solve(mass_band, rhs[:count])
    for i in range(count):
        a[free[i]] = rhs[i]
    s[START_STEPS] = STEPS if ip[I_SOFT] else 0.0
    carry_ends(q, v, s, a, row, 0.0, patch, coef, par, ip)
    derived(q, v, s, a, row, coef, par, ip)
    peaks(q, s, coef, par, ip)
