"""The linear systems of a step: residual, factored tangent, chord laws by Woodbury's formula.

Equations: A1, A22.

The factored tangent is cached in the state, because modified Newton steps share it.
"""

from __future__ import annotations

from flexarm.methods.ancf.assemble import add_inertia, element_forces, element_tangent
from flexarm.methods.ancf.beam_tangent import clear
from flexarm.methods.ancf.bodies import body_forces, body_tangent
from flexarm.methods.ancf.joint_tangent import chord_row, joint_tangent
from flexarm.methods.ancf.joints import motor_forces, spring_forces
from flexarm.methods.ancf.layout import CHORD_SENSOR
from flexarm.methods.ancf.loads import patch_forces, patch_tangent
from flexarm.methods.ancf.prescribed import condense_band
from flexarm.numerics import bandlu
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import solve_small

factor, solve = bandlu.factor, bandlu.solve


@njit_inline
def imbalance(m, s, w, row, h, residual):
    """M a + forces - torques of all positions (not yet condensed)."""
    element_forces(m, w, s.q, s.v, residual)
    if m.springs > 0:
        spring_forces(m, s, w, row, residual)
    add_inertia(m, s.a, residual)
    if m.body_mass.shape[0] > 0:
        body_forces(m, s.q, s.v, s.a, row, 1.0, residual)
    if m.patch_share.shape[0] > 0:
        patch_forces(m, s.q, row, residual)
    motor_forces(m, s, w, row, h, residual)


@njit_inline
def add_joints(m, s, w, row, h, speed, band):
    """Joints and patches in the tangent; it also leaves the slopes of chord laws in the workspace."""
    joint_tangent(m, s, w, row, h, speed, band)
    patch_tangent(m, s.q, row, band)


@njit_part
def make_tangent(m, s, w, q, v, a, row, h, speed, push, share):
    """Factored tangent and columns of the chord laws into the state; False if a pivot vanishes.

    q, v and a are where elements and bodies are taken; `share` scales everything but the mass: how far the forces depend on the
    end of the step. w.raw is the residual before it was condensed.
    """
    element_tangent(m, w, q, v, speed, push, share, s.band)
    body_tangent(m, q, v, a, row, speed, push, share, s.band)
    clear(w.band)
    add_joints(m, s, w, row, h, speed, w.band)
    for r in range(w.band.shape[0]):
        for c in range(w.band.shape[1]):
            s.band[r, c] += share * w.band[r, c]
    condense_band(m, row, s.stretch[0], s.q, w.raw, s.band)
    if factor(s.band) >= 0:
        return False
    for k in range(m.chords):
        for r in range(s.columns.shape[1]):
            s.columns[k, r] = share * w.directions[k, r]
        solve(s.band, s.columns[k])
    return True


@njit_part
def solve_cached(m, s, w, speed, x):
    """Overwrite x with the solution of the cached tangent, chord laws (slopes from the last `add_joints`) included."""
    solve(s.band, x)
    if m.chords == 0:
        return
    k, b, matrix = 0, w.chord_steps, w.chord_matrix
    for i in range(m.links):
        if m.acts[i] and m.sensor[i] == CHORD_SENSOR:
            dy, dv = w.chord_slopes[0, k], w.chord_slopes[1, k]
            b[k] = chord_row(m, s, i, dy, dv, speed, x)
            for c in range(m.chords):
                matrix[k, c] = (1.0 if c == k else 0.0) - chord_row(m, s, i, dy, dv, speed, s.columns[c])
            k += 1
    solve_small(matrix, b, m.chords)
    for k in range(m.chords):
        for r in range(x.shape[0]):
            x[r] += s.columns[k, r] * b[k]
