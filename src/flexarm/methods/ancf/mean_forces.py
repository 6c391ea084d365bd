"""Mean forces of elements and joints over a conserving step.

Equations: A29, A30.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.assemble import add_inertia, gather, scatter
from flexarm.methods.ancf.beam_mean import beam_mean
from flexarm.methods.ancf.bodies import body_means
from flexarm.methods.ancf.continuum import continuum_mean
from flexarm.methods.ancf.joints import law_torque, read_joint
from flexarm.methods.ancf.loads import patch_forces
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def element_means(m, s, w, h, damped, f):
    """Mean forces of the elements less the weight into f; with damping if `damped` is 1, without if 0."""
    for k in range(s.q.shape[0]):
        f[k] = -m.weight[k]
    for n in range(m.kind.shape[0]):
        beta = damped * m.damping_time[n]
        count = gather(m, n, w.old_q, w.e)
        gather(m, n, s.q, w.d)
        if m.kind[n] <= at.SHEAR:
            beam_mean(m, w, n, beta, h)
        else:
            continuum_mean(m, w, n, beta, h)
        scatter(m, n, count, w.F, f)


@njit_part
def put_mean_torque(q0, q1, p, torque, f):
    """A torque on a section, as a force that does its work over the step."""
    across = q0[p] * q1[p + 1] - q0[p + 1] * q1[p]
    along = q0[p] * q1[p] + q0[p + 1] * q1[p + 1]
    scale = torque / along
    if abs(across) > 1e-7 * abs(along):
        scale = torque * math.atan2(across, along) / across
    f[p] -= scale * 0.5 * (q0[p + 1] + q1[p + 1])
    f[p + 1] += scale * 0.5 * (q0[p] + q1[p])


@njit_part
def joint_means(m, s, w, row, h, level, f):
    """Add springs of joints over the step to f; with dampers if `level` is above 0, with motors if it is 1."""
    for i in range(m.links):
        acts = m.acts[i] and level == 1.0
        if not acts and not m.sprung[i]:
            continue
        read_joint(m, s, w, row, i)
        on_first, on_before, on_motor = 0.0, 0.0, 0.0
        if m.sprung[i]:
            old, new = s.joint[i] - s.motor[i], w.first_angle[i] - w.motor_angle[i]
            torque = 0.5 * m.spring[i] * (old + new)
            if level > 0.0:
                torque += m.damper[i] * (new - old) / h
            on_first += torque
            if m.commanded[i]:
                on_before -= torque
            else:
                on_motor -= torque
        if acts:
            tau = 0.5 * (law_torque(m, s, w, row, h, i)[0] + s.drive[i])
            on_before += tau
            if m.sprung[i]:
                on_motor -= tau
            else:
                on_first -= tau
        put_mean_torque(w.old_q, s.q, m.first[i], on_first, f)
        if m.before[i] >= 0:
            put_mean_torque(w.old_q, s.q, m.before[i], on_before, f)
        if m.motor[i] >= 0:
            f[m.motor[i]] += on_motor


@njit_inline
def mean_residual(m, s, w, row, h, residual):
    """Balance of the step for all positions (not yet condensed); w.force becomes the mean acceleration."""
    element_means(m, s, w, h, 1.0, residual)
    joint_means(m, s, w, row, h, 1.0, residual)
    patch_forces(m, w.middle, w.rows[2], residual)
    add_mean_inertia(m, s, w, row, h, residual)


@njit_part
def add_mean_inertia(m, s, w, row, h, f):
    """Add mean inertia of links and bodies, and the weight at the offsets of bodies; w.force becomes the mean acceleration."""
    for k in range(f.shape[0]):
        w.force[k] = (s.v[k] - w.old_v[k]) / h
    add_inertia(m, w.force, f)
    body_means(m, s, w, row, h, f)


@njit_inline
def count_work(m, s, w, row, h):
    """Work of conservative forces with inertia, and of damping, over the step into w.balance."""
    conserved, total = w.residual, w.raw
    element_means(m, s, w, h, 0.0, conserved)
    joint_means(m, s, w, row, h, 0.0, conserved)
    element_means(m, s, w, h, 1.0, total)
    joint_means(m, s, w, row, h, 0.5, total)
    work, lost = 0.0, 0.0
    for k in range(total.shape[0]):
        lost += (s.q[k] - w.old_q[k]) * (total[k] - conserved[k])
    add_mean_inertia(m, s, w, row, h, conserved)
    for k in range(total.shape[0]):
        work += (s.q[k] - w.old_q[k]) * conserved[k]
    for i in range(m.links):  # a commanded motor behind a spring turns one end of its damper
        if m.sprung[i] and m.commanded[i] and m.damper[i] > 0.0:
            read_joint(m, s, w, row, i)
            turned = w.motor_angle[i] - w.before_angle[i] - s.motor[i]
            wound = w.first_angle[i] - w.motor_angle[i] - (s.joint[i] - s.motor[i])
            torque = m.damper[i] * wound / h
            work, lost = work + torque * turned, lost - torque * turned
    w.balance[at.CONSERVED], w.balance[at.DAMPED] = work, lost
