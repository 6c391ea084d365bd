"""Loop equations: back onto them, and how far they are from a singular pose.

Projection takes the shortest way back onto the loops.

Equations: M21, M23.
"""

from __future__ import annotations

import math

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.evaluation import place_all
from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import solve_small


@njit_part
def fill_gram(part, work):
    """Phi_q Phi_q^T over the moving coordinates."""
    for r in range(part.rows):
        for c in range(r + 1):
            total = 0.0
            for i in range(part.moving):
                total += work.jac[r, i] * work.jac[c, i]
            work.gram[r, c] = total
            work.gram[c, r] = total


@njit_part
def remove_part(part, work, y):
    """Subtract from y the shortest vector that Phi_q maps to work.right, which is changed."""
    fill_gram(part, work)
    solve_small(work.gram, work.right, part.rows)
    for k in range(part.moving):
        for r in range(part.rows):
            y[k] -= work.jac[r, k] * work.right[r]


@njit_part
def project(part, work, q, v):
    """Put positions and velocities onto the loops, the shortest way; returns the largest error that is left, m."""
    if part.rows == 0:
        return 0.0
    gap = 0.0
    for attempt in range(8):
        place_all(part, work, q, v)
        last, gap = gap, 0.0
        for r in range(part.rows):
            work.right[r] = work.phi[r]
            gap = max(gap, abs(work.phi[r]))
        if gap <= 1e-15 * part.reach or (attempt > 1 and gap >= 0.5 * last):
            break
        remove_part(part, work, q)
    for r in range(part.rows):
        total = 0.0
        for k in range(part.size):
            total += work.jac[r, k] * v[k]
        work.right[r] = total
    remove_part(part, work, v)
    return gap


@njit_part
def watch_loops(part, work, sums):
    """Ratio of the smallest to the largest singular value of the loop equations; keeps the smallest of the run."""
    if part.rows == 0:
        return 1.0
    fill_gram(part, work)
    diagonalise(work.gram, work.gram_vectors)
    low, high, place = work.gram[0, 0], work.gram[0, 0], 0
    for r in range(1, part.rows):
        value = work.gram[r, r]
        high = max(high, value)
        if value < low:
            low, place = value, r
    ratio = math.sqrt(max(low, 0.0) / high) if high > 0.0 else 0.0
    if ratio < sums[at.SIGMA]:
        sums[at.SIGMA], sums[at.SIGMA_TIME] = ratio, sums[at.CLOCK]
        row = 0
        for r in range(part.rows):
            if abs(work.gram_vectors[r, place]) > abs(work.gram_vectors[row, place]):
                row = r
        for k in range(part.row.shape[0]):
            if part.row[k] <= row:
                sums[at.SIGMA_LOOP] = k
    return ratio


@njit_part
def diagonalise(a, vectors):
    """Eigenvalues of a symmetric matrix, on its diagonal afterwards, and its vectors as columns (Jacobi's method)."""
    n = a.shape[0]
    for i in range(n):
        for j in range(n):
            vectors[i, j] = 1.0 if i == j else 0.0
    for _ in range(30):
        off, total = 0.0, 0.0
        for i in range(n):
            total += a[i, i] * a[i, i]
            for j in range(i):
                off += a[i, j] * a[i, j]
        if off <= 1e-32 * total:
            break
        for p in range(n - 1):
            for r in range(p + 1, n):
                if a[p, r] == 0.0:
                    continue
                theta = (a[r, r] - a[p, p]) / (2.0 * a[p, r])
                t = 1.0 / (abs(theta) + math.sqrt(theta * theta + 1.0))
                if theta < 0.0:
                    t = -t
                c = 1.0 / math.sqrt(t * t + 1.0)
                s = t * c
                for k in range(n):
                    x, y = a[k, p], a[k, r]
                    a[k, p], a[k, r] = c * x - s * y, s * x + c * y
                for k in range(n):
                    x, y = a[p, k], a[r, k]
                    a[p, k], a[r, k] = c * x - s * y, s * x + c * y
                    x, y = vectors[k, p], vectors[k, r]
                    vectors[k, p], vectors[k, r] = c * x - s * y, s * x + c * y
