"""The beam element: forces and tangent at one integration point.

With r' the slope of the axis and a frame turned by phi,

    stretch = cos r'_x + sin r'_y,   across = -sin r'_x + cos r'_y,   kappa = chi',

axial strain = stretch - 1, and stresses n1 = EA (axial + eta axial'), n2 = GA (shear + eta shear'), m = EI (kappa + eta
kappa'), where ' on a strain is its rate. The theories differ in the frame and in the shear strain:

    exact    phi = Theta + chi     shear = across                       (Reissner, geometrically exact)
    link     phi = Theta + chi_b   shear = across - (chi - chi_b)       (small strains in a frame on the link's base)
    linear   phi = Theta           shear = across - chi                 (small displacements about the command)

chi_b is the angle of the link's first section. Generalised coordinates of a point: r'_x, r'_y, chi, chi', chi_b.

Equations: E3, E4, E5, E6.
"""

from __future__ import annotations

import math

from flexarm.methods.fem import layout as at
from flexarm.numerics.jit import njit_inside

PLACES = 5
"""Generalised coordinates of a point."""


@njit_inside
def at_point(part, now, e, g, out):
    """What `strains` reads at integration point g of element e, into out (10,)."""
    q, v, shape, connection, base = now.q, now.v, part.shape, part.connection, part.joint[part.owner[e], at.J_BASE]
    for k in range(8):
        out[k] = 0.0
    jacobian = part.properties[e, g, at.JACOBIAN]
    for a in range(shape.shape[2]):
        N, slope = shape[g, 0, a], shape[g, 1, a] * jacobian
        ix, iy, it = connection[e, 3 * a], connection[e, 3 * a + 1], connection[e, 3 * a + 2]
        if it >= 0:
            out[0] += N * q[it]
            out[1] += N * v[it]
            out[2] += slope * q[it]
            out[3] += slope * v[it]
        if ix >= 0:
            out[4] += slope * q[ix]
            out[6] += slope * v[ix]
        if iy >= 0:
            out[5] += slope * q[iy]
            out[7] += slope * v[iy]
    out[8] = q[base] if base >= 0 else 0.0
    out[9] = v[base] if base >= 0 else 0.0


@njit_inside
def strains(theory, Theta, rate, p):
    """cos, sin, turning rate of the frame, stretch, across, shear, rates of axial and shear strain.

    p = chi, its rate, curvature, its rate, r'_x, r'_y, their rates, chi_b, its rate.
    """
    phi, turn = Theta, rate
    if theory == at.EXACT:
        phi, turn = Theta + p[0], rate + p[1]
    elif theory == at.LINK:
        phi, turn = Theta + p[8], rate + p[9]
    c, s = math.cos(phi), math.sin(phi)
    stretch, across = c * p[4] + s * p[5], -s * p[4] + c * p[5]
    axial_rate = c * p[6] + s * p[7] + turn * across
    shear_rate = -s * p[6] + c * p[7] - turn * stretch
    shear = across
    if theory == at.LINK:
        shear, shear_rate = across - (p[0] - p[8]), shear_rate - (p[1] - p[9])
    elif theory != at.EXACT:
        shear, shear_rate = across - p[0], shear_rate - p[1]
    return c, s, turn, stretch, across, shear, axial_rate, shear_rate


@njit_inside
def point_forces(theory, own, Theta, rate, p, out):
    """Generalised forces of a point: elastic in out[0:5], damping in out[5:10]; `own` holds its properties. Returns the energy per
    length."""
    EA, GA, EI, eta = own[at.EA], own[at.GA], own[at.EI], own[at.ETA]
    c, s, _turn, stretch, across, shear, d1, d2 = strains(theory, Theta, rate, p)
    energy = 0.5 * (EA * (stretch - 1.0) ** 2 + GA * shear * shear + EI * p[2] * p[2])
    for k in range(2):
        n1 = EA * (stretch - 1.0) if k == 0 else EA * eta * d1
        n2 = GA * shear if k == 0 else GA * eta * d2
        spread(theory, c, s, stretch, across, n1, n2, EI * p[2] if k == 0 else EI * eta * p[3], out[5 * k :])
    return energy


@njit_inside
def spread(theory, c, s, stretch, across, n1, n2, m, out):
    """Generalised forces of axial force, shear force and moment."""
    out[0] = c * n1 - s * n2
    out[1] = s * n1 + c * n2
    out[2] = across * n1 - stretch * n2 if theory == at.EXACT else -n2
    out[3] = m
    out[4] = across * n1 - stretch * n2 + n2 if theory == at.LINK else 0.0


@njit_inside
def point_tangent(theory, own, speed, Theta, rate, p, force, D):
    """Total forces (5,) and their derivative D (5, 5); `speed` is d velocity / d position of the time scheme."""
    EA, GA, EI, eta = own[at.EA], own[at.GA], own[at.EI], own[at.ETA]
    c, s, turn, stretch, across, shear, d1, d2 = strains(theory, Theta, rate, p)
    n1, n2 = EA * (stretch - 1.0 + eta * d1), GA * (shear + eta * d2)
    spread(theory, c, s, stretch, across, n1, n2, EI * (p[2] + eta * p[3]), force)
    grow = 1.0 + eta * speed
    turning = 2 if theory == at.EXACT else 4 if theory == at.LINK else -1  # coordinate that turns the frame
    for k in range(PLACES):
        along = c if k == 0 else s if k == 1 else 0.0
        athwart = -s if k == 0 else c if k == 1 else 0.0
        da = 1.0 if k == turning else 0.0
        lean = 0.0  # change of the angle that is taken off the shear
        if theory != at.EXACT:
            lean = 1.0 if k == 2 else -1.0 if (k == 4 and theory == at.LINK) else 0.0
        dstretch, dacross = along + across * da, athwart - stretch * da
        daxial = dstretch * grow + eta * ((-s * p[6] + c * p[7]) * da + turn * dacross)
        dshear = (dacross - lean) * grow - eta * ((c * p[6] + s * p[7]) * da + turn * dstretch)
        dn1, dn2 = EA * daxial, GA * dshear
        D[0, k] = c * dn1 - s * dn2 - (s * n1 + c * n2) * da
        D[1, k] = s * dn1 + c * dn2 + (c * n1 - s * n2) * da
        frame = across * dn1 - stretch * dn2 + n1 * dacross - n2 * dstretch
        D[2, k] = frame if theory == at.EXACT else -dn2
        D[3, k] = EI * grow if k == 3 else 0.0
        D[4, k] = frame + dn2 if theory == at.LINK else 0.0
