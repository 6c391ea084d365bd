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
    K_REAR_LENGTH,
    K_REAR_MASS,
    LINK_ROW,
    M_J11,
    M_J12,
    M_J22,
    M_RHO,
    P_GX,
)
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.rotations import cross


@njit_part
def shares(e, elements):
    """1 - eta at the two ends of an element."""
    first = e
    while not elements[first, E_ROOT]:
        first -= 1
    count = elements[e, E_COUNT]
    return 1.0 - (e - first) / count, 1.0 - (e - first + 1.0) / count


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
    rho, h, count = mfig[e, M_RHO], q[Q_H * WIDE + lane], elements[e, E_COUNT]
    free, rate, push = length[0], length[1], length[2]
    g1, g2 = shares(e, elements)
    first, second, square = h * (g1 / 3.0 + g2 / 6.0), h * (g1 / 6.0 + g2 / 3.0), (g1 * g1 + g1 * g2 + g2 * g2) / 3.0
    root = 1.0 if elements[e, E_ROOT] else 0.0
    drive, energy, size = 0.0, 0.0, 0.0
    for k in range(3):
        x = slope[k]
        shear = (v[f2, k] - v[f1, k]) / h
        along = 2.0 * rate * shear + push * x
        f[f1, k] += rho * (first * along + rate * rate * (square - root) * x)
        f[f2, k] += rho * (second * along - rate * rate * square * x)
        pull = first * a[f1, k] + second * a[f2, k] - 0.5 * h * (g1 + g2) * par[P_GX + k]
        pull += h * square * (along - 2.0 * rate * rate / free * x)
        drive += rho * x * pull
        size += x * x
        u1, u2 = rate * g1 * x, rate * g2 * x
        energy += rho * h / 3.0 * (v[f1, k] * u1 + v[f2, k] * u2 + 0.5 * (v[f1, k] * u2 + v[f2, k] * u1))
        energy += rho * h / 6.0 * (u1 * u1 + u1 * u2 + u2 * u2)
    drive += 0.5 * rho * rate * rate * size * ((0.0 if root > 0.0 else g1**3) - g2**3)
    stored, drag = q[Q_FORCE * WIDE + lane], q[Q_DRAG * WIDE + lane]
    for k in range(6):
        strain = q[(Q_STRAIN + k) * WIDE + lane]
        stored += 0.5 * q[(Q_FORCE + k) * WIDE + lane] * strain
        drag += q[(Q_DRAG + k) * WIDE + lane] * strain
    return drive - stored / count, -drag / count, energy


@njit_inline
def flow_tangent(q, lane, e, parts, scratch, speed):
    """Add the derivative of the convective forces to the matrix of a lane; r_X and its rate are those of the unknowns."""
    elements, rho, i, h = parts[3], parts[4][e, M_RHO], parts[3][e, E_LINK], q[Q_H * WIDE + lane]
    rate, push = scratch[5][i, 1], scratch[5][i, 2]
    g1, g2 = shares(e, elements)
    first, second, square = h * (g1 / 3.0 + g2 / 6.0), h * (g1 / 6.0 + g2 / 3.0), (g1 * g1 + g1 * g2 + g2 * g2) / 3.0
    root = 1.0 if elements[e, E_ROOT] else 0.0
    along = (2.0 * rate * speed + push) / h
    one = rho * (first * along + rate * rate * (square - root) / h)
    two = rho * (second * along - rate * rate * square / h)
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


@njit_part
def rear_part(i, f, jfig, phi, r, R, v, a, par, force):
    """The rigid part behind a sliding joint, a rod along the beam; adds its forces on the root frame.

    Returns its share in the force of the drive, its kinetic energy and potential, and the power that leaves it through
    the joint.
    """
    rho, back = jfig[i, K_REAR_MASS], jfig[i, K_REAR_LENGTH] - phi[i, 0]
    mass, moment, second = rho * back, 0.5 * rho * back**2, rho * back**3 / 3.0
    tx, ty, tz = R[f, 0], R[f, 3], R[f, 6]
    wx, wy, wz = v[f, 3], v[f, 4], v[f, 5]
    ux, uy, uz = cross(wx, wy, wz, tx, ty, tz)
    ax, ay, az = cross(a[f, 3], a[f, 4], a[f, 5], tx, ty, tz)
    bx, by, bz = cross(wx, wy, wz, ux, uy, uz)
    rate, push = phi[i, 1], phi[i, 2]
    gx, gy, gz = a[f, 0] - par[P_GX], a[f, 1] - par[P_GX + 1], a[f, 2] - par[P_GX + 2]
    cx, cy, cz = gx + 2.0 * rate * ux + push * tx, gy + 2.0 * rate * uy + push * ty, gz + 2.0 * rate * uz + push * tz
    dx, dy, dz = ax + bx, ay + by, az + bz
    fx, fy, fz = mass * cx - moment * dx, mass * cy - moment * dy, mass * cz - moment * dz
    mx, my, mz = cross(tx, ty, tz, second * dx - moment * cx, second * dy - moment * cy, second * dz - moment * cz)
    force[f, 0] += fx
    force[f, 1] += fy
    force[f, 2] += fz
    force[f, 3] += mx
    force[f, 4] += my
    force[f, 5] += mz
    vx, vy, vz = v[f, 0] + rate * tx, v[f, 1] + rate * ty, v[f, 2] + rate * tz
    kinetic = 0.5 * mass * (vx * vx + vy * vy + vz * vz) - moment * (vx * ux + vy * uy + vz * uz)
    kinetic += 0.5 * second * (ux * ux + uy * uy + uz * uz)
    potential, height = 0.0, 0.0
    for k in range(3):
        potential -= par[P_GX + k] * (mass * r[f, k] - moment * R[f, 3 * k])
        height -= par[P_GX + k] * r[f, k]
    leaving = rho * rate * (0.5 * (vx * vx + vy * vy + vz * vz) + height)
    return fx * tx + fy * ty + fz * tz, kinetic, potential, leaving
