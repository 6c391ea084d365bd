"""The cable element by itself: the inner loop of slender arms.

Equations: A4, A6, A8.

The same strains as `beam` without shear. Derivatives of the Hermite polynomials by both ends are opposite, so only the
line from end to end counts, and the forces on the ends are opposite too: six numbers instead of eight. At the Lobatto points
of the ends the slope is that of the node. All stays in registers.
"""

from __future__ import annotations

import math

from flexarm.numerics.jit import njit_inline, njit_part


@njit_inline
def stretch(ax, ay, dx, dy, stiff, beta):
    """Scale of a in the force of an axial strain, energy and power."""
    f = math.sqrt(ax * ax + ay * ay)
    inverse, strain = 1.0 / f, f - 1.0
    rate = (ax * dx + ay * dy) * inverse
    return stiff * (strain + beta * rate) * inverse, 0.5 * stiff * strain * strain, beta * stiff * rate * rate


@njit_part
def cable_forces(m, n, q, v, f):
    """Add elastic and damping forces of element n to f; returns energy and power."""
    r, s, t, u = m.connection[n, 0], m.connection[n, 1], m.connection[n, 2], m.connection[n, 3]
    beta, slope, curve = m.damping_time[n], m.slope[n], m.curve[n]
    lx, ly, ix, iy, jx, jy = q[t] - q[r], q[t + 1] - q[r + 1], q[s], q[s + 1], q[u], q[u + 1]
    mx, my, dix, diy, djx, djy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if beta > 0.0:
        mx, my, dix, diy, djx, djy = v[t] - v[r], v[t + 1] - v[r + 1], v[s], v[s + 1], v[u], v[u + 1]
    scale, energy, power = stretch(ix, iy, dix, diy, m.axial[n, 0], beta)
    six, siy = scale * ix, scale * iy
    scale, stored, lost = stretch(jx, jy, djx, djy, m.axial[n, 2], beta)
    sjx, sjy = scale * jx, scale * jy
    energy, power = energy + stored, power + lost
    h1, h2, h3 = slope[1, 1], slope[1, 2], slope[1, 3]
    ax, ay = h2 * lx + h1 * ix + h3 * jx, h2 * ly + h1 * iy + h3 * jy
    dx, dy = h2 * mx + h1 * dix + h3 * djx, h2 * my + h1 * diy + h3 * djy
    scale, stored, lost = stretch(ax, ay, dx, dy, m.axial[n, 1], beta)
    energy, power = energy + stored, power + lost
    ax, ay = scale * ax, scale * ay
    px, py, six, siy, sjx, sjy = h2 * ax, h2 * ay, six + h1 * ax, siy + h1 * ay, sjx + h3 * ax, sjy + h3 * ay
    for k in range(2):  # bending at the Gauss points
        h1, h2, h3 = slope[3 + k, 1], slope[3 + k, 2], slope[3 + k, 3]
        c1, c2, c3 = curve[k, 1], curve[k, 2], curve[k, 3]
        ax, ay = h2 * lx + h1 * ix + h3 * jx, h2 * ly + h1 * iy + h3 * jy
        bx, by = c2 * lx + c1 * ix + c3 * jx, c2 * ly + c1 * iy + c3 * jy
        inverse = 1.0 / (ax * ax + ay * ay)
        bend = (ax * by - ay * bx) * inverse
        gx, gy = (by - 2.0 * bend * ax) * inverse, (-bx - 2.0 * bend * ay) * inverse  # of the curvature by a
        kx, ky = -ay * inverse, ax * inverse  # and by b
        dx, dy = h2 * mx + h1 * dix + h3 * djx, h2 * my + h1 * diy + h3 * djy
        ex, ey = c2 * mx + c1 * dix + c3 * djx, c2 * my + c1 * diy + c3 * djy
        rate = gx * dx + gy * dy + kx * ex + ky * ey
        stiff = m.bending[n, k]
        energy += 0.5 * stiff * bend * bend
        power += beta * stiff * rate * rate
        moment = stiff * (bend + beta * rate)
        gx, gy, kx, ky = moment * gx, moment * gy, moment * kx, moment * ky
        px, py = px + h2 * gx + c2 * kx, py + h2 * gy + c2 * ky
        six, siy = six + h1 * gx + c1 * kx, siy + h1 * gy + c1 * ky
        sjx, sjy = sjx + h3 * gx + c3 * kx, sjy + h3 * gy + c3 * ky
    f[r] -= px
    f[r + 1] -= py
    f[t] += px
    f[t + 1] += py
    f[s] += six
    f[s + 1] += siy
    f[u] += sjx
    f[u + 1] += sjy
    return energy, power
