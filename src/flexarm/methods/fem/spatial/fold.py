"""From frames to unknowns: how unknowns move the frames, and how forces on frames act on the unknowns.

A frame S behind a joint or a rigid link moves with the frame P before it and with the deviation psi of the joint,

    th_S = th_P + a psi,   r_S = r_P + th_S x p,    so    f_P += f_S,  m_P += m_S + p x f_S,  row of psi = a . (m_S + p x f_S);

a joint that slides has a psi in r_S instead. `motion` keeps the matrices of this for every frame (identity for nodes), so
that elements and bodies are assembled the same way wherever they hang.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.layout import (
    DERIVED,
    F_COUNT,
    F_JOINT,
    F_KIND,
    F_PARENT,
    F_PLAIN,
    J_PSI,
    J_SLIDES,
    PLAIN,
    SLID,
)
from flexarm.numerics.jit import njit, njit_inside, njit_part
from flexarm.numerics.rotations import cross


@njit
def motion(frames, joint, axis, lever, T):
    """Fill T (F, 6, most): displacement and spin of every frame that follows, per unknown that moves it.

    That of frames that move as a node does is the identity, and stays it."""
    for f in range(frames.shape[0]):
        if frames[f, F_PLAIN] >= PLAIN:
            continue
        P, i = frames[f, F_PARENT], frames[f, F_JOINT]
        before = frames[P, F_COUNT]
        for c in range(before):
            x, y, z = T[P, 3, c], T[P, 4, c], T[P, 5, c]
            dx, dy, dz = cross(x, y, z, lever[f, 0], lever[f, 1], lever[f, 2])
            T[f, 0, c], T[f, 1, c], T[f, 2, c] = T[P, 0, c] + dx, T[P, 1, c] + dy, T[P, 2, c] + dz
            T[f, 3, c], T[f, 4, c], T[f, 5, c] = x, y, z
        if frames[f, F_COUNT] > before:
            x, y, z = axis[f, 0], axis[f, 1], axis[f, 2]
            if joint[i, J_SLIDES]:
                T[f, 0, before], T[f, 1, before], T[f, 2, before] = x, y, z
                T[f, 3, before] = T[f, 4, before] = T[f, 5, before] = 0.0
            else:
                dx, dy, dz = cross(x, y, z, lever[f, 0], lever[f, 1], lever[f, 2])
                T[f, 0, before], T[f, 1, before], T[f, 2, before] = dx, dy, dz
                T[f, 3, before], T[f, 4, before], T[f, 5, before] = x, y, z


@njit_inside
def fold_forces(frames, joint, axis, lever, f, rows):
    """Carry the forces on frames that follow to those before; rows[i] gets what acts along joint i."""
    for n in range(frames.shape[0]):
        S = frames.shape[0] - 1 - n
        if frames[S, F_KIND] < DERIVED:
            continue
        P, i = frames[S, F_PARENT], frames[S, F_JOINT]
        mx, my, mz = cross(lever[S, 0], lever[S, 1], lever[S, 2], f[S, 0], f[S, 1], f[S, 2])
        mx, my, mz = mx + f[S, 3], my + f[S, 4], mz + f[S, 5]
        for k in range(3):
            f[P, k] += f[S, k]
        f[P, 3] += mx
        f[P, 4] += my
        f[P, 5] += mz
        if i >= 0:
            if not joint[i, J_SLIDES]:
                rows[i] += axis[S, 0] * mx + axis[S, 1] * my + axis[S, 2] * mz
            elif frames[S, F_KIND] == SLID:
                rows[i] += axis[S, 0] * f[S, 0] + axis[S, 1] * f[S, 1] + axis[S, 2] * f[S, 2]


@njit_part
def add_block(f, g, r0, c0, frames, moved, T, K, band):
    """Add the 6 x 6 block of K that begins at (r0, c0), between frames f (rows) and g (columns)."""
    flat, spot, b = band[0], band[1], band[1].shape[1] // 2
    plain_f, plain_g = frames[f, F_KIND] < DERIVED, frames[g, F_KIND] < DERIVED
    for i in range(frames[f, F_COUNT]):
        row = moved[f, i]
        for j in range(frames[g, F_COUNT]):
            total = 0.0
            if plain_f and plain_g:
                total = K[r0 + i, c0 + j]
            elif plain_f:
                for k in range(6):
                    total += K[r0 + i, c0 + k] * T[g, k, j]
            elif plain_g:
                for k in range(6):
                    total += T[f, k, i] * K[r0 + k, c0 + j]
            else:
                for k in range(6):
                    part = 0.0
                    for n in range(6):
                        part += K[r0 + k, c0 + n] * T[g, n, j]
                    total += T[f, k, i] * part
            flat[spot[row, moved[g, j] - row + b]] += total


@njit_part
def fold_stiffness(frames, joint, moved, axis, lever, T, fc, fd, band):
    """Add what the change of axes and levers does to the forces that are carried over."""
    flat, spot, b = band[0], band[1], band[1].shape[1] // 2
    for S in range(frames.shape[0]):
        if frames[S, F_PLAIN] >= PLAIN or frames[S, F_COUNT] == 0:
            continue
        P, i = frames[S, F_PARENT], frames[S, F_JOINT]
        p = (lever[S, 0], lever[S, 1], lever[S, 2])
        F = (fc[S, 0] + fd[S, 0], fc[S, 1] + fd[S, 1], fc[S, 2] + fd[S, 2])
        inner = p[0] * F[0] + p[1] * F[1] + p[2] * F[2]
        before, count = frames[P, F_COUNT], frames[S, F_COUNT]
        a = (axis[S, 0], axis[S, 1], axis[S, 2])
        slides = i >= 0 and joint[i, J_SLIDES]
        turned = cross(p[0], p[1], p[2], F[0], F[1], F[2])
        M = (turned[0] + fc[S, 3] + fd[S, 3], turned[1] + fc[S, 4] + fd[S, 4], turned[2] + fc[S, 5] + fd[S, 5])
        side = cross(a[0], a[1], a[2], F[0], F[1], F[2]) if slides else cross(a[0], a[1], a[2], M[0], M[1], M[2])
        for c in range(count):
            t = (T[S, 3, c], T[S, 4, c], T[S, 5, c])
            along = t[0] * F[0] + t[1] * F[1] + t[2] * F[2]
            g = (p[0] * along - inner * t[0], p[1] * along - inner * t[1], p[2] * along - inner * t[2])
            if slides and c >= before:
                g = (g[0] + side[0], g[1] + side[1], g[2] + side[2])
            column = moved[S, c]
            for k in range(before):
                row = moved[P, k]
                flat[spot[row, column - row + b]] += T[P, 3, k] * g[0] + T[P, 4, k] * g[1] + T[P, 5, k] * g[2]
            if count > before:
                row = joint[i, J_PSI]
                total = 0.0 if slides else a[0] * g[0] + a[1] * g[1] + a[2] * g[2]
                if c < before:
                    total += T[P, 3, c] * side[0] + T[P, 4, c] * side[1] + T[P, 5, c] * side[2]
                flat[spot[row, column - row + b]] += total
