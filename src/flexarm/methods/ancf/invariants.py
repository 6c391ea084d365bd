"""The continuum element by constant matrices: its energy is quadratic in the 21 scalar products of its six vectors.

x = (e_i.e_j, i <= j);  U = x.A x / 2 + b.x + constant;  so the force is (A (x + beta x') + b) . dx/de, and no quadrature
is left in the time loop. The answers are those of `continuum`. The paper expects speed of it; the benchmark says what it
brings.
"""

from __future__ import annotations

import numpy as np

from flexarm.numerics.jit import njit_part

PAIRS = 21


def constant_matrix(shape: np.ndarray, fig: np.ndarray) -> np.ndarray:
    """A (21, 21) and b (21,) below it, from the points' shapes (15, 12) and stiffness (15, 3): shape (22, 21)."""
    out = np.zeros((PAIRS + 1, PAIRS))
    for weights, C in zip(shape, fig, strict=True):
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
def invariant_forces(e, d, gram, beta, constant, F, scratch):
    """Elastic and damping forces into F (12,); returns energy (less `constant`) and power of damping."""
    x, y = scratch[0], scratch[1]
    for k in range(12):
        F[k] = 0.0
    products(e, e, x)
    energy, power = constant, 0.0
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
def invariant_tangent(e, d, gram, beta, speed, K, scratch):
    """Tangent (12, 12) into K."""
    x, y, row, grow = scratch[0], scratch[1], scratch[2:23], scratch[23:44]
    products(e, e, x)
    products(e, d, y)
    for i in range(PAIRS):
        x[i] += 2.0 * beta * y[i]
        for c in range(12):
            row[i, c], grow[i, c] = 0.0, 0.0
    for i in range(12):
        for c in range(12):
            K[i, c] = 0.0
    n = 0
    for i in range(6):
        for j in range(i, 6):
            total = gram[PAIRS, n]
            for m in range(PAIRS):
                total += gram[n, m] * x[m]
            for c in range(2):
                K[2 * i + c, 2 * j + c] += total
                K[2 * j + c, 2 * i + c] += total
                row[n, 2 * i + c] += e[2 * j + c]
                row[n, 2 * j + c] += e[2 * i + c]
                grow[n, 2 * i + c] += (1.0 + beta * speed) * e[2 * j + c] + beta * d[2 * j + c]
                grow[n, 2 * j + c] += (1.0 + beta * speed) * e[2 * i + c] + beta * d[2 * i + c]
            n += 1
    for m in range(PAIRS):
        for c in range(12):
            total = 0.0
            for k in range(PAIRS):
                total += gram[m, k] * grow[k, c]
            x[c] = total
        for r in range(12):
            if row[m, r] != 0.0:
                for c in range(12):
                    K[r, c] += row[m, r] * x[c]
