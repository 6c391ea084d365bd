"""The beam element: strains, their rates, section forces, and the tangent.

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

from flexarm.methods.fem.spatial.layout import M_EA, M_KELVIN
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rotations import apply, apply_back, cross, relative, spin_factors, turn

# scratch vector: strain (6), rate (6), conservative and damping forces in section axes (6 each), psi, D, d, n, m, q
S_STRAIN, S_RATE, S_FORCE, S_DRAG, S_PSI, S_D, S_TILT, S_N, S_M, S_Q, S_GAMMA = 0, 6, 12, 18, 24, 27, 30, 33, 36, 39, 42
S_SIZE = 50
# scratch matrices (rows of nine): 0 the frame in the middle
W_RM, W_A, W_P, W_H, W_T1, W_T2, W_T3, W_KSR, W_KRS, W_KRR, W_KSS, W_KDR, W_KRD = range(13)
W_ROWS = 14


@njit_part
def strains(f1, f2, h, dh, damped, r, R, v, w, s):
    """Strains of the exact element and, if it is damped, their rates; dh is the rate of its length."""
    x, y, z = relative(R, f1, R, f2)
    sx, sy, sz = apply(R, f1, x, y, z)
    turn(0.5 * sx, 0.5 * sy, 0.5 * sz, R, f1, w, W_RM)
    gamma, eta, t, d_gamma, d_eta, d_t = spin_factors(x * x + y * y + z * z)
    s[S_PSI], s[S_PSI + 1], s[S_PSI + 2] = x, y, z
    s[S_GAMMA], s[S_GAMMA + 1], s[S_GAMMA + 2], s[S_GAMMA + 3] = gamma, eta, d_gamma, d_eta
    s[S_GAMMA + 4], s[S_GAMMA + 5] = t, d_t
    ax, ay, az = t * sx, t * sy, t * sz
    s[S_TILT], s[S_TILT + 1], s[S_TILT + 2] = ax, ay, az
    dx, dy, dz = r[f2, 0] - r[f1, 0], r[f2, 1] - r[f1, 1], r[f2, 2] - r[f1, 2]
    s[S_D], s[S_D + 1], s[S_D + 2] = dx, dy, dz
    gx, gy, gz = apply_back(w, W_RM, dx, dy, dz)
    s[0], s[1], s[2] = gx / h - 1.0, gy / h, gz / h
    s[3], s[4], s[5] = x / h, y / h, z / h
    if not damped:
        for k in range(6):
            s[S_RATE + k] = 0.0
        return
    ox, oy, oz = v[f2, 3] - v[f1, 3], v[f2, 4] - v[f1, 4], v[f2, 5] - v[f1, 5]
    cx, cy, cz = cross(ax, ay, az, ox, oy, oz)
    mx, my, mz = (
        0.5 * (v[f1, 3] + v[f2, 3] - cx), 0.5 * (v[f1, 4] + v[f2, 4] - cy), 0.5 * (v[f1, 5] + v[f2, 5] - cz),
    )  # fmt: skip
    cx, cy, cz = cross(dx, dy, dz, mx, my, mz)
    ux, uy, uz = v[f2, 0] - v[f1, 0] + cx, v[f2, 1] - v[f1, 1] + cy, v[f2, 2] - v[f1, 2] + cz
    ux, uy, uz = apply_back(w, W_RM, ux, uy, uz)
    s[6], s[7], s[8] = (ux - (s[0] + 1.0) * dh) / h, (uy - s[1] * dh) / h, (uz - s[2] * dh) / h
    ox, oy, oz = apply_back(w, W_RM, ox, oy, oz)
    along = eta * (x * ox + y * oy + z * oz)
    s[9] = (gamma * ox + along * x - s[3] * dh) / h
    s[10] = (gamma * oy + along * y - s[4] * dh) / h
    s[11] = (gamma * oz + along * z - s[5] * dh) / h


@njit_part
def small_strains(f1, f2, h, dh, damped, r, R, th, v, nv, w, s):
    """Strains of small displacements about the stiff arm, whose rotation is R and whose spin is in nv."""
    for k in range(9):
        w[W_RM, k] = R[f2, k]
    for k in range(S_PSI, S_SIZE):
        s[k] = 0.0
    s[S_GAMMA], s[S_GAMMA + 4] = 1.0, 0.25
    for k in range(3):
        s[S_D + k] = h * R[f2, 3 * k]
    dx, dy, dz = r[f2, 0] - r[f1, 0], r[f2, 1] - r[f1, 1], r[f2, 2] - r[f1, 2]
    mx, my, mz = 0.5 * (th[f1, 0] + th[f2, 0]), 0.5 * (th[f1, 1] + th[f2, 1]), 0.5 * (th[f1, 2] + th[f2, 2])
    kx, ky, kz = th[f2, 0] - th[f1, 0], th[f2, 1] - th[f1, 1], th[f2, 2] - th[f1, 2]
    gx, gy, gz = apply_back(R, f2, dx, dy, dz)
    _, by, bz = apply_back(R, f2, mx, my, mz)
    s[0], s[1], s[2] = gx / h - 1.0, gy / h - bz, gz / h + by
    bx, by, bz = apply_back(R, f2, kx, ky, kz)
    s[3], s[4], s[5] = bx / h, by / h, bz / h
    for k in range(6):
        s[S_RATE + k] = 0.0
    if not damped:
        return
    ox, oy, oz = nv[f2, 3], nv[f2, 4], nv[f2, 5]
    cx, cy, cz = cross(ox, oy, oz, dx, dy, dz)
    ux, uy, uz = apply_back(R, f2, v[f2, 0] - v[f1, 0] - cx, v[f2, 1] - v[f1, 1] - cy, v[f2, 2] - v[f1, 2] - cz)
    cx, cy, cz = cross(ox, oy, oz, mx, my, mz)
    _, by, bz = apply_back(
        R, f2, 0.5 * (v[f1, 3] + v[f2, 3]) - cx, 0.5 * (v[f1, 4] + v[f2, 4]) - cy, 0.5 * (v[f1, 5] + v[f2, 5]) - cz
    )
    s[6], s[7], s[8] = (ux - gx / h * dh) / h, (uy - gy / h * dh) / h - bz, (uz - gz / h * dh) / h + by
    cx, cy, cz = cross(ox, oy, oz, kx, ky, kz)
    ux, uy, uz = apply_back(R, f2, v[f2, 3] - v[f1, 3] - cx, v[f2, 4] - v[f1, 4] - cy, v[f2, 5] - v[f1, 5] - cz)
    s[9], s[10], s[11] = (ux - s[3] * dh) / h, (uy - s[4] * dh) / h, (uz - s[5] * dh) / h


@njit_part
def stresses(e, mfig, s):
    """Section forces and what damping adds; returns strain energy per length and the power that damping takes per length."""
    energy, power, kelvin = 0.0, 0.0, mfig[e, M_KELVIN]
    for k in range(6):
        stiff = mfig[e, M_EA + k]
        s[S_FORCE + k] = stiff * s[k]
        s[S_DRAG + k] = kelvin * stiff * s[S_RATE + k]
        energy += 0.5 * stiff * s[k] * s[k]
        power += s[S_DRAG + k] * s[S_RATE + k]
    return energy, power


@njit_part
def to_ends(f1, f2, place, linear, w, s, f):
    """Put the section forces at `place` in the scratch vector on the two ends; adds up n, m and q for the tangent."""
    nx, ny, nz = apply(w, W_RM, s[place], s[place + 1], s[place + 2])
    a, b, c = s[place + 3], s[place + 4], s[place + 5]
    along = s[S_GAMMA + 1] * (s[S_PSI] * a + s[S_PSI + 1] * b + s[S_PSI + 2] * c)
    g = s[S_GAMMA]
    mx, my, mz = apply(w, W_RM, g * a + along * s[S_PSI], g * b + along * s[S_PSI + 1], g * c + along * s[S_PSI + 2])
    qx, qy, qz = cross(nx, ny, nz, s[S_D], s[S_D + 1], s[S_D + 2])
    tx, ty, tz = cross(s[S_TILT], s[S_TILT + 1], s[S_TILT + 2], qx, qy, qz)
    ex, ey, ez = mx + 0.5 * tx, my + 0.5 * ty, mz + 0.5 * tz
    f[f1, 0] -= nx
    f[f1, 1] -= ny
    f[f1, 2] -= nz
    f[f2, 0] += nx
    f[f2, 1] += ny
    f[f2, 2] += nz
    f[f1, 3] += 0.5 * qx - ex
    f[f1, 4] += 0.5 * qy - ey
    f[f1, 5] += 0.5 * qz - ez
    f[f2, 3] += 0.5 * qx + ex
    f[f2, 4] += 0.5 * qy + ey
    f[f2, 5] += 0.5 * qz + ez
    if not linear:  # the linear theory has no geometric stiffness
        s[S_N] += nx
        s[S_N + 1] += ny
        s[S_N + 2] += nz
        s[S_M] += mx
        s[S_M + 1] += my
        s[S_M + 2] += mz
        s[S_Q] += qx
        s[S_Q + 1] += qy
        s[S_Q + 2] += qz
