"""Equations of the ties in the time loop: gaps, their Jacobian, the forces that close them, and the bordered system.

With G the Jacobian of the gaps and lambda the forces,

    [ K  G^T ] [ dq      ]     [ balance of forces ]
    [ D  0   ] [ dlambda ] = - [ rates of the gaps ],   D = d (rates) / dq,

is solved on the factored band K: W = K^-1 G^T, then the small matrix S = D W. The gaps themselves close by a shift of the
positions along W. See `ties` for the tables.
"""

from __future__ import annotations

from flexarm.methods.fem.carried import carried, excess
from flexarm.methods.fem.joints import law_rows
from flexarm.methods.fem.layout import ACCELERATION, ANGLE, J_BASE, RATE, W_SHIFT
from flexarm.methods.fem.rigid import R_BASE, R_FAR, R_ROOT, end_of
from flexarm.methods.fem.ties import (
    C_SIDE,
    C_UNKNOWN,
    CHILD,
    F_ANGLE,
    F_WEIGHT,
    F_X,
    F_Y,
    PIN,
    T_COUNT,
    T_KIND,
    T_LINK,
    T_NODES,
    T_ROW,
    T_ROWS,
)
from flexarm.numerics.bandlu import solve
from flexarm.numerics.dense import lu, lu_solve
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part

GAP, GAP_RATE, GAP_TURN, RIGHT, WANTED, SPARE = range(6)
BORDER_ROWS = 6
"""Rows of the scratch `small_border` after its square: gaps, their rates, their accelerations; right-hand side,
wanted products with D, forces that nobody reads."""


@njit_inside
def sign_of(p):
    """A gap is its first side minus its second."""
    return 1.0 - 2.0 * (p % 2)


@njit_inside
def section_of(part, now, p):
    """Angle chi of the section at a side of a tie, its rate and acceleration."""
    side, figures = part.side, part.side_figures
    chi, rate, turning = 0.0, 0.0, 0.0
    for a in range(side[p, T_COUNT]):
        t = side[p, T_NODES + 2 * a + 1]
        if t >= 0:
            chi += figures[p, F_WEIGHT + a] * now.q[t]
            rate += figures[p, F_WEIGHT + a] * now.v[t]
            turning += figures[p, F_WEIGHT + a] * now.a[t]
    return chi, rate, turning


@njit_inside
def offset_of(part, now, p):
    """`carried` for the offset of a side."""
    chi, rate, turning = section_of(part, now, p)
    figures = part.side_figures
    return carried(part, now, part.side[p, T_LINK], chi, rate, turning, figures[p, F_X], figures[p, F_Y])


@njit_part
def find_gaps(part, now, out):
    """Gaps, their rates and accelerations into the first three rows of `out`."""
    side, figures = part.side, part.side_figures
    for r in range(out.shape[1]):
        out[GAP, r], out[GAP_RATE, r], out[GAP_TURN, r] = 0.0, 0.0, 0.0
    for p in range(side.shape[0]):
        row, sign, at = side[p, T_ROW], sign_of(p), offset_of(part, now, p)
        for axis in range(2):
            place, speed, push = at[axis], at[4 + axis], at[6 + axis]
            for a in range(side[p, T_COUNT]):
                k, weight = side[p, T_NODES + 2 * a], figures[p, F_WEIGHT + a]
                if k >= 0:
                    place += weight * now.q[k + axis]
                    speed += weight * now.v[k + axis]
                    push += weight * now.a[k + axis]
            out[GAP, row + axis] += sign * place
            out[GAP_RATE, row + axis] += sign * speed
            out[GAP_TURN, row + axis] += sign * push
        if side[p, T_ROWS] == 3:
            chi, rate, turning = section_of(part, now, p)
            if side[p, T_KIND] == PIN:
                i = side[p, T_LINK]
                chi += now.frame[ANGLE, i] - figures[p, F_ANGLE]
                rate, turning = rate + now.frame[RATE, i], turning + now.frame[ACCELERATION, i]
            out[GAP, row + 2] += sign * chi
            out[GAP_RATE, row + 2] += sign * rate
            out[GAP_TURN, row + 2] += sign * turning


