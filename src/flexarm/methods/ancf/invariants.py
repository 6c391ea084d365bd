"""The continuum element by constant matrices: its energy is quadratic in the 21 scalar products of its six vectors.

Equations: A13.

With x = (e_i.e_j, i <= j) the force is (A (x + beta x') + b) . dx/de, and no quadrature is left in the time loop. The
answers are those of `continuum`. The paper expects speed of it; the benchmark says what it brings.
"""

from __future__ import annotations

import numpy as np

from flexarm.numerics.jit import njit_part

PAIRS = 21


def constant_matrix(shape: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """A (21, 21), below it b (21,), then the constant, from the points' shapes (15, 12) and stiffness (15, 3): (23, 21)."""
    out = np.zeros((PAIRS + 2, PAIRS))
    out[PAIRS + 1, 0] = 0.5 * stiffness[:, 0].sum()
    for weights, C in zip(shape, stiffness, strict=True):
        p, t = weights[:6], weights[6:]
        Ex, Ey, g = (_pairs(m) for m in (0.5 * np.outer(p, p), 0.5 * np.outer(t, t), np.outer(p, t)))
        for stiff, row, offset in ((C[0], Ex + Ey, -1.0), (C[1], Ex - Ey, 0.0), (C[2], g, 0.0)):
            out[:PAIRS] += stiff * np.outer(row, row)
            out[PAIRS] += stiff * offset * row
    return out


def _pairs(matrix: np.ndarray) -> np.ndarray:
    """Coefficients (21,) of the scalar products in sum_ij matrix_ij e_i.e_j."""
    both = matrix + matrix.T - np.diag(np.diag(matrix))
    return both[np.triu_indices(6)]


@njit_part
def products(e, d, x):
    """Scalar products of the vectors e with d (12,), symmetric part, into x (21,): those of e if d is e."""
    n = 0
    for i in range(6):
        for j in range(i, 6):
            x[n] = 0.5 * (e[2 * i] * d[2 * j] + e[2 * i + 1] * d[2 * j + 1])
            x[n] += 0.5 * (e[2 * j] * d[2 * i] + e[2 * j + 1] * d[2 * i + 1])
            n += 1


@njit_part
def put(e, y, F):
    """Forces of the stresses y (21,) that belong to the scalar products."""
    n = 0
    for i in range(6):
        for j in range(i, 6):
            for c in range(2):
                F[2 * i + c] += y[n] * e[2 * j + c]
                F[2 * j + c] += y[n] * e[2 * i + c]
            n += 1


@njit_part
def invariant_forces(m, w, n):
    """Elastic and damping forces of element n into w.F (12,); returns energy and power of damping."""
    e, d, F, x, y, gram, beta = w.e, w.d, w.F, w.products[0], w.products[1], m.gram[n], m.damping_time[n]
    for k in range(12):
        F[k] = 0.0
    products(e, e, x)
    energy, power = gram[PAIRS + 1, 0], 0.0
    for i in range(PAIRS):
        total = gram[PAIRS, i]
        for j in range(PAIRS):
            total += gram[i, j] * x[j]
        y[i] = total
        energy += 0.5 * (total + gram[PAIRS, i]) * x[i]
    if beta > 0.0:
        products(e, d, x)
        for i in range(PAIRS):
            total = 0.0
            for j in range(PAIRS):
                total += 2.0 * beta * gram[i, j] * x[j]
            y[i] += total
            power += 2.0 * total * x[i]
    put(e, y, F)
    return energy, power


@njit_part
def invariant_tangent(m, w, n, speed):
    """Tangent of element n into w.K (12, 12)."""
    e, d, K, x, y, gram, beta = w.e, w.d, w.K, w.products[0], w.products[1], m.gram[n], m.damping_time[n]
    row, grow = w.gradients[0], w.gradients[1]
    products(e, e, x)
    products(e, d, y)
    for i in range(PAIRS):
        x[i] += 2.0 * beta * y[i]
        for c in range(12):
            row[i, c], grow[i, c] = 0.0, 0.0
    for i in range(12):
        for c in range(12):
            K[i, c] = 0.0
    p = 0
    for i in range(6):
        for j in range(i, 6):
            total = gram[PAIRS, p]
            for k in range(PAIRS):
                total += gram[p, k] * x[k]
            for c in range(2):
                K[2 * i + c, 2 * j + c] += total
                K[2 * j + c, 2 * i + c] += total
                row[p, 2 * i + c] += e[2 * j + c]
                row[p, 2 * j + c] += e[2 * i + c]
                grow[p, 2 * i + c] += (1.0 + beta * speed) * e[2 * j + c] + beta * d[2 * j + c]
                grow[p, 2 * j + c] += (1.0 + beta * speed) * e[2 * i + c] + beta * d[2 * i + c]
            p += 1
    for p in range(PAIRS):
        for c in range(12):
            total = 0.0
            for k in range(PAIRS):
                total += gram[p, k] * grow[k, c]
            x[c] = total
        for r in range(12):
            if row[p, r] != 0.0:
                for c in range(12):
                    K[r, c] += row[p, r] * x[c]
