"""Positions, Jacobians and velocity terms of all bodies, from the root outwards; the cost grows with their number.

A point of body p lies at R + A rho with rho = r0 + s q + q^T H q / 2. What stands on it has

    R = R_p + A rho,   J_R = J_Rp + E A rho J_phi + A (s + H q),   phi = phi_p + psi' q + theta - psi_0' q_own,
    gamma_R = gamma_Rp - phi'^2 A rho + 2 phi' E A (s + H q) q' + A q'^T H q',

where gamma is the part of the acceleration that is not J q''. Angles are linear in the coordinates.
Legend: c, s cosine and sine of the frame; (x, y) rho; (vx, vy) its rate; (ax, ay) q'^T H q'.
"""

from __future__ import annotations

import math

from flexarm.methods.modes.layout import (
    ANGLE,
    COORDINATE,
    COUNT,
    FIRST,
    K_ANGLE,
    K_COS,
    K_GX,
    K_GY,
    K_RATE,
    K_SIN,
    K_X,
    K_Y,
    PARENT,
    POINT,
    S_BLOCKS,
    S_SLOPE,
    S_X,
    S_Y,
    SLOPE,
)
from flexarm.numerics.jit import njit_inline, njit_part


@njit_inline
def shape_x(k, i, n, first, width, q, order, point_modal):
    """Change of a point's x per unit of its i-th shape."""
    total = point_modal[k, S_X, i]
    if order:
        for j in range(n):
            total += point_modal[k, S_BLOCKS + i, j] * q[first + j]
    return total


@njit_inline
def shape_y(k, i, n, first, width, q, order, point_modal):
    """Change of a point's y per unit of its i-th shape."""
    total = point_modal[k, S_Y, i]
    if order:
        for j in range(n):
            total += point_modal[k, S_BLOCKS + width + i, j] * q[first + j]
    return total


@njit_part
def move_point(k, q, v, order, body, point, place, point_modal, columns, column_count, kin, J, own, out):
    """Kinematics `own` (KIN,) and Jacobian `out` (3, size: x, y, angle of its section) of point k; only the columns of
    its body are written."""
    b = point[k]
    n, first, width = body[b, COUNT], body[b, FIRST], point_modal.shape[2]
    c, s, rate = kin[b, K_COS], kin[b, K_SIN], kin[b, K_RATE]
    x, y, vx, vy, ax, ay, turn, turning = place[k, 0], place[k, 1], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        sx = shape_x(k, i, n, first, width, q, order, point_modal)
        sy = shape_y(k, i, n, first, width, q, order, point_modal)
        x += 0.5 * (sx + point_modal[k, S_X, i]) * q[first + i]
        y += 0.5 * (sy + point_modal[k, S_Y, i]) * q[first + i]
        vx += sx * v[first + i]
        vy += sy * v[first + i]
        turn += point_modal[k, S_SLOPE, i] * q[first + i]
        turning += point_modal[k, S_SLOPE, i] * v[first + i]
        if order:
            for j in range(n):
                ax += v[first + i] * point_modal[k, S_BLOCKS + i, j] * v[first + j]
                ay += v[first + i] * point_modal[k, S_BLOCKS + width + i, j] * v[first + j]
    rx, ry = c * x - s * y, s * x + c * y
    for m in range(column_count[b]):
        col = columns[b, m]
        turned = J[b, 2, col]
        out[0, col] = J[b, 0, col] - ry * turned
        out[1, col] = J[b, 1, col] + rx * turned
        out[2, col] = turned
    for i in range(n):
        sx = shape_x(k, i, n, first, width, q, order, point_modal)
        sy = shape_y(k, i, n, first, width, q, order, point_modal)
        out[0, first + i] += c * sx - s * sy
        out[1, first + i] += s * sx + c * sy
        out[2, first + i] += point_modal[k, S_SLOPE, i]
    own[K_X], own[K_Y] = kin[b, K_X] + rx, kin[b, K_Y] + ry
    own[K_ANGLE], own[K_RATE] = kin[b, K_ANGLE] + turn, rate + turning
    own[K_GX] = kin[b, K_GX] - rate * rate * rx - 2.0 * rate * (s * vx + c * vy) + c * ax - s * ay
    own[K_GY] = kin[b, K_GY] - rate * rate * ry + 2.0 * rate * (c * vx - s * vy) + s * ax + c * ay


@njit_part
def move_bodies(q, v, order, body, figures, modal, point, place, point_modal, columns, column_count, kin, J):
    """Kinematics (bodies, KIN) and Jacobians (bodies, 3, size) of all frames."""
    for b in range(body.shape[0]):
        for m in range(column_count[b]):
            col = columns[b, m]
            J[b, 0, col], J[b, 1, col], J[b, 2, col] = 0.0, 0.0, 0.0
        if body[b, PARENT] < 0:
            for m in range(kin.shape[1]):
                kin[b, m] = 0.0
        else:
            move_point(
                body[b, POINT],
                q,
                v,
                order,
                body,
                point,
                place,
                point_modal,
                columns,
                column_count,
                kin,
                J,
                kin[b],
                J[b],
            )
        angle, rate = kin[b, K_ANGLE] + figures[b, ANGLE], kin[b, K_RATE]
        if body[b, COORDINATE] >= 0:
            angle += q[body[b, COORDINATE]]
            rate += v[body[b, COORDINATE]]
            J[b, 2, body[b, COORDINATE]] += 1.0
        for i in range(body[b, COUNT]):
            slope = modal[b, SLOPE, i]
            angle -= slope * q[body[b, FIRST] + i]
            rate -= slope * v[body[b, FIRST] + i]
            J[b, 2, body[b, FIRST] + i] -= slope
        kin[b, K_ANGLE], kin[b, K_RATE] = angle, rate
        kin[b, K_COS], kin[b, K_SIN] = math.cos(angle), math.sin(angle)
