"""Loop equations: pins that hold two points together, and the motions that they leave.

Phi = r_A - r_B (and the angle between the sections, if welded), its Jacobian and velocity terms come from the same point
kinematics as everything else. A partition with complete pivoting splits the coordinates into as many dependent ones as
there are equations, y_d = -T y_i + r, and the rest; projection takes the shortest way back.
"""

from __future__ import annotations

import math

from flexarm.methods.modes.kinematics import move_point
from flexarm.methods.modes.layout import K_ANGLE, K_GX, K_GY, K_X, K_Y, L_A, L_B, L_ROW, L_WELD
from flexarm.numerics.jit import njit_part


@njit_part
def loop_equations(
    q,
    v,
    order,
    body,
    point,
    place,
    point_modal,
    columns,
    column_count,
    kin,
    J,
    loop,
    weld,
    ends,
    sides,
    phi,
    jac,
    gamma,
):
    """Fill phi (rows,), jac (rows, size) and gamma (rows,); ends (2, KIN) and sides (2, 3, size) are scratch."""
    for row in range(phi.shape[0]):
        for col in range(jac.shape[1]):
            jac[row, col] = 0.0
    for k in range(loop.shape[0]):
        row, rows = loop[k, L_ROW], 3 if loop[k, L_WELD] else 2
        for side in range(2):
            p = loop[k, L_A] if side == 0 else loop[k, L_B]
            sign = 1.0 if side == 0 else -1.0
            move_point(
                p, q, v, order, body, point, place, point_modal, columns, column_count, kin, J, ends[side], sides[side]
            )
            b = point[p]
            for m in range(column_count[b]):
                col = columns[b, m]
                for r in range(rows):
                    jac[row + r, col] += sign * sides[side, r, col]
        phi[row], phi[row + 1] = ends[0, K_X] - ends[1, K_X], ends[0, K_Y] - ends[1, K_Y]
        gamma[row], gamma[row + 1] = ends[0, K_GX] - ends[1, K_GX], ends[0, K_GY] - ends[1, K_GY]
        if rows == 3:
            phi[row + 2], gamma[row + 2] = ends[0, K_ANGLE] - ends[1, K_ANGLE] - weld[k], 0.0


@njit_part
def partition(jac, moving, right, table, order, rows):
    """Reduce [jac | right] of the first `moving` columns by Gauss and Jordan with complete pivoting.

    order (moving,) : dependent coordinates first; table (rows, moving + 1) : their dependence on the others, and r
    Returns False if the equations are not independent.
    """
    for i in range(moving):
        order[i] = i
    for r in range(rows):
        for c in range(moving):
            table[r, c] = jac[r, c]
        table[r, moving] = right[r]
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
def reduce_matrix(A, moving, table, order, rows, half, out):
    """N^T A N with N = [-T; 1] on the independent coordinates; `half` is (moving, moving) scratch."""
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
def reduce_vector(x, moving, table, order, rows, out):
    """N^T x."""
    for i in range(moving - rows):
        total = x[order[rows + i]]
        for k in range(rows):
            total -= table[k, order[rows + i]] * x[order[k]]
        out[i] = total


@njit_part
def expand(z, moving, table, order, rows, share, y):
    """y = N z + share * r."""
    for k in range(rows):
        total = share * table[k, moving]
        for i in range(moving - rows):
            total -= table[k, order[rows + i]] * z[i]
        y[order[k]] = total
    for i in range(moving - rows):
        y[order[rows + i]] = z[i]


@njit_part
def gram(jac, moving, rows, out):
    """J J^T over the moving columns."""
    for r in range(rows):
        for c in range(r + 1):
            total = 0.0
            for i in range(moving):
                total += jac[r, i] * jac[c, i]
            out[r, c] = total
            out[c, r] = total


@njit_part
def symmetric_values(a, n, vectors):
    """Eigenvalues of a symmetric matrix, on its diagonal afterwards, and its vectors as columns (Jacobi's method)."""
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
