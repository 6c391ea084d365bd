"""A section of a body: where it is, how it is turned, and how both change, in the axes of the body.

Legend: (x, y, z) place, (ux, uy, uz) its velocity, (ax, ay, az) b(q', q'); (tx, ty, tz) the vector psi of its turn, (px, py, pz) its
rate, (cx, cy, cz) Psi(q', q'); D_i, E_i change of place and of psi per shape, W_i the spin.

Equations: N6, N7, N8.
"""

from __future__ import annotations

import math

from flexarm.methods.modes.spatial.arrays import BENT, MOVED, RHO, SPIN, SPUN, TURN
from flexarm.numerics.jit import njit_apart, njit_inside, njit_part
from flexarm.numerics.rotations import cross

SMALL = 0.1
"""Square of an angle below which series are used; their next terms are below rounding there."""


@njit_inside
def spin_factors(s):
    """a = (1 - cos p) / p^2 and b = (p - sin p) / p^3 for s = p^2, and their slopes by s."""
    if s < SMALL:
        a = 0.5 - s * (1 / 24 - s * (1 / 720 - s * (1 / 40320 - s * (1 / 3628800 - s * (1 / 479001600)))))
        b = 1 / 6 - s * (1 / 120 - s * (1 / 5040 - s * (1 / 362880 - s * (1 / 39916800 - s * (1 / 6227020800)))))
        da = -1 / 24 + s * (2 / 720 - s * (3 / 40320 - s * (4 / 3628800 - s * (5 / 479001600))))
        db = -1 / 120 + s * (2 / 5040 - s * (3 / 362880 - s * (4 / 39916800 - s * (5 / 6227020800))))
        return a, b, da, db
    p = math.sqrt(s)
    sine, cosine = math.sin(p), math.cos(p)
    a, b = (1.0 - cosine) / s, (p - sine) / (s * p)
    return a, b, 0.5 * (sine / p - 2.0 * a) / s, 0.5 * (a - 3.0 * b) / s


@njit_inside
def spun(a, b, tx, ty, tz, x, y, z):
    """x + a t x x + b t x (t x x)."""
    fx, fy, fz = cross(tx, ty, tz, x, y, z)
    gx, gy, gz = cross(tx, ty, tz, fx, fy, fz)
    return x + a * fx + b * gx, y + a * fy + b * gy, z + a * fz + b * gz


@njit_part
def finish_turn(work, n, tx, ty, tz, px, py, pz, cx, cy, cz):
    """From psi, its rate and Psi(q', q') the spin, the part of its rate that is not W q'', W from E, and the rotation work.T."""
    s = tx * tx + ty * ty + tz * tz
    a, b, da, db = spin_factors(s)
    rate, motion, W, T = 2.0 * (tx * px + ty * py + tz * pz), work.motion, work.W, work.T
    for i in range(n):
        W[i, 0], W[i, 1], W[i, 2] = spun(a, b, tx, ty, tz, W[i, 0], W[i, 1], W[i, 2])
    motion[TURN], motion[TURN + 1], motion[TURN + 2] = tx, ty, tz
    motion[SPIN], motion[SPIN + 1], motion[SPIN + 2] = spun(a, b, tx, ty, tz, px, py, pz)
    cx, cy, cz = spun(a, b, tx, ty, tz, cx, cy, cz)
    fx, fy, fz = cross(tx, ty, tz, px, py, pz)
    gx, gy, gz = cross(tx, ty, tz, fx, fy, fz)
    hx, hy, hz = cross(px, py, pz, fx, fy, fz)
    motion[SPUN] = cx + rate * (da * fx + db * gx) + b * hx
    motion[SPUN + 1] = cy + rate * (da * fy + db * gy) + b * hy
    motion[SPUN + 2] = cz + rate * (da * fz + db * gz) + b * hz
    e, c = 1.0 - b * s, 1.0 - a * s
    T[0, 0], T[0, 1], T[0, 2] = c + a * tx * tx, a * tx * ty - e * tz, a * tx * tz + e * ty
    T[0, 3], T[0, 4], T[0, 5] = a * tx * ty + e * tz, c + a * ty * ty, a * ty * tz - e * tx
    T[0, 6], T[0, 7], T[0, 8] = a * tx * tz - e * ty, a * ty * tz + e * tx, c + a * tz * tz


@njit_apart
def move_section(part, work, k, q, v, first, n):
    """work.D, W, motion and T of section k of a body whose n shapes begin with coordinate `first`."""
    D, W, motion, second = work.D, work.W, work.motion, part.second_order
    x, y, z = part.r0[k, 0], part.r0[k, 1], part.r0[k, 2]
    ux, uy, uz, ax, ay, az = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    tx, ty, tz, px, py, pz, cx, cy, cz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        qi, vi, row = q[first + i], v[first + i], part.first_order[k, i]
        dx, dy, dz, ex, ey, ez = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        fx, fy, fz, gx, gy, gz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if second:
            table = part.second[k, i]
            for j in range(n):
                qj, vj = q[first + j], v[first + j]
                dx += table[j, 0] * qj
                dy += table[j, 1] * qj
                dz += table[j, 2] * qj
                ex += table[j, 3] * qj
                ey += table[j, 4] * qj
                ez += table[j, 5] * qj
                fx += table[j, 0] * vj
                fy += table[j, 1] * vj
                fz += table[j, 2] * vj
                gx += table[j, 3] * vj
                gy += table[j, 4] * vj
                gz += table[j, 5] * vj
        D[i, 0], D[i, 1], D[i, 2] = row[0] + dx, row[1] + dy, row[2] + dz
        W[i, 0], W[i, 1], W[i, 2] = row[3] + ex, row[4] + ey, row[5] + ez
        x += (row[0] + 0.5 * dx) * qi
        y += (row[1] + 0.5 * dy) * qi
        z += (row[2] + 0.5 * dz) * qi
        ux += D[i, 0] * vi
        uy += D[i, 1] * vi
        uz += D[i, 2] * vi
        ax += fx * vi
        ay += fy * vi
        az += fz * vi
        tx += (row[3] + 0.5 * ex) * qi
        ty += (row[4] + 0.5 * ey) * qi
        tz += (row[5] + 0.5 * ez) * qi
        px += W[i, 0] * vi
        py += W[i, 1] * vi
        pz += W[i, 2] * vi
        cx += gx * vi
        cy += gy * vi
        cz += gz * vi
    motion[RHO], motion[RHO + 1], motion[RHO + 2] = x, y, z
    motion[MOVED], motion[MOVED + 1], motion[MOVED + 2] = ux, uy, uz
    motion[BENT], motion[BENT + 1], motion[BENT + 2] = ax, ay, az
    finish_turn(work, n, tx, ty, tz, px, py, pz, cx, cy, cz)


@njit_part
def turn_root(part, work, b, q, v):
    """work.W, motion and T of the root section of body b, whose turn is of first order."""
    n, first, W, start = part.count[b], part.first[b], work.W, part.start[b]
    tx, ty, tz, px, py, pz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        qi, vi = q[first + i], v[first + i]
        W[i, 0], W[i, 1], W[i, 2] = start[i, 0], start[i, 1], start[i, 2]
        tx += start[i, 0] * qi
        ty += start[i, 1] * qi
        tz += start[i, 2] * qi
        px += start[i, 0] * vi
        py += start[i, 1] * vi
        pz += start[i, 2] * vi
    finish_turn(work, n, tx, ty, tz, px, py, pz, 0.0, 0.0, 0.0)
