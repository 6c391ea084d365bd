"""Forces and tangent of the whole arm, element by element.

Legend: frame rows hold Theta, its rate and acceleration per link; fc conservative forces (elastic, springs, weight), fd
damping forces, tc and td their parts in the torque of each joint (row of the link's first section).
"""

from __future__ import annotations

from flexarm.methods.fem.element import LINK, point_forces, point_tangent, strains
from flexarm.methods.fem.layout import (
    ACCELERATION,
    ANGLE,
    I_LINKS,
    I_PAYLOAD,
    I_THEORY,
    J_BASE,
    J_CHANNEL,
    J_FRAME,
    J_MOTOR,
    J_TIP,
    K_DAMPER,
    K_SPRING,
    K_START,
    P_INERTIA,
    P_MASS,
    RATE,
)
from flexarm.methods.fem.payload import payload_inertia, payload_tangent, payload_weight
from flexarm.numerics.jit import njit
from flexarm.numerics.laws import ACCELERATION as COMMAND_ACCELERATION
from flexarm.numerics.laws import POSITION, VELOCITY


@njit
def set_frame(row, joint, jfig, ip, frame):
    """Angles Theta, rates and accelerations of all links from the commands."""
    angle, rate, acceleration = 0.0, 0.0, 0.0
    for i in range(ip[I_LINKS]):
        if joint[i, J_FRAME]:
            k = joint[i, J_CHANNEL]
            angle += row[k, POSITION]
            rate += row[k, VELOCITY]
            acceleration += row[k, COMMAND_ACCELERATION]
        else:
            angle += jfig[i, K_START]
        frame[ANGLE, i], frame[RATE, i], frame[ACCELERATION, i] = angle, rate, acceleration


@njit
def at_point(q, v, connection, e, nodes, shape, g, jacobian, base, out):
    """What `element.strains` reads at an integration point, into out (10,)."""
    for k in range(8):
        out[k] = 0.0
    for a in range(nodes):
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


@njit
def split_forces(
    q, v, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, fc, fd, tc, td, here, force
):
    """Conservative and damping forces apart, and the stored energy (elastic, springs, weight)."""
    size, nodes, points = q.shape[0], shape.shape[2], shape.shape[0]
    energy = 0.0
    for k in range(size):
        fc[k] = -weight[k]
        fd[k] = 0.0
        energy -= weight[k] * q[k]
    for i in range(ip[I_LINKS]):
        tc[i], td[i] = 0.0, 0.0
    last = -1
    for e in range(connection.shape[0]):
        i = owner[e]
        base, first = joint[i, J_BASE], i != last
        last = i
        for g in range(points):
            w, jacobian = figures[e, g, 0], figures[e, g, 4]
            at_point(q, v, connection, e, nodes, shape, g, jacobian, base, here)
            energy += w * point_forces(
                ip[I_THEORY], figures[e, g, 1], figures[e, g, 2], figures[e, g, 3], figures[e, g, 5], frame[ANGLE, i],
                frame[RATE, i], here, force,
            )  # fmt: skip
            for a in range(nodes):
                N, slope = w * shape[g, 0, a], w * shape[g, 1, a] * jacobian
                ix, iy, it = connection[e, 3 * a], connection[e, 3 * a + 1], connection[e, 3 * a + 2]
                if ix >= 0:
                    fc[ix] += slope * force[0]
                    fd[ix] += slope * force[5]
                if iy >= 0:
                    fc[iy] += slope * force[1]
                    fd[iy] += slope * force[6]
                elastic, damped = N * force[2] + slope * force[3], N * force[7] + slope * force[8]
                if it >= 0:
                    fc[it] += elastic
                    fd[it] += damped
                if first and a == 0:
                    tc[i] += elastic
                    td[i] += damped
            if ip[I_THEORY] == LINK:
                tc[i] += w * force[4]
                td[i] += w * force[9]
                if base >= 0:
                    fc[base] += w * force[4]
                    fd[base] += w * force[9]
    for i in range(ip[I_LINKS]):
        if jfig[i, K_SPRING] > 0.0:
            wound, rate = wind(q, v, joint, i)
            energy += 0.5 * jfig[i, K_SPRING] * wound * wound
            share(joint, i, jfig[i, K_SPRING] * wound, fc)
            share(joint, i, jfig[i, K_DAMPER] * rate, fd)
    if ip[I_PAYLOAD] >= 0 and par[P_MASS] > 0.0:
        energy += payload_weight(q, frame, payload, par, ip, fc)
    return energy


@njit
def damping_power(q, v, frame, connection, owner, figures, shape, joint, jfig, ip, here):
    """Power that Kelvin-Voigt damping and joint dampers take out: eta (EA axial'^2 + GA shear'^2 + EI kappa'^2)."""
    power = 0.0
    for e in range(connection.shape[0]):
        i = owner[e]
        for g in range(shape.shape[0]):
            eta = figures[e, g, 5]
            if eta > 0.0:
                at_point(q, v, connection, e, shape.shape[2], shape, g, figures[e, g, 4], joint[i, J_BASE], here)
                rates = strains(ip[I_THEORY], frame[ANGLE, i], frame[RATE, i], here)
                lost = figures[e, g, 1] * rates[6] ** 2 + figures[e, g, 2] * rates[7] ** 2
                power += figures[e, g, 0] * eta * (lost + figures[e, g, 3] * here[3] ** 2)
    for i in range(ip[I_LINKS]):
        if jfig[i, K_SPRING] > 0.0 and jfig[i, K_DAMPER] > 0.0:
            power += jfig[i, K_DAMPER] * wind(q, v, joint, i)[1] ** 2
    return power


