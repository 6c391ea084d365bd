"""The linear systems of a step: factored tangent, chord laws by Woodbury's formula, residuals.

The factored tangent is kept in the state, because modified Newton steps share it: x.kept = [made for which step | band |
columns of chord laws].
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flexarm.methods.ancf.assemble import add_inertia, element_forces, element_tangent
from flexarm.methods.ancf.joint_tangent import chord_row, joint_tangent
from flexarm.methods.ancf.joints import motor_forces, spring_forces
from flexarm.methods.ancf.layout import CHORD_SENSOR, FRAME, I_CHORDS, I_LINKS, I_SPRINGS, J_ACTS, J_SENSE, SLIDE, SUMS
from flexarm.methods.ancf.loads import patch_forces, patch_tangent
from flexarm.methods.ancf.moved import condense_band
from flexarm.numerics import bandlu
from flexarm.numerics.jit import njit, njit_part
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
    fc: Any
    fd: Any
    slide: Any
    made: Any
    band: Any
    columns: Any


@njit
def view(m, x):
    """Parts of x by name."""
    n, links, width = m.mass.shape[0], m.ip[I_LINKS], m.mass.shape[1]
    p = 2 * n
    frame = x[p : p + FRAME * links].reshape((FRAME, links))
    p += FRAME * links
    sums = x[p : p + SUMS]
    p += SUMS
    slide = x[p + 4 * n : p + 4 * n + SLIDE * links].reshape((SLIDE, links))
    k = p + 4 * n + SLIDE * links
    band = x[k + 1 : k + 1 + n * width].reshape((n, width))
    chords = m.ip[I_CHORDS]
    columns = x[k + 1 + n * width : k + 1 + n * width + chords * n].reshape((chords, n))
    return View(
        x[:n], x[n : 2 * n], frame, sums, x[p : p + n], x[p + n : p + 2 * n], x[p + 2 * n : p + 3 * n],
        x[p + 3 * n : p + 4 * n], slide, x[k : k + 1], band, columns,
    )  # fmt: skip


@njit_part
def imbalance(m, s, row, z, h, w, residual):
    """M a + forces - torques of all positions (not yet condensed); fc and fd are left without inertia."""
    element_forces(m, s.q, s.v, w, s.fc, s.fd)
    if m.ip[I_SPRINGS] > 0:
        spring_forces(m.joint, m.jfig, s.q, s.v, row, s.frame, w.small[0], s.fc, s.fd)
    fc, fd = s.fc, s.fd
    for k in range(residual.shape[0]):
        residual[k] = fc[k] + fd[k]
    add_inertia(m.mass, s.a, residual)
    if m.patch.shape[0] > 0:
        patch_forces(m, s.q, row, residual)
    motor_forces(m.joint, m.jfig, m.law, s.q, s.v, row, z, h, s.frame, w.small[0], w.law, residual)


@njit
def add_joints(m, s, row, z, h, speed, w, band):
    """Joints in the tangent; it also leaves the slopes of chord laws in the scratch."""
    joint_tangent(m.joint, m.jfig, m.law, s.q, s.v, row, z, h, speed, s.frame, w.small, w.vec, w.law, band)


@njit_part
def make_tangent(m, s, q, v, row, z, h, speed, push, share, w, raw):
    """Factored tangent and columns of the chord laws into the state; False if a pivot vanishes.

    q and v are where the elements are taken; `share` scales everything but the mass: how far the forces depend on the
    end of the step.
    """
    element_tangent(m, q, v, speed, push, share, w, s.band)
    if share == 1.0:
        add_joints(m, s, row, z, h, speed, w, s.band)
        patch_tangent(m, s.q, row, s.band)
    else:
        w.band[:, :] = 0.0
        add_joints(m, s, row, z, h, speed, w, w.band)
        patch_tangent(m, s.q, row, w.band)
        for r in range(w.band.shape[0]):
            for c in range(w.band.shape[1]):
                s.band[r, c] += share * w.band[r, c]
    condense_band(m.joint, m.jfig, m.fixed, row, s.slide, s.q, raw, s.band)
    if factor(s.band) >= 0:
        return False
    for k in range(m.ip[I_CHORDS]):
        for r in range(w.vec.shape[1]):
            s.columns[k, r] = share * w.vec[8 + k, r]
        solve(s.band, s.columns[k])
    return True


@njit_part
def add_chords(m, s, speed, w, x):
    """Correct a solution x of the band system for the chord laws (slopes from the last `add_joints`)."""
    count = m.ip[I_CHORDS]
    k, b = 0, w.small[9]
    for i in range(m.ip[I_LINKS]):
        if m.joint[i, J_ACTS] and m.joint[i, J_SENSE] == CHORD_SENSOR:
            dy, dv = w.small[10, k], w.small[11, k]
            b[k] = chord_row(m.joint, s.q, s.v, i, dy, dv, speed, x)
            for c in range(count):
                w.cap[k, c] = (1.0 if c == k else 0.0) - chord_row(m.joint, s.q, s.v, i, dy, dv, speed, s.columns[c])
            k += 1
    solve_small(w.cap, b, count)
    for k in range(count):
        for r in range(x.shape[0]):
            x[r] += s.columns[k, r] * b[k]
