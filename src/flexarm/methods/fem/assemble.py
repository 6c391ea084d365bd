"""Forces and tangent of the whole arm.

Legend: frame rows hold Theta, its rate and acceleration per link; fc conservative forces (elastic, springs, weight), fd
damping forces, tc and td their parts in the torque of each joint (row of the link's first section).

Equations: E2.
"""

from __future__ import annotations

from flexarm.methods.fem import bordered, condensation, two_node
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.condensation import follow, has_followers
from flexarm.methods.fem.general_element import damping_of_elements, general_forces, general_residual
from flexarm.methods.fem.joints import add_stiffness, add_torque, command_of, winding
from flexarm.methods.fem.loads import load_tangent, push_loads
from flexarm.methods.fem.payload import payload_inertia, payload_mass, payload_tangent, payload_weight
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import YES, njit, njit_inside


@njit_inside
def has_two_node_elements(part):
    """Whether the elements are those of `two_node`."""
    return part.shape.shape[0] == 1 and part.theory != at.LINK


@njit_inside
def add_inertia(part, now, out):
    """Add the mass matrix times the accelerations, and the inertia of the commanded turning, to `out`."""
    size, a = now.q.shape[0], now.a
    for n in range(part.offsets.shape[0]):
        k = part.offsets[n]
        for r in range(max(0, -k), min(size, size - k)):
            out[r] += part.diagonals[n, r] * a[r + k]
    for r in range(part.turn_at.shape[0]):
        out[part.turn_at[r]] += part.turn_mass[r] * now.frame[at.ACCELERATION, part.turn_link[r]]


@njit_inside
def kinetic(part, now):
    """Kinetic energy without the payload's."""
    size, v, frame, energy = now.q.shape[0], now.v, now.frame, 0.0
    for n in range(part.offsets.shape[0]):
        k = part.offsets[n]
        if k >= 0:  # the matrix is symmetric
            total = 0.0
            for r in range(size - k):
                total += v[r] * part.diagonals[n, r] * v[r + k]
            energy += total if k > 0 else 0.5 * total
    for r in range(part.turn_at.shape[0]):
        energy += part.turn_mass[r] * frame[at.RATE, part.turn_link[r]] * v[part.turn_at[r]]
    for i in range(part.links):
        energy += 0.5 * part.turn_total[i] * frame[at.RATE, i] ** 2
        if part.joint_data[i, at.GEAR] != 0.0:
            energy += 0.5 * part.joint_data[i, at.GEAR] * command_of(part, now, at.RATE, i) ** 2
    return energy


@njit_inside
def split_forces(part, now, work):
    """Conservative and damping forces apart (fc, fd, tc, td); returns the stored energy (elastic, springs, weight)."""
    q, fc, fd, energy = now.q, now.fc, now.fd, 0.0
    for k in range(q.shape[0]):
        fc[k] = -part.weight[k]
        fd[k] = 0.0
        energy -= part.weight[k] * q[k]
    if part.loads:
        push_loads((part, now, -1.0, fc))
    for i in range(part.links):
        now.tc[i], now.td[i] = 0.0, 0.0
    if has_two_node_elements(part):
        energy += two_node.add_forces(part, now)
    else:
        energy += general_forces((part, now, work))
    for i in range(part.links):
        spring = part.joint_data[i, at.SPRING]
        if spring > 0.0:
            wound, rate = winding(q, now.v, part.joint, i)
            energy += 0.5 * spring * wound * wound
            add_torque(part.joint, i, spring * wound, fc)
            add_torque(part.joint, i, part.joint_data[i, at.DAMPER] * rate, fd)
    if part.carries:
        energy += payload_weight(part, now, fc)
    return energy


@njit_inside
def damping_power(part, now, work):
    """Power that Kelvin-Voigt damping and joint dampers take out."""
    power = damping_of_elements(part, now, work.point) if part.damped else 0.0
    for i in range(part.links):
        if part.joint_data[i, at.SPRING] > 0.0 and part.joint_data[i, at.DAMPER] > 0.0:
            power += part.joint_data[i, at.DAMPER] * winding(now.q, now.v, part.joint, i)[1] ** 2
    return power


@njit_inside
def equations(part, now, work, speed, push, renew):
    """Residual without motors and, if `renew`, its derivative by the positions.

    `speed` and `push` are d velocity and d acceleration per d position of the time scheme.
    """
    residual, band = work.residual, work.band
    for r in range(residual.shape[0]):
        residual[r] = -part.weight[r]
    if renew:
        for r in range(residual.shape[0]):
            for c in range(band.shape[1]):
                band[r, c] = push * part.mass[r, c]
    if part.loads:
        push_loads((part, now, -1.0, residual))
        if renew:
            load_tangent((part, now, band))
    add_inertia(part, now, residual)
    if has_two_node_elements(part):
        two_node.add_residual(part, now, work, speed, renew)
    else:
        general_residual((part, now, work, speed, renew))
    for i in range(part.links):
        spring, damper = part.joint_data[i, at.SPRING], part.joint_data[i, at.DAMPER]
        if spring > 0.0:
            wound, rate = winding(now.q, now.v, part.joint, i)
            add_torque(part.joint, i, spring * wound + damper * rate, residual)
            if renew:
                add_stiffness(part.joint, i, spring + damper * speed, band)
    if part.carries:
        payload_inertia(part, now, residual)
        payload_weight(part, now, residual)
        if renew:
            payload_tangent(part, now, speed, push, band)


@njit
def evaluate(x, part, work, speed, push):
    """`equations` of a whole state, constraints included: residual, tangent, gaps and their derivatives in `work`."""
    now = work.now
    copy(x, now.x)
    if has_followers(part):
        follow((part, now, work, condensation.PLACE, speed, YES[0]))
    equations(part, now, work, speed, push, YES[0])
    if part.side.shape[0] > 0:
        bordered.constrain((part, now, work, bordered.DERIVATIVES, speed, YES[0]))
    if has_followers(part):
        follow((part, now, work, condensation.EQUATIONS, speed, YES[0]))


@njit
def mass_at(x, part, work, band):
    """Mass matrix with the payload in the position of a state, into `band`."""
    copy(x, work.now.x)
    copy_rows(part.mass, band)
    if part.carries:
        payload_mass(part, work.now, band)
