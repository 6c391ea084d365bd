"""Many arms of one grid in the exact scheme: modes of all of them, and steps that keep only what is read.

For arms whose torque is given: no law, no damping, no weight, no patches. Then modes are independent of one another, so a
step is six products per mode, and a reading, a weighted sum of positions and rates of the grid, is one of the modes.

Equations: F30, F31.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.methods.fd.system import System
from flexarm.numerics.jit import njit, njit_part

LANES = 8
"""Instants whose sums are worked out together."""
TERMS = 11
"""Of the series of a short step."""
SHORT = 1.0
"""Largest (w h)^2 for which the series is taken; it then is exact to rounding."""


def suits(system: System, eta: float) -> bool:
    """Whether an arm is one of those that a block can hold."""
    plain = system.prescribed < 0 and not system.ends.law and not system.ends.pinned_tip and not system.ends.paper
    damped = eta > 0.0 or np.any(system.damper)
    free = system.M[np.ix_(system.free, system.free)]
    heavy = np.any(system.geometric) or np.any(system.load)
    return bool(plain and not damped and not heavy and np.all(np.diag(free) > 0.0))


@dataclass
class ModalBlock:
    """Modes of many arms, (arms, modes) unless said otherwise: squared frequencies, load per torque, shapes (arms, modes, N) on all
    coordinates, and what positions are multiplied by to give modal ones, (arms, N, modes)."""

    square: np.ndarray
    torque: np.ndarray
    shapes: np.ndarray
    weight: np.ndarray


def modal_block(system: System, M: np.ndarray, K: np.ndarray, count: int | None) -> ModalBlock:
    """Modes of arms with the coordinates of `system`, masses M and stiffnesses K (arms, N, N)."""
    free, pick = system.free, np.ix_(np.arange(len(M)), system.free, system.free)
    mass, stiffness = M[pick], K[pick]
    diagonal = np.einsum("aii->ai", mass)
    if np.array_equal(mass != 0.0, np.broadcast_to(np.eye(len(free), dtype=bool), mass.shape)):
        scale = 1.0 / np.sqrt(diagonal)
        values, vectors = np.linalg.eigh(scale[:, :, None] * stiffness * scale[:, None, :])
        vectors = scale[:, :, None] * vectors
    else:
        lower = np.linalg.inv(np.linalg.cholesky(mass))
        values, vectors = np.linalg.eigh(lower @ stiffness @ np.swapaxes(lower, 1, 2))
        vectors = np.swapaxes(lower, 1, 2) @ vectors
    last = len(free) if count is None else min(count, len(free))
    values, vectors = values[:, :last], vectors[:, :, :last]
    turn = np.broadcast_to(system.grid.rotation[free], diagonal.shape)
    inertia = np.einsum("ai,aij,aj->a", turn, mass, turn)
    values[:, 0], vectors[:, :, 0] = 0.0, turn / np.sqrt(inertia)[:, None]  # known without rounding
    shapes = np.zeros((len(M), last, system.size))
    shapes[:, :, free] = np.swapaxes(vectors, 1, 2)
    return ModalBlock(
        np.ascontiguousarray(values),
        np.ascontiguousarray(shapes @ system.torque),
        shapes,
        M @ np.swapaxes(shapes, 1, 2),
    )


@njit_part
def step_coefficients(square, h, out):
    """Exact step of an undamped mode under a load that is linear in it: position and rate after it, (6, 2) / row by row: position,
    rate, load at its start, load at its end."""
    z = square * h * h
    if abs(z) <= SHORT:
        c, s, c2, s3 = 0.0, 0.0, 0.0, 0.0
        term = 1.0
        for k in range(TERMS):
            c += term
            s += term / (2 * k + 1)
            c2 += term / ((2 * k + 1) * (2 * k + 2))
            s3 += term / ((2 * k + 1) * (2 * k + 2) * (2 * k + 3))
            term *= -z / ((2 * k + 1) * (2 * k + 2))
    else:
        x = math.sqrt(abs(z))
        c, s = (math.cos(x), math.sin(x) / x) if z > 0.0 else (math.cosh(x), math.sinh(x) / x)
        c2, s3 = (1.0 - c) / z, (1.0 - s) / z
    out[0], out[1] = c, -square * h * s
    out[2], out[3] = h * s, c
    out[4], out[5] = h * h * (c2 - s3), h * (s - c2)
    out[6], out[7] = h * h * s3, h * c2


@njit_part
def load_tables(square, h, table):
    """Coefficients (8, modes) of all modes for steps of length h."""
    for k in range(square.shape[0]):
        step_coefficients(square[k], h, table[:, k])


@njit
def march_block(square, torque, position, rate, tau, spans, lengths, weights, constants, tables, buffer, out):
    """March arms one after the other and keep sums of their modes.

    Parameters
    ----------
    square, torque, position, rate : (arms, modes)
        Squared frequencies, load per torque, modal positions and rates at the start; the last two are those of the end then.
    tau : (arms, points)
        Torque at the step points of one interval after the other, both ends of each, N m.
    spans : (arms, intervals, 3)
        Number of steps (0: no interval), steps between records, and how many of these have passed.
    lengths : (arms, intervals)
        Steps, s.
    weights : (arms, sums, 2 modes)
        Of positions and of rates in every sum.
    constants : (sums,)
        Constant parts of the sums.
    tables, buffer : (8, modes), (2 modes, LANES)
        Room to work in.
    out : (arms, records, sums)
        Sums at the start and at every record.

    Returns
    -------
    int
        Records that were written of every arm, the start included; -1 if arms differ in it.
    """
    m, written = square.shape[1], 0
    for a in range(square.shape[0]):
        q, v, force = position[a], rate[a], torque[a]
        point, last, records, lane = 0, 0.0, 0, 1
        put(q, v, buffer, 0, m)
        for j in range(spans.shape[1]):
            steps, every, offset = spans[a, j, 0], spans[a, j, 1], spans[a, j, 2]
            if steps == 0:
                break
            if lengths[a, j] != last:
                last = lengths[a, j]
                load_tables(square[a], last, tables)
            before = tau[a, point]
            for i in range(steps):
                after = tau[a, point + 1 + i]
                for k in range(m):
                    p0, p1, q0, v0 = force[k] * before, force[k] * after, q[k], v[k]
                    q[k] = tables[0, k] * q0 + tables[2, k] * v0 + tables[4, k] * p0 + tables[6, k] * p1
                    v[k] = tables[1, k] * q0 + tables[3, k] * v0 + tables[5, k] * p0 + tables[7, k] * p1
                before = after
                if every > 0 and (offset + i + 1) % every == 0:
                    put(q, v, buffer, lane, m)
                    lane += 1
                    if lane == LANES:
                        records, lane = keep(buffer, lane, weights[a], constants, out[a], records), 0
            point += steps + 1
        records = keep(buffer, lane, weights[a], constants, out[a], records)
        if a == 0:
            written = records
        elif records != written:
            return -1
    return written


@njit_part
def put(q, v, buffer, lane, m):
    """Positions and rates of an instant, side by side with those of others: sums of them are then worked out many at a time."""
    for k in range(m):
        buffer[k, lane] = q[k]
        buffer[m + k, lane] = v[k]


@njit_part
def keep(buffer, lanes, weights, constants, out, records):
    """Work out the sums of the first `lanes` instants; the number of records that there are then."""
    lanes = min(lanes, out.shape[0] - records)
    for s in range(constants.shape[0]):
        a = b = c = d = e = f = g = h = constants[s]
        for k in range(weights.shape[1]):
            weight, each = weights[s, k], buffer[k]
            a += weight * each[0]
            b += weight * each[1]
            c += weight * each[2]
            d += weight * each[3]
            e += weight * each[4]
            f += weight * each[5]
            g += weight * each[6]
            h += weight * each[7]
        for i, total in enumerate((a, b, c, d, e, f, g, h)):
            if i < lanes:
                out[records + i, s] = total
    return records + lanes


@njit
def fill_torque(tau, spans, lengths, begins, pieces, starts, poly, waves):
    """Torques at the step points from pieces of polynomials and sines.

    tau (arms, points), spans and lengths as in `march_block`; begins (arms, intervals): start times; pieces (arms, intervals, 2):
    first and last piece that holds in the interval; starts (arms, p), poly (arms, p, degree + 1), waves (arms, p, w, 3).
    """
    for a in range(tau.shape[0]):
        point = 0
        for j in range(spans.shape[1]):
            steps, piece, last = spans[a, j, 0], pieces[a, j, 0], pieces[a, j, 1]
            if steps == 0:
                break
            for i in range(steps + 1):
                t = begins[a, j] + i * lengths[a, j]
                while piece < last and starts[a, piece + 1] <= t:
                    piece += 1
                x, total = t - starts[a, piece], 0.0
                for k in range(poly.shape[2] - 1, -1, -1):
                    total = total * x + poly[a, piece, k]
                for w in range(waves.shape[2]):
                    wave = waves[a, piece, w]
                    if wave[0] != 0.0:
                        total += wave[0] * math.sin(wave[1] * x + wave[2])
                tau[a, point] = total
                point += 1
