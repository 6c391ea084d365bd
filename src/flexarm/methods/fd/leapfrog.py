"""The explicit scheme: leapfrog in kick-drift-kick form.

A jump of the torque on a step point acts half before and half after it, and the first step contains the starting
acceleration: the two things that the report's own start leaves out. The Kelvin-Voigt rate is that of the half step
before. The scheme's energy error is known in closed form, h^2/8 (a.f), and is booked as `numerical`.
"""

from __future__ import annotations

from flexarm.methods.fd.damped import joint_rate
from flexarm.methods.fd.endcells import carry_ends
from flexarm.methods.fd.forces import forces
from flexarm.methods.fd.layout import (
    BENDING,
    DRAG,
    DRIVE_TORQUE,
    I_COUNT,
    I_DRIVE,
    I_LAW,
    I_LUMPS,
    I_MOTION,
    I_N,
    I_PAIR,
    I_PATCHES,
    I_ROOT_CELL,
    I_SENSE,
    I_TIP_CELL,
    IMPULSE,
    INVERSE_MASS,
    LOST,
    LUMP_STIFFNESS,
    NODE,
    NUMERICAL,
    NUMERICAL_BASE,
    P_DAMPER,
    P_DRIVE_MASS,
    P_DX,
    P_ETA,
    P_PAIR00,
    P_PAIR01,
    P_PAIR11,
    P_SCALE,
    P_SENSE,
    PATCH_STROKE,
    REACTION,
    SUMS,
    WORK,
)
from flexarm.methods.fd.report import derived, peaks
from flexarm.numerics.jit import borrow, njit, njit_part
from flexarm.numerics.laws import DRAG as Z_DRAG
from flexarm.numerics.laws import FORCE, POSITION, VELOCITY, law_step


@njit_part
def accelerations(f, coef, par, ip, a):
    """a = M^-1 f; a coordinate with inverse mass 0 is not accelerated."""
    for j in range(ip[I_COUNT]):
        a[j] = f[j] * coef[INVERSE_MASS, j]
    k = ip[I_PAIR]
    if k >= 0:
        a[k] = par[P_PAIR00] * f[k] + par[P_PAIR01] * f[k + 1]
        a[k + 1] = par[P_PAIR01] * f[k] + par[P_PAIR11] * f[k + 1]


@njit_part
def error_energy(a, f, h, ip):
    """The energy by which the scheme's own invariant differs from that of the state."""
    total = 0.0
    for j in range(ip[I_COUNT]):
        total += a[j] * f[j]
    return 0.125 * h * h * total


@njit_part
def lost_in_step(old, new, v, h, lump, coef, par, ip):
    """Energy lost to damping: mean of old and new damping moments times the change of curvature.

    `old` holds the moments of the step before, and in its last place the joint's rate; both are renewed.
    """
    total = 0.0
    last = ip[I_COUNT] - 1
    if par[P_ETA] > 0.0:
        for i in range(ip[I_N] + 1):
            total += 0.5 * (old[i] + new[i]) * new[i] / (coef[BENDING, NODE + i] * par[P_DX])
            old[i] = new[i]
        for k in range(ip[I_LUMPS]):
            i = ip[I_N] + 1 + k
            total += 0.5 * (old[i] + new[i]) * new[i] / lump[k, LUMP_STIFFNESS]
            old[i] = new[i]
        total /= par[P_ETA]
    if par[P_DAMPER] > 0.0:
        rate = joint_rate(v, par, ip)
        total += 0.5 * par[P_DAMPER] * (old[last] + rate) * rate
        old[last] = rate
    return h * total


@njit_part
def patch_work(v, row, patch, amplitude, h, ip):
    """Work of the patches in the step; their amplitudes become those of `row`."""
    total = 0.0
    for p in range(ip[I_PATCHES]):
        stroke = 0.0
        for j in range(ip[I_COUNT]):
            stroke += patch[3 * p + PATCH_STROKE, j] * v[j]
        total += 0.5 * h * stroke * (amplitude[p] + row[1 + p, FORCE])
        amplitude[p] = row[1 + p, FORCE]
    return total


@njit_part
def motor_torque(q, v, a, z, row, law, h, coef, par, ip, work):
    """Torque of the motor at the end of the step, the law solved with it; a is without it."""
    if not ip[I_LAW]:
        return row[0, FORCE]
    k, c, scale = ip[I_DRIVE], ip[I_SENSE], par[P_SCALE]
    mobility = 0.5 * h * coef[INVERSE_MASS, k] / (scale * scale)
    y = par[P_SENSE] * q[c]
    rate = par[P_SENSE] * (v[c] + 0.5 * h * a[c])
    gain = mobility * scale * par[P_SENSE] if c == k else 0.0
    turning = (v[k] + 0.5 * h * a[k]) / scale
    return law_step(row[0], law[0], z[0], h, y, rate, turning, 0.0, gain, mobility, work)


