"""Frames that follow others in the theories of small displacements: the same joints, with the axes of the stiff arm.

Equations: S26.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.numerics.jit import njit_apart
from flexarm.numerics.rotations import cross


@njit_apart
def spread_small(parts, state, scratch):
    """Displacements about the stiff arm of all frames that follow from nodes; then velocities and accelerations in total."""
    frames, joints, axis, lever = parts.frames, parts.joints, scratch.axis, scratch.lever
    j, ja, r, th = state.deviation, state.joint_acceleration, state.position, state.small_rotation
    v, a, nr, nv, na = (
        state.velocity,
        state.acceleration,
        scratch.stiff_position,
        scratch.stiff_velocity,
        scratch.stiff_acceleration,
    )
    for f in range(frames.shape[0]):
        if frames[f, at.F_KIND] < at.DERIVED:
            continue
        P, i = frames[f, at.F_PARENT], frames[f, at.F_JOINT]
        psi, rate, push = 0.0, 0.0, 0.0
        if i >= 0:
            psi, rate, push = j[at.PSI, i], j[at.PSI_RATE, i], ja[0, i]
        slides = i >= 0 and joints[i, at.J_SLIDES]
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
    tv, ta = scratch.total_velocity, scratch.total_acceleration
    for f in range(v.shape[0]):  # the spin of the stiff arm is added to that beside it
        for k in range(3):
            tv[f, k], ta[f, k] = v[f, k], a[f, k]
            tv[f, 3 + k], ta[f, 3 + k] = nv[f, 3 + k] + v[f, 3 + k], na[f, 3 + k] + a[f, 3 + k]
