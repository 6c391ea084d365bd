"""Mass matrix, velocity terms and gravity of the whole tree, summed over the bodies.

These are Lagrange's equations of the kinetic energy, nothing left out.
Legend: c, s cosine and sine of the frame; u and N_q as on the theory page; (vx, vy) N_q q', ax q'^T H q' along the link;
e distance of a mass point from the axis; (lx, ly) its mass times the acceleration that is not by R'', phi'' and q''.

Equations: M3, M12, M13, M14, M15.
"""

from __future__ import annotations

from flexarm.methods.modes.loop_rows import place_all
from flexarm.numerics.jit import njit_part


@njit_part
def by_constants(part, work, b, q, v):
    """Kinematics of first order, in which all integrals over a body are constants, or a rigid body: body_N, body_P, body_mass
    and body_force in the axes of its frame, moments; work.wrench becomes h_R and h_phi there. Returns the inertia."""
    n, first, rate = part.count[b], part.first[b], work.rate[b]
    M, G, C = part.M[b], part.G[b], part.C[b]
    ux, uy, vx, vy = part.S[b, 0], part.S[b, 1], 0.0, 0.0
    inertia, growth = part.I0[b], 0.0
    for i in range(n):
        nx, ny, p, r, gyro = part.N[b, 0, i], part.N[b, 1, i], part.P[b, i], 0.0, 0.0
        for j in range(n):
            r += M[i, j] * q[first + j]
            p += G[j, i] * q[first + j]
            gyro += G[j, i] * v[first + j]
            work.body_mass[i, j] = part.modal_mass[b, i, j]
        ux += nx * q[first + i]
        uy += ny * q[first + i]
        vx += nx * v[first + i]
        vy += ny * v[first + i]
        inertia += (2.0 * C[i] + r) * q[first + i]
        growth += (C[i] + r) * v[first + i]
        work.body_N[0, i], work.body_N[1, i], work.body_P[i] = nx, ny, p
        work.body_force[i] = -rate * rate * (C[i] + r) + 2.0 * rate * gyro
    work.moments[0], work.moments[1] = ux, uy
    work.wrench[0], work.wrench[1] = -rate * rate * ux - 2.0 * rate * vy, -rate * rate * uy + 2.0 * rate * vx
    work.wrench[2] = 2.0 * rate * growth
    return inertia


@njit_part
def on_axis(part, work, b, q, v):
    """Sums over the mass points on the axis of a body, where no turning moves a point: what is across the link is constant there.
    Returns the inertia."""
    n, first, rate, D = part.count[b], part.first[b], work.rate[b], work.point_D
    N, P, M, force = work.body_N, work.body_P, work.body_mass, work.body_force
    ux, uy, fx, fy, moment, inertia = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        N[0, i], N[1, i], P[i], force[i] = 0.0, part.points_N[b, i], part.points_P[b, i], 0.0
        for j in range(i + 1):
            M[i, j] = part.points_M[b, i, j]
    for k in range(part.first_point[b], part.first_beside[b]):
        m, back, along, across = part.point_mass[k], part.point_back[k], part.point_s[k, 0], part.point_s[k, 1]
        x, y, vx, vy, ax = part.point_r0[k, 0], 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            qi, vi, bent, bending = q[first + i], v[first + i], 0.0, 0.0
            for j in range(n):
                bent += back[i, j] * q[first + j]
                bending += back[i, j] * v[first + j]
            x += (along[i] + 0.5 * bent) * qi
            y += across[i] * qi
            D[0, i] = along[i] + bent
            vx += D[0, i] * vi
            vy += across[i] * vi
            ax += bending * vi
        lx, ly = m * (ax - rate * rate * x - 2.0 * rate * vy), m * (2.0 * rate * vx - rate * rate * y)
        ux += m * x
        uy += m * y
        fx += lx
        fy += ly
        moment += x * ly - y * lx
        inertia += m * (x * x + y * y) + part.point_inertia[k]
        for i in range(n):
            dx = m * D[0, i]
            N[0, i] += dx
            P[i] += x * (m * across[i]) - y * dx
            force[i] += D[0, i] * lx + across[i] * ly
            for j in range(i + 1):
                M[i, j] += dx * D[0, j]
    work.moments[0], work.moments[1] = ux, uy
    work.wrench[0], work.wrench[1], work.wrench[2] = fx, fy, moment
    return inertia


