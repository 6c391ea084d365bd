"""The beam element: strains, their rates and the forces on its ends, for a group of elements (see `simd`).

All in spatial vectors, with the frame Rm halfway between the sections, D = r2 - r1, psi = h kappa and d = Rm psi t(psi):

    spin of the middle      th_m = (th_1 + th_2) / 2 - d x (th_2 - th_1) / 2
    strain variations       Rm dGamma = (dD + D x th_m) / h,    dkappa = G(psi) Rm^T (th_2 - th_1) / h
    forces                  n = Rm N,  m = Rm G M,  q = n x D
    on the ends             -n, n;   q / 2 - (m + d x q / 2),   q / 2 + (m + d x q / 2)

G, t and their slopes are in `flexarm.numerics.rotations.spin_factors`. Rates are the same operators on velocities, so
Kelvin-Voigt damping does not see rigid motion. The linear theory has Rm of the stiff arm, psi = 0 and D = h e_x in the
operators, so it shares forces and tangent.

Equations: S1, S2, S3, S4, S26.
"""

from __future__ import annotations

import math

from flexarm.methods.fem.spatial import simd, vec3
from flexarm.numerics import rotations
from flexarm.numerics.jit import njit_apart, njit_inside, njit_part


@njit_inside
def turn_between(q):
    """Sine vector of R1^T R2 into the rows of psi, its cosine into those of the tilt; returns the largest squared sine."""
    for e in range(simd.WIDE):
        A, B = vec3.nine(q, simd.ONE + simd.TURN, e), vec3.nine(q, simd.TWO + simd.TURN, e)
        p, s, t = vec3.cross(A[:3], B[:3]), vec3.cross(A[3:6], B[3:6]), vec3.cross(A[6:], B[6:])
        sine = (-0.5 * (p[0] + s[0] + t[0]), -0.5 * (p[1] + s[1] + t[1]), -0.5 * (p[2] + s[2] + t[2]))
        trace = vec3.dot(A[:3], B[:3]) + vec3.dot(A[3:6], B[3:6]) + vec3.dot(A[6:], B[6:])
        vec3.put_three(q, simd.PSI, e, sine)
        vec3.put_three(q, simd.TILT, e, (0.5 * (trace - 1.0), vec3.dot(sine, sine), 0.0))
    largest = 0.0
    for e in range(simd.WIDE):
        wide = q[(simd.TILT + 1) * simd.WIDE + e] if q[simd.TILT * simd.WIDE + e] > 0.0 else 1.0
        largest = max(largest, wide)
    return largest


@njit_inside
def small_factors(q):
    """Rotation vector and the factors of `spin_factors` and `exponential` by their series, for angles below a hundredth."""
    for e in range(simd.WIDE):
        sine = q[(simd.TILT + 1) * simd.WIDE + e]
        f = 1.0 + sine * rotations.SIXTH * (1.0 + sine * 0.45)
        x, y, z = vec3.three(q, simd.PSI, e)
        vec3.put_three(q, simd.PSI, e, (f * x, f * y, f * z))
        s = f * f * sine
        gamma, eta, t, d_gamma, d_eta, d_t = rotations.small_spin_factors(s)
        vec3.put_three(q, simd.GAMMA, e, (gamma, eta, t))
        vec3.put_three(q, simd.GAMMA + 3, e, (d_gamma, d_eta, d_t))
        u = 0.25 * s
        q[(simd.GAMMA + 6) * simd.WIDE + e] = 1.0 - u * rotations.SIXTH * (1.0 - u * 0.05)
        q[(simd.GAMMA + 7) * simd.WIDE + e] = 0.5 - u * rotations.TWENTY_FOURTH * (1.0 - u * rotations.THIRTIETH)


@njit_part
def large_factors(q):
    """The same for any angle below half a turn."""
    for e in range(simd.WIDE):
        cosine, s = q[simd.TILT * simd.WIDE + e], q[(simd.TILT + 1) * simd.WIDE + e]
        if s < rotations.SMALL and cosine > 0.0:
            f = 1.0 + s * rotations.SIXTH * (1.0 + s * 0.45)
        else:
            sine = math.sqrt(s)
            f = math.atan2(sine, cosine) / max(sine, 1e-300)
        x, y, z = vec3.three(q, simd.PSI, e)
        vec3.put_three(q, simd.PSI, e, (f * x, f * y, f * z))
        gamma, eta, t, d_gamma, d_eta, d_t = rotations.spin_factors(f * f * s)
        vec3.put_three(q, simd.GAMMA, e, (gamma, eta, t))
        vec3.put_three(q, simd.GAMMA + 3, e, (d_gamma, d_eta, d_t))
        q[(simd.GAMMA + 6) * simd.WIDE + e], q[(simd.GAMMA + 7) * simd.WIDE + e] = rotations.exponential(
            0.25 * f * f * s
        )


