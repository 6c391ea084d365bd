"""Constraints at a step point: gaps, their Jacobian, and the forces lambda with which they act on the arm.

A gap is the first side of a constraint minus the second; a side is a section (the shape functions of its nodes) with an
offset that turns with it. See `constraints` for the tables, `bordered` for the solution.

Equations: E15.
"""

from __future__ import annotations

from flexarm.methods.fem import layout as at
from flexarm.methods.fem.offset_point import offset_point, turning_terms
from flexarm.numerics.jit import njit_inside, njit_part


@njit_inside
def sign_of(p):
    """A gap is its first side minus its second."""
    return 1.0 - 2.0 * (p % 2)


@njit_inside
def angle_at(part, values, p):
    """Value of the section's angle at a side, from those of its nodes."""
    total = 0.0
    for a in range(part.side[p, at.SIDE_COUNT]):
        t = part.side[p, at.SIDE_NODES + 2 * a + 1]
        if t >= 0:
            total += part.side_data[p, at.SIDE_WEIGHT + a] * values[t]
    return total


@njit_inside
def offset_of(part, now, p):
    """`offset_point` for the offset of a side."""
    chi, rate, turning = angle_at(part, now.q, p), angle_at(part, now.v, p), angle_at(part, now.a, p)
    x, y = part.side_data[p, at.SIDE_X], part.side_data[p, at.SIDE_Y]
    return offset_point(part, now, part.side[p, at.SIDE_LINK], chi, rate, turning, x, y)


@njit_part
def find_gaps(part, now, work):
    """Gaps, their rates and accelerations."""
    side, gap, gap_rate, gap_acceleration = part.side, work.gap, work.gap_rate, work.gap_acceleration
    for r in range(gap.shape[0]):
        gap[r], gap_rate[r], gap_acceleration[r] = 0.0, 0.0, 0.0
    for p in range(side.shape[0]):
        row, sign, point = side[p, at.SIDE_ROW], sign_of(p), offset_of(part, now, p)
        for axis in range(2):
            place, speed, push = point.d[axis], point.v[axis], point.a[axis]
            for a in range(side[p, at.SIDE_COUNT]):
                k, weight = side[p, at.SIDE_NODES + 2 * a], part.side_data[p, at.SIDE_WEIGHT + a]
                if k >= 0:
                    place += weight * now.q[k + axis]
                    speed += weight * now.v[k + axis]
                    push += weight * now.a[k + axis]
            gap[row + axis] += sign * place
            gap_rate[row + axis] += sign * speed
            gap_acceleration[row + axis] += sign * push
        if side[p, at.SIDE_ROWS] == 3:
            chi, rate, turning = angle_at(part, now.q, p), angle_at(part, now.v, p), angle_at(part, now.a, p)
            if side[p, at.SIDE_KIND] == at.PIN:
                i = side[p, at.SIDE_LINK]
                chi += now.frame[at.ANGLE, i] - part.side_data[p, at.SIDE_ANGLE]
                rate, turning = rate + now.frame[at.RATE, i], turning + now.frame[at.ACCELERATION, i]
            gap[row + 2] += sign * chi
            gap_rate[row + 2] += sign * rate
            gap_acceleration[row + 2] += sign * turning


@njit_part
def add_constraint_forces(part, now, f, torques):
    """Add the forces to f, and to `torques` what falls on the first section of a link that carries a side."""
    side, lam = part.side, now.lam
    for p in range(side.shape[0]):
        row, sign, t, i = side[p, at.SIDE_ROW], sign_of(p), offset_of(part, now, p).t, side[p, at.SIDE_LINK]
        fx, fy = sign * lam[row], sign * lam[row + 1]
        moment = t[0] * fx + t[1] * fy
        if side[p, at.SIDE_ROWS] == 3:
            moment += sign * lam[row + 2]
        for a in range(side[p, at.SIDE_COUNT]):
            k, angle = side[p, at.SIDE_NODES + 2 * a], side[p, at.SIDE_NODES + 2 * a + 1]
            weight = part.side_data[p, at.SIDE_WEIGHT + a]
            if k >= 0:
                f[k] += weight * fx
                f[k + 1] += weight * fy
            if angle >= 0:
                f[angle] += weight * moment
            if angle == part.joint[i, at.J_BASE] and side[p, at.SIDE_KIND] != at.CHILD:
                torques[i] += weight * moment


@njit_part
def constraint_curvature(part, now, band):
    """Derivative of the forces by the angles that turn the offsets."""
    side, weight, lam, b = part.side, part.side_data, now.lam, band.shape[1] // 2
    for p in range(side.shape[0]):
        row, turned = side[p, at.SIDE_ROW], offset_of(part, now, p).b
        value = sign_of(p) * (turned[0] * lam[row] + turned[1] * lam[row + 1])
        for m in range(side[p, at.SIDE_COUNT] if value != 0.0 else 0):
            for n in range(side[p, at.SIDE_COUNT]):
                i, j = side[p, at.SIDE_NODES + 2 * m + 1], side[p, at.SIDE_NODES + 2 * n + 1]
                if i >= 0 and j >= 0:
                    band[i, j - i + b] += weight[p, at.SIDE_WEIGHT + m] * weight[p, at.SIDE_WEIGHT + n] * value


@njit_part
def constraint_rows(part, now, work, speed):
    """Rows of G and D for d velocity / d position = `speed`; far nodes not yet condensed."""
    side, G, D = part.side, work.G, work.D
    for r in range(G.shape[0]):
        for k in range(G.shape[1]):
            G[r, k], D[r, k] = 0.0, 0.0
    for p in range(side.shape[0]):
        row, sign, point = side[p, at.SIDE_ROW], sign_of(p), offset_of(part, now, p)
        swing, _ = turning_terms(point, speed)
        for a in range(side[p, at.SIDE_COUNT]):
            k, t = side[p, at.SIDE_NODES + 2 * a], side[p, at.SIDE_NODES + 2 * a + 1]
            weight = sign * part.side_data[p, at.SIDE_WEIGHT + a]
            for axis in range(2):
                if k >= 0:
                    G[row + axis, k + axis] += weight
                    D[row + axis, k + axis] += weight * speed
                if t >= 0:
                    G[row + axis, t] += weight * point.t[axis]
                    D[row + axis, t] += weight * (speed * point.t[axis] + swing[axis])
            if t >= 0 and side[p, at.SIDE_ROWS] == 3:
                G[row + 2, t] += weight
                D[row + 2, t] += weight * speed
