"""The shear-deformable beam element: strains and forces; what cable and tangents share with it.

Legend: e = r_i, r_x,i, r_j, r_x,j, r_y,i, r_y,j (2 numbers each); a = r', b = r'' on the axis; f = |a|; gam = shear angle,
linear between its values g at the nodes, gamp its slope. Strains and where they are taken:

    axial f cos gam - 1 (3 Lobatto points), shear f sin gam, curvature (a x b)/f^2 - gamp (2 Gauss points),
    thickness (r_y.r_y - 1)/2 (nodes).   The cable has gam = 0 and neither shear nor thickness.

With Gauss points for the axial strain the element would lock. s = D (strain + beta rate), F = sum w s B.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.layout import F_AXIAL, F_BEND, F_BETA, F_CURVE, F_LENGTH, F_SHEAR, F_SLOPE, F_THICK
from flexarm.numerics.jit import njit_inline, njit_part

LOW, HIGH = 0.5 - 0.5 / math.sqrt(3.0), 0.5 + 0.5 / math.sqrt(3.0)
PLACE = (0.0, 0.5, 1.0, LOW, HIGH)
"""Lobatto points (weights 1/6, 4/6, 1/6), then Gauss points (1/2, 1/2)."""


@njit_inline
def shear_angle(e, x, y):
    """Shear angle of a node whose r_x and r_y begin at x and y."""
    return math.atan2(e[x] * e[y] + e[x + 1] * e[y + 1], e[x] * e[y + 1] - e[x + 1] * e[y])


@njit_inline
def turning(e, d, x):
    """Turning rate of the vector at x."""
    return (e[x] * d[x + 1] - e[x + 1] * d[x]) / (e[x] * e[x] + e[x + 1] * e[x + 1])


@njit_part
def put_axis(fig, p, nx, ny, F):
    """Force on a derivative of r whose polynomials stand at p of the element's figures, spread to the four vectors."""
    for j in range(4):
        F[2 * j] += fig[p + j] * nx
        F[2 * j + 1] += fig[p + j] * ny


@njit_inline
def put_angle(e, x, y, torque, F):
    """Torque on the shear angle of a node, as forces on r_x and r_y."""
    u, w = torque / (e[x] * e[x] + e[x + 1] * e[x + 1]), torque / (e[y] * e[y] + e[y + 1] * e[y + 1])
    F[x] -= u * e[x + 1]
    F[x + 1] += u * e[x]
    F[y] += w * e[y + 1]
    F[y + 1] -= w * e[y]


@njit_part
def along(fig, p, e):
    """Derivative of r whose polynomials stand at p of the element's figures."""
    return (
        fig[p] * e[0] + fig[p + 1] * e[2] + fig[p + 2] * e[4] + fig[p + 3] * e[6],
        fig[p] * e[1] + fig[p + 1] * e[3] + fig[p + 2] * e[5] + fig[p + 3] * e[7],
    )


@njit_part
def beam_forces(e, d, fig, F):
    """Elastic and damping forces into F (12,) for vectors e and their rates d; returns energy and power."""
    for k in range(12):
        F[k] = 0.0
    length, beta = fig[F_LENGTH], fig[F_BETA]
    t0, t1, energy, power = 0.0, 0.0, 0.0, 0.0
    g0, g1 = shear_angle(e, 2, 8), shear_angle(e, 6, 10)
    w0, w1 = turning(e, d, 2) - turning(e, d, 8), turning(e, d, 6) - turning(e, d, 10)
    for k in range(5):
        xi, p = PLACE[k], F_SLOPE + 4 * k
        ax, ay = along(fig, p, e)
        dx, dy = along(fig, p, d)
        ff = ax * ax + ay * ay
        f = math.sqrt(ff)
        df, gam, wam = (ax * dx + ay * dy) / f, (1.0 - xi) * g0 + xi * g1, (1.0 - xi) * w0 + xi * w1
        c, s = math.cos(gam), math.sin(gam)
        u, du, stiff, strain = s, c, fig[F_SHEAR + k - 3], f * s  # a strain f u(gam): shear
        if k < 3:  # or axial
            u, du, stiff, strain = c, -s, fig[F_AXIAL + k], f * c - 1.0
        rate = u * df + f * du * wam
        n = stiff * (strain + beta * rate)
        energy += 0.5 * stiff * strain * strain
        power += beta * stiff * rate * rate
        put_axis(fig, p, n * u / f * ax, n * u / f * ay, F)
        t0 += (1.0 - xi) * n * f * du
        t1 += xi * n * f * du
        if k >= 3:
            q, stiff = F_CURVE + 4 * (k - 3), fig[F_BEND + k - 3]
            bx, by = along(fig, q, e)
            ex, ey = along(fig, q, d)
            bend = (ax * by - ay * bx) / ff
            px, py = (by - 2.0 * bend * ax) / ff, (-bx - 2.0 * bend * ay) / ff
            strain = bend - (g1 - g0) / length
            rate = px * dx + py * dy + (ax * ey - ay * ex) / ff - (w1 - w0) / length
            m = stiff * (strain + beta * rate)
            energy += 0.5 * stiff * strain * strain
            power += beta * stiff * rate * rate
            put_axis(fig, p, m * px, m * py, F)
            put_axis(fig, q, -m * ay / ff, m * ax / ff, F)
            t0 += m / length
            t1 -= m / length
    for k in range(2):
        y = 8 + 2 * k
        put_angle(e, 2 + 4 * k, y, t0 if k == 0 else t1, F)
        strain, rate = 0.5 * (e[y] * e[y] + e[y + 1] * e[y + 1] - 1.0), e[y] * d[y] + e[y + 1] * d[y + 1]
        n = fig[F_THICK + k] * (strain + beta * rate)
        energy += 0.5 * fig[F_THICK + k] * strain * strain
        power += beta * fig[F_THICK + k] * rate * rate
        F[y] += n * e[y]
        F[y + 1] += n * e[y + 1]
    return energy, power
