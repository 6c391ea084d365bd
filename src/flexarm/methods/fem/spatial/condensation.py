"""From frames to unknowns: how unknowns move the frames, and how forces on frames act on the unknowns.

A frame S behind a joint or a rigid link moves with the frame P before it and with the deviation psi of the joint,

    th_S = th_P + a psi,   r_S = r_P + th_S x p,    so    f_P += f_S,  m_P += m_S + p x f_S,  row of psi = a . (m_S + p x f_S);

a joint that slides has a psi in r_S instead. `frame_jacobians` keeps the matrices of this for every frame (identity for nodes), so
that elements and bodies are assembled the same way wherever they hang.

Equations: S8, S9.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.matrix import add_entry
from flexarm.numerics.jit import njit, njit_inside, njit_part
from flexarm.numerics.rotations import cross


@njit
def frame_jacobians(parts, scratch):
    """Fill T (F, 6, most): displacement and spin of every frame that follows, per unknown that moves it.

    That of frames that move as a node does is the identity, and stays it."""
    frames, joints, axis, lever, T = parts.frames, parts.joints, scratch.axis, scratch.lever, scratch.T
    for f in range(frames.shape[0]):
        if frames[f, at.F_PLAIN] >= at.PLAIN:
            continue
        P, i = frames[f, at.F_PARENT], frames[f, at.F_JOINT]
        before = frames[P, at.F_COUNT]
        for c in range(before):
            x, y, z = T[P, 3, c], T[P, 4, c], T[P, 5, c]
            dx, dy, dz = cross(x, y, z, lever[f, 0], lever[f, 1], lever[f, 2])
            T[f, 0, c], T[f, 1, c], T[f, 2, c] = T[P, 0, c] + dx, T[P, 1, c] + dy, T[P, 2, c] + dz
            T[f, 3, c], T[f, 4, c], T[f, 5, c] = x, y, z
        if frames[f, at.F_COUNT] > before:
            x, y, z = axis[f, 0], axis[f, 1], axis[f, 2]
            if joints[i, at.J_SLIDES]:
                T[f, 0, before], T[f, 1, before], T[f, 2, before] = x, y, z
                T[f, 3, before] = T[f, 4, before] = T[f, 5, before] = 0.0
            else:
                dx, dy, dz = cross(x, y, z, lever[f, 0], lever[f, 1], lever[f, 2])
                T[f, 0, before], T[f, 1, before], T[f, 2, before] = dx, dy, dz
                T[f, 3, before], T[f, 4, before], T[f, 5, before] = x, y, z


@njit_inside
def condense_forces(parts, scratch, f, rows):
    """Carry the forces on frames that follow to those before; rows[i] gets what acts along joint i."""
    frames, joints, axis, lever = parts.frames, parts.joints, scratch.axis, scratch.lever
    for n in range(frames.shape[0]):
        S = frames.shape[0] - 1 - n
        if frames[S, at.F_KIND] < at.DERIVED:
            continue
        P, i = frames[S, at.F_PARENT], frames[S, at.F_JOINT]
        mx, my, mz = cross(lever[S, 0], lever[S, 1], lever[S, 2], f[S, 0], f[S, 1], f[S, 2])
        mx, my, mz = mx + f[S, 3], my + f[S, 4], mz + f[S, 5]
        for k in range(3):
            f[P, k] += f[S, k]
        f[P, 3] += mx
        f[P, 4] += my
        f[P, 5] += mz
        if i >= 0:
            if not joints[i, at.J_SLIDES]:
                rows[i] += axis[S, 0] * mx + axis[S, 1] * my + axis[S, 2] * mz
            elif frames[S, at.F_KIND] == at.SLID:
                rows[i] += axis[S, 0] * f[S, 0] + axis[S, 1] * f[S, 1] + axis[S, 2] * f[S, 2]


@njit_part
def add_block(f, g, r0, c0, parts, scratch, matrix):
    """Add the 6 x 6 block of scratch.K that begins at (r0, c0), between frames f (rows) and g (columns)."""
    frames, moved_by, T, K = parts.frames, parts.moved_by, scratch.T, scratch.K
    plain_f, plain_g = frames[f, at.F_KIND] < at.DERIVED, frames[g, at.F_KIND] < at.DERIVED
    for i in range(frames[f, at.F_COUNT]):
        row = moved_by[f, i]
        for j in range(frames[g, at.F_COUNT]):
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
            add_entry(matrix, row, moved_by[g, j], total)


@njit_part
def geometric_stiffness(parts, state, scratch, matrix):
    """Add what the change of axes and levers does to the forces that are carried over."""
    frames, joints, moved_by = parts.frames, parts.joints, parts.moved_by
    axis, lever, T, fc, fd = scratch.axis, scratch.lever, scratch.T, state.force, state.damping_force
    for S in range(frames.shape[0]):
        if frames[S, at.F_PLAIN] >= at.PLAIN or frames[S, at.F_COUNT] == 0:
            continue
        P, i = frames[S, at.F_PARENT], frames[S, at.F_JOINT]
        p = (lever[S, 0], lever[S, 1], lever[S, 2])
        F = (fc[S, 0] + fd[S, 0], fc[S, 1] + fd[S, 1], fc[S, 2] + fd[S, 2])
        inner = p[0] * F[0] + p[1] * F[1] + p[2] * F[2]
        before, count = frames[P, at.F_COUNT], frames[S, at.F_COUNT]
        a = (axis[S, 0], axis[S, 1], axis[S, 2])
        slides = i >= 0 and joints[i, at.J_SLIDES]
        lifted = cross(p[0], p[1], p[2], F[0], F[1], F[2])
        M = (lifted[0] + fc[S, 3] + fd[S, 3], lifted[1] + fc[S, 4] + fd[S, 4], lifted[2] + fc[S, 5] + fd[S, 5])
        side = cross(a[0], a[1], a[2], F[0], F[1], F[2]) if slides else cross(a[0], a[1], a[2], M[0], M[1], M[2])
        for c in range(count):
            t = (T[S, 3, c], T[S, 4, c], T[S, 5, c])
            along = t[0] * F[0] + t[1] * F[1] + t[2] * F[2]
            g = (p[0] * along - inner * t[0], p[1] * along - inner * t[1], p[2] * along - inner * t[2])
            if slides and c >= before:
                g = (g[0] + side[0], g[1] + side[1], g[2] + side[2])
            column = moved_by[S, c]
            for k in range(before):
                turned = T[P, 3, k] * g[0] + T[P, 4, k] * g[1] + T[P, 5, k] * g[2]
                add_entry(matrix, moved_by[P, k], column, turned)
            if count > before:
                total = 0.0 if slides else a[0] * g[0] + a[1] * g[1] + a[2] * g[2]
                if c < before:
                    total += T[P, 3, c] * side[0] + T[P, 4, c] * side[1] + T[P, 5, c] * side[2]
                add_entry(matrix, joints[i, at.J_PSI], column, total)
