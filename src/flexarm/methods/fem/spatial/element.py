"""The beam element: strains, their rates and the forces on its ends, for a group of elements (see `lanes`).

All in spatial vectors, with the frame Rm halfway between the sections, D = r2 - r1, psi = h kappa and d = Rm psi t(psi):

    spin of the middle      th_m = (th_1 + th_2) / 2 - d x (th_2 - th_1) / 2
    strain variations       Rm dGamma = (dD + D x th_m) / h,    dkappa = G(psi) Rm^T (th_2 - th_1) / h
    forces                  n = Rm N,  m = Rm G M,  q = n x D
    on the ends             -n, n;   q / 2 - (m + d x q / 2),   q / 2 + (m + d x q / 2)

G, t and their slopes are in `flexarm.numerics.rotations.spin_factors`. Rates are the same operators on velocities, so
Kelvin-Voigt damping does not see rigid motion. The linear theory has Rm of the stiff arm, psi = 0 and D = h e_x in the
operators, so it shares forces and tangent.
"""

from __future__ import annotations

import math

from flexarm.methods.fem.spatial.lanes import (
    Q_D,
    Q_DH,
    Q_DRAG,
    Q_DRAGS,
    Q_EA,
    Q_ELASTIC,
    Q_ENDS,
    Q_FORCE,
    Q_GAMMA,
    Q_H,
    Q_INVERSE,
    Q_KELVIN,
    Q_LOST,
    Q_M,
    Q_N,
    Q_ONE,
    Q_PSI,
    Q_Q,
    Q_R,
    Q_RATE,
    Q_RM,
    Q_SPACE,
    Q_SPIN,
    Q_STRAIN,
    Q_TH1,
    Q_TH2,
    Q_TILT,
    Q_TURN,
    Q_TWO,
    Q_V,
    WIDE,
)
from flexarm.methods.fem.spatial.triples import (
    add_three,
    back,
    dot,
    left,
    mix,
    mixed,
    nine,
    put_nine,
    put_three,
    three,
    times,
    vee,
)
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.numerics.rotations import (
    SIXTH,
    SMALL,
    THIRTIETH,
    TWENTY_FOURTH,
    exponential,
    small_spin_factors,
    spin_factors,
)


@njit_inside
def turn_between(q):
    """Sine vector of R1^T R2 into the rows of psi, its cosine into those of the tilt; returns the largest squared sine."""
    for e in range(WIDE):
        A, B = nine(q, Q_ONE + Q_TURN, e), nine(q, Q_TWO + Q_TURN, e)
        p, s, t = vee(A[:3], B[:3]), vee(A[3:6], B[3:6]), vee(A[6:], B[6:])
        sine = (-0.5 * (p[0] + s[0] + t[0]), -0.5 * (p[1] + s[1] + t[1]), -0.5 * (p[2] + s[2] + t[2]))
        trace = dot(A[:3], B[:3]) + dot(A[3:6], B[3:6]) + dot(A[6:], B[6:])
        put_three(q, Q_PSI, e, sine)
        put_three(q, Q_TILT, e, (0.5 * (trace - 1.0), dot(sine, sine), 0.0))
    largest = 0.0
    for e in range(WIDE):
        wide = q[(Q_TILT + 1) * WIDE + e] if q[Q_TILT * WIDE + e] > 0.0 else 1.0
        largest = max(largest, wide)
    return largest


@njit_inside
def small_factors(q):
    """Rotation vector and the factors of `spin_factors` and `exponential` by their series, for angles below a hundredth."""
    for e in range(WIDE):
        sine = q[(Q_TILT + 1) * WIDE + e]
        f = 1.0 + sine * SIXTH * (1.0 + sine * 0.45)
        x, y, z = three(q, Q_PSI, e)
        put_three(q, Q_PSI, e, (f * x, f * y, f * z))
        s = f * f * sine
        gamma, eta, t, d_gamma, d_eta, d_t = small_spin_factors(s)
        put_three(q, Q_GAMMA, e, (gamma, eta, t))
        put_three(q, Q_GAMMA + 3, e, (d_gamma, d_eta, d_t))
        u = 0.25 * s
        q[(Q_GAMMA + 6) * WIDE + e] = 1.0 - u * SIXTH * (1.0 - u * 0.05)
        q[(Q_GAMMA + 7) * WIDE + e] = 0.5 - u * TWENTY_FOURTH * (1.0 - u * THIRTIETH)


