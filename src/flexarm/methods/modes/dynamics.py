"""Mass matrix, velocity terms and gravity of the whole tree, summed over the bodies: M = sum J^T M_b J and
h = sum J^T (M_b gamma + h_b - Q_b).

With u = S + N q + q^T H q / 2 and N_q = N + H q, on the coordinates (R, phi, q) of a body:

    M_b:  R-R  m,  R-phi  E A u,  R-q  A N_q,  phi-phi  I0 + 2 C.q + q^T (M + D) q,  phi-q  P + q^T G + G2 q,  q-q  mass
    h_b:  R    A (-phi'^2 u + 2 phi' E N_q q' + q'^T H q'),
          phi  2 phi' (C.q' + q^T (M + D) q') + q'^T G2 q',      q    -phi'^2 (C + (M + D) q) + 2 phi' G^T q'
    Q_b:  R    m g,    phi  g.E A u,    q  g.A N_q .

These are Lagrange's equations of the kinetic energy with its terms of third and higher order in q left out.
"""

from __future__ import annotations

from flexarm.methods.modes.layout import (
    B_D,
    B_G,
    B_G2,
    B_HX,
    B_HY,
    B_M,
    B_MASS,
    BLOCKS,
    COUNT,
    FIRST,
    INERTIA,
    K_COS,
    K_GX,
    K_GY,
    K_RATE,
    K_SIN,
    K_X,
    K_Y,
    MASS,
    MOMENT_X,
    MOMENT_Y,
    NX,
    NY,
    C,
    P,
)
from flexarm.numerics.jit import njit_part

W_NX, W_NY, W_P, W_FORCE, W_R = range(5)
BODY_WORK = 5
"""Rows of the scratch of one body: A N_q in x and y, P of the present q, force on q, (M + D) q."""


@njit_part
def body_terms(b, q, v, order, gx, gy, body, figures, modal, kin, w, out):
    """Fill rows of `w` (BODY_WORK, width) and `out` = (m, E A u in x and y, inertia, force in x, y, on phi); returns the
    potential of gravity. The forces are h_b + M_b gamma - Q_b."""
    n, first, width = body[b, COUNT], body[b, FIRST], modal.shape[2]
    c, s, rate = kin[b, K_COS], kin[b, K_SIN], kin[b, K_RATE]
    ux, uy, vx, vy, ax, ay = figures[b, MOMENT_X], figures[b, MOMENT_Y], 0.0, 0.0, 0.0, 0.0
    inertia, growth, twist = figures[b, INERTIA], 0.0, 0.0
    for i in range(n):
        nx, ny, p, r = modal[b, NX, i], modal[b, NY, i], modal[b, P, i], 0.0
        gyro, hx, hy, g2 = 0.0, 0.0, 0.0, 0.0
        for j in range(n):
            qj, vj = q[first + j], v[first + j]
            r += modal[b, BLOCKS + B_M * width + i, j] * qj
            g = modal[b, BLOCKS + B_G * width + j, i]
            p += g * qj
            gyro += g * vj
            if order:
                r += modal[b, BLOCKS + B_D * width + i, j] * qj
                p += modal[b, BLOCKS + B_G2 * width + i, j] * qj
                g2 += modal[b, BLOCKS + B_G2 * width + i, j] * vj
                hx += modal[b, BLOCKS + B_HX * width + i, j] * qj
                hy += modal[b, BLOCKS + B_HY * width + i, j] * qj
                ax += v[first + i] * modal[b, BLOCKS + B_HX * width + i, j] * vj
                ay += v[first + i] * modal[b, BLOCKS + B_HY * width + i, j] * vj
        qi, vi = q[first + i], v[first + i]
        ux += (nx + 0.5 * hx) * qi
        uy += (ny + 0.5 * hy) * qi
        nx += hx
        ny += hy
        vx += nx * vi
        vy += ny * vi
        inertia += (2.0 * modal[b, C, i] + r) * qi
        growth += (modal[b, C, i] + r) * vi
        twist += vi * g2
        w[W_NX, i], w[W_NY, i], w[W_P, i] = c * nx - s * ny, s * nx + c * ny, p
        w[W_FORCE, i] = -rate * rate * (modal[b, C, i] + r) + 2.0 * rate * gyro
    m = figures[b, MASS]
    rx, ry = c * ux - s * uy, s * ux + c * uy
    dx, dy = kin[b, K_GX] - gx, kin[b, K_GY] - gy  # gravity acts like an acceleration of the ground
    out[0], out[1], out[2], out[3] = m, -ry, rx, inertia
    out[4] = m * dx - rate * rate * rx - 2.0 * rate * (s * vx + c * vy) + c * ax - s * ay
    out[5] = m * dy - rate * rate * ry + 2.0 * rate * (c * vx - s * vy) + s * ax + c * ay
    out[6] = -ry * dx + rx * dy + 2.0 * rate * growth + twist
    for i in range(n):
        w[W_FORCE, i] += w[W_NX, i] * dx + w[W_NY, i] * dy
    return -gx * (m * kin[b, K_X] + rx) - gy * (m * kin[b, K_Y] + ry)


@njit_part
def assemble(q, v, order, gx, gy, body, figures, modal, columns, column_count, kin, J, w, terms, M, h):
    """Fill M (size, size) and h (size,); the bodies' kinematics are there. Returns the potential of gravity."""
    size, width, potential = M.shape[0], modal.shape[2], 0.0
    for i in range(size):
        h[i] = 0.0
        for j in range(size):
            M[i, j] = 0.0
    for b in range(body.shape[0]):
        potential += body_terms(b, q, v, order, gx, gy, body, figures, modal, kin, w, terms)
        n, first, count = body[b, COUNT], body[b, FIRST], column_count[b]
        m, ex, ey, inertia = terms[0], terms[1], terms[2], terms[3]
        for k in range(count):
            j = columns[b, k]
            jx, jy, jt = J[b, 0, j], J[b, 1, j], J[b, 2, j]
            h[j] += jx * terms[4] + jy * terms[5] + jt * terms[6]
            fx, fy, ft = m * jx + ex * jt, m * jy + ey * jt, ex * jx + ey * jy + inertia * jt
            own = j - first
            if 0 <= own < n:
                h[j] += w[W_FORCE, own]
                fx += w[W_NX, own]
                fy += w[W_NY, own]
                ft += w[W_P, own]
                for i in range(n):
                    M[first + i, j] += modal[b, BLOCKS + B_MASS * width + i, own]
            for i in range(n):
                M[first + i, j] += w[W_NX, i] * jx + w[W_NY, i] * jy + w[W_P, i] * jt
            for other in range(count):
                i = columns[b, other]
                M[i, j] += J[b, 0, i] * fx + J[b, 1, i] * fy + J[b, 2, i] * ft
    return potential