@njit
def march(x, z, table, records, every, phase, h, law, coef, par, ip, patch, lump, amplitude, work, law_work):
    """Step through `table`; returns steps done and records written; a tip that is not finite ends it."""
    x, z, table, records, law, coef = (
        borrow(x),
        borrow(z),
        borrow(table),
        borrow(records),
        borrow(law),
        borrow(coef),
    )
    par, ip, patch, lump, amplitude, work, law_work = (
        borrow(par),
        borrow(ip),
        borrow(patch),
        borrow(lump),
        borrow(amplitude),
        borrow(work),
        borrow(law_work),
    )
    size = ip[I_COUNT]
    q, v, s = x[:size], x[size : 2 * size], x[2 * size : 2 * size + SUMS]
    a = x[2 * size + SUMS : 3 * size + SUMS]
    old = x[3 * size + SUMS : 4 * size + SUMS]
    m, d, f = work[0], work[1], work[2]
    drive, scale = ip[I_DRIVE], par[P_SCALE]
    damped = par[P_ETA] > 0.0 or par[P_DAMPER] > 0.0
    steps, written = table.shape[0] - 1, 0
    for p in range(ip[I_PATCHES]):
        amplitude[p] = table[0, 1 + p, FORCE]
    for k in range(steps):
        row = table[k + 1]
        before, rate_before = q[drive] / scale, v[drive] / scale
        for j in range(size):
            v[j] += 0.5 * h * a[j]
            q[j] += h * v[j]
        if ip[I_MOTION]:
            q[drive] = scale * row[0, POSITION]
            v[drive] = (q[drive] - scale * before) / h
        if not abs(q[NODE + ip[I_N]]) < 1e100:
            return k, written
        turned = q[drive] / scale - before
        if ip[I_PATCHES]:
            s[WORK] += patch_work(v, row, patch, amplitude, h, ip)
        forces(q, v, coef, par, ip, patch, lump, amplitude, m, d, f)
        accelerations(f, coef, par, ip, a)
        if damped:
            s[LOST] += lost_in_step(old, d, v, h, lump, coef, par, ip)
        if ip[I_MOTION]:
            reaction, rate = -f[drive] * scale, row[0, VELOCITY]
            s[WORK] += 0.5 * (s[REACTION] + reaction) * turned
            s[WORK] += 0.5 * par[P_DRIVE_MASS] * (rate * rate - rate_before * rate_before)
            s[IMPULSE] += 0.5 * h * (s[REACTION] + reaction) + par[P_DRIVE_MASS] * (rate - rate_before)
            s[REACTION] = reaction
            v[drive] = scale * rate
        else:
            tau = motor_torque(q, v, a, z, row, law, h, coef, par, ip, law_work)
            f[drive] += tau / scale
            a[drive] += tau / scale * coef[INVERSE_MASS, drive]
            drag = z[0, Z_DRAG]
            s[WORK] += 0.5 * (s[DRIVE_TORQUE] - s[DRAG] + tau - drag) * turned
            s[LOST] -= 0.5 * (s[DRAG] + drag) * turned
            s[IMPULSE] += 0.5 * h * (s[DRIVE_TORQUE] + tau)
            s[DRIVE_TORQUE], s[DRAG] = tau, drag
        for j in range(size):
            v[j] += 0.5 * h * a[j]
        if ip[I_ROOT_CELL] or ip[I_TIP_CELL]:
            carry_ends(q, v, s, a, row, h, patch, coef, par, ip)
        peaks(q, s, coef, par, ip)
        due = every > 0 and (phase + k + 1) % every == 0
        if due or k + 1 == steps:
            derived(q, v, s, a, row, coef, par, ip)
            s[NUMERICAL] = s[NUMERICAL_BASE] + error_energy(a, f, h, ip)
        if due:
            for j in range(2 * size + SUMS):
                records[written, j] = x[j]
            written += 1
    return steps, written


@njit
def restart(x, z, row, h, law, coef, par, ip, patch, lump, amplitude, work, law_work):
    """Accelerations, torque and reaction from the right-hand limits in `row`, at the present position and rate."""
    size = ip[I_COUNT]
    q, v, s = x[:size], x[size : 2 * size], x[2 * size : 2 * size + SUMS]
    a = x[2 * size + SUMS : 3 * size + SUMS]
    old = x[3 * size + SUMS : 4 * size + SUMS]
    m, d, f = work[0], work[1], work[2]
    drive, scale = ip[I_DRIVE], par[P_SCALE]
    for p in range(ip[I_PATCHES]):
        amplitude[p] = row[1 + p, FORCE]
    if ip[I_MOTION]:
        s[WORK] += 0.5 * par[P_DRIVE_MASS] * (row[0, VELOCITY] ** 2 - (v[drive] / scale) ** 2)
        s[IMPULSE] += par[P_DRIVE_MASS] * (row[0, VELOCITY] - v[drive] / scale)
        q[drive], v[drive] = scale * row[0, POSITION], scale * row[0, VELOCITY]
    forces(q, v, coef, par, ip, patch, lump, amplitude, m, d, f)
    accelerations(f, coef, par, ip, a)
    for i in range(ip[I_N] + 1 + ip[I_LUMPS]):
        old[i] = d[i]
    old[size - 1] = joint_rate(v, par, ip)
    if ip[I_MOTION]:
        s[REACTION] = -f[drive] * scale
    else:
        tau = motor_torque(q, v, a, z, row, law, 0.0, coef, par, ip, law_work)
        f[drive] += tau / scale
        a[drive] += tau / scale * coef[INVERSE_MASS, drive]
        s[DRIVE_TORQUE], s[DRAG] = tau, z[0, Z_DRAG]
    s[NUMERICAL_BASE] = s[NUMERICAL] - error_energy(a, f, h, ip)
    carry_ends(q, v, s, a, row, 0.0, patch, coef, par, ip)
    derived(q, v, s, a, row, coef, par, ip)
    peaks(q, s, coef, par, ip)
