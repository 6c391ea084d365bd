"""Frames that follow others in the theories of small displacements: the same joints, with the axes of the stiff arm."""

from __future__ import annotations

from flexarm.methods.fem.spatial.layout import DERIVED, F_JOINT, F_KIND, F_PARENT, J_SLIDES, PSI, PSI_RATE
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rotations import cross


@njit_part
def spread_small(frames, joint, j, ja, nr, nv, na, axis, lever, r, th, v, a):
    """Displacements about the stiff arm (nr, nv, na) of all frames that follow from nodes."""
    for f in range(frames.shape[0]):
        if frames[f, F_KIND] < DERIVED:
            continue
        P, i = frames[f, F_PARENT], frames[f, F_JOINT]
        psi, rate, push = 0.0, 0.0, 0.0
        if i >= 0:
            psi, rate, push = j[PSI, i], j[PSI_RATE, i], ja[0, i]
        slides = i >= 0 and joint[i, J_SLIDES]
        ex, ey, ez = axis[f, 0], axis[f, 1], axis[f, 2]
        cx, cy, cz = cross(nv[P, 3], nv[P, 4], nv[P, 5], ex, ey, ez)
        own = 0.0 if slides else 1.0
        for k, e, c in ((0, ex, cx), (1, ey, cy), (2, ez, cz)):
            th[f, k] = th[P, k] + own * e * psi
            v[f, 3 + k] = v[P, 3 + k] + own * (e * rate + c * psi)
            a[f, 3 + k] = a[P, 3 + k] + own * (e * push + 2.0 * c * rate)
        px, py, pz = lever[f, 0], lever[f, 1], lever[f, 2]
        ux, uy, uz = cross(nv[f, 3], nv[f, 4], nv[f, 5], px, py, pz)
        d = cross(th[f, 0], th[f, 1], th[f, 2], px, py, pz)
        s = cross(v[f, 3], v[f, 4], v[f, 5], px, py, pz)
        q = cross(th[f, 0], th[f, 1], th[f, 2], ux, uy, uz)
        t = cross(a[f, 3], a[f, 4], a[f, 5], px, py, pz)
        w = cross(v[f, 3], v[f, 4], v[f, 5], ux, uy, uz)
        for k in range(3):
            r[f, k] = r[P, k] + nr[f, k] - nr[P, k] + d[k]
            v[f, k] = v[P, k] + nv[f, k] - nv[P, k] + s[k] + q[k]
            a[f, k] = a[P, k] + na[f, k] - na[P, k] + t[k] + 2.0 * w[k]
        if slides:
            for k, e, c in ((0, ex, cx), (1, ey, cy), (2, ez, cz)):
                r[f, k] += e * psi
                v[f, k] += e * rate + c * psi
                a[f, k] += e * push + 2.0 * c * rate


@njit_part
def totals(v, a, nv, na, tv, ta):
    """Velocities and accelerations with the spin of the stiff arm added to that beside it."""
    for f in range(v.shape[0]):
        for k in range(3):
            tv[f, k], ta[f, k] = v[f, k], a[f, k]
            tv[f, 3 + k], ta[f, 3 + k] = nv[f, 3 + k] + v[f, 3 + k], na[f, 3 + k] + a[f, 3 + k]
