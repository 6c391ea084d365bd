"""Positions, Jacobians and velocity terms of all bodies, from the root outwards; the cost grows with their number.

Angles are linear in the coordinates. gamma is the part of an acceleration that is not J q''.
Legend: c, s cosine and sine of the frame; (x, y) rho; (vx, vy) its rate; (ax, ay) q'^T H q'.

Equations: M9, M10, M11.
"""

from __future__ import annotations

import math

from flexarm.numerics.jit import njit_inside, njit_part


@njit_inside
def shape_at(part, k, axis, i, q):
    """Change of a point's x (axis 0) or y (axis 1) per unit of the i-th shape of its body, s + H q."""
    total = part.s[k, axis, i]
    if part.second_order:
        b = part.owner[k]
        for j in range(part.count[b]):
            total += part.second[k, axis, i, j] * q[part.first[b] + j]
    return total


@njit_part
def move_point(part, work, k, q, v, to):
    """Frame number `to` of the section at point k; of its Jacobian only the columns of the point's body are written."""
    b = part.owner[k]
    n, first = part.count[b], part.first[b]
    c, s, rate = work.cos[b], work.sin[b], work.rate[b]
    x, y, vx, vy, ax, ay, turn, turning = part.r0[k, 0], part.r0[k, 1], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        sx, sy = shape_at(part, k, 0, i, q), shape_at(part, k, 1, i, q)
        x += 0.5 * (sx + part.s[k, 0, i]) * q[first + i]
        y += 0.5 * (sy + part.s[k, 1, i]) * q[first + i]
        vx += sx * v[first + i]
        vy += sy * v[first + i]
        turn += part.slope[k, i] * q[first + i]
        turning += part.slope[k, i] * v[first + i]
        if part.second_order:
            for j in range(n):
                ax += v[first + i] * part.second[k, 0, i, j] * v[first + j]
                ay += v[first + i] * part.second[k, 1, i, j] * v[first + j]
    rx, ry = c * x - s * y, s * x + c * y
    J = work.J
    for m in range(part.column_count[b]):
        col = part.columns[b, m]
        turned = J[b, 2, col]
        J[to, 0, col] = J[b, 0, col] - ry * turned
        J[to, 1, col] = J[b, 1, col] + rx * turned
        J[to, 2, col] = turned
    for i in range(n):
        sx, sy = shape_at(part, k, 0, i, q), shape_at(part, k, 1, i, q)
        J[to, 0, first + i] += c * sx - s * sy
        J[to, 1, first + i] += s * sx + c * sy
        J[to, 2, first + i] += part.slope[k, i]
    work.origin[to, 0], work.origin[to, 1] = work.origin[b, 0] + rx, work.origin[b, 1] + ry
    work.angle[to], work.rate[to] = work.angle[b] + turn, rate + turning
    work.gamma[to, 0] = work.gamma[b, 0] - rate * rate * rx - 2.0 * rate * (s * vx + c * vy) + c * ax - s * ay
    work.gamma[to, 1] = work.gamma[b, 1] - rate * rate * ry + 2.0 * rate * (c * vx - s * vy) + s * ax + c * ay


@njit_part
def move_bodies(part, work, q, v):
    """Frames of all bodies."""
    for b in range(part.parent.shape[0]):
        for m in range(part.column_count[b]):
            for row in range(3):
                work.J[b, row, part.columns[b, m]] = 0.0
        if part.parent[b] < 0:
            work.angle[b], work.rate[b] = 0.0, 0.0
            for axis in range(2):
                work.origin[b, axis], work.gamma[b, axis] = 0.0, 0.0
        else:
            move_point(part, work, part.mount[b], q, v, b)
        angle, rate, hinge, first = work.angle[b] + part.angle[b], work.rate[b], part.hinge[b], part.first[b]
        if hinge >= 0:
            angle += part.ratio[b] * q[hinge]
            rate += part.ratio[b] * v[hinge]
            work.J[b, 2, hinge] += part.ratio[b]
        for i in range(part.count[b]):
            slope = part.root_slope[b, i]
            angle -= slope * q[first + i]
            rate -= slope * v[first + i]
            work.J[b, 2, first + i] -= slope
        work.angle[b], work.rate[b] = angle, rate
        work.cos[b], work.sin[b] = math.cos(angle), math.sin(angle)
