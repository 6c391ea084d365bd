"""The shear-deformable beam element: strains and forces; what cable and tangents share with it.

Equations: A4, A5, A6, A7, A8.

Legend: e = r_i, r_x,i, r_j, r_x,j, r_y,i, r_y,j (2 numbers each), d their rates; a = r', b = r'' on the axis; f = |a|;
gam = shear angle, linear between its values g at the nodes, w its rate. With Gauss points for the axial strain the element
would lock. The cable has gam = 0 and neither shear nor thickness.
"""

from __future__ import annotations

import math

from flexarm.numerics.jit import njit_inline, njit_part

LOW, HIGH = 0.5 - 0.5 / math.sqrt(3.0), 0.5 + 0.5 / math.sqrt(3.0)
PLACE = (0.0, 0.5, 1.0, LOW, HIGH)
"""Lobatto points (weights 1/6, 4/6, 1/6), then Gauss points (1/2, 1/2)."""


@njit_inline
def shear_angle(e, x, y):
    """Shear angle of a node whose r_x and r_y begin at x and y."""
    return math.atan2(e[x] * e[y] + e[x + 1] * e[y + 1], e[x] * e[y + 1] - e[x + 1] * e[y])


@njit_inline
def turn_rate(e, d, x):
    """Turning rate of the vector at x."""
    return (e[x] * d[x + 1] - e[x + 1] * d[x]) / (e[x] * e[x] + e[x + 1] * e[x + 1])


@njit_part
def put_axis(h, nx, ny, F):
    """Force on a derivative of r with the polynomials h (4,), spread to the four vectors."""
    for j in range(4):
        F[2 * j] += h[j] * nx
        F[2 * j + 1] += h[j] * ny


@njit_inline
def put_angle(e, x, y, torque, F):
    """Torque on the shear angle of a node, as forces on r_x and r_y."""
    u, w = torque / (e[x] * e[x] + e[x + 1] * e[x + 1]), torque / (e[y] * e[y] + e[y + 1] * e[y + 1])
    F[x] -= u * e[x + 1]
    F[x + 1] += u * e[x]
    F[y] += w * e[y + 1]
    F[y + 1] -= w * e[y]


@njit_part
def along(h, e):
    """Derivative of r with the polynomials h (4,)."""
    return (
        h[0] * e[0] + h[1] * e[2] + h[2] * e[4] + h[3] * e[6],
        h[0] * e[1] + h[1] * e[3] + h[2] * e[5] + h[3] * e[7],
    )


@njit_part
def beam_forces(m, w, n):
    """Elastic and damping forces of element n into w.F (12,) for vectors w.e, rates w.d; returns energy and power."""
    e, d, F = w.e, w.d, w.F
    for k in range(12):
        F[k] = 0.0
    length, beta = m.length[n], m.damping_time[n]
    t0, t1, energy, power = 0.0, 0.0, 0.0, 0.0
    g0, g1 = shear_angle(e, 2, 8), shear_angle(e, 6, 10)
    w0, w1 = turn_rate(e, d, 2) - turn_rate(e, d, 8), turn_rate(e, d, 6) - turn_rate(e, d, 10)
    for k in range(5):
        xi, slope = PLACE[k], m.slope[n, k]
        ax, ay = along(slope, e)
        dx, dy = along(slope, d)
        ff = ax * ax + ay * ay
        f = math.sqrt(ff)
        df, gam, wam = (ax * dx + ay * dy) / f, (1.0 - xi) * g0 + xi * g1, (1.0 - xi) * w0 + xi * w1
        c, s = math.cos(gam), math.sin(gam)
        if k < 3:  # a strain f u(gam): axial
            u, du, stiff, strain = c, -s, m.axial[n, k], f * c - 1.0
        else:  # or shear
            u, du, stiff, strain = s, c, m.shear[n, k - 3], f * s
        rate = u * df + f * du * wam
        force = stiff * (strain + beta * rate)
        energy += 0.5 * stiff * strain * strain
        power += beta * stiff * rate * rate
        put_axis(slope, force * u / f * ax, force * u / f * ay, F)
        t0 += (1.0 - xi) * force * f * du
        t1 += xi * force * f * du
        if k >= 3:
            curve, stiff = m.curve[n, k - 3], m.bending[n, k - 3]
            bx, by = along(curve, e)
            ex, ey = along(curve, d)
            bend = (ax * by - ay * bx) / ff
            px, py = (by - 2.0 * bend * ax) / ff, (-bx - 2.0 * bend * ay) / ff
            strain = bend - (g1 - g0) / length
            rate = px * dx + py * dy + (ax * ey - ay * ex) / ff - (w1 - w0) / length
            moment = stiff * (strain + beta * rate)
            energy += 0.5 * stiff * strain * strain
            power += beta * stiff * rate * rate
            put_axis(slope, moment * px, moment * py, F)
            put_axis(curve, -moment * ay / ff, moment * ax / ff, F)
            t0 += moment / length
            t1 -= moment / length
    for k in range(2):
        y, stiff = 8 + 2 * k, m.thickness[n, k]
        put_angle(e, 2 + 4 * k, y, t0 if k == 0 else t1, F)
        strain, rate = 0.5 * (e[y] * e[y] + e[y + 1] * e[y + 1] - 1.0), e[y] * d[y] + e[y + 1] * d[y + 1]
        force = stiff * (strain + beta * rate)
        energy += 0.5 * stiff * strain * strain
        power += beta * stiff * rate * rate
        F[y] += force * e[y]
        F[y + 1] += force * e[y + 1]
    return energy, power
