"""Leapfrog for the plain case, as fast as a hand-written loop: open-loop torque on a rigid joint, no damping or weight.

The same scheme as in `leapfrog`, with the velocity of the half step carried from step to step and each step done in
one sweep from one position array to the other. Between records nothing else is touched.

Legend: q, p positions before and after the drift; w velocity of the half step; B = EI/dx^2; K = 1/(mass dx);
W = 1/mass. Inner loops run from 0 with indices that only grow from there: an index like j - 1 keeps the compiler from
using vector instructions.

Equations: F4, F5, F6, F7, F8, F9, F23, F24.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.end_cells import update_end_cells
from flexarm.methods.fd.step_end import back_to_start, fill_dependent, keep_start, write_record
from flexarm.numerics import law_rows
from flexarm.numerics.jit import njit, njit_inline, njit_part

SECOND = at.NODE + 2
"""Coordinate of node 2, the first whose neighbours are all nodes."""


@njit_inline
def inner_acceleration(q, B, K, j):
    """Acceleration of node 2 + j from q."""
    i = SECOND + j
    left = B[i - 1] * ((q[i] - q[i - 1]) - (q[i - 1] - q[i - 2]))
    here = B[i] * ((q[i + 1] - q[i]) - (q[i] - q[i - 1]))
    right = B[i + 1] * ((q[i + 2] - q[i + 1]) - (q[i + 1] - q[i]))
    return ((here - left) - (right - here)) * K[i]


@njit_inline
def inner_step(q, p, w, B, K, inner, h):
    """Nodes 2 .. n - 2: a whole kick at q, half of it before the step point and half after, then the drift to p."""
    for j in range(inner):
        kick = 0.5 * h * inner_acceleration(q, B, K, j)
        speed = (w[SECOND + j] + kick) + kick
        w[SECOND + j] = speed
        p[SECOND + j] = q[SECOND + j] + h * speed


@njit_inline
def end_accelerations(q, B, K, W, n, dx, hub_state, tip_state, torque):
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
def kick_and_drift(q, p, w, j, a, h):
    """One coordinate."""
    kick = 0.5 * h * a
    speed = (w[j] + kick) + kick
    w[j] = speed
    p[j] = q[j] + h * speed


@njit_inline
def step(q, p, w, B, K, W, n, dx, hub_state, tip_state, torque, h):
    """All coordinates: kick at q and drift to p."""
    inner_step(q, p, w, B, K, n - 3, h)
    hub, first, before, tip, slope = end_accelerations(q, B, K, W, n, dx, hub_state, tip_state, torque)
    kick_and_drift(q, p, w, 1, hub, h)
    kick_and_drift(q, p, w, 3, first, h)
    kick_and_drift(q, p, w, n + 1, before, h)
    kick_and_drift(q, p, w, n + 2, tip, h)
    kick_and_drift(q, p, w, n + 3, slope, h)


@njit_part
def final_kick(q, w, v, a, h, torque, arm):
    """Accelerations at q and velocities of the step point."""
    n, B, K, W = arm.n, arm.bending, arm.kick, arm.inverse_mass
    for j in range(n - 3):
        a[SECOND + j] = inner_acceleration(q, B, K, j)
        v[SECOND + j] = w[SECOND + j] + 0.5 * h * a[SECOND + j]
    a[1], a[3], a[n + 1], a[n + 2], a[n + 3] = end_accelerations(
        q, B, K, W, n, arm.dx, arm.hub_state, arm.tip_state, torque
    )
    for j in (1, 3, n + 1, n + 2, n + 3):
        v[j] = w[j] + 0.5 * h * a[j]


@njit_part
def step_block(q, v, a, s, table, first, count, h, arm, ws):
    """`count` steps from step point `first`; q, v, a belong to the step point. False if a value is not finite."""
    p, w, n, dx, length, scale, drive = ws.other, ws.half_rate, arm.n, arm.dx, arm.length, arm.scale, arm.drive
    B, K, W, half = arm.bending, arm.kick, arm.inverse_mass, 0.5 * h
    hub_state, tip_state = arm.hub_state != 0, arm.tip_state != 0
    bends = 0.0 if arm.paper or hub_state else length / (dx * B[at.NODE])
    hub = at.HUB if hub_state else at.NODE + 1
    lever = length if hub_state else length / dx
    low, high, bend_low, bend_high = s[at.TIP_LOW], s[at.TIP_HIGH], s[at.BEND_LOW], s[at.BEND_HIGH]
    work, impulse, old, before = s[at.WORK], s[at.IMPULSE], s[at.DRIVE_TORQUE], q[drive]
    for j in range(n + 4):
        w[j] = v[j] + half * a[j]
        q[j] = q[j] + h * w[j]
        p[j] = q[j]
    for k in range(count):
        forward = k % 2 == 0  # positions are in q, and go to p
        torque = table[first + k + 1, 0, law_rows.FORCE]
        tip = q[n + 2] if forward else p[n + 2]
        angle = q[drive] if forward else p[drive]
        bend = tip - lever * (q[hub] if forward else p[hub]) - bends * torque
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
            step(q, p, w, B, K, W, n, dx, hub_state, tip_state, torque, h)
        else:
            step(p, q, w, B, K, W, n, dx, hub_state, tip_state, torque, h)
    if count % 2 == 0:
        for j in range(n + 4):
            q[j] = p[j]
    final_kick(q, w, v, a, h, old, arm)
    s[at.TIP_LOW], s[at.TIP_HIGH], s[at.BEND_LOW], s[at.BEND_HIGH] = low, high, bend_low, bend_high
    s[at.WORK], s[at.IMPULSE], s[at.DRIVE_TORQUE] = work, impulse, old
    return True


@njit
def march(x, z, table, records, every, record_offset, h, scheme):
    """Step through `table`, as `leapfrog.march` does."""
    arm, ws = scheme.arm, scheme.ws
    q, v, s, a, _ = at.parts(x, arm)
    steps, done, written = table.shape[0] - 1, np.int64(0), 0
    keep_start(x, z, ws)
    while done < steps:
        count = steps - done
        if every > 0:
            count = min(count, every - (record_offset + done) % every)
        if not step_block(q, v, a, s, table, done, count, h, arm, ws):
            back_to_start(x, z, ws)
            return done, written
        done += count
        if arm.root_cell or arm.tip_cell:
            s[at.ROOT_LOAD] = -table[done - 1, 0, law_rows.FORCE]
            update_end_cells(q, v, s, a, table[done], h, arm)
        fill_dependent(q, v, s, a, table[done], arm)
        total = 0.0
        for j in range(arm.size):
            if arm.inverse_mass[j] > 0.0:
                total += a[j] * a[j] / arm.inverse_mass[j]
        s[at.NUMERICAL] = s[at.NUMERICAL_BASE] + 0.125 * h * h * total
        if every > 0 and (record_offset + done) % every == 0:
            written = write_record(x, records, written, arm)
    return steps, written
