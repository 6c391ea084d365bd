"""How forces change with the free length of a beam that slides as it is pushed, and its drive with the nodes.

The length L is an unknown that borders the matrix (see `bordered`), with its rate and acceleration. At fixed nodes an
element of length h = L / n has the strains

    e_L = -(Gamma + e_x, kappa) / L,        section forces C (e_L + eta e_L') + C_L e,

its inertia grows with h (and otherwise where the mass per length changes), and the flow of `convective_terms` does as its formulas
say. The drive's row is the derivative of the same energies, so what is elastic is symmetric.

Equations: S21, S22.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial import simd, vec3
from flexarm.methods.fem.spatial import sliding_material as material
from flexarm.numerics.jit import njit_inside, njit_part


@njit_part
def border_of(psi, matrix):
    """Which of the bordering unknowns psi is, or -1."""
    for m in range(matrix.border.shape[0]):
        if matrix.border[m] == psi:
            return m
    return -1


@njit_part
def put_border(f, m, first, parts, scratch, matrix):
    """Add K[0] (column) and K[1] (row) of scratch from `first` on, forces on frame f and their like, to border m."""
    K, T = scratch.K, scratch.T
    for j in range(parts.frames[f, at.F_COUNT]):
        column, row = 0.0, 0.0
        for k in range(6):
            column += T[f, k, j] * K[0, first + k]
            row += T[f, k, j] * K[1, first + k]
        matrix.border_rows[m, parts.moved_by[f, j]] += row
        matrix.border_columns[m, parts.moved_by[f, j]] += column


@njit_inside
def add_length_unknown(q, lane, e, parts, scratch, static, slopes, matrix):
    """Add one element to the border of its joint.

    static : 1 with the change by the length itself (and its rate), 0 for the mass alone.
    """
    elements, K, z = parts.elements, scratch.K, scratch.streams[e]
    i = elements[e, at.E_LINK]
    psi, phi, g = parts.joints[i, at.J_PSI], scratch.phi[i], parts.gravity
    m = border_of(psi, matrix)
    corner = convective_border(q, lane, z, phi, g, static, slopes, K)
    if static > 0.0:
        corner += strained_border(q, lane, z, elements[e, at.E_COUNT], slopes.rate, parts.damped == 1, K)
        corner += graded_border(q, lane, z, phi, g, K)
    put_border(elements[e, at.E_FIRST], m, 0, parts, scratch, matrix)
    put_border(elements[e, at.E_SECOND], m, 6, parts, scratch, matrix)
    matrix.border_rows[m, psi] += corner


@njit_part
def convective_border(q, lane, z, length, g, static, slopes, K):
    """The flow of `convective_terms`: writes K[0, :12] and K[1, :12], returns the change of the drive by the length."""
    speed, push = slopes.rate, slopes.acceleration
    h, free, rate, quick = q[simd.H * simd.WIDE + lane], length[0], length[1], length[2]
    one, two, both, drive = z[material.Z_ONE], z[material.Z_TWO], z[material.Z_BOTH], z[material.Z_DRIVE]
    D, v1, v2 = (
        vec3.three(q, simd.D, lane),
        vec3.three(q, simd.ONE + simd.V, lane),
        vec3.three(q, simd.TWO + simd.V, lane),
    )
    a1, a2 = vec3.three(q, simd.ONE + simd.A, lane), vec3.three(q, simd.TWO + simd.A, lane)
    x, shear = (D[0] / h, D[1] / h, D[2] / h), vec3.mix(1.0 / h, v2, -1.0 / h, v1)
    along = vec3.mix(2.0 * rate, shear, quick, x)
    for k in range(3):
        for end, at_end, square in ((0, one, z[material.Z_FIRST]), (6, two, z[material.Z_SECOND])):
            by_place = -rate * rate * square * x[k] / free
            by_rate = 2.0 * (at_end * shear[k] + rate * square * x[k])
            K[0, end + k] = static * by_place + speed * by_rate + push * at_end * x[k]
            K[0, end + 3 + k] = K[1, end + 3 + k] = 0.0
        pull = one * a1[k] + two * a2[k] - (one + two) * g[k]
        pull += both * (along[k] + (quick - 4.0 * rate * rate / free) * x[k]) + rate * rate * drive * x[k]
        pull = (static * pull + 2.0 * speed * both * rate * x[k]) / h
        K[1, k], K[1, 6 + k] = push * one * x[k] - pull, push * two * x[k] + pull
    size = vec3.dot(x, x)
    by_place = -both * vec3.dot(x, along) / free + rate * rate * size * (4.0 * both / free - drive) / free
    by_rate = 2.0 * both * (vec3.dot(x, shear) - 2.0 * rate / free * size) + rate * size * drive
    return static * by_place + speed * by_rate + push * both * size


@njit_inside
def add_ends(q, lane, N, M, row, K):
    """Add the section forces N, M, put on the ends as in `element`, to a row of K."""
    R, psi = vec3.nine(q, simd.RM, lane), vec3.three(q, simd.PSI, lane)
    n = vec3.times(R, N)
    m = vec3.mix(
        q[simd.GAMMA * simd.WIDE + lane],
        vec3.times(R, M),
        q[(simd.GAMMA + 1) * simd.WIDE + lane] * vec3.dot(psi, M),
        vec3.three(q, simd.SPACE, lane),
    )
    lever = vec3.cross(n, vec3.three(q, simd.D, lane))
    over = vec3.mix(1.0, m, 0.5, vec3.cross(vec3.three(q, simd.TILT, lane), lever))
    for k in range(3):
        K[row, k] -= n[k]
        K[row, 6 + k] += n[k]
        K[row, 3 + k] += 0.5 * lever[k] - over[k]
        K[row, 9 + k] += 0.5 * lever[k] + over[k]


@njit_part
def strained_border(q, lane, z, count, speed, damped, K):
    """Stiffness, damping, inertia and weight: adds to K[0, :12] and K[1, :12], returns the change of the drive."""
    h, dh = q[simd.H * simd.WIDE + lane], q[simd.DH * simd.WIDE + lane]
    length, kelvin = count * h, q[simd.KELVIN * simd.WIDE + lane] if damped else 0.0
    corner = 0.0
    for k in range(6):  # K[2], K[3]: section forces per length, and those whose work is the drive's
        strain = q[(simd.STRAIN + k) * simd.WIDE + lane]
        whole = strain + (1.0 if k == 0 else 0.0)
        stiff, rate = q[(simd.EA + k) * simd.WIDE + lane], q[(simd.RATE + k) * simd.WIDE + lane] if damped else 0.0
        drag = kelvin * stiff * rate
        change = -stiff * whole * (1.0 + kelvin * (speed - dh / h)) / length
        graded = z[material.Z_STIFFER + k] * strain
        K[3, k] = change - drag / length + graded
        K[2, k] = change - drag / length + graded - stiff * strain / length
        corner += graded * (strain - 2.0 * whole) / count
        corner += whole * whole * stiff / (count * length) * (1.0 + kelvin * (speed - dh / h)) + 2.0 * drag * whole / (
            count * length
        )
    add_ends(q, lane, (K[2, 0], K[2, 1], K[2, 2]), (K[2, 3], K[2, 4], K[2, 5]), 0, K)
    add_ends(q, lane, (K[3, 0], K[3, 1], K[3, 2]), (K[3, 3], K[3, 4], K[3, 5]), 1, K)
    for k in range(12):
        K[0, k] += q[(simd.ENDS + k) * simd.WIDE + lane] / length
    return corner


@njit_part
def graded_border(q, lane, z, length, gravity, K):
    """What more the inertia and the weight change with the length where the mass per length changes along the link.

    Adds to K[0, :12], returns the change of the drive; terms with the square of L' are left out.
    """
    h, rate, quick = q[simd.H * simd.WIDE + lane], length[1], length[2]
    D, v1, v2 = (
        vec3.three(q, simd.D, lane),
        vec3.three(q, simd.ONE + simd.V, lane),
        vec3.three(q, simd.TWO + simd.V, lane),
    )
    a1, a2 = vec3.three(q, simd.ONE + simd.A, lane), vec3.three(q, simd.TWO + simd.A, lane)
    m11, m12, m22 = z[material.Z_MASS_MORE], z[material.Z_MASS_MORE + 1], z[material.Z_MASS_MORE + 2]
    one, two, corner = z[material.Z_ONE_MORE], z[material.Z_TWO_MORE], 0.0
    for k in range(3):
        x, g = D[k] / h, gravity[k]
        along = 2.0 * rate * (v2[k] - v1[k]) / h + quick * x
        K[0, k] += m11 * a1[k] + m12 * a2[k] - z[material.Z_WEIGHT_MORE] * g + one * along
        K[0, 6 + k] += m12 * a1[k] + m22 * a2[k] - z[material.Z_WEIGHT_MORE + 1] * g + two * along
        corner += x * (one * (a1[k] - g) + two * (a2[k] - g) + z[material.Z_BOTH_MORE] * along)
    return corner
