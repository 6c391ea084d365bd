"""Sampled laws as stages of a control tick, see `flexarm.numerics.tick_loop`: PD and PID, a state-space block, a user's function."""

from __future__ import annotations

import math

import numpy as np
from numba.core import types

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import call_by_address
from flexarm.numerics.jit import njit_by_address, njit_part
from flexarm.numerics.law_rows import FORCE, KP, POSITION, VELOCITY
from flexarm.numerics.tick_loop import MATRIX, VECTOR

NOT_FINITE = 999
"""What a law says whose torque is not a finite number; numbers from 1 on name a joint that it lost."""
READING = -1
"""Column of an input that is a reading; others are columns of the drives."""
LAW = (types.float64, VECTOR, MATRIX, VECTOR, VECTOR)
"""Arguments of a user's function: time, readings, references, states, torques."""
_user = call_by_address(types.none)


class Feedback(Bundle):
    """PD and PID laws: channels; places of position and rate among the readings; limits; errors of a period at which a joint is
        lost; of gains over readings (`over`: place of the reading, -1: as the drives say) the first row and the number of rows of `knots`
    (value, kp, kv, ki), and room for three gains; period."""

    channel: np.ndarray
    place: np.ndarray
    rate: np.ndarray
    limit: np.ndarray
    most: np.ndarray
    over: np.ndarray
    first: np.ndarray
    count: np.ndarray
    knots: np.ndarray
    gains: np.ndarray
    period: float


@njit_part
def find_gains(law, i, y, told):
    """kp, kv, ki of law i into law.gains: linear between the knots around its reading, those of the ends beyond them."""
    for k in range(3):
        law.gains[k] = told[law.channel[i], KP + k]
    if law.over[i] < 0:
        return
    value, a = y[law.over[i]], law.first[i]
    b = a + law.count[i] - 1
    while a < b - 1 and value >= law.knots[a + 1, 0]:
        a += 1
    share = (value - law.knots[a, 0]) / (law.knots[a + 1, 0] - law.knots[a, 0])
    share = min(max(share, 0.0), 1.0)
    for k in range(3):
        law.gains[k] = law.knots[a, 1 + k] + share * (law.knots[a + 1, 1 + k] - law.knots[a, 1 + k])


@njit_by_address
def feedback(law, time, y, told, memory, held):
    """Torques of PD and PID laws; the memory holds integrals, then the errors of a period where a joint was lost."""
    lost = 0
    for i in range(law.channel.shape[0]):
        c = law.channel[i]
        error, slope = told[c, POSITION] - y[law.place[i]], told[c, VELOCITY] - y[law.rate[i]]
        if not abs(slope) * law.period <= law.most[i]:
            lost = i + 1
            memory[law.channel.shape[0]] = abs(slope) * law.period
        find_gains(law, i, y, told)
        u = told[c, FORCE] + law.gains[0] * error + law.gains[1] * slope + law.gains[2] * memory[i]
        limited = math.copysign(min(abs(u), law.limit[i]), u)
        if limited == u or error * u < 0.0:  # no winding up against the limit
            memory[i] += law.period * error
        held[c] = limited
    return lost


class Block(Bundle):
    """A law x+ = A x + B w + E (torque behind the limit - C x - D w), torque = rest + told torque + C x + D w.

    Inputs w are readings or references (`source`: place of the reading, or channel and column of the drives) less what they
    are at rest (not a number: what they are at the first tick). States in `stop` stand still while a limit acts.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    E: np.ndarray
    source: np.ndarray
    channel: np.ndarray
    limit: np.ndarray
    rest: np.ndarray
    torque: np.ndarray
    stop: np.ndarray
    w: np.ndarray
    u: np.ndarray
    next: np.ndarray


@njit_by_address
def block(law, time, y, told, memory, held):
    """Torques of a state-space block; the memory holds its states, then what its inputs are at rest."""
    n, m, k = law.A.shape[0], law.w.shape[0], law.u.shape[0]
    for j in range(m):
        value = y[law.source[j, 0]] if law.source[j, 1] == READING else told[law.source[j, 0], law.source[j, 1]]
        if np.isnan(memory[n + j]):
            memory[n + j] = value if np.isnan(law.rest[j]) else law.rest[j]
        law.w[j] = value - memory[n + j]
    limited = False
    for i in range(k):
        wanted = 0.0
        for j in range(n):
            wanted += law.C[i, j] * memory[j]
        for j in range(m):
            wanted += law.D[i, j] * law.w[j]
        rest = law.torque[i]
        whole = rest + told[law.channel[i], FORCE] + wanted
        if not abs(whole) < np.inf:
            return NOT_FINITE
        torque = math.copysign(min(abs(whole), law.limit[i]), whole)
        limited = limited or torque != whole
        law.u[i], held[law.channel[i]] = (torque - rest) - wanted, torque
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += law.A[i, j] * memory[j]
        for j in range(m):
            total += law.B[i, j] * law.w[j]
        for j in range(k):
            total += law.E[i, j] * law.u[j]
        law.next[i] = memory[i] if limited and law.stop[i] > 0.0 else total
    for i in range(n):
        memory[i] = law.next[i]
    return 0


class Function(Bundle):
    """A user's compiled function: its address, places of its readings, channels of its torques, and room for both."""

    law: int
    place: np.ndarray
    channel: np.ndarray
    y: np.ndarray
    r: np.ndarray
    u: np.ndarray


@njit_by_address
def function(law, time, y, told, memory, held):
    """Torques of a user's function; the memory holds its states."""
    for j in range(law.place.shape[0]):
        law.y[j] = y[law.place[j]]
    for i in range(law.r.shape[0]):
        law.r[i, 0], law.r[i, 1] = told[i, POSITION], told[i, VELOCITY]
    for i in range(law.u.shape[0]):
        law.u[i] = 0.0
    _user(law.law, (time, law.y, law.r, memory, law.u))
    for i in range(law.u.shape[0]):
        if not abs(law.u[i]) < np.inf:
            return NOT_FINITE
        held[law.channel[i]] = law.u[i]
    return 0
