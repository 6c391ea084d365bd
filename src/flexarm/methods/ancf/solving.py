"""The linear systems of a step: residual, factored tangent, chord laws by Woodbury's formula.

The factored tangent is kept in the state, because modified Newton steps share it: x.kept = [band | columns of chord laws].
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flexarm.methods.ancf.assemble import add_inertia, element_forces, element_tangent
from flexarm.methods.ancf.bodies import body_forces, body_tangent
from flexarm.methods.ancf.joint_tangent import chord_row, joint_tangent
from flexarm.methods.ancf.joints import motor_forces, spring_forces
from flexarm.methods.ancf.layout import (
    CHORD_SENSOR,
    FRAME,
    I_CHORDS,
    I_LINKS,
    I_SPRINGS,
    J_ACTS,
    J_SENSE,
    S_CAP,
    S_CHORD,
    S_DV,
    S_DY,
    S_READ,
    SLIDE,
    SUMS,
    V_CHORD,
)
from flexarm.methods.ancf.loads import patch_forces, patch_tangent
from flexarm.methods.ancf.moved import condense_band
from flexarm.numerics import bandlu
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import solve_small

factor, solve = bandlu.factor, bandlu.solve


class View(NamedTuple):
    """Named parts of the state vector."""

    q: Any
    v: Any
    frame: Any
    sums: Any
    a: Any
    A: Any
    f: Any
    slide: Any
    band: Any
    columns: Any


@njit_inline
def view(x, n, links, chords):
    """Parts of x by name, for n unknowns."""
    p = 2 * n
    k = p + FRAME * links
    t = k + SUMS
    u = t + 3 * n + SLIDE * links
    w = x.shape[0] - chords * n
    return View(
        x[:n], x[n:p], x[p:k].reshape((FRAME, links)), x[k:t], x[t : t + n], x[t + n : t + 2 * n],
        x[t + 2 * n : t + 3 * n], x[t + 3 * n : u].reshape((SLIDE, links)), x[u:w].reshape((n, (w - u) // n)),
        x[w:].reshape((chords, n)),
    )  # fmt: skip


@njit_inline
def imbalance(m, s, row, z, h, w, residual):
    """M a + forces - torques of all positions (not yet condensed)."""
    element_forces(m.elem, m.fig, m.paper, m.weight, s.q, s.v, w.el, residual)
    if m.ip[I_SPRINGS] > 0:
        spring_forces(m.joint, m.jfig, s.q, s.v, row, s.frame, w.small[S_READ], residual)
    add_inertia(m.mass, s.a, residual)
    if m.body.shape[0] > 0:
        body_forces(m.body, s.q, s.v, s.a, row, 1.0, residual)
    if m.patch.shape[0] > 0:
        patch_forces(m.patch, s.q, row, residual)
    motor_forces(m.joint, m.jfig, s.q, s.v, row, z, h, s.frame, w.small, residual)


@njit_inline
def add_joints(m, s, row, z, h, speed, w, band):
    """Joints and patches in the tangent; it also leaves the slopes of chord laws in the scratch."""
    joint_tangent(m.joint, m.jfig, s.q, s.v, row, z, h, speed, s.frame, w.small, w.vec, band)
    patch_tangent(m.patch, s.q, row, band)


@njit_part
def make_tangent(m, s, q, v, a, row, z, h, speed, push, share, w, raw):
    """Factored tangent and columns of the chord laws into the state; False if a pivot vanishes.

    q, v and a are where elements and bodies are taken; `share` scales everything but the mass: how far the forces depend on the
    end of the step.
    """
    element_tangent(m.elem, m.fig, m.paper, m.mass, q, v, speed, push, share, w.el, s.band)
    body_tangent(m.body, q, v, a, row, speed, push, share, s.band)
    for r in range(w.band.shape[0]):
        for c in range(w.band.shape[1]):
            w.band[r, c] = 0.0
    add_joints(m, s, row, z, h, speed, w, w.band)
    for r in range(w.band.shape[0]):
        for c in range(w.band.shape[1]):
            s.band[r, c] += share * w.band[r, c]
    condense_band(m.joint, m.jfig, m.ip, row, s.slide, s.q, raw, s.band)
    if factor(s.band) >= 0:
        return False
    for k in range(m.ip[I_CHORDS]):
        for r in range(w.vec.shape[1]):
            s.columns[k, r] = share * w.vec[V_CHORD + k, r]
        solve(s.band, s.columns[k])
    return True


@njit_part
def add_chords(m, s, speed, w, x):
    """Correct a solution x of the band system for the chord laws (slopes from the last `add_joints`)."""
    count, small = m.ip[I_CHORDS], w.small
    k, b, cap = 0, small[S_CHORD], small[S_CAP:]
    for i in range(m.ip[I_LINKS]):
        if m.joint[i, J_ACTS] and m.joint[i, J_SENSE] == CHORD_SENSOR:
            dy, dv = small[S_DY, k], small[S_DV, k]
            b[k] = chord_row(m.joint, s.q, s.v, i, dy, dv, speed, x)
            for c in range(count):
                cap[k, c] = (1.0 if c == k else 0.0) - chord_row(m.joint, s.q, s.v, i, dy, dv, speed, s.columns[c])
            k += 1
    solve_small(cap, b, count)
    for k in range(count):
        for r in range(x.shape[0]):
            x[r] += s.columns[k, r] * b[k]
