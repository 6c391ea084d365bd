"""Leapfrog for the plain case, as fast as a hand-written loop: open-loop torque on a rigid joint, no damping or weight.

The same scheme as in `leapfrog`, with the velocity of the half step carried from step to step and each step done in
one sweep from one position array to the other. Between records nothing else is touched.

Legend: q, p positions before and after the drift; w velocity of the half step; B = EI/dx^2; K = 1/(mass dx);
W = 1/mass. Inner loops run over views that are shifted by one node each, because an index like j - 1 keeps the
compiler from using vector instructions.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fd.endcells import carry_ends
from flexarm.methods.fd.layout import (
    BEND_HIGH,
    BEND_LOW,
    BENDING,
    DRIVE_TORQUE,
    HUB,
    I_DRIVE,
    I_HUB_STATE,
    I_N,
    I_PAPER,
    I_ROOT_CELL,
    I_TIP_CELL,
    I_TIP_STATE,
    IMPULSE,
    INVERSE_MASS,
    KICK,
    NODE,
    NUMERICAL,
    NUMERICAL_BASE,
    P_DX,
    P_LENGTH,
    P_SCALE,
    ROOT_LOAD,
    SUMS,
    TIP_HIGH,
    TIP_LOW,
    WORK,
)
from flexarm.methods.fd.report import derived
from flexarm.numerics.jit import borrow, njit, njit_inline, njit_part
from flexarm.numerics.laws import FORCE


@njit_inline
def inner_step(q2, q3, q4, q5, q6, p4, w4, B3, B4, B5, K4, inner, h, half):
    """Nodes 2 .. n - 2: a whole kick at q, half of it before the step point and half after, then the drift to p."""
    for j in range(inner):
        left = B3[j] * ((q4[j] - q3[j]) - (q3[j] - q2[j]))
        here = B4[j] * ((q5[j] - q4[j]) - (q4[j] - q3[j]))
        right = B5[j] * ((q6[j] - q5[j]) - (q5[j] - q4[j]))
        kick = half * (((here - left) - (right - here)) * K4[j])
        speed = (w4[j] + kick) + kick
        w4[j] = speed
        p4[j] = q4[j] + h * speed


@njit_inline
def inner_kick(q2, q3, q4, q5, q6, w4, v4, a4, B3, B4, B5, K4, inner, half):
    """Nodes 2 .. n - 2: acceleration at q and the velocity of the step point."""
    for j in range(inner):
        left = B3[j] * ((q4[j] - q3[j]) - (q3[j] - q2[j]))
        here = B4[j] * ((q5[j] - q4[j]) - (q4[j] - q3[j]))
        right = B5[j] * ((q6[j] - q5[j]) - (q5[j] - q4[j]))
        a4[j] = ((here - left) - (right - here)) * K4[j]
        v4[j] = w4[j] + half * a4[j]


@njit_inline
def ends(q, B, K, W, n, dx, hub_state, tip_state, torque):
    """Accelerations of hub, nodes 1, n - 1, n, and of the tip slope; without a hub the torque pushes node 1."""
    root = B[2] * (q[3] - dx * q[1]) if hub_state else 0.0
    m1 = B[3] * ((q[4] - q[3]) - (q[3] - q[2]))
    m2 = B[4] * ((q[5] - q[4]) - (q[4] - q[3]))
    last = B[n + 2] * (dx * q[n + 3] - (q[n + 2] - q[n + 1])) if tip_state else 0.0
    inner = B[n + 1] * ((q[n + 2] - q[n + 1]) - (q[n + 1] - q[n]))
    second = B[n] * ((q[n + 1] - q[n]) - (q[n] - q[n - 1]))
    hub = (root + torque) * W[1] if hub_state else 0.0
    first = ((m1 - root) - (m2 - m1) + (0.0 if hub_state else torque)) * K[3]
    before = ((inner - second) - (last - inner)) * K[n + 1]
    return hub, first, before, (last - inner) * K[n + 2], -last * W[n + 3]


@njit_inline
def end_step(q, p, w, j, a, h, half):
    """One coordinate at an end: kick and drift."""
    kick = half * a
    speed = (w[j] + kick) + kick
    w[j] = speed
    p[j] = q[j] + h * speed


@njit_inline
def ends_step(q, p, w, B, K, W, n, h, half, dx, hub_state, tip_state, torque):
    """All coordinates at the ends: kick and drift."""
    hub, first, before, tip, slope = ends(q, B, K, W, n, dx, hub_state, tip_state, torque)
    end_step(q, p, w, 1, hub, h, half)
    end_step(q, p, w, 3, first, h, half)
    end_step(q, p, w, n + 1, before, h, half)
    end_step(q, p, w, n + 2, tip, h, half)
    end_step(q, p, w, n + 3, slope, h, half)


@njit_part
def final_kick(q, w, v, a, B, K, W, n, h, dx, hub_state, tip_state, torque):
    """Accelerations at q and velocities of the step point."""
    half = 0.5 * h
    inner_kick(q[2:], q[3:], q[4:], q[5:], q[6:], w[4:], v[4:], a[4:], B[3:], B[4:], B[5:], K[4:], n - 3, half)
    a[1], a[3], a[n + 1], a[n + 2], a[n + 3] = ends(q, B, K, W, n, dx, hub_state, tip_state, torque)
    for j in (1, 3, n + 1, n + 2, n + 3):
        v[j] = w[j] + half * a[j]


@njit_part
def block(q, p, w, v, a, s, table, first, count, h, coef, par, ip):
    """`count` steps from step point `first`; q, v, a belong to the step point. False if a value is not finite."""
    n, dx, length, scale, drive = ip[I_N], par[P_DX], par[P_LENGTH], par[P_SCALE], ip[I_DRIVE]
    B, K, W = coef[BENDING], coef[KICK], coef[INVERSE_MASS]
    hub_state, tip_state, half, inner = ip[I_HUB_STATE] != 0, ip[I_TIP_STATE] != 0, 0.5 * h, n - 3
    bends = 0.0 if ip[I_PAPER] or hub_state else length / (dx * B[NODE])
    hub = HUB if hub_state else NODE + 1
    arm = length if hub_state else length / dx
    low, high, bend_low, bend_high = s[TIP_LOW], s[TIP_HIGH], s[BEND_LOW], s[BEND_HIGH]
    work, impulse, old, before = s[WORK], s[IMPULSE], s[DRIVE_TORQUE], q[drive]
    for j in range(n + 4):
        w[j] = v[j] + half * a[j]
        q[j] = q[j] + h * w[j]
        p[j] = q[j]
    B3, B4, B5, K4, w4 = B[3:], B[4:], B[5:], K[4:], w[4:]
    q2, q3, q4, q5, q6 = q[2:], q[3:], q[4:], q[5:], q[6:]
    p2, p3, p4, p5, p6 = p[2:], p[3:], p[4:], p[5:], p[6:]
    for k in range(count):
        forward = k % 2 == 0  # positions are in q, and go to p
        torque = table[first + k + 1, 0, FORCE]
        tip = q[n + 2] if forward else p[n + 2]
        angle = q[drive] if forward else p[drive]
        bend = tip - arm * (q[hub] if forward else p[hub]) - bends * torque
        low, high = min(low, tip), max(high, tip)
        bend_low, bend_high = min(bend_low, bend), max(bend_high, bend)
        work += 0.5 * (old + torque) * ((angle - before) / scale)
        impulse += half * (old + torque)
        old, before = torque, angle
        if not abs(tip) < 1e100:
            return False
        if k + 1 == count:
            break
        if forward:
            inner_step(q2, q3, q4, q5, q6, p4, w4, B3, B4, B5, K4, inner, h, half)
            ends_step(q, p, w, B, K, W, n, h, half, dx, hub_state, tip_state, torque)
        else:
            inner_step(p2, p3, p4, p5, p6, q4, w4, B3, B4, B5, K4, inner, h, half)
            ends_step(p, q, w, B, K, W, n, h, half, dx, hub_state, tip_state, torque)
    if count % 2 == 0:
        for j in range(n + 4):
            q[j] = p[j]
    final_kick(q, w, v, a, B, K, W, n, h, dx, hub_state, tip_state, old)
    s[TIP_LOW], s[TIP_HIGH], s[BEND_LOW], s[BEND_HIGH] = low, high, bend_low, bend_high
    s[WORK], s[IMPULSE], s[DRIVE_TORQUE] = work, impulse, old
    return True


@njit
def march(x, z, table, records, every, phase, h, law, coef, par, ip, patch, lump, amplitude, work, law_work):
    """Step through `table`, as `leapfrog.march` does."""
    x, z, table, records, law, coef = (
        borrow(x),
        borrow(z),
        borrow(table),
        borrow(records),
        borrow(law),
        borrow(coef),
    )
    par, ip, patch, amplitude, work, law_work = (
        borrow(par),
        borrow(ip),
        borrow(patch),
        borrow(amplitude),
        borrow(work),
        borrow(law_work),
    )
    size = ip[I_N] + 4
    q, v, s = x[:size], x[size : 2 * size], x[2 * size : 2 * size + SUMS]
    a = x[2 * size + SUMS : 3 * size + SUMS]
    steps, done, written = table.shape[0] - 1, np.int64(0), 0
    while done < steps:
        count = steps - done
        if every > 0:
            count = min(count, every - (phase + done) % every)
        if not block(q, work[0], work[1], v, a, s, table, done, count, h, coef, par, ip):
            return done, written
        done += count
        if ip[I_ROOT_CELL] or ip[I_TIP_CELL]:
            s[ROOT_LOAD] = -table[done - 1, 0, FORCE]
            carry_ends(q, v, s, a, table[done], h, patch, coef, par, ip)
        derived(q, v, s, a, table[done], coef, par, ip)
        total = 0.0
        for j in range(size):
            if coef[INVERSE_MASS, j] > 0.0:
                total += a[j] * a[j] / coef[INVERSE_MASS, j]
        s[NUMERICAL] = s[NUMERICAL_BASE] + 0.125 * h * h * total
        if every > 0 and (phase + done) % every == 0:
            for j in range(2 * size + SUMS):
                records[written, j] = x[j]
            written += 1
    return steps, written
