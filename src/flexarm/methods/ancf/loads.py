"""Loads on links: moments on sections, forces that turn with a section or keep their direction.

Equations: A25, A26.

A load refers to a direction d, a weighted sum of up to four vectors of one element, and acts on a point, another such sum: rows
0 and 1 of its places (-1: none) and weights. With d along its axis (or across the section, of sheared links) a force is (a + i b) d / |d|
as complex numbers; (a, b) is its `patch_turn`, that of a force in the axes of the world its direction.
"""

from __future__ import annotations

from flexarm.methods.ancf.layout import MOMENT, WORLD
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import FORCE


@njit_inline
def direction_of(m, q, k):
    """Direction that load k refers to."""
    x, y = 0.0, 0.0
    for j in range(m.patch_places.shape[2]):
        p = m.patch_places[k, 0, j]
        if p >= 0:
            x += m.patch_weights[k, 0, j] * q[p]
            y += m.patch_weights[k, 0, j] * q[p + 1]
    return x, y


@njit_part
def patch_forces(m, q, row, residual):
    """Take the loads off the residual."""
    for k in range(m.patch_share.shape[0]):
        size, moment = row[m.patch_channel[k], FORCE] * m.patch_share[k], m.patch_kind[k] == MOMENT
        if size == 0.0:
            continue
        a, b = m.patch_turn[k, 0], m.patch_turn[k, 1]
        x, y = (1.0, 0.0) if m.patch_kind[k] == WORLD else direction_of(m, q, k)
        square = x * x + y * y
        scale, side = (size / square, 0) if moment else (size / square**0.5, 1)
        fx, fy = a * x - b * y, b * x + a * y
        for j in range(m.patch_places.shape[2]):
            p, share = m.patch_places[k, side, j], scale * m.patch_weights[k, side, j]
            if p >= 0:
                residual[p] -= share * fx
                residual[p + 1] -= share * fy


@njit_part
def patch_tangent(m, q, row, band):
    """Derivatives of the loads, as they stand in the residual."""
    half = band.shape[1] // 2
    for k in range(m.patch_share.shape[0]):
        size, moment = row[m.patch_channel[k], FORCE] * m.patch_share[k], m.patch_kind[k] == MOMENT
        if size == 0.0 or m.patch_kind[k] == WORLD:
            continue
        a, b = size * m.patch_turn[k, 0], size * m.patch_turn[k, 1]
        x, y = direction_of(m, q, k)
        square, side = x * x + y * y, 0 if moment else 1
        f3 = square**1.5
        if moment:  # minus the second derivative of the angle
            xx, xy = 2.0 * x * y / (square * square), (y * y - x * x) / (square * square)
            d00, d01, d10, d11 = -size * xx, -size * xy, -size * xy, size * xx
        else:
            along, across = (a * y + b * x) / f3, (b * y - a * x) / f3
            d00, d01, d10, d11 = -y * along, x * along, -y * across, x * across
        for i in range(m.patch_places.shape[2]):
            p, u = m.patch_places[k, side, i], m.patch_weights[k, side, i]
            if p < 0:
                continue
            for j in range(m.patch_places.shape[2]):
                r, t = m.patch_places[k, 0, j], m.patch_weights[k, 0, j] * u
                if r >= 0:
                    band[p, r - p + half] += t * d00
                    band[p, r + 1 - p + half] += t * d01
                    band[p + 1, r - p - 1 + half] += t * d10
                    band[p + 1, r - p + half] += t * d11
