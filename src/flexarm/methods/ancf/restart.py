"""Accelerations from forces: after a jump, and after every step of the conserving scheme.

Equations: A33.
"""

from __future__ import annotations

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.assemble import add_mass
from flexarm.methods.ancf.beam_tangent import clear
from flexarm.methods.ancf.bodies import body_energy, body_tangent
from flexarm.methods.ancf.generalised_alpha import slopes
from flexarm.methods.ancf.prescribed import condense, condense_band, expand
from flexarm.methods.ancf.solving import factor, imbalance, make_tangent, solve, solve_cached
from flexarm.methods.ancf.step_end import end_step, kinetic_energy
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import YES, njit, njit_part


@njit_part
def accelerate(m, s, w, row, h):
    """Accelerations (also of stretches) that the forces at `row` make; the laws are evaluated with their states.

    With h > 0 those of motions faster than a step of length h are left out, as the time scheme would: a jump of a torque
    on a light section would else start an acceleration that no step can follow. The step that follows takes over the tangent of
    this system.
    """
    residual, band, speed, push = w.residual, w.band, 0.0, 1.0
    for k in range(residual.shape[0]):
        s.a[k], w.raw[k] = 0.0, 0.0
    clear(band)
    for i in range(m.links):
        s.stretch[2, i] = 0.0
    expand(m, s, row)
    imbalance(m, s, w, row, 0.0, residual)
    sound = False
    if h > 0.0:
        speed, _, push = slopes(m, h)
        sound = make_tangent(m, s, w, s.q, s.v, s.a, row, 0.0, speed, push, 1.0)
    if sound:
        s.sums[at.TANGENT_STEP] = 0.0 if m.conserving else h
        condense(m, row, s.stretch[0], s.q, residual)
        solve_cached(m, s, w, speed, residual)
    else:
        push = 1.0
        add_mass(m, 1.0, band)
        body_tangent(m, s.q, s.v, s.a, row, 0.0, 1.0, 0.0, band)
        condense_band(m, row, s.stretch[0], s.q, w.raw, band)
        condense(m, row, s.stretch[0], s.q, residual)
        factor(band)
        solve(band, residual)
    for k in range(residual.shape[0]):
        s.a[k] -= push * residual[k]
    for i in range(m.links):
        if m.prescribed[i]:
            s.stretch[2, i] = -push * residual[m.first[i]]
    expand(m, s, row)
    copy(s.a, s.A)
    copy(s.stretch[2], s.stretch[3])


@njit
def fresh_start(m, s, w, x, z, row, tick):
    """Accelerations, torques and energy anew from the right-hand limits in `row`, in place of x and z.

    A jump of commanded rates does the work of the change of kinetic energy. At a control tick that starting steps follow, which read
    no accelerations, the tangent goes on to serve.
    """
    copy(x, s.x)
    copy_rows(z, s.z)
    if not tick:
        s.sums[at.TANGENT_STEP] = 0.0
    before = kinetic_energy(m, s.v, w.raw) + body_energy(m, s, row, YES[0])
    accelerate(m, s, w, row, 0.0)
    expand(m, s, row)
    end_step(m, s, w, row, 0.0)
    s.sums[at.WORK] += w.balance[at.KINETIC] - before
    if not tick:
        accelerate(m, s, w, row, m.step)  # forces were accounted with all of it
    copy(s.x, x)
    copy_rows(s.z, z)
