"""Beam elements: the cable element (no shear) and the shear-deformable one, forces and tangent.

Legend: e = r_i, r_x,i, r_j, r_x,j, r_y,i, r_y,j (2 numbers each); a = r', b = r'' on the axis; f = |a|; gam = shear angle,
linear between its values g at the nodes, gamp its slope. Strains and where they are taken:

    axial f cos gam - 1 (3 Lobatto points), shear f sin gam, curvature (a x b)/f^2 - gamp (2 Gauss points),
    thickness (r_y.r_y - 1)/2 (nodes).   The cable has gam = 0 and neither shear nor thickness.

With Gauss points for the axial strain the element would lock. s = D (strain + beta rate), F = sum w s B.
"""

from __future__ import annotations

import math

from flexarm.numerics.jit import njit, njit_inline, njit_part

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


@njit_inline
def put_axis(h, nx, ny, F):
    """Force on a, spread to the four vectors of the axis."""
    for j in range(4):
        F[2 * j] += h[j] * nx
        F[2 * j + 1] += h[j] * ny


@njit_part
def put_angle(e, x, y, torque, F):
    """Torque on the shear angle of a node, as forces on r_x and r_y."""
    u, w = torque / (e[x] * e[x] + e[x + 1] * e[x + 1]), torque / (e[y] * e[y] + e[y + 1] * e[y + 1])
    F[x] -= u * e[x + 1]
    F[x + 1] += u * e[x]
    F[y] += w * e[y + 1]
    F[y + 1] -= w * e[y]


@njit_inline
def along(h, e):
    """Derivative of r with the polynomials h."""
    return (
        h[0] * e[0] + h[1] * e[2] + h[2] * e[4] + h[3] * e[6],
        h[0] * e[1] + h[1] * e[3] + h[2] * e[5] + h[3] * e[7],
    )


@njit
def beam_forces(sheared, e, hp, hpp, length, fig, F):
    """Elastic forces into F (12,); returns the energy."""
    for k in range(12):
        F[k] = 0.0
    g0, g1, t0, t1, energy = 0.0, 0.0, 0.0, 0.0, 0.0
    if sheared:
        g0, g1 = shear_angle(e, 2, 8), shear_angle(e, 6, 10)
    for k in range(5):
        h, xi, c, s = hp[k], PLACE[k], 1.0, 0.0
        ax, ay = along(h, e)
        ff = ax * ax + ay * ay
        f = math.sqrt(ff)
        if sheared:
            gam = (1.0 - xi) * g0 + xi * g1
            c, s = math.cos(gam), math.sin(gam)
        if k < 3:
            n = fig[k] * (f * c - 1.0)
            energy += 0.5 * n * (f * c - 1.0)
            put_axis(h, n * c / f * ax, n * c / f * ay, F)
            t0 -= (1.0 - xi) * n * f * s
            t1 -= xi * n * f * s
            continue
        bx, by = along(hpp[k - 3], e)
        cross = ax * by - ay * bx
        bend = cross / ff - (g1 - g0) / length
        m = fig[k + 2] * bend
        energy += 0.5 * m * bend
        put_axis(h, m * (by - 2.0 * cross / ff * ax) / ff, m * (-bx - 2.0 * cross / ff * ay) / ff, F)
        put_axis(hpp[k - 3], -m * ay / ff, m * ax / ff, F)
        t0 += m / length
        t1 -= m / length
        if sheared:
            n = fig[k] * f * s
            energy += 0.5 * n * f * s
            put_axis(h, n * s / f * ax, n * s / f * ay, F)
            t0 += (1.0 - xi) * n * f * c
            t1 += xi * n * f * c
    if sheared:
        put_angle(e, 2, 8, t0, F)
        put_angle(e, 6, 10, t1, F)
        for k in range(2):
            y = 8 + 2 * k
            strain = 0.5 * (e[y] * e[y] + e[y + 1] * e[y + 1] - 1.0)
            n = fig[7 + k] * strain
            energy += 0.5 * n * strain
            F[y] += n * e[y]
            F[y + 1] += n * e[y + 1]
    return energy


@njit
def beam_damping(sheared, e, d, hp, hpp, length, fig, beta, F):
    """Damping forces into F (12,) for rates d of e; returns the power that they take."""
    for k in range(12):
        F[k] = 0.0
    g0, g1, w0, w1, t0, t1, power = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if sheared:
        g0, g1 = shear_angle(e, 2, 8), shear_angle(e, 6, 10)
        w0, w1 = turning(e, d, 2) - turning(e, d, 8), turning(e, d, 6) - turning(e, d, 10)
    for k in range(5):
        h, xi = hp[k], PLACE[k]
        ax, ay = along(h, e)
        dx, dy = along(h, d)
        ff = ax * ax + ay * ay
        f = math.sqrt(ff)
        df, gam, wam = (ax * dx + ay * dy) / f, (1.0 - xi) * g0 + xi * g1, (1.0 - xi) * w0 + xi * w1
        c, s = 1.0, 0.0
        if sheared:
            c, s = math.cos(gam), math.sin(gam)
        if k < 3:
            rate = c * df - f * s * wam
            n = beta * fig[k] * rate
            power += n * rate
            put_axis(h, n * c / f * ax, n * c / f * ay, F)
            t0 -= (1.0 - xi) * n * f * s
            t1 -= xi * n * f * s
            continue
        bx, by = along(hpp[k - 3], e)
        ex, ey = along(hpp[k - 3], d)
        cross = ax * by - ay * bx
        px, py = (by - 2.0 * cross / ff * ax) / ff, (-bx - 2.0 * cross / ff * ay) / ff
        rate = px * dx + py * dy + (ax * ey - ay * ex) / ff - (w1 - w0) / length
        m = beta * fig[k + 2] * rate
        power += m * rate
        put_axis(h, m * px, m * py, F)
        put_axis(hpp[k - 3], -m * ay / ff, m * ax / ff, F)
        t0 += m / length
        t1 -= m / length
        if sheared:
            rate = s * df + f * c * wam
            n = beta * fig[k] * rate
            power += n * rate
            put_axis(h, n * s / f * ax, n * s / f * ay, F)
            t0 += (1.0 - xi) * n * f * c
            t1 += xi * n * f * c
    if sheared:
        put_angle(e, 2, 8, t0, F)
        put_angle(e, 6, 10, t1, F)
        for k in range(2):
            y = 8 + 2 * k
            rate = e[y] * d[y] + e[y + 1] * d[y + 1]
            n = beta * fig[7 + k] * rate
            power += n * rate
            F[y] += n * e[y]
            F[y + 1] += n * e[y + 1]
    return power