@njit_part
def large_factors(q):
    """The same for any angle below half a turn."""
    for e in range(WIDE):
        cosine, s = q[Q_TILT * WIDE + e], q[(Q_TILT + 1) * WIDE + e]
        if s < SMALL and cosine > 0.0:
            f = 1.0 + s * SIXTH * (1.0 + s * 0.45)
        else:
            sine = math.sqrt(s)
            f = math.atan2(sine, cosine) / max(sine, 1e-300)
        x, y, z = three(q, Q_PSI, e)
        put_three(q, Q_PSI, e, (f * x, f * y, f * z))
        gamma, eta, t, d_gamma, d_eta, d_t = spin_factors(f * f * s)
        put_three(q, Q_GAMMA, e, (gamma, eta, t))
        put_three(q, Q_GAMMA + 3, e, (d_gamma, d_eta, d_t))
        q[(Q_GAMMA + 6) * WIDE + e], q[(Q_GAMMA + 7) * WIDE + e] = exponential(0.25 * f * f * s)


@njit_inside
def halfway(q):
    """The frame in the middle, psi in space, and the tilt d."""
    for e in range(WIDE):
        R = nine(q, Q_ONE + Q_TURN, e)
        psi = times(R, three(q, Q_PSI, e))
        t, a, b = q[(Q_GAMMA + 2) * WIDE + e], q[(Q_GAMMA + 6) * WIDE + e], q[(Q_GAMMA + 7) * WIDE + e]
        put_three(q, Q_SPACE, e, psi)
        put_three(q, Q_TILT, e, (t * psi[0], t * psi[1], t * psi[2]))
        half = (0.5 * psi[0], 0.5 * psi[1], 0.5 * psi[2])
        once = left(half, R)
        put_nine(q, Q_RM, e, mixed(1.0, R, 1.0, mixed(a, once, b, left(half, once))))


@njit_inside
def strain(q):
    """Strains of the exact element."""
    for e in range(WIDE):
        one, two = three(q, Q_ONE + Q_R, e), three(q, Q_TWO + Q_R, e)
        D = (two[0] - one[0], two[1] - one[1], two[2] - one[2])
        put_three(q, Q_D, e, D)
        g, c, psi = back(nine(q, Q_RM, e), D), q[Q_INVERSE * WIDE + e], three(q, Q_PSI, e)
        put_three(q, Q_STRAIN, e, (g[0] * c - 1.0, g[1] * c, g[2] * c))
        put_three(q, Q_STRAIN + 3, e, (psi[0] * c, psi[1] * c, psi[2] * c))


@njit_inside
def strain_rate(q):
    """Rates of the strains of the exact element at fixed material."""
    for e in range(WIDE):
        one, two = three(q, Q_ONE + Q_V + 3, e), three(q, Q_TWO + Q_V + 3, e)
        D, R, psi = three(q, Q_D, e), nine(q, Q_RM, e), three(q, Q_PSI, e)
        gamma, eta, _ = three(q, Q_GAMMA, e)
        c, dh = q[Q_INVERSE * WIDE + e], q[Q_DH * WIDE + e]
        p = (two[0] - one[0], two[1] - one[1], two[2] - one[2])
        over = vee(three(q, Q_TILT, e), p)
        middle = (
            0.5 * (one[0] + two[0] - over[0]),
            0.5 * (one[1] + two[1] - over[1]),
            0.5 * (one[2] + two[2] - over[2]),
        )
        swept = vee(D, middle)
        one, two = three(q, Q_ONE + Q_V, e), three(q, Q_TWO + Q_V, e)
        u = back(R, (two[0] - one[0] + swept[0], two[1] - one[1] + swept[1], two[2] - one[2] + swept[2]))
        g, kappa = three(q, Q_STRAIN, e), three(q, Q_STRAIN + 3, e)
        put_three(q, Q_RATE, e, ((u[0] - (g[0] + 1.0) * dh) * c, (u[1] - g[1] * dh) * c, (u[2] - g[2] * dh) * c))
        p = back(R, p)
        p = mix(gamma, p, eta * dot(psi, p), psi)
        put_three(
            q, Q_RATE + 3, e, ((p[0] - kappa[0] * dh) * c, (p[1] - kappa[1] * dh) * c, (p[2] - kappa[2] * dh) * c)
        )


