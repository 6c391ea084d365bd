"""The rigid part of a sliding beam behind its joint: a rod along the beam, from the root backwards."""

from __future__ import annotations

from flexarm.methods.fem.spatial.layout import K_REAR_LENGTH, P_GX
from flexarm.methods.fem.spatial.stock import rear_stock
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rotations import cross


@njit_part
def rear_part(i, f, table, jfig, phi, r, R, v, a, par, force):
    """The rigid part behind a sliding joint, a rod along the beam; adds its forces on the root frame.

    Returns its share in the force of the drive, its kinetic energy and potential, and the power that leaves it through
    the joint.
    """
    rho, mass, moment, second = rear_stock(table, phi[i, 0], jfig[i, K_REAR_LENGTH])
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


@njit_part
def rear_tangent(i, f, table, jfig, phi, R, a, par, factor, linear, K):
    """Write `factor` times its mass matrix, and what weight and acceleration change with the spin, to K[:6, :6].

    Terms with spins and with the rate of the length are left out.
    """
    _rho, mass, moment, second = rear_stock(table, phi[i, 0], jfig[i, K_REAR_LENGTH])
    t = (R[f, 0], R[f, 3], R[f, 6])
    load = (a[f, 0] - par[P_GX], a[f, 1] - par[P_GX + 1], a[f, 2] - par[P_GX + 2])
    pull = load[0] * t[0] + load[1] * t[1] + load[2] * t[2]
    for r in range(3):
        for c in range(3):
            same = 1.0 if r == c else 0.0
            K[r, c] = factor * mass * same
            K[3 + r, 3 + c] = factor * second * (same - t[r] * t[c])
            if not linear:  # the rod turns: -moment (th x t) x load
                K[3 + r, 3 + c] -= moment * (t[r] * load[c] - same * pull)
            K[r, 3 + c] = K[3 + r, c] = 0.0
    more = 0.0 if linear else mass * phi[i, 2]
    for r, c, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        value = -factor * moment * t[k]
        K[r, 3 + c] += value + more * t[k]
        K[c, 3 + r] -= value + more * t[k]
        K[3 + r, c] -= value
        K[3 + c, r] += value


@njit_part
def rear_edge(i, f, table, jfig, phi, R, v, a, par, speed, push, static, K):
    """What its forces change with the length, and its share in the drive with the root, to K[0] and K[1], (6,) each.

    static : 1 with the change by the length itself, 0 for the mass alone. Returns the change of its share by the length.
    """
    rho, mass, moment, _second = rear_stock(table, phi[i, 0], jfig[i, K_REAR_LENGTH])
    t, w = (R[f, 0], R[f, 3], R[f, 6]), (v[f, 3], v[f, 4], v[f, 5])
    u = cross(w[0], w[1], w[2], t[0], t[1], t[2])
    turned = cross(a[f, 3], a[f, 4], a[f, 5], t[0], t[1], t[2])
    inward = cross(w[0], w[1], w[2], u[0], u[1], u[2])
    sum_d = 0.0
    for k in range(3):
        c = a[f, k] - par[P_GX + k] + 2.0 * phi[i, 1] * u[k] + phi[i, 2] * t[k]
        d = turned[k] + inward[k]
        K[0, k] = static * (mass * d - rho * c) + 2.0 * speed * mass * u[k] + push * mass * t[k]
        K[0, 3 + k] = static * (mass * c - 2.0 * moment * d) - 2.0 * speed * moment * u[k]
        K[1, k] = push * mass * t[k]
        K[1, 3 + k] = static * (mass * c - moment * d)
        sum_d += t[k] * (mass * d - rho * c)
    x, y, z = cross(t[0], t[1], t[2], K[0, 3], K[0, 4], K[0, 5])
    K[0, 3], K[0, 4], K[0, 5] = x, y, z
    x, y, z = cross(t[0], t[1], t[2], K[1, 3], K[1, 4], K[1, 5])
    K[1, 3], K[1, 4], K[1, 5] = x, y, z
    return static * sum_d + push * mass