@njit
def wind(q, v, joint, i):
    """Winding of a joint spring and its rate: link side minus motor side."""
    wound, rate = q[joint[i, J_BASE]], v[joint[i, J_BASE]]
    for k in (joint[i, J_TIP], joint[i, J_MOTOR]):
        if k >= 0:
            wound -= q[k]
            rate -= v[k]
    return wound, rate


@njit
def share(joint, i, torque, f):
    """Put a spring's torque on link, motor and the section before the joint."""
    f[joint[i, J_BASE]] += torque
    for k in (joint[i, J_TIP], joint[i, J_MOTOR]):
        if k >= 0:
            f[k] -= torque


@njit
def tangent(
    q, v, a, frame, connection, owner, figures, shape, joint, jfig, weight, payload, par, ip, mass, rotary, speed, push,
    residual, band, here, force, D,
):  # fmt: skip
    """Residual (without motors) and its derivative by the positions; `mass` is the constant band matrix."""
    size, nodes, points, b = q.shape[0], shape.shape[2], shape.shape[0], mass.shape[1] // 2
    for r in range(size):
        total = -weight[r]
        for c in range(mass.shape[1]):
            band[r, c] = push * mass[r, c]
            j = r + c - b
            if 0 <= j < size:
                total += mass[r, c] * a[j]
        for i in range(ip[I_LINKS]):
            total += rotary[i, r] * frame[ACCELERATION, i]
        residual[r] = total
    for e in range(connection.shape[0]):
        i = owner[e]
        base = joint[i, J_BASE]
        for g in range(points):
            w, jacobian = figures[e, g, 0], figures[e, g, 4]
            at_point(q, v, connection, e, nodes, shape, g, jacobian, base, here)
            point_tangent(
                ip[I_THEORY], figures[e, g, 1], figures[e, g, 2], figures[e, g, 3], figures[e, g, 5], speed,
                frame[ANGLE, i], frame[RATE, i], here, force, D,
            )  # fmt: skip
            for m in range(nodes):
                N, slope = w * shape[g, 0, m], w * shape[g, 1, m] * jacobian
                ix, iy, it = connection[e, 3 * m], connection[e, 3 * m + 1], connection[e, 3 * m + 2]
                if ix >= 0:
                    residual[ix] += slope * force[0]
                if iy >= 0:
                    residual[iy] += slope * force[1]
                if it >= 0:
                    residual[it] += N * force[2] + slope * force[3]
                for n in range(nodes):
                    M, S = shape[g, 0, n], shape[g, 1, n] * jacobian
                    jx, jy, jt = connection[e, 3 * n], connection[e, 3 * n + 1], connection[e, 3 * n + 2]
                    if ix >= 0:
                        if jx >= 0:
                            band[ix, jx - ix + b] += slope * D[0, 0] * S
                        if jy >= 0:
                            band[ix, jy - ix + b] += slope * D[0, 1] * S
                        if jt >= 0:
                            band[ix, jt - ix + b] += slope * D[0, 2] * M
                    if iy >= 0:
                        if jx >= 0:
                            band[iy, jx - iy + b] += slope * D[1, 0] * S
                        if jy >= 0:
                            band[iy, jy - iy + b] += slope * D[1, 1] * S
                        if jt >= 0:
                            band[iy, jt - iy + b] += slope * D[1, 2] * M
                    if it >= 0:
                        if jx >= 0:
                            band[it, jx - it + b] += N * D[2, 0] * S
                        if jy >= 0:
                            band[it, jy - it + b] += N * D[2, 1] * S
                        if jt >= 0:
                            band[it, jt - it + b] += N * D[2, 2] * M + slope * D[3, 3] * S
                if ip[I_THEORY] == LINK and base >= 0:
                    border(ix, iy, it, N, slope, base, D, band, b)
            if ip[I_THEORY] == LINK and base >= 0:
                residual[base] += w * force[4]
                band[base, b] += w * D[4, 4]
    for i in range(ip[I_LINKS]):
        if jfig[i, K_SPRING] > 0.0:
            wound, rate = wind(q, v, joint, i)
            share(joint, i, jfig[i, K_SPRING] * wound + jfig[i, K_DAMPER] * rate, residual)
            couple(joint, i, jfig[i, K_SPRING] + jfig[i, K_DAMPER] * speed, band, b)
    if ip[I_PAYLOAD] >= 0 and par[P_MASS] + par[P_INERTIA] > 0.0:
        payload_inertia(q, v, a, frame, payload, par, ip, residual)
        payload_weight(q, frame, payload, par, ip, residual)
        payload_tangent(q, v, a, frame, payload, par, ip, speed, push, band, b)


@njit
def border(ix, iy, it, N, slope, base, D, band, b):
    """Coupling of a node with the angle of the link's first section, both ways; N and slope carry the weight."""
    if ix >= 0:
        band[ix, base - ix + b] += slope * D[0, 4]
        band[base, ix - base + b] += slope * D[4, 0]
    if iy >= 0:
        band[iy, base - iy + b] += slope * D[1, 4]
        band[base, iy - base + b] += slope * D[4, 1]
    if it >= 0:
        band[it, base - it + b] += N * D[2, 4]
        band[base, it - base + b] += N * D[4, 2]


@njit
def couple(joint, i, stiffness, band, b):
    """Derivative of `share` for a torque that grows with the winding."""
    place = (joint[i, J_BASE], joint[i, J_TIP], joint[i, J_MOTOR])
    for r in range(3):
        for c in range(3):
            if place[r] >= 0 and place[c] >= 0:
                sign = 1.0 if (r == 0) == (c == 0) else -1.0
                band[place[r], place[c] - place[r] + b] += sign * stiffness
