"""How the vector of a section turns: the acceleration of its angle, and derivatives.

Equations: A15, A17.
"""

from __future__ import annotations

from flexarm.numerics.jit import njit_part


@njit_part
def turn_acceleration(q, v, a, p):
    """Turning acceleration of the vector at p."""
    x, y = q[p], q[p + 1]
    square = x * x + y * y
    rate = (x * v[p + 1] - y * v[p]) / square
    return (x * a[p + 1] - y * a[p]) / square - 2.0 * rate * (x * v[p] + y * v[p + 1]) / square


@njit_part
def rate_slopes(q, v, p, speed):
    """Rate of the angle of the vector at p, and its derivative by the vector, velocities following by `speed`."""
    x, y = q[p], q[p + 1]
    square = x * x + y * y
    gx, gy = -y / square, x / square
    rate = gx * v[p] + gy * v[p + 1]
    return rate, (v[p + 1] - 2.0 * rate * x) / square + speed * gx, (-v[p] - 2.0 * rate * y) / square + speed * gy


@njit_part
def angle_slopes(q, v, a, p, speed, push, share):
    """Gradient of the angle of the vector at p, and the derivative of its acceleration by the vector.

    Velocities follow by `speed`, accelerations by `push`; `share` scales all but the latter.
    """
    x, y = q[p], q[p + 1]
    square = x * x + y * y
    gx, gy = -y / square, x / square
    along, bent = (x * v[p] + y * v[p + 1]) / square, gx * a[p] + gy * a[p + 1]
    rate, wx, wy = rate_slopes(q, v, p, speed)
    lx, ly = (v[p] + (speed - 2.0 * along) * x) / square, (v[p + 1] + (speed - 2.0 * along) * y) / square
    sx = push * gx + share * ((a[p + 1] - 2.0 * bent * x) / square - 2.0 * (along * wx + rate * lx))
    sy = push * gy + share * ((-a[p] - 2.0 * bent * y) / square - 2.0 * (along * wy + rate * ly))
    return gx, gy, sx, sy
