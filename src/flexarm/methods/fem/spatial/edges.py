"""Unknowns that are coupled with many others: their rows and columns beside a matrix of neighbours, eliminated last.

With the rest A decoupled from the edges (1 on their diagonal), rows R, columns C and D where they cross,

    A w = C,    (D - R w) s = b_edge - R (A^-1 b),    x = A^-1 b - w s,    x_edge = s.

Behind the entries of A, the flat array of a matrix (see `matrix`) holds R, C and w, (edges, n) each, D - R w twice
(to keep, and to be used up by elimination) and the right-hand side of the edges.
"""

from __future__ import annotations

from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import solve_small


def room_for(n: int, edges: int) -> int:
    """Numbers behind the entries of the rest."""
    return edges * (3 * n + 2 * edges + 1)


@njit_part
def set_aside(flat, spot):
    """Move what couples the edges out of the matrix of neighbours; copy their columns to where the answers will be."""
    n, count, base, b = spot[-1, 0], spot[-1, 1], spot[-1, 2], spot.shape[1] // 2
    for m in range(count):
        p = spot[-1, 3 + m]
        row, column = flat[base + m * n : base + (m + 1) * n], flat[base + (count + m) * n : base + (count + m + 1) * n]
        for c in range(max(0, p - b), min(n, p + b + 1)):
            at = spot[p, c - p + b]
            if at >= 0:
                row[c] += flat[at]
                flat[at] = 0.0
            at = spot[c, p - c + b]
            if at >= 0 and c != p:
                column[c] += flat[at]
                flat[at] = 0.0
        flat[spot[p, b]] = 1.0
    for m in range(count):
        column, answer = base + (count + m) * n, base + (2 * count + m) * n
        for k in range(n):
            flat[answer + k] = flat[column + k]
        for k in range(count):
            flat[answer + spot[-1, 3 + k]] = 0.0


@njit_part
def reduce_edges(flat, spot):
    """D - R w, with the answers w known."""
    n, count, base = spot[-1, 0], spot[-1, 1], spot[-1, 2]
    kept = base + 3 * count * n
    for m in range(count):
        row = base + m * n
        for k in range(count):
            column, answer = base + (count + k) * n, base + (2 * count + k) * n
            total = flat[row + spot[-1, 3 + k]] + flat[column + spot[-1, 3 + m]]
            for j in range(n):
                total -= flat[row + j] * flat[answer + j]
            flat[kept + m * count + k] = total


@njit_part
def begin_edges(flat, spot, x):
    """Take the right-hand sides of the edges out of x."""
    n, count, base = spot[-1, 0], spot[-1, 1], spot[-1, 2]
    right = base + count * (3 * n + 2 * count)
    for m in range(count):
        flat[right + m] = x[spot[-1, 3 + m]]
        x[spot[-1, 3 + m]] = 0.0


@njit_part
def end_edges(flat, spot, x):
    """The edges from the solution x of the rest, and their part in it."""
    n, count, base = spot[-1, 0], spot[-1, 1], spot[-1, 2]
    kept = base + 3 * count * n
    used, right = kept + count * count, flat[base + count * (3 * n + 2 * count) :]
    for m in range(count):
        for j in range(n):
            right[m] -= flat[base + m * n + j] * x[j]
        for k in range(count):
            flat[used + m * count + k] = flat[kept + m * count + k]
    solve_small(flat[used : used + count * count].reshape((count, count)), right, count)
    for m in range(count):
        answer = base + (2 * count + m) * n
        for j in range(n):
            x[j] -= right[m] * flat[answer + j]
    for m in range(count):
        x[spot[-1, 3 + m]] = right[m]
