"""Inertia and weight of an element.

Displacements and body-fixed spins W_a = R_a^T w_a are interpolated linearly, so with m_ab and the diagonal J_ab of the
element

    force_a = m_ab acc_b,    moment_a = R_a (Pi_a' + W_a x Pi_a),    Pi_a = J_ab W_b,

whose power is exactly the change of the kinetic energy.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.layout import M_11, M_12, M_22, M_J11, M_J12, M_J22, M_W1, M_W2, P_GX
from flexarm.numerics.jit import njit_part
from flexarm.numerics.rotations import apply, apply_back, cross


@njit_part
def element_inertia(e, f1, f2, h, mfig, r, R, v, a, par, f):
    """Add inertia forces and weight to f; returns kinetic energy and potential."""
    m11, m12, m22 = h * mfig[e, M_11], h * mfig[e, M_12], h * mfig[e, M_22]
    w1, w2 = h * mfig[e, M_W1], h * mfig[e, M_W2]
    kinetic, potential = 0.0, 0.0
    for k in range(3):
        g = par[P_GX + k]
        f[f1, k] += m11 * a[f1, k] + m12 * a[f2, k] - w1 * g
        f[f2, k] += m12 * a[f1, k] + m22 * a[f2, k] - w2 * g
        kinetic += 0.5 * m11 * v[f1, k] ** 2 + m12 * v[f1, k] * v[f2, k] + 0.5 * m22 * v[f2, k] ** 2
        potential -= g * (w1 * r[f1, k] + w2 * r[f2, k])
    x1, y1, z1 = apply_back(R, f1, v[f1, 3], v[f1, 4], v[f1, 5])
    x2, y2, z2 = apply_back(R, f2, v[f2, 3], v[f2, 4], v[f2, 5])
    a1, b1, c1 = apply_back(R, f1, a[f1, 3], a[f1, 4], a[f1, 5])
    a2, b2, c2 = apply_back(R, f2, a[f2, 3], a[f2, 4], a[f2, 5])
    jx, jy, jz = h * mfig[e, M_J12], h * mfig[e, M_J12 + 1], h * mfig[e, M_J12 + 2]
    ix, iy, iz = h * mfig[e, M_J11], h * mfig[e, M_J11 + 1], h * mfig[e, M_J11 + 2]
    px, py, pz = ix * x1 + jx * x2, iy * y1 + jy * y2, iz * z1 + jz * z2
    kinetic += 0.5 * (px * x1 + py * y1 + pz * z1)
    cx, cy, cz = cross(x1, y1, z1, px, py, pz)
    mx, my, mz = apply(R, f1, ix * a1 + jx * a2 + cx, iy * b1 + jy * b2 + cy, iz * c1 + jz * c2 + cz)
    f[f1, 3] += mx
    f[f1, 4] += my
    f[f1, 5] += mz
    ix, iy, iz = h * mfig[e, M_J22], h * mfig[e, M_J22 + 1], h * mfig[e, M_J22 + 2]
    px, py, pz = jx * x1 + ix * x2, jy * y1 + iy * y2, jz * z1 + iz * z2
    kinetic += 0.5 * (px * x2 + py * y2 + pz * z2)
    cx, cy, cz = cross(x2, y2, z2, px, py, pz)
    mx, my, mz = apply(R, f2, jx * a1 + ix * a2 + cx, jy * b1 + iy * b2 + cy, jz * c1 + iz * c2 + cz)
    f[f2, 3] += mx
    f[f2, 4] += my
    f[f2, 5] += mz
    return kinetic, potential


@njit_part
def element_mass(e, f1, f2, h, mfig, R, factor, K):
    """Add `factor` times the mass matrix to K (12, 12).

    Terms with the square of the spin are left out: in a tangent they are a share (w h)^2 of these, and none at rest.
    """
    for k in range(3):
        K[k, k] += factor * h * mfig[e, M_11]
        K[k, 6 + k] += factor * h * mfig[e, M_12]
        K[6 + k, k] += factor * h * mfig[e, M_12]
        K[6 + k, 6 + k] += factor * h * mfig[e, M_22]
    scale = factor * h
    for r in range(3):
        for c in range(3):
            one = two = mixed = 0.0
            for k in range(3):
                one += R[f1, 3 * r + k] * mfig[e, M_J11 + k] * R[f1, 3 * c + k]
                two += R[f2, 3 * r + k] * mfig[e, M_J22 + k] * R[f2, 3 * c + k]
                mixed += R[f1, 3 * r + k] * mfig[e, M_J12 + k] * R[f2, 3 * c + k]
            K[3 + r, 3 + c] += scale * one
            K[9 + r, 9 + c] += scale * two
            K[3 + r, 9 + c] += scale * mixed
            K[9 + c, 3 + r] += scale * mixed