@njit_inside
def middle_frame(q):
    """The frame in the middle, psi in space, and the tilt d."""
    for e in range(simd.WIDE):
        R = vec3.nine(q, simd.ONE + simd.TURN, e)
        psi = vec3.times(R, vec3.three(q, simd.PSI, e))
        t, a, b = (
            q[(simd.GAMMA + 2) * simd.WIDE + e],
            q[(simd.GAMMA + 6) * simd.WIDE + e],
            q[(simd.GAMMA + 7) * simd.WIDE + e],
        )
        vec3.put_three(q, simd.SPACE, e, psi)
        vec3.put_three(q, simd.TILT, e, (t * psi[0], t * psi[1], t * psi[2]))
        half = (0.5 * psi[0], 0.5 * psi[1], 0.5 * psi[2])
        once = vec3.left(half, R)
        vec3.put_nine(q, simd.RM, e, vec3.mixed(1.0, R, 1.0, vec3.mixed(a, once, b, vec3.left(half, once))))


@njit_inside
def strain(q):
    """Strains of the exact element."""
    for e in range(simd.WIDE):
        one, two = vec3.three(q, simd.ONE + simd.R, e), vec3.three(q, simd.TWO + simd.R, e)
        D = (two[0] - one[0], two[1] - one[1], two[2] - one[2])
        vec3.put_three(q, simd.D, e, D)
        g, c, psi = vec3.into(vec3.nine(q, simd.RM, e), D), q[simd.INVERSE * simd.WIDE + e], vec3.three(q, simd.PSI, e)
        vec3.put_three(q, simd.STRAIN, e, (g[0] * c - 1.0, g[1] * c, g[2] * c))
        vec3.put_three(q, simd.STRAIN + 3, e, (psi[0] * c, psi[1] * c, psi[2] * c))


@njit_inside
def strain_rate(q):
    """Rates of the strains of the exact element at fixed material."""
    for e in range(simd.WIDE):
        one, two = vec3.three(q, simd.ONE + simd.V + 3, e), vec3.three(q, simd.TWO + simd.V + 3, e)
        D, R, psi = vec3.three(q, simd.D, e), vec3.nine(q, simd.RM, e), vec3.three(q, simd.PSI, e)
        gamma, eta, _ = vec3.three(q, simd.GAMMA, e)
        c, dh = q[simd.INVERSE * simd.WIDE + e], q[simd.DH * simd.WIDE + e]
        p = (two[0] - one[0], two[1] - one[1], two[2] - one[2])
        over = vec3.cross(vec3.three(q, simd.TILT, e), p)
        middle = (
            0.5 * (one[0] + two[0] - over[0]),
            0.5 * (one[1] + two[1] - over[1]),
            0.5 * (one[2] + two[2] - over[2]),
        )
        swept = vec3.cross(D, middle)
        one, two = vec3.three(q, simd.ONE + simd.V, e), vec3.three(q, simd.TWO + simd.V, e)
        u = vec3.into(R, (two[0] - one[0] + swept[0], two[1] - one[1] + swept[1], two[2] - one[2] + swept[2]))
        g, kappa = vec3.three(q, simd.STRAIN, e), vec3.three(q, simd.STRAIN + 3, e)
        vec3.put_three(
            q, simd.RATE, e, ((u[0] - (g[0] + 1.0) * dh) * c, (u[1] - g[1] * dh) * c, (u[2] - g[2] * dh) * c)
        )
        p = vec3.into(R, p)
        p = vec3.mix(gamma, p, eta * vec3.dot(psi, p), psi)
        vec3.put_three(
            q, simd.RATE + 3, e, ((p[0] - kappa[0] * dh) * c, (p[1] - kappa[1] * dh) * c, (p[2] - kappa[2] * dh) * c)
        )


@njit_apart
def small_strain(q):
    """Strains and their rates for small displacements about the stiff arm, whose frame is that of the second end."""
    for e in range(simd.WIDE):
        R, h, c, dh = (
            vec3.nine(q, simd.TWO + simd.TURN, e),
            q[simd.H * simd.WIDE + e],
            q[simd.INVERSE * simd.WIDE + e],
            q[simd.DH * simd.WIDE + e],
        )
        vec3.put_nine(q, simd.RM, e, R)
        vec3.put_three(q, simd.PSI, e, (0.0, 0.0, 0.0))
        vec3.put_three(q, simd.SPACE, e, (0.0, 0.0, 0.0))
        vec3.put_three(q, simd.TILT, e, (0.0, 0.0, 0.0))
        vec3.put_three(q, simd.GAMMA, e, (1.0, 0.0, 0.25))
        vec3.put_three(q, simd.GAMMA + 3, e, (0.0, 0.0, 0.0))
        vec3.put_three(q, simd.D, e, (h * R[0], h * R[3], h * R[6]))
        D = vec3.mix(1.0, vec3.three(q, simd.TWO + simd.R, e), -1.0, vec3.three(q, simd.ONE + simd.R, e))
        middle = vec3.mix(0.5, vec3.three(q, simd.TH1, e), 0.5, vec3.three(q, simd.TH2, e))
        p, spin = (
            vec3.mix(1.0, vec3.three(q, simd.TH2, e), -1.0, vec3.three(q, simd.TH1, e)),
            vec3.three(q, simd.SPIN, e),
        )
        g, b, kappa = vec3.into(R, D), vec3.into(R, middle), vec3.into(R, p)
        vec3.put_three(q, simd.STRAIN, e, (g[0] * c - 1.0, g[1] * c - b[2], g[2] * c + b[1]))
        vec3.put_three(q, simd.STRAIN + 3, e, (kappa[0] * c, kappa[1] * c, kappa[2] * c))
        speed = vec3.mix(1.0, vec3.three(q, simd.TWO + simd.V, e), -1.0, vec3.three(q, simd.ONE + simd.V, e))
        one, two = vec3.three(q, simd.ONE + simd.V + 3, e), vec3.three(q, simd.TWO + simd.V + 3, e)
        u = vec3.into(R, vec3.mix(1.0, speed, -1.0, vec3.cross(spin, D)))
        b = vec3.into(
            R, vec3.mix(1.0, vec3.mix(1.0, vec3.mix(0.5, one, 0.5, two), -1.0, spin), -1.0, vec3.cross(spin, middle))
        )
        w = vec3.into(R, vec3.mix(1.0, vec3.mix(1.0, two, -1.0, one), -1.0, vec3.cross(spin, p)))
        vec3.put_three(
            q,
            simd.RATE,
            e,
            ((u[0] - g[0] * c * dh) * c, (u[1] - g[1] * c * dh) * c - b[2], (u[2] - g[2] * c * dh) * c + b[1]),
        )
        vec3.put_three(q, simd.RATE + 3, e, vec3.mix(c, w, -c * c * dh, kappa))


