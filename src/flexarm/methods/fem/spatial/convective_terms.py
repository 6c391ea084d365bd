"""Material that flows through the nodes of a sliding beam.

Nodes sit at fixed shares eta of the free length L; material passes them at c = L' (1 - eta) and accelerates by

    acc = r'' + 2 c r'_X + [L'' (1 - eta) - 2 c L' / L] r_X + c^2 r_XX .

With linear elements the last term is integrated by parts, also where the mass per length changes. With g = 1 - eta this
gives, besides the usual inertia, the forces below and -rhoA L'^2 r_X on the root. The drive works along the flow with
the shares g r_X of all material, which gives its force as a row of its own: the work it does is the change of energy,
apart from what the material carries through the joint. Material keeps its section; `sliding_material` tells what is where.

Equations: S19, S20, S21, S22, S25.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial import simd, vec3
from flexarm.methods.fem.spatial import sliding_material as material
from flexarm.methods.fem.spatial.length_unknowns import add_length_unknown
from flexarm.methods.fem.spatial.sliding_material import between_ends, find_streams, moments
from flexarm.numerics.jit import njit_apart, njit_inside, njit_part


@njit_part
def shares(e, elements):
    """1 - eta at the two ends of an element."""
    first = e
    while not elements[first, at.E_ROOT]:
        first -= 1
    count = elements[e, at.E_COUNT]
    return 1.0 - (e - first) / count, 1.0 - (e - first + 1.0) / count


@njit_apart
def set_sliding(q, lane, e, parts, scratch):
    """What an element is at the present length (L, L'), into its lane; what flows through it into scratch.streams."""
    elements, i, z = parts.elements, parts.elements[e, at.E_LINK], scratch.streams[e]
    L, rate, count = scratch.phi[i, 0], scratch.phi[i, 1], elements[e, at.E_COUNT]
    h, (g1, g2) = L / count, shares(e, elements)
    q[simd.H * simd.WIDE + lane], q[simd.INVERSE * simd.WIDE + lane], q[simd.DH * simd.WIDE + lane] = (
        h,
        1.0 / h,
        rate / count,
    )
    q[simd.KELVIN * simd.WIDE + lane] = parts.element_properties[e, at.M_KELVIN]
    if z[material.Z_LENGTH] == L:
        return
    z[material.Z_LENGTH] = L
    rho2 = between_ends(parts.material[i], L, g1, g2, z)
    find_streams(z, L, h, g1, g2, elements[e, at.E_ROOT] == 1, rho2)
    for k in range(6):
        soft, change = z[material.Z_SPARE + material.SOFT + k], z[material.Z_SPARE + material.COUNT + material.SOFT + k]
        q[(simd.EA + k) * simd.WIDE + lane] = h / soft
        z[material.Z_STIFFER + k] = h / soft * (1.0 / L - change / soft)
    vec3.put_three(q, simd.M11, lane, moments(z, material.Z_SPARE, h, L * g1, L * g2))
    for k in range(3):
        own = moments(z, material.Z_SPARE + material.ROTARY + 3 * k, h, L * g1, L * g2)
        for n in range(3):
            q[(simd.J11 + 3 * n + k) * simd.WIDE + lane] = own[n]
    d0, d1 = z[material.Z_SPARE], z[material.Z_SPARE + 1]
    q[simd.W1 * simd.WIDE + lane], q[(simd.W1 + 1) * simd.WIDE + lane] = (d1 - L * g2 * d0) / h, (L * g1 * d0 - d1) / h


@njit_apart
def add_convective_terms(q, lane, e, parts, state, scratch, v, a, wanted, slopes, matrix):
    """Forces of the material that flows through one element, and their derivatives in the matrix that is wanted.

    Returns the kinetic energy that its nodes do not show.
    """
    elements, exact, i, z = parts.elements, parts.theory != at.LINEAR, parts.elements[e, at.E_LINK], scratch.streams[e]
    h, f1 = q[simd.H * simd.WIDE + lane], elements[e, at.E_FIRST]
    slope = (
        q[simd.D * simd.WIDE + lane] / h, q[(simd.D + 1) * simd.WIDE + lane] / h, q[(simd.D + 2) * simd.WIDE + lane] / h
    )  # fmt: skip
    drive, drag, missing = convective_forces(
        q, lane, e, parts, state, scratch, v if exact else scratch.stiff_velocity, a, slope
    )
    state.joint_force[at.LINK_ROW, i] += drive
    state.joint_damping[at.LINK_ROW, i] += drag
    if elements[e, at.E_ROOT]:
        state.joint_record[at.FLOW, i] += convected_power(
            z, scratch.phi[i, 1], f1, state.position, v, slope, parts.gravity
        )
    if exact and wanted == at.TANGENT:
        convective_tangent(q, lane, e, parts, scratch, slopes.rate)
    if wanted != at.NOTHING and parts.joints[i, at.J_PSI] >= 0:
        add_length_unknown(q, lane, e, parts, scratch, 1.0 if wanted == at.TANGENT else 0.0, slopes, matrix)
    return missing


@njit_part
def convective_forces(q, lane, e, parts, state, scratch, v, a, slope):
    """Add convective forces to those on the ends.

    slope : r_X. Returns conservative and damping part of the drive's force, and the kinetic
    energy that is missing in that of the nodes' own velocities.
    """
    elements, f, z, g, h = parts.elements, state.force, scratch.streams[e], parts.gravity, q[simd.H * simd.WIDE + lane]
    f1, f2, count, i = (
        elements[e, at.E_FIRST],
        elements[e, at.E_SECOND],
        elements[e, at.E_COUNT],
        elements[e, at.E_LINK],
    )
    free, rate, push = scratch.phi[i, 0], scratch.phi[i, 1], scratch.phi[i, 2]
    one, two, both, first, second = (
        z[material.Z_ONE],
        z[material.Z_TWO],
        z[material.Z_BOTH],
        z[material.Z_FIRST],
        z[material.Z_SECOND],
    )
    drive, energy, size = 0.0, 0.0, 0.0
    for k in range(3):
        x = slope[k]
        along = 2.0 * rate * (v[f2, k] - v[f1, k]) / h + push * x
        f[f1, k] += one * along + rate * rate * first * x
        f[f2, k] += two * along + rate * rate * second * x
        pull = one * a[f1, k] + two * a[f2, k] - (one + two) * g[k]
        drive += x * (pull + both * (along - 2.0 * rate * rate / free * x))
        size += x * x
        energy += rate * x * (one * v[f1, k] + two * v[f2, k])
    drive += 0.5 * rate * rate * size * z[material.Z_DRIVE]
    energy += 0.5 * rate * rate * both * size
    stored, drag = q[simd.FORCE * simd.WIDE + lane], q[simd.DRAG * simd.WIDE + lane]
    for k in range(6):
        strain = q[(simd.STRAIN + k) * simd.WIDE + lane]
        stored += 0.5 * q[(simd.FORCE + k) * simd.WIDE + lane] * strain
        drag += q[(simd.DRAG + k) * simd.WIDE + lane] * strain
        drive += 0.5 * h * z[material.Z_STIFFER + k] * strain * strain  # stiffer or softer material takes the place
    return drive - stored / count, -drag / count, energy


@njit_inside
def convective_tangent(q, lane, e, parts, scratch, speed):
    """Add the derivative of the convective forces to the matrix of a lane; r_X and its rate are those of the unknowns."""
    i, h, z = parts.elements[e, at.E_LINK], q[simd.H * simd.WIDE + lane], scratch.streams[e]
    rate, push = scratch.phi[i, 1], scratch.phi[i, 2]
    along = (2.0 * rate * speed + push) / h
    one, two = (
        z[material.Z_ONE] * along + rate * rate * z[material.Z_FIRST] / h,
        z[material.Z_TWO] * along + rate * rate * z[material.Z_SECOND] / h,
    )
    for k in range(3):
        q[(simd.K + 13 * k) * simd.WIDE + lane] -= one
        q[(simd.K + 13 * k + 6) * simd.WIDE + lane] += one
        q[(simd.K + 13 * k + 72) * simd.WIDE + lane] -= two
        q[(simd.K + 13 * k + 78) * simd.WIDE + lane] += two


@njit_part
def convected_power(z, rate, f, r, v, slope, g):
    """Power that new material brings through the root of a sliding beam: kinetic energy and potential."""
    power = 0.0
    for k in range(3):
        speed = v[f, k] + rate * slope[k]
        power += 0.5 * speed * speed - g[k] * r[f, k]
    spin = v[f, 3] ** 2 + v[f, 4] ** 2 + v[f, 5] ** 2
    return z[material.Z_RHO] * rate * power + 0.5 * z[material.Z_ROTARY] * rate * spin
