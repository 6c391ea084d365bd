"""The energy-momentum conserving step.

    q+ - q = h (v + v+)/2,     M (v+ - v)/h + F_mean - weight = torques ,

where the work of F_mean over the step is exactly the change of elastic energy (see `beam_mean`), and a torque is the mean
of both ends on a gradient that does the work torque times angle. Without drives and damping, energy is kept to the
tolerance of the solver however long the step. Laws are solved at the end of the step. The tangent is that of the mean
shape.
"""

from __future__ import annotations

import math

from flexarm.methods.ancf.assemble import add_inertia, gather
from flexarm.methods.ancf.beam_mean import beam_mean
from flexarm.methods.ancf.bodies import body_means
from flexarm.methods.ancf.continuum import continuum_mean
from flexarm.methods.ancf.joints import (
    A_ANGLE,
    B_ANGLE,
    M_ANGLE,
    MOTOR_RATE,
    READING,
    READING_RATE,
    read_joint,
)
from flexarm.methods.ancf.layout import (
    DRIVE,
    E_KIND,
    F_BETA,
    I_CHORDS,
    I_ITERATIONS,
    I_LINKS,
    I_SOLVER,
    J_A,
    J_ACTS,
    J_B,
    J_CHANNEL,
    J_COMMAND,
    J_MOVED,
    J_PSI,
    J_SPRING,
    JOINT,
    K_DAMPER,
    K_LAW,
    K_SPRING,
    MADE,
    MOTOR,
    NEWTON,
    P_LENGTH,
    P_TOLERANCE,
    ROW_D,
    ROW_E,
    ROW_F,
    S_CAP,
    S_LAW,
    S_READ,
    S_SLIDE,
    S_WORK,
    SHEAR,
    TANGENTS,
    V_FORCE,
    V_LOAD,
    V_MIDDLE,
    V_OLD,
    V_RATE,
    V_RAW,
    V_RESIDUAL,
)
from flexarm.methods.ancf.loads import patch_forces
from flexarm.methods.ancf.moved import condense, expand
from flexarm.methods.ancf.solving import add_chords, add_joints, make_tangent, solve
from flexarm.numerics.jit import njit_inline, njit_part
from flexarm.numerics.laws import law_value

SLOW, FAIR = 0.25, 0.02
"""A kept tangent is renewed at once when a correction is not below the first share of the one before, and in the next step
when that of the last one is not below the second: what a step leaves is about this share of its last correction."""


@njit_part
def mean_forces(m, q0, q1, h, damped, w, f):
    """Mean forces of the elements less the weight into f; with damping if `damped` is 1, without if 0."""
    for k in range(q0.shape[0]):
        f[k] = -m.weight[k]
    e0, e1, F = w.el[ROW_E], w.el[ROW_D], w.el[ROW_F]
    for n in range(m.elem.shape[0]):
        kind, beta = m.elem[n, E_KIND], damped * m.fig[n, F_BETA]
        count = gather(m.elem, n, q0, e0)
        gather(m.elem, n, q1, e1)
        if kind <= SHEAR:
            beam_mean(kind == SHEAR, e0, e1, m.fig[n], beta, h, F)
        else:
            continuum_mean(e0, e1, m.paper[n], beta, h, F)
        for j in range(count):
            p = m.elem[n, j]
            f[p] += F[2 * j]
            f[p + 1] += F[2 * j + 1]


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
def joint_means(m, s, row, z, h, level, w, q0, f):
    """Springs of joints over the step into f; with dampers if `level` is above 0, with motors if it is 1."""
    read = w.small[S_READ]
    for i in range(m.ip[I_LINKS]):
        acts, spring = m.joint[i, J_ACTS] and level == 1.0, m.joint[i, J_SPRING]
        if not acts and not spring:
            continue
        read_joint(m.joint, m.jfig, s.q, s.v, row, s.frame, i, read)
        b, a, psi = m.joint[i, J_B], m.joint[i, J_A], m.joint[i, J_PSI]
        on_base, on_before, on_motor = 0.0, 0.0, 0.0
        if spring:
            old, new = s.frame[JOINT, i] - s.frame[MOTOR, i], read[B_ANGLE] - read[M_ANGLE]
            torque = 0.5 * m.jfig[i, K_SPRING] * (old + new)
            if level > 0.0:
                torque += m.jfig[i, K_DAMPER] * (new - old) / h
            on_base += torque
            if m.joint[i, J_COMMAND]:
                on_before -= torque
            else:
                on_motor -= torque
        if acts:
            k = m.joint[i, J_CHANNEL]
            law, work = m.jfig[i, K_LAW:], w.small[S_LAW:S_CAP]
            tau = law_value(row[k], law, z[k], h, read[READING], read[READING_RATE], read[MOTOR_RATE], work)[0]
            tau = 0.5 * (tau + s.frame[DRIVE, i])
            on_before += tau
            if spring:
                on_motor -= tau
            else:
                on_base -= tau
        put_mean_torque(q0, s.q, b, on_base, f)
        if a >= 0:
            put_mean_torque(q0, s.q, a, on_before, f)
        if psi >= 0:
            f[psi] += on_motor


