"""How forces change with the free length of a beam that slides as it is pushed, and its drive with the nodes.

The length L is an unknown (an edge of the matrix, see `edges`), with its rate and acceleration. At fixed nodes an
element of length h = L / n has the strains

    e_L = -(Gamma + e_x, kappa) / L,        section forces C (e_L + eta e_L') + C_L e,

its inertia grows with h (and otherwise where the mass per length changes), and the flow of `sliding` does as its formulas
say. The drive's row is the derivative of the same energies, so what is elastic is symmetric.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.lanes import (
    Q_A,
    Q_D,
    Q_DH,
    Q_EA,
    Q_ENDS,
    Q_GAMMA,
    Q_H,
    Q_KELVIN,
    Q_ONE,
    Q_PSI,
    Q_RATE,
    Q_RM,
    Q_SPACE,
    Q_STRAIN,
    Q_TILT,
    Q_TWO,
    Q_V,
    WIDE,
)
from flexarm.methods.fem.spatial.layout import (
    E_COUNT,
    E_FIRST,
    E_LINK,
    E_SECOND,
    F_COUNT,
    J_PSI,
    P_GX,
)
from flexarm.methods.fem.spatial.stock import (
    Z_BOTH,
    Z_BOTH_MORE,
    Z_DRIVE,
    Z_FIRST,
    Z_MASS_MORE,
    Z_ONE,
    Z_ONE_MORE,
    Z_SECOND,
    Z_STIFFER,
    Z_TWO,
    Z_TWO_MORE,
    Z_WEIGHT_MORE,
)
from flexarm.methods.fem.spatial.triples import dot, mix, nine, three, times, vee
from flexarm.numerics.jit import njit_inline, njit_inside, njit_part


@njit_part
def edge_at(psi, spot):
    """Which edge the unknown psi is, or -1."""
    for m in range(spot[-1, 1]):
        if spot[-1, 3 + m] == psi:
            return m
    return -1


@njit_part
def put_edge(f, m, first, K, frames, moved, T, band):
    """Add what is in K[0] (column) and K[1] (row) from `first` on, forces on frame f and their like, to edge m."""
    flat, spot = band[0], band[1]
    n, count, base = spot[-1, 0], spot[-1, 1], spot[-1, 2]
    for j in range(frames[f, F_COUNT]):
        column, row = 0.0, 0.0
        for k in range(6):
            column += T[f, k, j] * K[0, first + k]
            row += T[f, k, j] * K[1, first + k]
        flat[base + m * n + moved[f, j]] += row
        flat[base + (count + m) * n + moved[f, j]] += column


@njit_inline
def lengthen(q, lane, e, parts, scratch, static, speed, push, damped, band):
    """Add one element to the edge of its joint.

    static : 1 with the change by the length itself (and its rate, by `speed`), 0 for the mass alone.
    """
    elements, joint, par, K = parts[3], parts[5], parts[10], scratch[2]
    i, flat, spot = elements[e, E_LINK], band[0], band[1]
    psi = joint[i, J_PSI]
    m = edge_at(psi, spot)
    z = scratch[13][e]
    corner = moving_edge(q, lane, z, scratch[5][i], par, static, speed, push, K)
    if static > 0.0:
        corner += strained_edge(q, lane, z, elements[e, E_COUNT], speed, damped, K)
        corner += graded_edge(q, lane, z, scratch[5][i], par, K)
    put_edge(elements[e, E_FIRST], m, 0, K, parts[0], parts[2], scratch[12], band)
    put_edge(elements[e, E_SECOND], m, 6, K, parts[0], parts[2], scratch[12], band)
    flat[spot[-1, 2] + m * spot[-1, 0] + psi] += corner


@njit_part
def moving_edge(q, lane, z, length, par, static, speed, push, K):
    """The flow of `sliding`: writes K[0, :12] and K[1, :12], returns the change of the drive by the length."""
    h, free, rate, quick = q[Q_H * WIDE + lane], length[0], length[1], length[2]
    one, two, both, drive = z[Z_ONE], z[Z_TWO], z[Z_BOTH], z[Z_DRIVE]
    D, v1, v2 = three(q, Q_D, lane), three(q, Q_ONE + Q_V, lane), three(q, Q_TWO + Q_V, lane)
    a1, a2 = three(q, Q_ONE + Q_A, lane), three(q, Q_TWO + Q_A, lane)
    x, shear = (D[0] / h, D[1] / h, D[2] / h), mix(1.0 / h, v2, -1.0 / h, v1)
    along = mix(2.0 * rate, shear, quick, x)
    for k in range(3):
        for end, at_end, square in ((0, one, z[Z_FIRST]), (6, two, z[Z_SECOND])):
            still = -rate * rate * square * x[k] / free
            moving = 2.0 * (at_end * shear[k] + rate * square * x[k])
            K[0, end + k] = static * still + speed * moving + push * at_end * x[k]
            K[0, end + 3 + k] = K[1, end + 3 + k] = 0.0
        pull = one * a1[k] + two * a2[k] - (one + two) * par[P_GX + k]
        pull += both * (along[k] + (quick - 4.0 * rate * rate / free) * x[k]) + rate * rate * drive * x[k]
        pull = (static * pull + 2.0 * speed * both * rate * x[k]) / h
        K[1, k], K[1, 6 + k] = push * one * x[k] - pull, push * two * x[k] + pull
    size = dot(x, x)
    still = -both * dot(x, along) / free + rate * rate * size * (4.0 * both / free - drive) / free
    moving = 2.0 * both * (dot(x, shear) - 2.0 * rate / free * size) + rate * size * drive
    return static * still + speed * moving + push * both * size


@njit_inside
def add_ends(q, lane, N, M, row, K):
    """Add the section forces N, M, put on the ends as in `element`, to a row of K."""
    R, psi = nine(q, Q_RM, lane), three(q, Q_PSI, lane)
    n = times(R, N)
    m = mix(
        q[Q_GAMMA * WIDE + lane], times(R, M), q[(Q_GAMMA + 1) * WIDE + lane] * dot(psi, M), three(q, Q_SPACE, lane)
    )
    lever = vee(n, three(q, Q_D, lane))
    over = mix(1.0, m, 0.5, vee(three(q, Q_TILT, lane), lever))
    for k in range(3):
        K[row, k] -= n[k]
        K[row, 6 + k] += n[k]
        K[row, 3 + k] += 0.5 * lever[k] - over[k]
        K[row, 9 + k] += 0.5 * lever[k] + over[k]


@njit_part
def strained_edge(q, lane, z, count, speed, damped, K):
    """Stiffness, damping, inertia and weight: adds to K[0, :12] and K[1, :12], returns the change of the drive."""
    h, dh = q[Q_H * WIDE + lane], q[Q_DH * WIDE + lane]
    length, kelvin = count * h, q[Q_KELVIN * WIDE + lane] if damped else 0.0
    corner = 0.0
    for k in range(6):  # K[2], K[3]: section forces per length, and those whose work is the drive's
        strain = q[(Q_STRAIN + k) * WIDE + lane]
        whole = strain + (1.0 if k == 0 else 0.0)
        stiff, rate = q[(Q_EA + k) * WIDE + lane], q[(Q_RATE + k) * WIDE + lane] if damped else 0.0
        drag = kelvin * stiff * rate
        change = -stiff * whole * (1.0 + kelvin * (speed - dh / h)) / length
        graded = z[Z_STIFFER + k] * strain
        K[3, k] = change - drag / length + graded
        K[2, k] = change - drag / length + graded - stiff * strain / length
        corner += graded * (strain - 2.0 * whole) / count
        corner += whole * whole * stiff / (count * length) * (1.0 + kelvin * (speed - dh / h)) + 2.0 * drag * whole / (
            count * length
        )
    add_ends(q, lane, (K[2, 0], K[2, 1], K[2, 2]), (K[2, 3], K[2, 4], K[2, 5]), 0, K)
    add_ends(q, lane, (K[3, 0], K[3, 1], K[3, 2]), (K[3, 3], K[3, 4], K[3, 5]), 1, K)
    for k in range(12):
        K[0, k] += q[(Q_ENDS + k) * WIDE + lane] / length
    return corner


@njit_part
def graded_edge(q, lane, z, length, par, K):
    """What more the inertia and the weight change with the length where the mass per length changes along the link.

    Adds to K[0, :12], returns the change of the drive; terms with the square of L' are left out.
    """
    h, rate, quick = q[Q_H * WIDE + lane], length[1], length[2]
    D, v1, v2 = three(q, Q_D, lane), three(q, Q_ONE + Q_V, lane), three(q, Q_TWO + Q_V, lane)
    a1, a2 = three(q, Q_ONE + Q_A, lane), three(q, Q_TWO + Q_A, lane)
    m11, m12, m22 = z[Z_MASS_MORE], z[Z_MASS_MORE + 1], z[Z_MASS_MORE + 2]
    one, two, corner = z[Z_ONE_MORE], z[Z_TWO_MORE], 0.0
    for k in range(3):
        x, g = D[k] / h, par[P_GX + k]
        along = 2.0 * rate * (v2[k] - v1[k]) / h + quick * x
        K[0, k] += m11 * a1[k] + m12 * a2[k] - z[Z_WEIGHT_MORE] * g + one * along
        K[0, 6 + k] += m12 * a1[k] + m22 * a2[k] - z[Z_WEIGHT_MORE + 1] * g + two * along
        corner += x * (one * (a1[k] - g) + two * (a2[k] - g) + z[Z_BOTH_MORE] * along)
    return corner
