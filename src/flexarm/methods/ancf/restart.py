"""Accelerations from forces: after a jump, and after every step of the conserving scheme."""

from __future__ import annotations

from flexarm.methods.ancf.assemble import add_mass
from flexarm.methods.ancf.bodies import body_tangent
from flexarm.methods.ancf.layout import (
    I_CHORDS,
    I_CONSERVING,
    I_LINKS,
    J_B,
    J_MOVED,
    MADE,
    P_AF,
    P_AM,
    P_BETA,
    P_GAMMA,
    V_RAW,
    V_RESIDUAL,
    Arm,
    Work,
)
from flexarm.methods.ancf.moved import condense, condense_band, expand
from flexarm.methods.ancf.solving import add_chords, factor, imbalance, make_tangent, solve
from flexarm.numerics.jit import borrow, njit_inline, njit_part


@njit_inline
def borrowed(m):
    """The arm without reference counts."""
    return Arm(
        borrow(m.elem), borrow(m.fig), borrow(m.paper), borrow(m.mass), borrow(m.weight), borrow(m.joint),
        borrow(m.jfig), borrow(m.par), borrow(m.ip), borrow(m.patch), borrow(m.body),
    )  # fmt: skip


@njit_inline
def borrowed_work(w):
    """The scratch without reference counts."""
    return Work(borrow(w.el), borrow(w.vec), borrow(w.band), borrow(w.small), borrow(w.rows), borrow(w.keep))


@njit_inline
def slopes(par, h):
    """Changes of velocity, of the scheme's acceleration and of the physical one per change of position at a step's end."""
    bend = 1.0 / (par[P_BETA] * h * h)
    return par[P_GAMMA] / (par[P_BETA] * h), bend, (1.0 - par[P_AM]) / (1.0 - par[P_AF]) * bend


@njit_part
def accelerate(m, s, row, z, h, w):
    """Accelerations (also of stretches) that the forces at `row` make; the laws are evaluated with their states.

    With h > 0 those of motions faster than a step of length h are left out, as the time scheme would: a jump of a torque
    on a light section would else start an acceleration that no step can follow, (M + h/2 C + h^2/4 K) a = forces for the
    trapezoidal rule. The step that follows takes over the tangent of this system.
    """
    residual, raw, band, speed, push = w.vec[V_RESIDUAL], w.vec[V_RAW], w.band, 0.0, 1.0
    for k in range(residual.shape[0]):
        s.a[k], raw[k] = 0.0, 0.0
        for c in range(band.shape[1]):
            band[k, c] = 0.0
    for i in range(m.ip[I_LINKS]):
        s.slide[2, i] = 0.0
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
    imbalance(m, s, row, z, 0.0, w, residual)
    sound = False
    if h > 0.0:
        speed, _, push = slopes(m.par, h)
        sound = make_tangent(m, s, s.q, s.v, s.a, row, z, 0.0, speed, push, 1.0, w, raw)
    if sound:
        s.sums[MADE] = 0.0 if m.ip[I_CONSERVING] else h
        condense(m.joint, m.jfig, m.ip, row, s.slide, s.q, residual)
        solve(s.band, residual)
        if m.ip[I_CHORDS] > 0:
            add_chords(m, s, speed, w, residual)
    else:
        push = 1.0
        add_mass(m.mass, 1.0, band)
        body_tangent(m.body, s.q, s.v, s.a, row, 0.0, 1.0, 0.0, band)
        condense_band(m.joint, m.jfig, m.ip, row, s.slide, s.q, raw, band)
        condense(m.joint, m.jfig, m.ip, row, s.slide, s.q, residual)
        factor(band)
        solve(band, residual)
    for k in range(residual.shape[0]):
        s.a[k] -= push * residual[k]
    for i in range(m.ip[I_LINKS]):
        if m.joint[i, J_MOVED]:
            s.slide[2, i] = -push * residual[m.joint[i, J_B]]
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
    for k in range(residual.shape[0]):
        s.A[k] = s.a[k]
    for i in range(m.ip[I_LINKS]):
        s.slide[3, i] = s.slide[2, i]
