"""The beam element: forces and tangent at one integration point.

Reissner's beam with section angle theta: with r' the slope of the axis,

    Gamma1 = cos r'_x + sin r'_y - 1,   Gamma2 = -sin r'_x + cos r'_y,   kappa = theta',

and stresses n1 = EA (Gamma1 + eta Gamma1'), n2 = GA (Gamma2 + eta Gamma2'), m = EI (kappa + eta kappa') (here ' on a
strain is its rate). The linear theory takes the commanded angle Theta in place of theta and Gamma2 - chi as shear.
"""

from __future__ import annotations

import math

from flexarm.numerics.jit import njit, njit_inline

EXACT, LINEAR = range(2)


@njit_inline
def strains(theory, Theta, rate, chi, chi_rate, sx, sy, vx, vy):
    """Strains and rates from axis slope (sx, sy), its rate (vx, vy), angle and rate; also cos, sin, turning rate."""
    if theory == EXACT:
        c, s, turn = math.cos(Theta + chi), math.sin(Theta + chi), rate + chi_rate
    else:
        c, s, turn = math.cos(Theta), math.sin(Theta), rate
    stretch, across = c * sx + s * sy, -s * sx + c * sy
    stretch_rate = c * vx + s * vy + turn * across
    across_rate = -s * vx + c * vy - turn * stretch
    if theory == LINEAR:
        return c, s, turn, stretch, across, across - chi, stretch_rate, across_rate - chi_rate
    return c, s, turn, stretch, across, across, stretch_rate, across_rate


@njit
def point_forces(theory, EA, GA, EI, eta, Theta, rate, chi, chi_rate, bend, bend_rate, sx, sy, vx, vy, out):
    """Generalised forces (on r'_x, r'_y, angle, curvature): elastic in out[0:4], damping in out[4:8].

    Returns the stored energy per length.
    """
    c, s, turn, stretch, across, shear, d1, d2 = strains(theory, Theta, rate, chi, chi_rate, sx, sy, vx, vy)
    energy = 0.5 * (EA * (stretch - 1.0) ** 2 + GA * shear * shear + EI * bend * bend)
    for k in range(2):
        n1 = EA * (stretch - 1.0) if k == 0 else EA * eta * d1
        n2 = GA * shear if k == 0 else GA * eta * d2
        m = EI * bend if k == 0 else EI * eta * bend_rate
        out[4 * k] = c * n1 - s * n2
        out[4 * k + 1] = s * n1 + c * n2
        out[4 * k + 2] = across * n1 - stretch * n2 if theory == EXACT else -n2
        out[4 * k + 3] = m
    return energy


@njit
def point_tangent(
    theory, EA, GA, EI, eta, speed, Theta, rate, chi, chi_rate, bend, bend_rate, sx, sy, vx, vy, force, D
):
    """Total forces (4,) and their derivative D (4, 4) by (r'_x, r'_y, angle, curvature).

    `speed` is d velocity / d position of the time scheme.
    """
    c, s, turn, stretch, across, shear, d1, d2 = strains(theory, Theta, rate, chi, chi_rate, sx, sy, vx, vy)
    n1, n2 = EA * (stretch - 1.0 + eta * d1), GA * (shear + eta * d2)
    force[0], force[1], force[3] = c * n1 - s * n2, s * n1 + c * n2, EI * (bend + eta * bend_rate)
    force[2] = across * n1 - stretch * n2 if theory == EXACT else -n2
    grow = 1.0 + eta * speed
    for k in range(4):
        # changes of slope components along and across, of the angle in the frame, and of the angle in the shear
        along = c if k == 0 else s if k == 1 else 0.0
        athwart = -s if k == 0 else c if k == 1 else 0.0
        dn1, dn2, dx, dy, dm = 0.0, 0.0, 0.0, 0.0, 0.0
        if theory == EXACT:
            da = 1.0 if k == 2 else 0.0
            dstretch, dacross = along + across * da, athwart - stretch * da
            dd1 = (-s * vx + c * vy) * da + turn * dacross + speed * (along + across * da)
            dd2 = -(c * vx + s * vy) * da - turn * dstretch + speed * (athwart - stretch * da)
            dn1, dn2 = EA * (dstretch + eta * dd1), GA * (dacross + eta * dd2)
            dx, dy = -(s * n1 + c * n2) * da, (c * n1 - s * n2) * da
            dm = across * dn1 - stretch * dn2 + n1 * dacross - n2 * dstretch
        else:
            da = 1.0 if k == 2 else 0.0
            dn1 = EA * (along * grow + eta * turn * athwart)
            dn2 = GA * (athwart * grow - eta * turn * along - da * grow)
            dm = -dn2
        D[0, k] = c * dn1 - s * dn2 + dx
        D[1, k] = s * dn1 + c * dn2 + dy
        D[2, k] = dm
        D[3, k] = EI * grow if k == 3 else 0.0