@njit_part
def midway(m, s, row, w):
    """Mean row, mean positions and mean stretches of the step, into the scratch."""
    for c in range(row.shape[0]):
        for k in range(row.shape[1]):
            w.rows[2, c, k] = 0.5 * (w.rows[0, c, k] + row[c, k])
    for k in range(s.q.shape[0]):
        w.vec[V_MIDDLE, k] = 0.5 * (w.vec[V_OLD, k] + s.q[k])
    for i in range(m.ip[I_LINKS]):
        w.small[S_SLIDE + 2, i] = 0.5 * (w.small[S_SLIDE + 0, i] + s.slide[0, i])


@njit_part
def end_of_step(m, s, row, h, w):
    """Velocities at the end from positions there; commanded sections follow."""
    for k in range(s.q.shape[0]):
        s.v[k] = 2.0 * (s.q[k] - w.vec[V_OLD, k]) / h - w.vec[V_RATE, k]
    for i in range(m.ip[I_LINKS]):
        s.slide[1, i] = 2.0 * (s.slide[0, i] - w.small[S_SLIDE + 0, i]) / h - w.small[S_SLIDE + 1, i]
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)


@njit_inline
def mean_residual(m, s, row, z, h, w, residual):
    """Balance of the step for all positions (not yet condensed)."""
    mean_forces(m, w.vec[V_OLD], s.q, h, 1.0, w, residual)
    joint_means(m, s, row, z, h, 1.0, w, w.vec[V_OLD], residual)
    patch_forces(m.patch, w.vec[V_MIDDLE], w.rows[2], residual)
    for k in range(residual.shape[0]):
        w.vec[V_FORCE, k] = (s.v[k] - w.vec[V_RATE, k]) / h
    add_inertia(m.mass, w.vec[V_FORCE], residual)
    body_means(m.body, w.vec[V_OLD], w.vec[V_RATE], s.q, s.v, s.frame, row, h, residual)


@njit_inline
def count_work(m, s, row, z, h, w):
    """Work of conservative forces with inertia, and of damping, over the step into w.small[S_WORK]."""
    conserved, total = w.vec[V_RESIDUAL], w.vec[V_RAW]
    mean_forces(m, w.vec[V_OLD], s.q, h, 0.0, w, conserved)
    joint_means(m, s, row, z, h, 0.0, w, w.vec[V_OLD], conserved)
    mean_forces(m, w.vec[V_OLD], s.q, h, 1.0, w, total)
    joint_means(m, s, row, z, h, 0.5, w, w.vec[V_OLD], total)
    work, lost = 0.0, 0.0
    for k in range(total.shape[0]):
        step = s.q[k] - w.vec[V_OLD, k]
        lost += step * (total[k] - conserved[k])
    add_inertia(m.mass, w.vec[V_FORCE], conserved)
    body_means(m.body, w.vec[V_OLD], w.vec[V_RATE], s.q, s.v, s.frame, row, h, conserved)
    for k in range(total.shape[0]):
        work += (s.q[k] - w.vec[V_OLD, k]) * conserved[k]
    for i in range(m.ip[I_LINKS]):  # a commanded motor behind a spring turns one end of its damper
        if m.joint[i, J_SPRING] and m.joint[i, J_COMMAND] and m.jfig[i, K_DAMPER] > 0.0:
            read_joint(m.joint, m.jfig, s.q, s.v, row, s.frame, i, w.small[S_READ])
            moved = w.small[S_READ, M_ANGLE] - w.small[S_READ, A_ANGLE] - s.frame[MOTOR, i]
            wound = w.small[S_READ, B_ANGLE] - w.small[S_READ, M_ANGLE] - (s.frame[JOINT, i] - s.frame[MOTOR, i])
            torque = m.jfig[i, K_DAMPER] * wound / h
            work, lost = work + torque * moved, lost - torque * moved
    w.small[S_WORK, 0], w.small[S_WORK, 1] = work, lost


