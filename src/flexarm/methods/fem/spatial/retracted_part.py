"""The rigid part of a sliding beam behind its joint: a rod along the beam, from the root backwards.

Equations: S24, S25.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.bodies import add_root_load
from flexarm.methods.fem.spatial.condensation import add_block
from flexarm.methods.fem.spatial.length_unknowns import border_of, put_border
from flexarm.methods.fem.spatial.sliding_material import retracted_material
from flexarm.numerics.jit import njit_apart, njit_part
from flexarm.numerics.rotations import cross


@njit_part
def retracted_forces(i, f, parts, state, scratch, v, a):
    """The rigid part behind a sliding joint, a rod along the beam; adds its forces on the root frame.

    Returns its share in the force of the drive, its kinetic energy and potential, and the power that leaves it through
    the joint.
    """
    phi, r, R, force, g = scratch.phi, state.position, state.rotation, state.force, parts.gravity
    rho, mass, moment, second = retracted_material(parts.material[i], phi[i, 0], parts.joint_data[i, at.K_MATERIAL])
    tx, ty, tz = R[f, 0], R[f, 3], R[f, 6]
    wx, wy, wz = v[f, 3], v[f, 4], v[f, 5]
    ux, uy, uz = cross(wx, wy, wz, tx, ty, tz)
    ax, ay, az = cross(a[f, 3], a[f, 4], a[f, 5], tx, ty, tz)
    bx, by, bz = cross(wx, wy, wz, ux, uy, uz)
    rate, push = phi[i, 1], phi[i, 2]
    gx, gy, gz = a[f, 0] - g[0], a[f, 1] - g[1], a[f, 2] - g[2]
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
        potential -= g[k] * (mass * r[f, k] - moment * R[f, 3 * k])
        height -= g[k] * r[f, k]
    leaving = rho * rate * (0.5 * (vx * vx + vy * vy + vz * vz) + height)
    return fx * tx + fy * ty + fz * tz, kinetic, potential, leaving


@njit_part
def retracted_tangent(i, f, parts, state, scratch, a, factor, linear):
    """Write `factor` times its mass matrix, and what weight and acceleration change with the spin, to scratch.K.

    Terms with spins and with the rate of the length are left out.
    """
    phi, R, K, g = scratch.phi, state.rotation, scratch.K, parts.gravity
    _, mass, moment, second = retracted_material(parts.material[i], phi[i, 0], parts.joint_data[i, at.K_MATERIAL])
    t = (R[f, 0], R[f, 3], R[f, 6])
    load = (a[f, 0] - g[0], a[f, 1] - g[1], a[f, 2] - g[2])
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
def retracted_border(i, f, parts, state, scratch, v, a, slopes, static):
    """What its forces change with the length, and its share in the drive with the root, to the first rows of scratch.K.

    static : 1 with the change by the length itself, 0 for the mass alone. Returns the change of its share by the length.
    """
    phi, R, K, g, speed, push = scratch.phi, state.rotation, scratch.K, parts.gravity, slopes.rate, slopes.acceleration
    rho, mass, moment, _ = retracted_material(parts.material[i], phi[i, 0], parts.joint_data[i, at.K_MATERIAL])
    t, w = (R[f, 0], R[f, 3], R[f, 6]), (v[f, 3], v[f, 4], v[f, 5])
    u = cross(w[0], w[1], w[2], t[0], t[1], t[2])
    turned = cross(a[f, 3], a[f, 4], a[f, 5], t[0], t[1], t[2])
    inward = cross(w[0], w[1], w[2], u[0], u[1], u[2])
    sum_d = 0.0
    for k in range(3):
        c = a[f, k] - g[k] + 2.0 * phi[i, 1] * u[k] + phi[i, 2] * t[k]
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


@njit_apart
def add_retracted(i, parts, state, scratch, v, a, wanted, slopes, matrix):
    """The rigid part behind joint i: forces on the root frame and the drive, and their derivatives in the matrix.

    Returns its kinetic energy and potential.
    """
    f, psi = parts.joints[i, at.J_FRAME], parts.joints[i, at.J_PSI]
    add_root_load(i, f, -1.0, state, scratch)
    drive, kinetic, potential, leaving = retracted_forces(i, f, parts, state, scratch, v, a)
    add_root_load(i, f, 1.0, state, scratch)
    state.joint_force[at.LINK_ROW, i] += drive
    state.joint_record[at.FLOW, i] -= leaving
    if wanted != at.NOTHING:
        small = parts.theory == at.LINEAR or wanted != at.TANGENT
        retracted_tangent(i, f, parts, state, scratch, a, slopes.acceleration, small)
        add_block(f, f, 0, 0, parts, scratch, matrix)
        if psi >= 0:
            m, static = border_of(psi, matrix), 1.0 if wanted == at.TANGENT else 0.0
            corner = retracted_border(i, f, parts, state, scratch, v, a, slopes, static)
            put_border(f, m, 0, parts, scratch, matrix)
            matrix.border_rows[m, psi] += corner
    return kinetic, potential
