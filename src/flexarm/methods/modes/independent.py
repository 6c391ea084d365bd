"""Motions that the loops leave: coordinates split into dependent and independent ones.

A partition with complete pivoting makes as many coordinates dependent as there are equations, y_d = -T y_i + r. With
N = [-T; 1] matrices and vectors are reduced to the independent ones.

Equations: M22.
"""

from __future__ import annotations

from flexarm.numerics.jit import njit_part


@njit_part
def partition(part, work):
    """Reduce [Phi_q | work.right] of the moving coordinates by Gauss and Jordan with complete pivoting.

    work.order (moving,) : dependent coordinates first; work.table (rows, moving + 1) : T by coordinate, and r
    Returns False if the equations are not independent.
    """
    moving, rows, table, order = part.moving, part.rows, work.table, work.order
    for i in range(moving):
        order[i] = i
    for r in range(rows):
        for c in range(moving):
            table[r, c] = work.jac[r, c]
        table[r, moving] = work.right[r]
    for k in range(rows):
        best, pr, pc = 0.0, k, k
        for r in range(k, rows):
            for c in range(k, moving):
                size = abs(table[r, order[c]])
                if size > best:
                    best, pr, pc = size, r, c
        if not best > 1e-300:
            return False
        order[k], order[pc] = order[pc], order[k]
        if pr != k:
            for c in range(moving + 1):
                table[k, c], table[pr, c] = table[pr, c], table[k, c]
        inverse = 1.0 / table[k, order[k]]
        for c in range(moving + 1):
            table[k, c] *= inverse
        for r in range(rows):
            factor = table[r, order[k]]
            if r != k and factor != 0.0:
                for c in range(moving + 1):
                    table[r, c] -= factor * table[k, c]
    return True


@njit_part
def reduce_matrix(part, work, A, out):
    """out = N^T A N."""
    moving, rows, table, order, half = part.moving, part.rows, work.table, work.order, work.half
    free = moving - rows
    for r in range(moving):
        for i in range(free):
            total = A[r, order[rows + i]]
            for k in range(rows):
                total -= A[r, order[k]] * table[k, order[rows + i]]
            half[r, i] = total
    for i in range(free):
        col = order[rows + i]
        for j in range(free):
            total = half[col, j]
            for k in range(rows):
                total -= table[k, col] * half[order[k], j]
            out[i, j] = total


@njit_part
def reduce_vector(part, work, x, out):
    """out = N^T x."""
    rows, table, order = part.rows, work.table, work.order
    for i in range(part.moving - rows):
        total = x[order[rows + i]]
        for k in range(rows):
            total -= table[k, order[rows + i]] * x[order[k]]
        out[i] = total


@njit_part
def expand(part, work, z, share, y):
    """y = N z + share * r."""
    moving, rows, table, order = part.moving, part.rows, work.table, work.order
    for k in range(rows):
        total = share * table[k, moving]
        for i in range(moving - rows):
            total -= table[k, order[rows + i]] * z[i]
        y[order[k]] = total
    for i in range(moving - rows):
        y[order[rows + i]] = z[i]