@njit_inline
def conserving_step(m, s, row, z, h, w):
    """One step of length h to `row`; returns the number of iterations, or -1 if it did not converge."""
    residual, raw = w.vec[V_RESIDUAL], w.vec[V_RAW]
    for k in range(s.q.shape[0]):
        w.vec[V_OLD, k], w.vec[V_RATE, k] = s.q[k], s.v[k]
        s.q[k] += h * s.v[k] + 0.5 * h * h * s.a[k]
    for i in range(m.ip[I_LINKS]):
        w.small[S_SLIDE + 0, i], w.small[S_SLIDE + 1, i] = s.slide[0, i], s.slide[1, i]
        s.slide[0, i] += h * s.slide[1, i] + 0.5 * h * h * s.slide[2, i]
    speed, push = 2.0 / h, 2.0 / (h * h)
    renew, previous = s.sums[MADE] != h, 0.0
    for iteration in range(m.ip[I_ITERATIONS]):
        end_of_step(m, s, row, h, w)
        midway(m, s, row, w)
        mean_residual(m, s, row, z, h, w, residual)
        if renew or m.ip[I_SOLVER] == NEWTON:
            s.sums[MADE] = 0.0
            for k in range(s.q.shape[0]):
                raw[k] = residual[k]
                w.vec[V_LOAD, k] = (s.q[k] - w.vec[V_OLD, k]) / h
            if not make_tangent(
                m, s, w.vec[V_MIDDLE], w.vec[V_LOAD], w.vec[V_FORCE], row, z, h, speed, push, 0.5, w, raw
            ):
                return -1
            s.sums[MADE] = h
            s.sums[TANGENTS] += 1.0
        elif m.ip[I_CHORDS] > 0:
            add_joints(m, s, row, z, h, speed, w, w.band)  # for the slopes of the chord laws
        condense(m.joint, m.jfig, m.ip, w.rows[2], w.small[S_SLIDE + 2 : S_SLIDE + 3], w.vec[V_MIDDLE], residual)
        solve(s.band, residual)
        if m.ip[I_CHORDS] > 0:
            add_chords(m, s, speed, w, residual)
        largest = 0.0
        for k in range(s.q.shape[0]):
            s.q[k] -= residual[k]
            largest = max(largest, abs(residual[k]))
        for i in range(m.ip[I_LINKS]):
            if m.joint[i, J_MOVED]:
                s.slide[0, i] -= residual[m.joint[i, J_B]]
        if not largest < 1e3 * m.par[P_LENGTH]:
            break
        if largest <= m.par[P_TOLERANCE] * m.par[P_LENGTH]:
            end_of_step(m, s, row, h, w)
            for k in range(s.q.shape[0]):
                w.vec[V_FORCE, k] = (s.v[k] - w.vec[V_RATE, k]) / h
            count_work(m, s, row, z, h, w)
            if iteration > 0 and largest > FAIR * previous:
                s.sums[MADE] = 0.0
            return iteration + 1
        renew = iteration > 0 and largest > SLOW * previous
        previous = largest
    s.sums[MADE] = 0.0
    return -1
