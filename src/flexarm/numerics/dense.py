"""Small dense systems in compiled code: Cholesky for symmetric ones, LU with partial pivoting for general ones."""

from __future__ import annotations

import math

from flexarm.numerics.jit import njit


@njit
def cholesky(a, n):
    """Factor the leading n x n part in place, lower triangle; False if it is not positive definite."""
    for j in range(n):
        total = a[j, j]
        for k in range(j):
            total -= a[j, k] * a[j, k]
        if not total > 0.0:
            return False
        pivot = math.sqrt(total)
        a[j, j] = pivot
        for i in range(j + 1, n):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = total / pivot
    return True


@njit
def cholesky_solve(a, n, x):
    """Solve with the factor of `cholesky`, in place."""
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= a[i, k] * x[k]
        x[i] = total / a[i, i]
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, n):
            total -= a[k, i] * x[k]
        x[i] = total / a[i, i]


@njit
def lu(a, n, pivots):
    """Factor the leading n x n part in place; False if it is singular."""
    for k in range(n):
        best, row = abs(a[k, k]), k
        for i in range(k + 1, n):
            if abs(a[i, k]) > best:
                best, row = abs(a[i, k]), i
        pivots[k] = row
        if not best > 1e-300:
            return False
        if row != k:
            for j in range(n):
                a[k, j], a[row, j] = a[row, j], a[k, j]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            factor = a[i, k] * inverse
            a[i, k] = factor
            if factor != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= factor * a[k, j]
    return True


@njit
def lu_solve(a, n, pivots, x):
    """Solve with the factors of `lu`, in place."""
    for k in range(n):
        row = pivots[k]
        if row != k:
            x[k], x[row] = x[row], x[k]
    for i in range(n):
        total = x[i]
        for k in range(i):
            total -= a[i, k] * x[k]
        x[i] = total
    for i in range(n - 1, -1, -1):
        total = x[i]
        for k in range(i + 1, n):
            total -= a[i, k] * x[k]
        x[i] = total / a[i, i]
