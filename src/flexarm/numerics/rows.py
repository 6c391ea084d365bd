"""Drive table rows inside a step: motion by quintic Hermite interpolation, torque and gains linearly."""

from __future__ import annotations

from flexarm.numerics.jit import njit


@njit
def inside_row(first, last, h, share, out):
    """Row (channels, 7) at the fraction `share` of a step of length h between two rows."""
    s = share
    for c in range(first.shape[0]):
        p0, v0, a0 = first[c, 0], first[c, 1] * h, first[c, 2] * h * h
        p1, v1, a1 = last[c, 0], last[c, 1] * h, last[c, 2] * h * h
        # p = p0 + v0 s + a0/2 s^2 + c3 s^3 + c4 s^4 + c5 s^5
        d0 = p1 - p0 - v0 - 0.5 * a0
        d1 = v1 - v0 - a0
        d2 = a1 - a0
        c3 = 10.0 * d0 - 4.0 * d1 + 0.5 * d2
        c4 = -15.0 * d0 + 7.0 * d1 - d2
        c5 = 6.0 * d0 - 3.0 * d1 + 0.5 * d2
        out[c, 0] = p0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))
        out[c, 1] = (v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h
        out[c, 2] = (a0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5))) / (h * h)
        for k in range(3, first.shape[1]):
            out[c, k] = first[c, k] + s * (last[c, k] - first[c, k])