@njit_inside
def stress(q, damped):
    """Section forces and what damping adds; strain energy and the power that damping takes."""
    for e in range(simd.WIDE):
        energy = 0.0
        for k in range(6):
            force = q[(simd.EA + k) * simd.WIDE + e] * q[(simd.STRAIN + k) * simd.WIDE + e]
            q[(simd.FORCE + k) * simd.WIDE + e] = force
            energy += 0.5 * force * q[(simd.STRAIN + k) * simd.WIDE + e]
        q[simd.ELASTIC * simd.WIDE + e] = energy * q[simd.H * simd.WIDE + e]
        q[simd.LOST * simd.WIDE + e] = 0.0
    if not damped:
        return
    for e in range(simd.WIDE):
        power = 0.0
        for k in range(6):
            drag = (
                q[simd.KELVIN * simd.WIDE + e] * q[(simd.EA + k) * simd.WIDE + e] * q[(simd.RATE + k) * simd.WIDE + e]
            )
            q[(simd.DRAG + k) * simd.WIDE + e] = drag
            power += drag * q[(simd.RATE + k) * simd.WIDE + e]
        q[simd.LOST * simd.WIDE + e] = power * q[simd.H * simd.WIDE + e]


@njit_inside
def put_on_ends(q, forces, ends, more):
    """Put the section forces at `forces` on the two ends; n, m and q for the tangent, on top of those there if `more`."""
    for e in range(simd.WIDE):
        R, D, tilt = vec3.nine(q, simd.RM, e), vec3.three(q, simd.D, e), vec3.three(q, simd.TILT, e)
        gamma, eta, _ = vec3.three(q, simd.GAMMA, e)
        n, M, space = (
            vec3.times(R, vec3.three(q, forces, e)),
            vec3.three(q, forces + 3, e),
            vec3.three(q, simd.SPACE, e),
        )
        m = vec3.mix(gamma, vec3.times(R, M), eta * vec3.dot(vec3.three(q, simd.PSI, e), M), space)
        lever = vec3.cross(n, D)
        over = vec3.mix(1.0, m, 0.5, vec3.cross(tilt, lever))
        vec3.put_three(q, ends, e, (-n[0], -n[1], -n[2]))
        vec3.put_three(q, ends + 3, e, vec3.mix(0.5, lever, -1.0, over))
        vec3.put_three(q, ends + 6, e, n)
        vec3.put_three(q, ends + 9, e, vec3.mix(0.5, lever, 1.0, over))
        if more:
            vec3.add_three(q, simd.N, e, n)
            vec3.add_three(q, simd.M, e, m)
            vec3.add_three(q, simd.Q, e, lever)
        else:
            vec3.put_three(q, simd.N, e, n)
            vec3.put_three(q, simd.M, e, m)
            vec3.put_three(q, simd.Q, e, lever)


@njit_apart
def elastic_forces(q, exact, damped):
    """Elastic and damping forces on the ends of all elements of a group."""
    if exact:
        if turn_between(q) < rotations.SMALL:
            small_factors(q)
        else:
            large_factors(q)
        middle_frame(q)
        strain(q)
        if damped:
            strain_rate(q)
    else:
        small_strain(q)
    stress(q, damped)
    put_on_ends(q, simd.FORCE, simd.ENDS, 0)
    if damped:
        put_on_ends(q, simd.DRAG, simd.DRAGS, 1)
    if not exact:  # the linear theory has no geometric stiffness
        for k in range(9 * simd.WIDE):
            q[simd.N * simd.WIDE + k] = 0.0
