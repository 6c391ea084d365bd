"""Distributed actuators: moments on sections, forces across a link.

A load refers to a direction d, a weighted sum of vectors of one element. A moment M is the force M R90 d/|d|^2 on d. A force
F acts on a point along n/|n|, where n = R90 d on a cable (d is the slope) and n = d elsewhere (d is the section).
"""

from __future__ import annotations

from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import FORCE

MOMENT, ACROSS = 0, 1
PARTS = 4
"""Vectors that a load may reach: in the tables first those of d, then those of the point."""
CHANNEL, KIND, PLACES, WEIGHTS = 0, 1, 2, 2 + 2 * PARTS
SHARE = WEIGHTS + 2 * PARTS
PATCH_SIZE = SHARE + 1


@njit_inline
def load_kind(code):
    """Whether a load is a moment, and whether it sits on a sheared link."""
    return code % 2 == MOMENT, code >= 2


@njit_inline
def section_at(patch, q, k):
    """Direction that a load refers to."""
    x, y = 0.0, 0.0
    for j in range(PARTS):
        p = int(patch[k, PLACES + j])
        if p >= 0:
            x += patch[k, WEIGHTS + j] * q[p]
            y += patch[k, WEIGHTS + j] * q[p + 1]
    return x, y


@njit_part
def patch_forces(patch, q, row, residual):
    """Take the loads off the residual."""
    for k in range(patch.shape[0]):
        size = row[int(patch[k, CHANNEL]), FORCE] * patch[k, SHARE]
        if size == 0.0:
            continue
        moment, sheared = load_kind(int(patch[k, KIND]))
        x, y = section_at(patch, q, k)
        square = x * x + y * y
        scale, block = (size / square, 0) if moment else (size / square**0.5, PARTS)
        fx, fy = (x, y) if sheared and not moment else (-y, x)
        for j in range(PARTS):
            p, share = int(patch[k, PLACES + block + j]), scale * patch[k, WEIGHTS + block + j]
            if p >= 0:
                residual[p] -= share * fx
                residual[p + 1] -= share * fy


@njit_part
def patch_tangent(patch, q, row, band):
    """Derivatives of the loads, as they stand in the residual."""
    half = band.shape[1] // 2
    for k in range(patch.shape[0]):
        size = row[int(patch[k, CHANNEL]), FORCE] * patch[k, SHARE]
        if size == 0.0:
            continue
        moment, sheared = load_kind(int(patch[k, KIND]))
        x, y = section_at(patch, q, k)
        square, block = x * x + y * y, 0 if moment else PARTS
        f3 = square**1.5
        if moment:  # minus the second derivative of the angle
            xx, xy = 2.0 * x * y / (square * square), (y * y - x * x) / (square * square)
            d00, d01, d10, d11 = -size * xx, -size * xy, -size * xy, size * xx
        elif sheared:
            d00, d01, d10, d11 = -size * y * y / f3, size * x * y / f3, size * x * y / f3, -size * x * x / f3
        else:
            d00, d01, d10, d11 = -size * x * y / f3, size * x * x / f3, -size * y * y / f3, size * x * y / f3
        for i in range(PARTS):
            p, u = int(patch[k, PLACES + block + i]), patch[k, WEIGHTS + block + i]
            if p < 0:
                continue
            for j in range(PARTS):
                r, t = int(patch[k, PLACES + j]), patch[k, WEIGHTS + j] * u
                if r >= 0:
                    band[p, r - p + half] += t * d00
                    band[p, r + 1 - p + half] += t * d01
                    band[p + 1, r - p - 1 + half] += t * d10
                    band[p + 1, r - p + half] += t * d11
