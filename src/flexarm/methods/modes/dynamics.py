"""Mass matrix, velocity terms and gravity of the whole tree, summed over the bodies.

These are Lagrange's equations of the kinetic energy with its terms of third and higher order in q left out.
Legend: c, s cosine and sine of the frame; u and N_q as on the theory page; (vx, vy) N_q q', (ax, ay) q'^T H q'.

Equations: M3, M12, M13, M14, M15.
"""

from __future__ import annotations

from flexarm.methods.modes.loop_equations import place_all
from flexarm.numerics.jit import njit, njit_part


@njit_part
def body_terms(part, work, b, q, v):
    """Terms of body b into work.body_N, body_P, body_force, lever and wrench, the forces h_b + M_b gamma - Q_b; returns
    its inertia about the origin of its frame, and the potential of gravity."""
    n, first, order = part.count[b], part.first[b], part.second_order
    M, D, G, G2, H, C = part.M[b], part.D[b], part.G[b], part.G2[b], part.H[b], part.C[b]
    c, s, rate = work.cos[b], work.sin[b], work.rate[b]
    ux, uy, vx, vy, ax, ay = part.S[b, 0], part.S[b, 1], 0.0, 0.0, 0.0, 0.0
    inertia, growth, twist = part.I0[b], 0.0, 0.0
    for i in range(n):
        nx, ny, p, r = part.N[b, 0, i], part.N[b, 1, i], part.P[b, i], 0.0
        gyro, hx, hy, g2 = 0.0, 0.0, 0.0, 0.0
        for j in range(n):
            qj, vj = q[first + j], v[first + j]
            r += M[i, j] * qj
            p += G[j, i] * qj
            gyro += G[j, i] * vj
            if order:
                r += D[i, j] * qj
                p += G2[i, j] * qj
                g2 += G2[i, j] * vj
                hx += H[0, i, j] * qj
                hy += H[1, i, j] * qj
                ax += v[first + i] * H[0, i, j] * vj
                ay += v[first + i] * H[1, i, j] * vj
        qi, vi = q[first + i], v[first + i]
        ux += (nx + 0.5 * hx) * qi
        uy += (ny + 0.5 * hy) * qi
        nx += hx
        ny += hy
        vx += nx * vi
        vy += ny * vi
        inertia += (2.0 * C[i] + r) * qi
        growth += (C[i] + r) * vi
        twist += vi * g2
        work.body_N[0, i], work.body_N[1, i], work.body_P[i] = c * nx - s * ny, s * nx + c * ny, p
        work.body_force[i] = -rate * rate * (C[i] + r) + 2.0 * rate * gyro
    m, gx, gy = part.mass[b], part.gravity[0], part.gravity[1]
    rx, ry = c * ux - s * uy, s * ux + c * uy
    dx, dy = work.gamma[b, 0] - gx, work.gamma[b, 1] - gy  # gravity acts like an acceleration of the ground
    work.lever[0], work.lever[1] = -ry, rx
    work.wrench[0] = m * dx - rate * rate * rx - 2.0 * rate * (s * vx + c * vy) + c * ax - s * ay
    work.wrench[1] = m * dy - rate * rate * ry + 2.0 * rate * (c * vx - s * vy) + s * ax + c * ay
    work.wrench[2] = -ry * dx + rx * dy + 2.0 * rate * growth + twist
    for i in range(n):
        work.body_force[i] += work.body_N[0, i] * dx + work.body_N[1, i] * dy
    return inertia, -gx * (m * work.origin[b, 0] + rx) - gy * (m * work.origin[b, 1] + ry)


@njit_part
def assemble(part, work, q, v):
    """Frames, loops, mass matrix and velocity terms with weight at q, v; returns the potential of gravity."""
    place_all(part, work, q, v)
    M, h, J, N, P, potential = work.mass, work.bias, work.J, work.body_N, work.body_P, 0.0
    for i in range(part.size):
        h[i] = 0.0
        for j in range(part.size):
            M[i, j] = 0.0
    for b in range(part.parent.shape[0]):
        inertia, height = body_terms(part, work, b, q, v)
        potential += height
        n, first, count = part.count[b], part.first[b], part.column_count[b]
        m, ex, ey = part.mass[b], work.lever[0], work.lever[1]
        for k in range(count):
            j = part.columns[b, k]
            jx, jy, jt = J[b, 0, j], J[b, 1, j], J[b, 2, j]
            h[j] += jx * work.wrench[0] + jy * work.wrench[1] + jt * work.wrench[2]
            fx, fy, ft = m * jx + ex * jt, m * jy + ey * jt, ex * jx + ey * jy + inertia * jt
            own = j - first
            if 0 <= own < n:
                h[j] += work.body_force[own]
                fx += N[0, own]
                fy += N[1, own]
                ft += P[own]
                for i in range(n):
                    M[first + i, j] += part.modal_mass[b, i, own]
            for i in range(n):
                M[first + i, j] += N[0, i] * jx + N[1, i] * jy + P[i] * jt
            for other in range(count):
                i = part.columns[b, other]
                M[i, j] += J[b, 0, i] * fx + J[b, 1, i] * fy + J[b, 2, i] * ft
    return potential


@njit_part
def kinetic_energy(M, v):
    """v^T M v / 2."""
    total = 0.0
    for i in range(v.shape[0]):
        for j in range(v.shape[0]):
            total += 0.5 * v[i] * M[i, j] * v[j]
    return total


@njit
def evaluate_poses(part, work, q, v, out):
    """Kinetic energy and potential of gravity for each row of q and v (n, size), into out (n, 2).

    `work` keeps frames, mass matrix, velocity terms and loop equations of the last row.
    """
    for k in range(q.shape[0]):
        potential = assemble(part, work, q[k], v[k])
        out[k, 0], out[k, 1] = kinetic_energy(work.mass, v[k]), potential