@njit_part
def push_ties(part, now, f, torques):
    """Add the forces of the ties to f, and to `torques` what falls on the first section of a link that carries one."""
    side, figures, lam = part.side, part.side_figures, now.lam
    for p in range(side.shape[0]):
        row, sign, at, i = side[p, T_ROW], sign_of(p), offset_of(part, now, p), side[p, T_LINK]
        fx, fy = sign * lam[row], sign * lam[row + 1]
        moment = at[2] * fx + at[3] * fy
        if side[p, T_ROWS] == 3:
            moment += sign * lam[row + 2]
        for a in range(side[p, T_COUNT]):
            k, t, weight = side[p, T_NODES + 2 * a], side[p, T_NODES + 2 * a + 1], figures[p, F_WEIGHT + a]
            if k >= 0:
                f[k] += weight * fx
                f[k + 1] += weight * fy
            if t >= 0:
                f[t] += weight * moment
            if t == part.joint[i, J_BASE] and side[p, T_KIND] != CHILD:
                torques[i] += weight * moment


@njit_part
def tie_curvature(part, now, band):
    """Derivative of the ties' forces by the angles that turn their offsets."""
    side, figures, lam, b = part.side, part.side_figures, now.lam, band.shape[1] // 2
    for p in range(side.shape[0]):
        row, at = side[p, T_ROW], offset_of(part, now, p)
        value = sign_of(p) * (at[10] * lam[row] + at[11] * lam[row + 1])
        for m in range(side[p, T_COUNT] if value != 0.0 else 0):
            for n in range(side[p, T_COUNT]):
                i, j = side[p, T_NODES + 2 * m + 1], side[p, T_NODES + 2 * n + 1]
                if i >= 0 and j >= 0:
                    band[i, j - i + b] += figures[p, F_WEIGHT + m] * figures[p, F_WEIGHT + n] * value


@njit_part
def tie_rows(part, now, border, speed):
    """Rows G and, behind them, D for d velocity / d position = `speed`; far nodes not yet folded."""
    side, figures, rows = part.side, part.side_figures, border.shape[0] // 3
    for r in range(2 * rows):
        for k in range(border.shape[1]):
            border[r, k] = 0.0
    for p in range(side.shape[0]):
        row, sign, at = side[p, T_ROW], sign_of(p), offset_of(part, now, p)
        swing = excess(at[2], at[3], at[8], at[9], speed)
        for a in range(side[p, T_COUNT]):
            k, t = side[p, T_NODES + 2 * a], side[p, T_NODES + 2 * a + 1]
            weight = sign * figures[p, F_WEIGHT + a]
            for axis in range(2):
                if k >= 0:
                    border[row + axis, k + axis] += weight
                    border[rows + row + axis, k + axis] += weight * speed
                if t >= 0:
                    border[row + axis, t] += weight * at[2 + axis]
                    border[rows + row + axis, t] += weight * (speed * at[2 + axis] + swing[axis])
            if t >= 0 and side[p, T_ROWS] == 3:
                border[row + 2, t] += weight
                border[rows + row + 2, t] += weight * speed


@njit_part
def fold_rates(part, now, g, d, speed):
    """Move the entries of copies and far nodes in a row g of G, and in that of D, to what they follow."""
    for n in range(part.copies.shape[0]):
        k, p = part.copies[n, C_UNKNOWN], part.copies[n, C_SIDE]
        for m in range(part.side[p, T_COUNT]):
            t, weight = part.side[p, T_NODES + 2 * m + 1], part.side_figures[p, F_WEIGHT + m]
            if t >= 0:
                g[t] += weight * g[k]
                d[t] += weight * d[k]
        g[k], d[k] = 0.0, 0.0
    for back in range(part.slaves.shape[0]):
        n = part.slaves.shape[0] - 1 - back
        root, b, far = part.slaves[n, R_ROOT], part.slaves[n, R_BASE], part.slaves[n, R_FAR]
        at = end_of(part, now, n)
        swing = excess(at[2], at[3], at[8], at[9], speed)
        if b >= 0:
            g[b] += at[2] * g[far] + at[3] * g[far + 1] + g[far + 2]
            d[b] += at[2] * d[far] + at[3] * d[far + 1] + d[far + 2] + swing[0] * g[far] + swing[1] * g[far + 1]
        for axis in range(2):
            if root >= 0:
                g[root + axis] += g[far + axis]
                d[root + axis] += d[far + axis]
        for axis in range(3):
            g[far + axis], d[far + axis] = 0.0, 0.0