@njit_inside
def small_strain(q):
    """Strains and their rates for small displacements about the stiff arm, whose frame is that of the second end."""
    for e in range(WIDE):
        R, h, c, dh = nine(q, Q_TWO + Q_TURN, e), q[Q_H * WIDE + e], q[Q_INVERSE * WIDE + e], q[Q_DH * WIDE + e]
        put_nine(q, Q_RM, e, R)
        put_three(q, Q_PSI, e, (0.0, 0.0, 0.0))
        put_three(q, Q_SPACE, e, (0.0, 0.0, 0.0))
        put_three(q, Q_TILT, e, (0.0, 0.0, 0.0))
        put_three(q, Q_GAMMA, e, (1.0, 0.0, 0.25))
        put_three(q, Q_GAMMA + 3, e, (0.0, 0.0, 0.0))
        put_three(q, Q_D, e, (h * R[0], h * R[3], h * R[6]))
        D = mix(1.0, three(q, Q_TWO + Q_R, e), -1.0, three(q, Q_ONE + Q_R, e))
        middle = mix(0.5, three(q, Q_TH1, e), 0.5, three(q, Q_TH2, e))
        p, spin = mix(1.0, three(q, Q_TH2, e), -1.0, three(q, Q_TH1, e)), three(q, Q_SPIN, e)
        g, b, kappa = back(R, D), back(R, middle), back(R, p)
        put_three(q, Q_STRAIN, e, (g[0] * c - 1.0, g[1] * c - b[2], g[2] * c + b[1]))
        put_three(q, Q_STRAIN + 3, e, (kappa[0] * c, kappa[1] * c, kappa[2] * c))
        speed = mix(1.0, three(q, Q_TWO + Q_V, e), -1.0, three(q, Q_ONE + Q_V, e))
        one, two = three(q, Q_ONE + Q_V + 3, e), three(q, Q_TWO + Q_V + 3, e)
        u = back(R, mix(1.0, speed, -1.0, vee(spin, D)))
        b = back(R, mix(1.0, mix(1.0, mix(0.5, one, 0.5, two), -1.0, spin), -1.0, vee(spin, middle)))
        w = back(R, mix(1.0, mix(1.0, two, -1.0, one), -1.0, vee(spin, p)))
        put_three(
            q,
            Q_RATE,
            e,
            ((u[0] - g[0] * c * dh) * c, (u[1] - g[1] * c * dh) * c - b[2], (u[2] - g[2] * c * dh) * c + b[1]),
        )
        put_three(q, Q_RATE + 3, e, mix(c, w, -c * c * dh, kappa))


@njit_inside
def stress(q, damped):
    """Section forces and what damping adds; strain energy and the power that damping takes."""
    for e in range(WIDE):
        energy = 0.0
        for k in range(6):
            force = q[(Q_EA + k) * WIDE + e] * q[(Q_STRAIN + k) * WIDE + e]
            q[(Q_FORCE + k) * WIDE + e] = force
            energy += 0.5 * force * q[(Q_STRAIN + k) * WIDE + e]
        q[Q_ELASTIC * WIDE + e] = energy * q[Q_H * WIDE + e]
        q[Q_LOST * WIDE + e] = 0.0
    if not damped:
        return
    for e in range(WIDE):
        power = 0.0
        for k in range(6):
            drag = q[Q_KELVIN * WIDE + e] * q[(Q_EA + k) * WIDE + e] * q[(Q_RATE + k) * WIDE + e]
            q[(Q_DRAG + k) * WIDE + e] = drag
            power += drag * q[(Q_RATE + k) * WIDE + e]
        q[Q_LOST * WIDE + e] = power * q[Q_H * WIDE + e]


@njit_inside
def to_ends(q, forces, ends, more):
    """Put the section forces at `forces` on the two ends; n, m and q for the tangent, on top of those there if `more`."""
    for e in range(WIDE):
        R, D, tilt = nine(q, Q_RM, e), three(q, Q_D, e), three(q, Q_TILT, e)
        gamma, eta, _ = three(q, Q_GAMMA, e)
        n, M, space = times(R, three(q, forces, e)), three(q, forces + 3, e), three(q, Q_SPACE, e)
        m = mix(gamma, times(R, M), eta * dot(three(q, Q_PSI, e), M), space)
        lever = vee(n, D)
        over = mix(1.0, m, 0.5, vee(tilt, lever))
        put_three(q, ends, e, (-n[0], -n[1], -n[2]))
        put_three(q, ends + 3, e, mix(0.5, lever, -1.0, over))
        put_three(q, ends + 6, e, n)
        put_three(q, ends + 9, e, mix(0.5, lever, 1.0, over))
        if more:
            add_three(q, Q_N, e, n)
            add_three(q, Q_M, e, m)
            add_three(q, Q_Q, e, lever)
        else:
            put_three(q, Q_N, e, n)
            put_three(q, Q_M, e, m)
            put_three(q, Q_Q, e, lever)


@njit_inside
def elastic_forces(q, exact, damped):
    """Elastic and damping forces on the ends of all elements of a group."""
    if exact:
        if turn_between(q) < SMALL:
            small_factors(q)
        else:
            large_factors(q)
        halfway(q)
        strain(q)
        if damped:
            strain_rate(q)
    else:
        small_strain(q)
    stress(q, damped)
    to_ends(q, Q_FORCE, Q_ENDS, 0)
    if damped:
        to_ends(q, Q_DRAG, Q_DRAGS, 1)
    if not exact:  # the linear theory has no geometric stiffness
        for k in range(9 * WIDE):
            q[Q_N * WIDE + k] = 0.0
