"""Material that flows through the nodes of a sliding beam.

Nodes sit at fixed shares eta of the free length L; material passes them at c = L' (1 - eta) and accelerates by

    acc = r'' + 2 c r'_X + [L'' (1 - eta) - 2 c L' / L] r_X + c^2 r_XX .

With linear elements the last term is integrated by parts, also where the mass per length changes. With g = 1 - eta this
gives, besides the usual inertia, the forces below and -rhoA L'^2 r_X on the root. The drive works along the flow with
the shares g r_X of all material, which gives its force as a row of its own: the work it does is the change of energy,
apart from what the material carries through the joint. Material keeps its section; `stock` tells what is where.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.lanes import (
    Q_D,
    Q_DH,
    Q_DRAG,
    Q_EA,
    Q_FORCE,
    Q_H,
    Q_INVERSE,
    Q_J11,
    Q_K,
    Q_KELVIN,
    Q_M11,
    Q_STRAIN,
    Q_W1,
    WIDE,
)
from flexarm.methods.fem.spatial.layout import (
    E_COUNT,
    E_FIRST,
    E_LINK,
    E_ROOT,
    E_SECOND,
    FLOW,
    LINK_ROW,
    M_KELVIN,
    P_GX,
)
from flexarm.methods.fem.spatial.stock import (
    COUNT,
    ROTARY,
    SOFT,
    Z_BOTH,
    Z_DRIVE,
    Z_FIRST,
    Z_LENGTH,
    Z_ONE,
    Z_RHO,
    Z_ROTARY,
    Z_SECOND,
    Z_SPARE,
    Z_STIFFER,
    Z_TWO,
    between_ends,
    find_streams,
    moments,
)
from flexarm.methods.fem.spatial.triples import put_three
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def shares(e, elements):
    """1 - eta at the two ends of an element."""
    first = e
    while not elements[first, E_ROOT]:
        first -= 1
    count = elements[e, E_COUNT]
    return 1.0 - (e - first) / count, 1.0 - (e - first + 1.0) / count


@njit_part
def set_sliding(q, lane, e, elements, mfig, table, length, z):
    """What an element is at the present length (L, L'), into its lane; what flows through it into z (see `stock`)."""
    L, count = length[0], elements[e, E_COUNT]
    h, (g1, g2) = L / count, shares(e, elements)
    q[Q_H * WIDE + lane], q[Q_INVERSE * WIDE + lane], q[Q_DH * WIDE + lane] = h, 1.0 / h, length[1] / count
    q[Q_KELVIN * WIDE + lane] = mfig[e, M_KELVIN]
    if z[Z_LENGTH] == L:
        return
    z[Z_LENGTH] = L
    rho2 = between_ends(table, L, g1, g2, z)
    find_streams(z, L, h, g1, g2, elements[e, E_ROOT] == 1, rho2)
    for k in range(6):
        soft, change = z[Z_SPARE + SOFT + k], z[Z_SPARE + COUNT + SOFT + k]
        q[(Q_EA + k) * WIDE + lane] = h / soft
        z[Z_STIFFER + k] = h / soft * (1.0 / L - change / soft)
    put_three(q, Q_M11, lane, moments(z, Z_SPARE, h, L * g1, L * g2))
    for k in range(3):
        own = moments(z, Z_SPARE + ROTARY + 3 * k, h, L * g1, L * g2)
        for n in range(3):
            q[(Q_J11 + 3 * n + k) * WIDE + lane] = own[n]
    d0, d1 = z[Z_SPARE], z[Z_SPARE + 1]
    q[Q_W1 * WIDE + lane], q[(Q_W1 + 1) * WIDE + lane] = (d1 - L * g2 * d0) / h, (L * g1 * d0 - d1) / h


@njit_inline
def flow(q, lane, e, parts, state, scratch, vel, acc, exact):
    """Forces of the material that flows through one element; returns the kinetic energy that its nodes do not show."""
    elements, par, phi, z = parts.elements, parts.par, scratch.phi, scratch.z[e]
    r, figures, fc, jc, jd = state[0], state[5], state[10], state[12], state[13]
    f1, f2, i = elements[e, E_FIRST], elements[e, E_SECOND], elements[e, E_LINK]
    rate, h = phi[i, 1], q[Q_H * WIDE + lane]
    slope = (
        q[Q_D * WIDE + lane] / h, q[(Q_D + 1) * WIDE + lane] / h, q[(Q_D + 2) * WIDE + lane] / h
    )  # fmt: skip
    drive, drag, missing = flow_forces(
        q, lane, z, f1, f2, elements[e, E_COUNT], phi[i], vel if exact else scratch.nv, acc, par, slope, fc
    )
    jc[LINK_ROW, i] += drive
    jd[LINK_ROW, i] += drag
    if elements[e, E_ROOT]:
        figures[FLOW, i] += carried(z[Z_RHO], z[Z_ROTARY], rate, f1, r, vel, slope, par)
    return missing


@njit_part
def flow_forces(q, lane, z, f1, f2, count, length, v, a, par, slope, f):
    """Add convective forces to f.

    slope : r_X; length : (3,) L, L', L''. Returns conservative and damping part of the drive's force, and the kinetic
    energy that is missing in that of the nodes' own velocities.
    """
    h, free, rate, push = q[Q_H * WIDE + lane], length[0], length[1], length[2]
    one, two, both, first, second = z[Z_ONE], z[Z_TWO], z[Z_BOTH], z[Z_FIRST], z[Z_SECOND]
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
    drive += 0.5 * rate * rate * size * z[Z_DRIVE]
    energy += 0.5 * rate * rate * both * size
    stored, drag = q[Q_FORCE * WIDE + lane], q[Q_DRAG * WIDE + lane]
    for k in range(6):
        strain = q[(Q_STRAIN + k) * WIDE + lane]
        stored += 0.5 * q[(Q_FORCE + k) * WIDE + lane] * strain
        drag += q[(Q_DRAG + k) * WIDE + lane] * strain
        drive += 0.5 * h * z[Z_STIFFER + k] * strain * strain  # stiffer or softer material takes the place
    return drive - stored / count, -drag / count, energy


@njit_inline
def flow_tangent(q, lane, e, parts, scratch, speed):
    """Add the derivative of the convective forces to the matrix of a lane; r_X and its rate are those of the unknowns."""
    i, h, z = parts.elements[e, E_LINK], q[Q_H * WIDE + lane], scratch.z[e]
    rate, push = scratch.phi[i, 1], scratch.phi[i, 2]
    along = (2.0 * rate * speed + push) / h
    one, two = z[Z_ONE] * along + rate * rate * z[Z_FIRST] / h, z[Z_TWO] * along + rate * rate * z[Z_SECOND] / h
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
