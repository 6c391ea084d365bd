"""Sections that follow a command: b = s R(psi) a.

Equations: A23, A24.

a is the section before the joint (the x axis on the ground), psi the commanded angle; only the direction is commanded,
the stretch s of the section stays an unknown. It stands in the place of b's first number, the second one is idle. So a
commanded joint needs no constraint, and its torque is what the rows of b are short of.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.joints import command
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def expand(m, s, row):
    """Positions, velocities and accelerations of prescribed sections from their stretch."""
    q, v, a = s.q, s.v, s.a
    for i in range(m.links):
        if not m.prescribed[i]:
            continue
        b, before = m.first[i], m.before[i]
        psi, rate, push = command(m, row, i)
        cos, sin = math.cos(psi + m.turn[i]), math.sin(psi + m.turn[i])
        x, y, vx, vy, ax, ay = cos, sin, 0.0, 0.0, 0.0, 0.0
        if before >= 0:
            x, y = cos * q[before] - sin * q[before + 1], sin * q[before] + cos * q[before + 1]
            vx, vy = cos * v[before] - sin * v[before + 1], sin * v[before] + cos * v[before + 1]
            ax, ay = cos * a[before] - sin * a[before + 1], sin * a[before] + cos * a[before + 1]
        ax = ax - 2.0 * rate * vy - push * y - rate * rate * x
        ay = ay + 2.0 * rate * vx + push * x - rate * rate * y
        vx, vy = vx - rate * y, vy + rate * x
        f, df, ddf = s.stretch[0, i], s.stretch[1, i], s.stretch[2, i]
        q[b], q[b + 1] = f * x, f * y
        v[b], v[b + 1] = df * x + f * vx, df * y + f * vy
        a[b], a[b + 1] = ddf * x + 2.0 * df * vx + f * ax, ddf * y + 2.0 * df * vy + f * ay


@njit_inline
def directions(m, row, q, i):
    """cos and sin of the command, and the direction R a."""
    psi = command(m, row, i)[0] + m.turn[i]
    c, s = math.cos(psi), math.sin(psi)
    before = m.before[i]
    if before < 0:
        return c, s, c, s
    return c, s, c * q[before] - s * q[before + 1], s * q[before] + c * q[before + 1]


@njit_part
def condense(m, row, stretch, q, residual):
    """Residual of the unknowns from that of all positions; what is fixed gets none."""
    for i in range(m.links - 1, -1, -1):
        if m.prescribed[i]:
            b, before = m.first[i], m.before[i]
            c, s, x, y = directions(m, row, q, i)
            fx, fy = residual[b], residual[b + 1]
            if before >= 0:
                residual[before] += stretch[i] * (c * fx + s * fy)
                residual[before + 1] += stretch[i] * (c * fy - s * fx)
            residual[b], residual[b + 1] = x * fx + y * fy, 0.0
    for k in range(m.fixed.shape[0]):
        residual[m.fixed[k]] = 0.0


@njit_part
def condense_band(m, row, stretch, q, raw, band):
    """The same for the tangent; `raw` is the residual before `condense`, the force on prescribed sections."""
    n, half = band.shape[0], band.shape[1] // 2
    for i in range(m.links - 1, -1, -1):
        if not m.prescribed[i]:
            continue
        b, before, f = m.first[i], m.before[i], stretch[i]
        c, s, x, y = directions(m, row, q, i)
        for r in range(max(0, b + 1 - half), min(n, b + half + 1)):  # columns
            kx, ky = band[r, b - r + half], band[r, b + 1 - r + half]
            if before >= 0 and abs(before - r) <= half and abs(before + 1 - r) <= half:
                band[r, before - r + half] += f * (c * kx + s * ky)
                band[r, before + 1 - r + half] += f * (c * ky - s * kx)
            band[r, b - r + half], band[r, b + 1 - r + half] = x * kx + y * ky, 0.0
        for k in range(max(0, b + 1 - half), min(n, b + half + 1)):  # rows
            kx, ky = band[b, k - b + half], band[b + 1, k - b - 1 + half]
            if before >= 0 and abs(k - before) <= half and abs(k - before - 1) <= half:
                band[before, k - before + half] += f * (c * kx + s * ky)
                band[before + 1, k - before - 1 + half] += f * (c * ky - s * kx)
            band[b, k - b + half], band[b + 1, k - b - 1 + half] = x * kx + y * ky, 0.0
        band[b + 1, half] = 1.0
        if before >= 0:  # the direction turns with the section before, and scales with s
            gx, gy = c * raw[b] + s * raw[b + 1], c * raw[b + 1] - s * raw[b]
            band[before, b - before + half] += gx
            band[before + 1, b - before - 1 + half] += gy
            band[b, before - b + half] += gx
            band[b, before + 1 - b + half] += gy
    for k in range(m.fixed.shape[0]):
        r = m.fixed[k]
        for c in range(2 * half + 1):
            band[r, c] = 0.0
        band[r, half] = 1.0
