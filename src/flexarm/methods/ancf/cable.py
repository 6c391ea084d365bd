"""The cable element by itself: elastic and damping forces in one pass, for the inner loop of slender arms.

The same strains as `beam` without shear: at the Lobatto points of the ends the slope is that of the node.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.beam import along, put_axis
from flexarm.numerics.jit import njit, njit_inline


@njit_inline
def stretch(ax, ay, dx, dy, stiff, beta):
    """Scales of a in the elastic and the damping force, energy and power of an axial strain."""
    f = math.sqrt(ax * ax + ay * ay)
    rate = (ax * dx + ay * dy) / f
    return stiff * (f - 1.0) / f, beta * stiff * rate / f, 0.5 * stiff * (f - 1.0) ** 2, beta * stiff * rate * rate


@njit
def cable_forces(e, d, hp, hpp, fig, beta, F, G):
    """Elastic forces into F, damping forces into G (8 numbers each); returns energy and power. d is read if beta > 0."""
    for k in range(8):
        F[k], G[k] = 0.0, 0.0
    energy, power, damped = 0.0, 0.0, beta > 0.0
    for k in range(2):  # the ends
        p = 2 + 4 * k
        dx, dy = (d[p], d[p + 1]) if damped else (0.0, 0.0)
        n, m, stored, lost = stretch(e[p], e[p + 1], dx, dy, fig[2 * k], beta)
        F[p], F[p + 1], G[p], G[p + 1] = n * e[p], n * e[p + 1], m * e[p], m * e[p + 1]
        energy, power = energy + stored, power + lost
    ax, ay = along(hp[1], e)
    dx, dy = along(hp[1], d) if damped else (0.0, 0.0)
    n, m, stored, lost = stretch(ax, ay, dx, dy, fig[1], beta)
    energy, power = energy + stored, power + lost
    put_axis(hp[1], n * ax, n * ay, F)
    if damped:
        put_axis(hp[1], m * ax, m * ay, G)
    for k in range(2):  # bending at the Gauss points
        h, hh = hp[3 + k], hpp[k]
        ax, ay = along(h, e)
        bx, by = along(hh, e)
        inverse = 1.0 / (ax * ax + ay * ay)
        bend = (ax * by - ay * bx) * inverse
        px, py = (by - 2.0 * bend * ax) * inverse, (-bx - 2.0 * bend * ay) * inverse
        rx, ry = -ay * inverse, ax * inverse
        moment = fig[5 + k] * bend
        energy += 0.5 * moment * bend
        put_axis(h, moment * px, moment * py, F)
        put_axis(hh, moment * rx, moment * ry, F)
        if damped:
            dx, dy = along(h, d)
            ex, ey = along(hh, d)
            rate = px * dx + py * dy + rx * ex + ry * ey
            moment = beta * fig[5 + k] * rate
            power += moment * rate
            put_axis(h, moment * px, moment * py, G)
            put_axis(hh, moment * rx, moment * ry, G)
    return energy, power
