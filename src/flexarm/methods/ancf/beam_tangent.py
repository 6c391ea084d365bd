"""Tangent of the beam elements of `beam`: derivative of elastic and damping forces by the vectors of the nodes.

Equations: A9.

At a point the strains depend on y = (a, b, gam, gamp), six numbers, with rates dy. The point matrix D (6, 8) collects A9 of
all strains there, its last two columns what damping adds by the rates of the shear angles; B and Y hold the derivatives of a
strain and of its rate by y. Kz (10, 12) is the tangent by vectors of the axis and node shear angles; then the derivatives of
these angles, U and V, come in. `speed` is d velocity / d position of the time scheme.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.beam import PLACE, along, shear_angle, turn_rate
from flexarm.methods.ancf.layout import SHEAR
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def stretch_sample(w, f, u, du, strain, stiff, beta, speed):
    """Add a strain f u(gam), u = cos or sin, to the point matrix; returns the torque on gam."""
    D, B, Y, ax, ay, dx, dy, turn = w.D, w.B[0], w.Y[0], w.y[0], w.y[1], w.dy[0], w.dy[1], w.dy[4]
    ff, along = f * f, (ax * dx + ay * dy) / f
    s = stiff * (strain + beta * (u * along + f * du * turn))
    B[0], B[1], B[4], B[5] = u * ax / f, u * ay / f, f * du, 0.0
    xx, xy, yy = u * (1.0 - ax * ax / ff) / f, -u * ax * ay / (ff * f), u * (1.0 - ay * ay / ff) / f
    Y[0] = xx * dx + xy * dy + du * ax / f * turn
    Y[1] = xy * dx + yy * dy + du * ay / f * turn
    Y[4] = du * along - f * u * turn
    for r in (0, 1, 4):
        for c in (0, 1, 4):
            D[r, c] += stiff * B[r] * ((1.0 + beta * speed) * B[c] + beta * Y[c])
        D[r, 6] += stiff * beta * B[r] * B[4]
    D[0, 0] += s * xx
    D[0, 1] += s * xy
    D[1, 0] += s * xy
    D[1, 1] += s * yy
    D[0, 4] += s * du * ax / f
    D[4, 0] += s * du * ax / f
    D[1, 4] += s * du * ay / f
    D[4, 1] += s * du * ay / f
    D[4, 4] -= s * f * u
    return s * f * du


@njit_part
def bending_sample(w, f, stiff, beta, speed):
    """Add the curvature to the point matrix; returns the moment."""
    D, B, Y = w.D, w.B[0], w.Y[0]
    ax, ay, bx, by, dx, dy, ex, ey = w.y[0], w.y[1], w.y[2], w.y[3], w.dy[0], w.dy[1], w.dy[2], w.dy[3]
    i2 = 1.0 / (f * f)
    i4, cross = i2 * i2, ax * by - ay * bx
    B[0], B[1] = by * i2 - 2.0 * cross * ax * i4, -bx * i2 - 2.0 * cross * ay * i4
    B[2], B[3], B[4], B[5] = -ay * i2, ax * i2, 0.0, -1.0
    s = stiff * (cross * i2 - w.y[5] + beta * (B[0] * dx + B[1] * dy + B[2] * ex + B[3] * ey - w.dy[5]))
    xx = -2.0 * (2.0 * by * ax + cross) * i4 + 8.0 * cross * ax * ax * i4 * i2
    yy = -2.0 * (-2.0 * bx * ay + cross) * i4 + 8.0 * cross * ay * ay * i4 * i2
    xy = -2.0 * (by * ay - bx * ax) * i4 + 8.0 * cross * ax * ay * i4 * i2
    m00, m01 = 2.0 * ax * ay * i4, i2 - 2.0 * ax * ax * i4
    m10, m11 = -i2 + 2.0 * ay * ay * i4, -2.0 * ax * ay * i4
    Y[0], Y[1] = xx * dx + xy * dy + m00 * ex + m01 * ey, xy * dx + yy * dy + m10 * ex + m11 * ey
    Y[2], Y[3], Y[5] = m00 * dx + m10 * dy, m01 * dx + m11 * dy, 0.0
    for r in (0, 1, 2, 3, 5):
        for c in (0, 1, 2, 3, 5):
            D[r, c] += stiff * B[r] * ((1.0 + beta * speed) * B[c] + beta * Y[c])
        D[r, 7] -= stiff * beta * B[r]
    D[0, 0] += s * xx
    D[0, 1] += s * xy
    D[1, 0] += s * xy
    D[1, 1] += s * yy
    D[0, 2] += s * m00
    D[0, 3] += s * m01
    D[1, 2] += s * m10
    D[1, 3] += s * m11
    D[2, 0] += s * m00
    D[3, 0] += s * m01
    D[2, 1] += s * m10
    D[3, 1] += s * m11
    return s


@njit_part
def spread(m, w, n, k):
    """Carry the matrix of point k to the vectors of the axis and the node shear angles."""
    D, T, Kz, slope, curve = w.D, w.T, w.Kz, m.slope[n, k], m.curve[n, max(0, k - 3)]
    sheared, length, low, high = m.kind[n] == SHEAR, m.length[n], 1.0 - PLACE[k], PLACE[k]
    for y in range(6 if sheared else 4):
        for j in range(4):
            for c in range(2):
                T[y, 2 * j + c] = D[y, c] * slope[j] + D[y, 2 + c] * curve[j]
        if sheared:
            T[y, 8] = D[y, 4] * low - D[y, 5] / length
            T[y, 9] = D[y, 4] * high + D[y, 5] / length
            T[y, 10] = D[y, 6] * low - D[y, 7] / length
            T[y, 11] = D[y, 6] * high + D[y, 7] / length
    columns = 12 if sheared else 8
    for j in range(4):
        for i in range(2):
            for c in range(columns):
                Kz[2 * j + i, c] += slope[j] * T[i, c] + curve[j] * T[2 + i, c]
    if sheared:
        for c in range(columns):
            Kz[8, c] += low * T[4, c] - T[5, c] / length
            Kz[9, c] += high * T[4, c] + T[5, c] / length


@njit_inline
def clear(block):
    """Zeros everywhere."""
    for r in range(block.shape[0]):
        for c in range(block.shape[1]):
            block[r, c] = 0.0


@njit_part
def beam_tangent(m, w, n, speed):
    """Tangent of beam element n into w.K (12, 12) for vectors w.e and rates w.d; the cable fills 8 by 8."""
    e, d, K, y, dy = w.e, w.d, w.K, w.y, w.dy
    length, beta, sheared = m.length[n], m.damping_time[n], m.kind[n] == SHEAR
    clear(w.Kz)
    clear(K)
    g0, g1, w0, w1, t0, t1 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if sheared:
        g0, g1 = shear_angle(e, 2, 8), shear_angle(e, 6, 10)
        w0, w1 = turn_rate(e, d, 2) - turn_rate(e, d, 8), turn_rate(e, d, 6) - turn_rate(e, d, 10)
    y[5], dy[5] = (g1 - g0) / length, (w1 - w0) / length
    for k in range(5):
        xi, slope = PLACE[k], m.slope[n, k]
        clear(w.D)
        y[0], y[1] = along(slope, e)
        dy[0], dy[1] = along(slope, d)
        f = math.sqrt(y[0] * y[0] + y[1] * y[1])
        y[4], dy[4] = (1.0 - xi) * g0 + xi * g1, (1.0 - xi) * w0 + xi * w1
        cos, sin, t = math.cos(y[4]), math.sin(y[4]), 0.0
        if k < 3:
            t = stretch_sample(w, f, cos, -sin, f * cos - 1.0, m.axial[n, k], beta, speed)
        else:
            y[2], y[3] = along(m.curve[n, k - 3], e)
            dy[2], dy[3] = along(m.curve[n, k - 3], d)
            moment = bending_sample(w, f, m.bending[n, k - 3], beta, speed)
            t0 += moment / length
            t1 -= moment / length
            if sheared:
                t = stretch_sample(w, f, sin, cos, f * sin, m.shear[n, k - 3], beta, speed)
        t0 += (1.0 - xi) * t
        t1 += xi * t
        spread(m, w, n, k)
    for i in range(8):
        for c in range(8):
            K[i, c] = w.Kz[i, c]
    if sheared:
        carry_angles(w)
        for k in range(2):
            angle_curve(e, 2 + 4 * k, 8 + 2 * k, t0 if k == 0 else t1, K)
            thickness(e, d, 8 + 2 * k, m.thickness[n, k], beta, speed, K)


@njit_part
def carry_angles(w):
    """From node shear angles to the vectors r_x and r_y; second derivatives of the angles are added by `angle_curve`."""
    U, V, K, Kz = w.U, w.V, w.K, w.Kz
    clear(U)
    clear(V)
    for n in range(2):
        angle_gradient(w.e, w.d, 2 + 4 * n, 8 + 2 * n, U[n], V[n])
    for n in range(2):
        for r in range(8):
            for c in range(12):
                K[r, c] += Kz[r, 8 + n] * U[n, c] + Kz[r, 10 + n] * V[n, c]
        for r in range(12):
            for c in range(8):
                K[r, c] += U[n, r] * Kz[8 + n, c]
            for k in range(2):
                for c in range(12):
                    K[r, c] += U[n, r] * (Kz[8 + n, 8 + k] * U[k, c] + Kz[8 + n, 10 + k] * V[k, c])


@njit_inline
def angle_gradient(e, d, x, y, U, V):
    """Gradient U of a node shear angle, and the change V of its rate with the vectors."""
    for place, sign in ((x, 1.0), (y, -1.0)):
        v1, v2 = e[place], e[place + 1]
        square = v1 * v1 + v2 * v2
        U[place], U[place + 1] = -sign * v2 / square, sign * v1 / square
        xx, xy = 2.0 * v1 * v2 / (square * square), (v2 * v2 - v1 * v1) / (square * square)
        V[place] = sign * (xx * d[place] + xy * d[place + 1])
        V[place + 1] = sign * (xy * d[place] - xx * d[place + 1])


@njit_inline
def angle_curve(e, x, y, torque, K):
    """Second derivative of a node shear angle times the torque on it."""
    for place, sign in ((x, torque), (y, -torque)):
        v1, v2 = e[place], e[place + 1]
        square = v1 * v1 + v2 * v2
        xx, xy = 2.0 * v1 * v2 / (square * square), (v2 * v2 - v1 * v1) / (square * square)
        K[place, place] += sign * xx
        K[place, place + 1] += sign * xy
        K[place + 1, place] += sign * xy
        K[place + 1, place + 1] -= sign * xx


@njit_inline
def thickness(e, d, y, stiff, beta, speed, K):
    """Tangent of the thickness strain of a node."""
    v1, v2, w1, w2 = e[y], e[y + 1], d[y], d[y + 1]
    s = stiff * (0.5 * (v1 * v1 + v2 * v2 - 1.0) + beta * (v1 * w1 + v2 * w2))
    grow = 1.0 + beta * speed
    K[y, y] += stiff * v1 * (grow * v1 + beta * w1) + s
    K[y, y + 1] += stiff * v1 * (grow * v2 + beta * w2)
    K[y + 1, y] += stiff * v2 * (grow * v1 + beta * w1)
    K[y + 1, y + 1] += stiff * v2 * (grow * v2 + beta * w2) + s
