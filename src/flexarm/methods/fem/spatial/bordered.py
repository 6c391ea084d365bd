"""Unknowns that are coupled with many others: their rows and columns border a matrix of neighbours, eliminated last.

With the rest A decoupled from these unknowns (1 on their diagonal), rows R, columns C and D where they cross,

    A w = C,    (D - R w) s = b_border - R (A^-1 b),    x = A^-1 b - w s,    x_border = s.

Equations: S14.
"""

from __future__ import annotations

from flexarm.numerics.jit import njit_part
from flexarm.numerics.laws import solve_small


def border_size(n: int, count: int) -> int:
    """Numbers that `count` bordering unknowns need behind the entries of a matrix of n rows: R, C, w, D - R w twice, b."""
    return count * (3 * n + 2 * count + 1)


@njit_part
def separate_border(matrix):
    """Move what couples the bordering unknowns out of the matrix of neighbours; copy their columns to where w will be."""
    flat, spot, border, b = matrix.entries, matrix.spot, matrix.border, matrix.half_width
    rows, columns, answers = matrix.border_rows, matrix.border_columns, matrix.border_answers
    n, count = matrix.size, border.shape[0]
    for m in range(count):
        p = border[m]
        for c in range(max(0, p - b), min(n, p + b + 1)):
            place = spot[p, c - p + b]
            if place >= 0:
                rows[m, c] += flat[place]
                flat[place] = 0.0
            place = spot[c, p - c + b]
            if place >= 0 and c != p:
                columns[m, c] += flat[place]
                flat[place] = 0.0
        flat[spot[p, b]] = 1.0
    for m in range(count):
        for k in range(n):
            answers[m, k] = columns[m, k]
        for k in range(count):
            answers[m, border[k]] = 0.0


@njit_part
def reduce_border(matrix):
    """D - R w, with the answers w known."""
    border, rows, columns, answers = matrix.border, matrix.border_rows, matrix.border_columns, matrix.border_answers
    for m in range(border.shape[0]):
        for k in range(border.shape[0]):
            total = rows[m, border[k]] + columns[k, border[m]]
            for j in range(matrix.size):
                total -= rows[m, j] * answers[k, j]
            matrix.border_reduced[m, k] = total


@njit_part
def begin_border(matrix, x):
    """Take the right-hand sides of the bordering unknowns out of x."""
    for m in range(matrix.border.shape[0]):
        matrix.border_right[m] = x[matrix.border[m]]
        x[matrix.border[m]] = 0.0


@njit_part
def end_border(matrix, x):
    """The bordering unknowns from the solution x of the rest, and their part in it."""
    border, rows, answers, right = matrix.border, matrix.border_rows, matrix.border_answers, matrix.border_right
    count = border.shape[0]
    for m in range(count):
        for j in range(matrix.size):
            right[m] -= rows[m, j] * x[j]
        for k in range(count):
            matrix.border_work[m, k] = matrix.border_reduced[m, k]
    solve_small(matrix.border_work, right, count)
    for m in range(count):
        for j in range(matrix.size):
            x[j] -= right[m] * answers[m, j]
    for m in range(count):
        x[border[m]] = right[m]
