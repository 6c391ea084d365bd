"""Accelerations from forces: after a jump, and after every step of the conserving scheme."""

from __future__ import annotations

from flexarm.methods.ancf.layout import I_LINKS, J_B, J_MOVED, Arm, Work
from flexarm.methods.ancf.moved import condense, condense_band, expand
from flexarm.methods.ancf.settle import settle
from flexarm.methods.ancf.solving import factor, imbalance, solve, view
from flexarm.numerics.jit import borrow, njit, njit_part


@njit_part
def borrowed(m):
    """The arm without reference counts."""
    return Arm(
        borrow(m.con), borrow(m.kind), borrow(m.owner), borrow(m.length), borrow(m.hp), borrow(m.hpp), borrow(m.fig),
        borrow(m.beta), borrow(m.cfig), borrow(m.cshape), borrow(m.gram), borrow(m.mass), borrow(m.weight),
        borrow(m.fixed), borrow(m.joint), borrow(m.jfig), borrow(m.law), borrow(m.par), borrow(m.ip), borrow(m.patch),
        borrow(m.patch_fig),
    )  # fmt: skip


@njit_part
def borrowed_work(w):
    """The scratch without reference counts."""
    return Work(
        borrow(w.e), borrow(w.K), borrow(w.Kz), borrow(w.D), borrow(w.vec), borrow(w.pairs), borrow(w.band),
        borrow(w.small), borrow(w.cap), borrow(w.law), borrow(w.rows), borrow(w.inner), borrow(w.half), borrow(w.slide),
        borrow(w.keep), borrow(w.keep_z),
    )  # fmt: skip


@njit_part
def accelerate(m, s, row, z, w):
    """Accelerations (also of stretches) that the forces at `row` make; the laws are evaluated with their states."""
    residual, raw = w.vec[3], w.vec[4]
    s.a[:] = 0.0
    s.slide[2, :] = 0.0
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
    imbalance(m, s, row, z, 0.0, w, residual)
    raw[:] = 0.0
    w.band[:, :] = m.mass
    condense_band(m.joint, m.jfig, m.fixed, row, s.slide, s.q, raw, w.band)
    condense(m.joint, m.jfig, m.fixed, row, s.slide, s.q, residual)
    factor(w.band)
    solve(w.band, residual)
    for k in range(residual.shape[0]):
        s.a[k] -= residual[k]
    for i in range(m.ip[I_LINKS]):
        if m.joint[i, J_MOVED]:
            s.slide[2, i] = -residual[m.joint[i, J_B]]
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
    s.A[:] = s.a
    s.slide[3, :] = s.slide[2]


@njit
def restart(m, w, x, z, row):
    """Accelerations, torques and energy from the right-hand limits in `row`."""
    m, w, x, z, row = borrowed(m), borrowed_work(w), borrow(x), borrow(z), borrow(row)
    s = view(m, x)
    s.made[0] = 0.0
    accelerate(m, s, row, z, w)
    settle(m, s, row, z, 0.0, w, True)
