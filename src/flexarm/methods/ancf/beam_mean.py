"""Forces of the beam elements over a whole step whose work is exactly the change of their energy.

Equations: A29, A30.

Every strain is a function of squares and products of the vectors, whose change over a step is linear in the mean shape:
d(a.a) = 2 a_m.da, d(a x b) = a_m x db + da x b_m. Differences of roots, quotients, sines and arctangents of them are
written out, so that mean stress times difference of strain is the work of the forces, with no division by a vanishing
step. Forces built this way also leave momentum and angular momentum alone.

Legend: 0 and 1 mark start and end of the step.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.beam import PLACE, along, put_axis, shear_angle
from flexarm.methods.ancf.layout import SHEAR
from flexarm.numerics.jit import njit_inline, njit_part


@njit_inline
def chord_factor(x):
    """sin(x/2)/(x/2)."""
    return 1.0 - x * x / 24.0 if abs(x) < 1e-4 else math.sin(0.5 * x) / (0.5 * x)


@njit_inline
def put_mean_angle(e0, e1, x, y, torque, F):
    """Torque on a node shear angle, as forces that do its work over the step."""
    u0, v0 = e0[x] * e0[y] + e0[x + 1] * e0[y + 1], e0[x] * e0[y + 1] - e0[x + 1] * e0[y]
    u1, v1 = e1[x] * e1[y] + e1[x + 1] * e1[y + 1], e1[x] * e1[y + 1] - e1[x + 1] * e1[y]
    across, forward = u1 * v0 - u0 * v1, u0 * u1 + v0 * v1
    scale = torque / forward
    if abs(across) > 1e-7 * forward:
        scale = torque * math.atan2(across, forward) / across
    u, v = 0.5 * (u0 + u1), 0.5 * (v0 + v1)
    xx, xy = 0.5 * (e0[x] + e1[x]), 0.5 * (e0[x + 1] + e1[x + 1])
    yx, yy = 0.5 * (e0[y] + e1[y]), 0.5 * (e0[y + 1] + e1[y + 1])
    F[x] += scale * (v * yx - u * yy)
    F[x + 1] += scale * (v * yy + u * yx)
    F[y] += scale * (v * xx + u * xy)
    F[y + 1] += scale * (v * xy - u * xx)


@njit_part
def beam_mean(m, w, n, beta, h):
    """Mean forces of element n into w.F (12,) over a step of length h from w.e to w.d, with the Kelvin-Voigt time beta."""
    e0, e1, F, sheared, length = w.e, w.d, w.F, m.kind[n] == SHEAR, m.length[n]
    for k in range(12):
        F[k] = 0.0
    mean, rate = 0.5 + beta / h, 0.5 - beta / h  # stress = D (mean strain1 + rate strain0)
    p0, p1, q0, q1 = 0.0, 0.0, 0.0, 0.0
    if sheared:
        p0, p1, q0, q1 = shear_angle(e0, 2, 8), shear_angle(e1, 2, 8), shear_angle(e0, 6, 10), shear_angle(e1, 6, 10)
    t0, t1 = 0.0, 0.0
    for k in range(5):
        xi, slope = PLACE[k], m.slope[n, k]
        a0, a1 = along(slope, e0), along(slope, e1)
        s0, s1 = a0[0] ** 2 + a0[1] ** 2, a1[0] ** 2 + a1[1] ** 2
        f0, f1 = math.sqrt(s0), math.sqrt(s1)
        ax, ay = 0.5 * (a0[0] + a1[0]), 0.5 * (a0[1] + a1[1])
        g0, g1 = (1.0 - xi) * p0 + xi * q0, (1.0 - xi) * p1 + xi * q1
        c0, c1, z0, z1 = math.cos(g0), math.cos(g1), math.sin(g0), math.sin(g1)
        middle, turn = 0.5 * (g0 + g1), chord_factor(g1 - g0)
        if k < 3:
            force = m.axial[n, k] * (mean * (f1 * c1 - 1.0) + rate * (f0 * c0 - 1.0))
            scale = force * (c0 + c1) / (f0 + f1)
            put_axis(slope, scale * ax, scale * ay, F)
            torque = -force * 0.5 * (f0 + f1) * math.sin(middle) * turn
            t0 += (1.0 - xi) * torque
            t1 += xi * torque
            continue
        curve = m.curve[n, k - 3]
        b0, b1 = along(curve, e0), along(curve, e1)
        bx, by = 0.5 * (b0[0] + b1[0]), 0.5 * (b0[1] + b1[1])
        x0, x1 = a0[0] * b0[1] - a0[1] * b0[0], a1[0] * b1[1] - a1[1] * b1[0]
        moment = m.bending[n, k - 3] * (mean * (x1 / s1 - (q1 - p1) / length) + rate * (x0 / s0 - (q0 - p0) / length))
        across, forward = 0.5 * moment * (1.0 / s0 + 1.0 / s1), moment * (x0 + x1) / (s0 * s1)
        put_axis(slope, across * by - forward * ax, -across * bx - forward * ay, F)
        put_axis(curve, -across * ay, across * ax, F)
        t0 += moment / length
        t1 -= moment / length
        if sheared:
            force = m.shear[n, k - 3] * (mean * f1 * z1 + rate * f0 * z0)
            scale = force * (z0 + z1) / (f0 + f1)
            put_axis(slope, scale * ax, scale * ay, F)
            torque = force * 0.5 * (f0 + f1) * math.cos(middle) * turn
            t0 += (1.0 - xi) * torque
            t1 += xi * torque
    if sheared:
        for k in range(2):
            y = 8 + 2 * k
            put_mean_angle(e0, e1, 2 + 4 * k, y, t0 if k == 0 else t1, F)
            strain = mean * 0.5 * (e1[y] ** 2 + e1[y + 1] ** 2 - 1.0) + rate * 0.5 * (e0[y] ** 2 + e0[y + 1] ** 2 - 1.0)
            F[y] += m.thickness[n, k] * strain * 0.5 * (e0[y] + e1[y])
            F[y + 1] += m.thickness[n, k] * strain * 0.5 * (e0[y + 1] + e1[y + 1])