@njit_part
def factor_border(part, now, scratch, speed):
    """Border of the factored band: G, D, W = K^-1 G^T and the factored S; False if the equations are not independent.

    Laws whose slopes lie outside the band have a row each, behind those of the ties: there the torque is the unknown.

    With speed 0 the band holds masses, and the rows D are those of G.
    """
    border, small, rows, size = scratch.border, scratch.small_border, scratch.pivots.shape[0], scratch.border.shape[1]
    ties = now.lam.shape[0]
    tie_rows(part, now, border, speed)
    law_rows(part, now, scratch, speed, border[:rows], border[rows : 2 * rows])
    for r in range(rows):
        fold_rates(part, now, border[r], border[rows + r], speed)
        for k in range(size):
            border[2 * rows + r, k] = border[r, k]
            if speed == 0.0 and r < ties:
                border[rows + r, k] = border[r, k]
        solve(scratch.band, border[2 * rows + r])
    for r in range(rows):
        for c in range(rows):
            total = 0.0
            for k in range(size):
                total += border[rows + r, k] * border[2 * rows + c, k]
            small[r, c] = total
    for r in range(ties, rows):
        small[r, r] += 1.0
    return lu(small, rows, scratch.pivots)


@njit_part
def shift_along(scratch, x, wanted, target):
    """Add W y to x such that its product with D becomes `wanted`; y is added to `target` (row RIGHT holds it)."""
    border, small, rows = scratch.border, scratch.small_border, scratch.pivots.shape[0]
    right = small[rows + RIGHT]
    for r in range(rows):
        total = wanted[r]
        for k in range(x.shape[0]):
            total -= border[rows + r, k] * x[k]
        right[r] = total
    lu_solve(small, rows, scratch.pivots, right)
    for r in range(target.shape[0]):
        target[r] += right[r]
    for r in range(rows):
        for k in range(x.shape[0]):
            x[k] += right[r] * border[2 * rows + r, k]


@njit_inside
def answer_ties(scratch, x):
    """Let a solution x of the band move only as the ties allow."""
    rows, small = scratch.pivots.shape[0], scratch.small_border
    for r in range(rows):
        small[rows + WANTED, r] = 0.0
    shift_along(scratch, x, small[rows + WANTED], small[rows + SPARE])


@njit_inline
def close_ties(part, now, scratch, speed, residual):
    """Forces of the ties for a step that is solved for without them (`residual` holds minus the correction), and a shift of
    the positions that closes the gaps; returns the largest shift."""
    rows, small, shift = scratch.pivots.shape[0], scratch.small_border, scratch.work[W_SHIFT]
    find_gaps(part, now, small[rows:])
    shift_along(scratch, residual, small[rows + GAP_RATE], now.lam)
    if now.lam.shape[0] == 0:
        return 0.0
    for r in range(rows):
        small[rows + WANTED, r] = speed * small[rows + GAP, r]
    for k in range(shift.shape[0]):
        shift[k] = 0.0
    shift_along(scratch, shift, small[rows + WANTED], small[rows + SPARE])
    largest = 0.0
    for k in range(shift.shape[0]):
        now.q[k] -= shift[k]
        largest = max(largest, abs(shift[k]))
    return largest


@njit_inside
def keep_ties(part, now, scratch):
    """Velocities after a jump that let no gap open, by the shortest way in kinetic energy (`band` holds the masses)."""
    rows, small, change = scratch.pivots.shape[0], scratch.small_border, scratch.work[W_SHIFT]
    find_gaps(part, now, small[rows:])
    for k in range(change.shape[0]):
        change[k] = 0.0
    shift_along(scratch, change, small[rows + GAP_RATE], small[rows + SPARE])
    for k in range(change.shape[0]):
        now.v[k] -= change[k]


@njit_inside
def start_ties(part, now, scratch, residual):
    """Forces of the ties after a jump; `residual` holds minus the accelerations without them."""
    rows, small = scratch.pivots.shape[0], scratch.small_border
    for r in range(rows):
        now.lam[r] = 0.0
    find_gaps(part, now, small[rows:])
    shift_along(scratch, residual, small[rows + GAP_TURN], now.lam)
