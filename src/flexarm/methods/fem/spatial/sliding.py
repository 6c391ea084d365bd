"""Material that flows through the nodes of a sliding beam.

Nodes sit at fixed shares eta of the free length L; material passes them at c = L' (1 - eta) and accelerates by

    acc = r'' + 2 c r'_X + [L'' (1 - eta) - 2 c L' / L] r_X + c^2 r_XX .

With linear elements the last term is integrated by parts. With g = 1 - eta at the ends of an element of length h this
gives, besides the usual inertia, the forces below and -rhoA L'^2 r_X on the root. The drive works along the flow with
the shares g r_X of all material, which gives its force as a row of its own: the work it does is the change of energy,
apart from what the material carries through the joint.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.lanes import Q_D, Q_DRAG, Q_FORCE, Q_H, Q_K, Q_STRAIN, WIDE
from flexarm.methods.fem.spatial.layout import (
    E_COUNT,
    E_FIRST,
    E_LINK,
    E_ROOT,
    E_SECOND,
    FLOW,
    LINK_ROW,
    M_J11,
    M_J12,
    M_J22,
    M_RHO,
    P_GX,
)
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part


@njit_part
def shares(e, elements):
    """1 - eta at the two ends of an element."""
    first = e
    while not elements[first, E_ROOT]:
        first -= 1
    count = elements[e, E_COUNT]
    return 1.0 - (e - first) / count, 1.0 - (e - first + 1.0) / count


@njit_inside
def streams(q, lane, e, elements, mfig, length):
    """What flows through an element.

    With rho its mass per length and N its shape functions: int rho g N (2), int rho g^2, and in the terms with the square
    of L' the factors of r_X in the forces on both ends (2) and of r_X^2 / 2 in that of the drive.
    """
    rho, h = mfig[e, M_RHO], q[Q_H * WIDE + lane]
    g1, g2 = shares(e, elements)
    one, two, square = (
        rho * h * (g1 / 3.0 + g2 / 6.0),
        rho * h * (g1 / 6.0 + g2 / 3.0),
        (g1 * g1 + g1 * g2 + g2 * g2) / 3.0,
    )
    root = rho if elements[e, E_ROOT] else 0.0
    first, second = rho * g1 * g1 - 2.0 * one / length - root, -rho * g2 * g2 - 2.0 * two / length
    return one, two, rho * h * square, first, second, (rho - root) * g1**3 - rho * g2**3


@njit_inline
def flow(q, lane, e, parts, state, scratch, vel, acc, exact):
    """Forces of the material that flows through one element; returns the kinetic energy that its nodes do not show."""
    elements, mfig, par, phi = parts[3], parts[4], parts[10], scratch[5]
    r, figures, fc, jc, jd = state[0], state[5], state[10], state[12], state[13]
    f1, f2, i = elements[e, E_FIRST], elements[e, E_SECOND], elements[e, E_LINK]
    rate, h = phi[i, 1], q[Q_H * WIDE + lane]
    slope = (
        q[Q_D * WIDE + lane] / h, q[(Q_D + 1) * WIDE + lane] / h, q[(Q_D + 2) * WIDE + lane] / h
    )  # fmt: skip
    drive, drag, missing = flow_forces(
        q, lane, e, f1, f2, elements, mfig, phi[i], vel if exact else scratch[8], acc, par, slope, fc
    )
    jc[LINK_ROW, i] += drive
    jd[LINK_ROW, i] += drag
    if elements[e, E_ROOT]:
        rotary = mfig[e, M_J11] + 2.0 * mfig[e, M_J12] + mfig[e, M_J22]
        figures[FLOW, i] += carried(mfig[e, M_RHO], rotary, rate, f1, r, vel, slope, par)
    return missing


@njit_part
def flow_forces(q, lane, e, f1, f2, elements, mfig, length, v, a, par, slope, f):
    """Add convective forces to f.

    slope : r_X; length : (3,) L, L', L''. Returns conservative and damping part of the drive's force, and the kinetic
    energy that is missing in that of the nodes' own velocities.
    """
    h, count = q[Q_H * WIDE + lane], elements[e, E_COUNT]
    free, rate, push = length[0], length[1], length[2]
    one, two, both, first, second, along_drive = streams(q, lane, e, elements, mfig, free)
    drive, energy, size = 0.0, 0.0, 0.0
    for k in range(3):
        x = slope[k]
        along = 2.0 * rate * (v[f2, k] - v[f1, k]) / h + push * x
        f[f1, k] += one * along + rate * rate * first * x
        f[f2, k] += two * along + rate * rate * second * x
        pull = one * a[f1, k] + two * a[f2, k] - (one + two) * par[P_GX + k]
        drive += x * (pull + both * (along - 2.0 * rate * rate / free * x))
        size += x * x
        energy += rate * x * (one * v[f1, k] + two * v[f2, k])
    drive += 0.5 * rate * rate * size * along_drive
    energy += 0.5 * rate * rate * both * size
    stored, drag = q[Q_FORCE * WIDE + lane], q[Q_DRAG * WIDE + lane]
    for k in range(6):
        strain = q[(Q_STRAIN + k) * WIDE + lane]
        stored += 0.5 * q[(Q_FORCE + k) * WIDE + lane] * strain
        drag += q[(Q_DRAG + k) * WIDE + lane] * strain
    return drive - stored / count, -drag / count, energy


@njit_inline
def flow_tangent(q, lane, e, parts, scratch, speed):
    """Add the derivative of the convective forces to the matrix of a lane; r_X and its rate are those of the unknowns."""
    elements, i, h = parts[3], parts[3][e, E_LINK], q[Q_H * WIDE + lane]
    free, rate, push = scratch[5][i, 0], scratch[5][i, 1], scratch[5][i, 2]
    at_one, at_two, _both, first, second, _along = streams(q, lane, e, elements, parts[4], free)
    along = (2.0 * rate * speed + push) / h
    one, two = at_one * along + rate * rate * first / h, at_two * along + rate * rate * second / h
    for k in range(3):
        q[(Q_K + 13 * k) * WIDE + lane] -= one
        q[(Q_K + 13 * k + 6) * WIDE + lane] += one
        q[(Q_K + 13 * k + 72) * WIDE + lane] -= two
        q[(Q_K + 13 * k + 78) * WIDE + lane] += two


@njit_part
def carried(rho, rotary, rate, f, r, v, slope, par):
    """Power that new material brings through the root of a sliding beam: kinetic energy and potential."""
    power = 0.0
    for k in range(3):
        speed = v[f, k] + rate * slope[k]
        power += 0.5 * speed * speed - par[P_GX + k] * r[f, k]
    spin = v[f, 3] ** 2 + v[f, 4] ** 2 + v[f, 5] ** 2
    return rho * rate * power + 0.5 * rotary * rate * spin
