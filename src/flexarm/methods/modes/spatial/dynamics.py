"""Mass matrix, velocity terms and gravity of an arm in space, summed over bodies and spinners.

Coordinates stand in the order of the tree, so the columns of every body are in order too and half of the matrix suffices.

Equations: N13, N16, N17.
"""

from __future__ import annotations

from flexarm.methods.modes.spatial.body_terms import body_terms, symmetric
from flexarm.methods.modes.spatial.kinematics import place_all
from flexarm.numerics.jit import njit_apart, njit_part
from flexarm.numerics.rotations import apply_back, cross


@njit_apart
def add_body(part, work, b):
    """Add J^T M_b J and J^T h_b to the matrix and the forces of the tree."""
    count, n, columns = part.column_count[b], part.count[b], part.columns[b]
    J, R, local, F, M, h = work.J, work.turned, work.local, work.column, work.tree_mass, work.tree_bias
    total, force, N, P, Q = work.inertia, work.force, work.N, work.P, work.Q
    mass, sx, sy, sz, tensor = total[0], total[1], total[2], total[3], total[4:]
    own = count - n
    for j in range(count):
        vx, vy, vz = apply_back(R, b, J[b, j, 0], J[b, j, 1], J[b, j, 2])
        wx, wy, wz = apply_back(R, b, J[b, j, 3], J[b, j, 4], J[b, j, 5])
        local[j, 0], local[j, 1], local[j, 2], local[j, 3], local[j, 4], local[j, 5] = vx, vy, vz, wx, wy, wz
        turned = vx * force[0] + vy * force[1] + vz * force[2] + wx * force[3] + wy * force[4] + wz * force[5]
        h[columns[j]] += turned + (work.shape_force[j - own] if j >= own else 0.0)
        ax, ay, az = cross(wx, wy, wz, sx, sy, sz)
        bx, by, bz = cross(sx, sy, sz, vx, vy, vz)
        cx, cy, cz = symmetric(tensor, wx, wy, wz)
        F[0], F[1], F[2], F[3], F[4], F[5] = mass * vx + ax, mass * vy + ay, mass * vz + az, bx + cx, by + cy, bz + cz
        if j >= own:
            k = j - own
            for i in range(3):
                F[i] += N[k, i]
                F[3 + i] += P[k, i]
        f0, f1, f2, f3, f4, f5, row = F[0], F[1], F[2], F[3], F[4], F[5], columns[j]
        for i in range(j + 1):
            value = local[i, 0] * f0 + local[i, 1] * f1 + local[i, 2] * f2
            value += local[i, 3] * f3 + local[i, 4] * f4 + local[i, 5] * f5
            M[row, columns[i]] += value
        if j >= own:  # rows of shapes
            k = j - own
            for i in range(k + 1):
                value = N[i, 0] * vx + N[i, 1] * vy + N[i, 2] * vz + P[i, 0] * wx + P[i, 1] * wy + P[i, 2] * wz
                M[row, columns[own + i]] += value + Q[k, i]


@njit_part
def add_spinner(part, work, e):
    """Add an inertia that turns about the axis of a joint alone."""
    b, k, ratio, inertia = part.spin_body[e], part.spin_coordinate[e], part.spin_ratio[e], part.spin_inertia[e]
    p, M, h, c, gyro = part.parent[b], work.tree_mass, work.tree_bias, work.carrier_row[b], work.carrier_gyro[b]
    count = part.column_count[p] if p >= 0 else 0
    rate, x = work.rates[k], work.axis[b]
    turning = ratio * rate
    for i in range(3):
        turning += x[i] * work.carrier_spin[b, i]
    bias = inertia * work.carrier_gamma[b]
    for j in range(count):
        row = part.columns[p, j]
        for i in range(j + 1):
            M[row, part.columns[p, i]] += inertia * c[j] * c[i]
        M[k, row] += inertia * ratio * c[j]
        h[row] += bias * c[j] + inertia * turning * gyro[j]
    M[k, k] += inertia * ratio * ratio
    h[k] += bias * ratio


@njit_part
def assemble(part, work, q, v):
    """Frames, mass matrix and velocity terms with weight at q, v; returns the potential of gravity."""
    place_all(part, work, q, v)
    M, h, potential = work.tree_mass, work.tree_bias, 0.0
    for i in range(part.size):
        h[i], work.rates[i] = 0.0, v[part.coordinate[i]]
        for j in range(i + 1):
            M[i, j] = 0.0
    for b in range(part.parent.shape[0]):
        potential += body_terms(part, work, b, q, v)
        add_body(part, work, b)
    for e in range(part.spin_body.shape[0]):
        add_spinner(part, work, e)
    for i in range(part.size):
        row = part.coordinate[i]
        work.bias[row] = h[i]
        for j in range(i + 1):
            work.mass[row, part.coordinate[j]] = M[i, j]
            work.mass[part.coordinate[j], row] = M[i, j]
    return potential


@njit_part
def rotor_torque(part, work, j, a):
    """Torque that the rotor of joint j takes, on the slow side of its gear, with the accelerations a."""
    e = part.rotor_spin[j]
    if e < 0:
        return 0.0
    b, k = part.spin_body[e], part.spin_coordinate[e]
    p = part.parent[b]
    count = part.column_count[p] if p >= 0 else 0
    turning = work.carrier_gamma[b] + part.spin_ratio[e] * a[part.coordinate[k]]
    for m in range(count):
        turning += work.carrier_row[b, m] * a[part.coordinate[part.columns[p, m]]]
    return part.spin_ratio[e] * part.spin_inertia[e] * turning