@njit_part
def by_points(part, work, b, q, v):
    """The same with kinematics of second order, summed over the mass points of the body."""
    n, first, rate, D, inertia = part.count[b], part.first[b], work.rate[b], work.point_D, on_axis(part, work, b, q, v)
    N, P, M, force = work.body_N, work.body_P, work.body_mass, work.body_force
    ux, uy, fx, fy, moment = work.moments[0], work.moments[1], work.wrench[0], work.wrench[1], work.wrench[2]
    for k in range(part.first_beside[b], part.first_point[b + 1]):
        m, J, slope, back = part.point_mass[k], part.point_inertia[k], part.point_slope[k], part.point_back[k]
        x, y, e = part.point_r0[k, 0], part.point_r0[k, 1], part.point_r0[k, 1]
        vx, vy, ax, turn, turning = 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            turn += slope[i] * q[first + i]
            turning += slope[i] * v[first + i]
        for i in range(n):
            bent, bending = 0.0, 0.0
            for j in range(n):
                bent += back[i, j] * q[first + j]
                bending += back[i, j] * v[first + j]
            qi, vi, sx, sy, tilt = (
                q[first + i],
                v[first + i],
                part.point_s[k, 0, i],
                part.point_s[k, 1, i],
                e * slope[i] * turn,
            )
            x += (sx + 0.5 * bent) * qi
            y += (sy - 0.5 * tilt) * qi
            D[0, i], D[1, i] = sx + bent, sy - tilt
            vx += D[0, i] * vi
            vy += D[1, i] * vi
            ax += bending * vi
        lx = m * (ax - rate * rate * x - 2.0 * rate * vy)
        ly = m * (-e * turning * turning - rate * rate * y + 2.0 * rate * vx)
        ux += m * x
        uy += m * y
        fx += lx
        fy += ly
        moment += x * ly - y * lx
        inertia += m * (x * x + y * y) + J
        for i in range(n):
            dx, dy, turned = m * D[0, i], m * D[1, i], J * slope[i]
            N[0, i] += dx
            N[1, i] += dy
            P[i] += x * dy - y * dx + turned
            force[i] += D[0, i] * lx + D[1, i] * ly
            for j in range(i + 1):
                M[i, j] += dx * D[0, j] + dy * D[1, j] + turned * slope[j]
    for i in range(n):
        for j in range(i):
            M[j, i] = M[i, j]
    work.moments[0], work.moments[1] = ux, uy
    work.wrench[0], work.wrench[1], work.wrench[2] = fx, fy, moment
    return inertia


@njit_part
def body_terms(part, work, b, q, v):
    """Terms of body b in the axes of the world into work.body_N, body_P, body_mass, body_force, lever and wrench, the forces
    h_b + M_b gamma - Q_b; returns its inertia about the origin of its frame, and the potential of gravity."""
    if part.second_order and part.count[b] > 0:
        inertia = by_points(part, work, b, q, v)
    else:
        inertia = by_constants(part, work, b, q, v)
    c, s, m, gx, gy = work.cos[b], work.sin[b], part.mass[b], part.gravity[0], part.gravity[1]
    ux, uy, fx, fy, N = work.moments[0], work.moments[1], work.wrench[0], work.wrench[1], work.body_N
    rx, ry = c * ux - s * uy, s * ux + c * uy
    dx, dy = work.gamma[b, 0] - gx, work.gamma[b, 1] - gy  # gravity acts like an acceleration of the ground
    work.lever[0], work.lever[1] = -ry, rx
    work.wrench[0], work.wrench[1] = m * dx + c * fx - s * fy, m * dy + s * fx + c * fy
    work.wrench[2] += -ry * dx + rx * dy
    for i in range(part.count[b]):
        nx, ny = N[0, i], N[1, i]
        N[0, i], N[1, i] = c * nx - s * ny, s * nx + c * ny
        work.body_force[i] += N[0, i] * dx + N[1, i] * dy
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
                    M[first + i, j] += work.body_mass[i, own]
            for i in range(n):
                M[first + i, j] += N[0, i] * jx + N[1, i] * jy + P[i] * jt
            for other in range(count):
                i = part.columns[b, other]
                M[i, j] += J[b, 0, i] * fx + J[b, 1, i] * fy + J[b, 2, i] * ft
    return potential


@njit_part
def rotor_torque(part, work, j, a):
    """Torque that the rotor of joint j takes, on the slow side of its gear, with the accelerations a: it turns on its own, or with the
    section at the root, by the angle of the frame and the slope there."""
    turning = 0.0
    b = part.rotor_body[j] if part.rotor_body[j] >= 0 else part.body[j]
    for m in range(part.column_count[b]):
        turning += work.J[b, 2, part.columns[b, m]] * a[part.columns[b, m]]
    for i in range(part.count[b]):
        turning += part.root_slope[b, i] * a[part.first[b] + i]
    return part.ratio[b] * part.rotor[j] * turning
