"""Forces and tangent of the whole arm.

`parts` are the constant arrays of the mesh, `state` views of the state vector, `scratch` what is computed on the way;
`flexarm.methods.fem.spatial.arrays` makes all three.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.bodies import body_forces, body_tangent
from flexarm.methods.fem.spatial.drives import joint_rows, joint_tangent
from flexarm.methods.fem.spatial.element import elastic_forces
from flexarm.methods.fem.spatial.flowing import add_rear, flow_through
from flexarm.methods.fem.spatial.fold import add_block, fold_forces, fold_stiffness, motion
from flexarm.methods.fem.spatial.inertia import add_inertia, add_mass
from flexarm.methods.fem.spatial.kinematics import spread
from flexarm.methods.fem.spatial.lanes import (
    Q_DRAGS,
    Q_ELASTIC,
    Q_ENDS,
    Q_K,
    Q_KINETIC,
    Q_LOST,
    Q_ONE,
    Q_ROWS,
    Q_TWO,
    Q_WEIGHT,
    WIDE,
    gather,
    gather_small,
    scatter,
    scatter_matrix,
    take_matrix,
)
from flexarm.methods.fem.spatial.layout import (
    E_FIRST,
    E_LINK,
    E_SECOND,
    E_SLIDES,
    F_DOF,
    F_KIND,
    F_PLAIN,
    FLOW,
    I_DAMPED,
    I_THEORY,
    J_PSI,
    J_REAR,
    J_TURN,
    LINEAR,
    LINK_ROW,
    MOTOR_ROW,
    NODE,
    NOMINAL_ROW,
    PLAIN,
    PSI_ROW,
)
from flexarm.methods.fem.spatial.sliding import set_sliding
from flexarm.methods.fem.spatial.small import spread_small, totals
from flexarm.methods.fem.spatial.tangent import element_tangents
from flexarm.numerics.jit import njit_inside

NONE, ALL, MASS = range(3)
"""Which matrix is wanted: none, the tangent, or the mass matrix times `push` alone."""


@njit_inside
def assemble(parts, state, scratch, tangent, speed, push, residual, band):
    """Forces on all frames and joints (into fc, fd, jc, jd), their residual and, if wanted, a matrix (see NONE, ALL, MASS).

    Joint values phi must be set, and those of the stiff arm for the linear theories. Returns kinetic, elastic and
    gravity energy, and the power that damping takes.
    """
    frames, gfig, joint, ip = parts.frames, parts.figures, parts.joint, parts.ip
    r, R, th, v, j, figures, _sums, a, _A, ja, fc, fd, jc, jd = state
    axis, lever, phi, nr, nv = scratch.axis, scratch.lever, scratch.phi, scratch.nr, scratch.nv
    na, tv, ta, T = scratch.na, scratch.tv, scratch.ta, scratch.T
    exact = ip[I_THEORY] != LINEAR
    if exact:
        spread(frames, gfig, joint, phi, r, R, v, a, axis, lever)
    else:
        spread_small(frames, joint, j, ja, nr, nv, na, axis, lever, r, th, v, a)
        totals(v, a, nv, na, tv, ta)
    for f in range(frames.shape[0]):
        for k in range(6):
            fc[f, k] = fd[f, k] = 0.0
    for i in range(joint.shape[0]):
        figures[FLOW, i] = 0.0
        for k in range(4):
            jc[k, i] = jd[k, i] = 0.0
    if tangent:
        flat = band[0]
        for k in range(flat.shape[0]):
            flat[k] = 0.0
        motion(frames, joint, axis, lever, T)
    vel, acc = (v, a) if exact else (tv, ta)
    moving, elastic, gravity, power = add_elements(parts, state, scratch, vel, acc, exact, tangent, speed, push, band)
    kinetic, stored, potential, lost = rest_of_arm(parts, state, scratch, vel, acc, exact, tangent, speed, push, band)
    residual_of(parts, state, residual)
    return moving + kinetic, elastic + stored, gravity + potential, power + lost


@njit_inside
def add_elements(parts, state, scratch, vel, acc, exact, tangent, speed, push, band):
    """Add all elements; returns their kinetic, elastic and gravity energy, and the power that their damping takes."""
    elements, par, damped = parts.elements, parts.par, parts.ip[I_DAMPED] == 1
    fc, fd, lanes = state[10], state[11], scratch.lanes
    moving, elastic, gravity, power = 0.0, 0.0, 0.0, 0.0
    for g in range(lanes.shape[0]):
        q = lanes[g]
        count = min(WIDE, elements.shape[0] - WIDE * g)
        load(q, g, count, exact, parts, state, scratch, vel, acc)
        elastic_forces(q, exact, damped)
        add_inertia(q, par)
        if tangent:
            if tangent == ALL:
                element_tangents(q, speed)
            else:
                for k in range(Q_K * WIDE, Q_ROWS * WIDE):
                    q[k] = 0.0
            if push > 0.0:
                add_mass(q, push)
        for lane in range(count):
            e = WIDE * g + lane
            f1, f2 = elements[e, E_FIRST], elements[e, E_SECOND]
            elastic += q[Q_ELASTIC * WIDE + lane]
            gravity += q[Q_WEIGHT * WIDE + lane]
            power += q[Q_LOST * WIDE + lane]
            moving += q[Q_KINETIC * WIDE + lane]
            scatter(q, lane, Q_ENDS, f1, f2, fc)
            if damped:
                scatter(q, lane, Q_DRAGS, f1, f2, fd)
        for lane in range(count):
            e = WIDE * g + lane
            if elements[e, E_SLIDES]:
                moving += flow_through(
                    q, lane, e, parts, state, scratch, vel, acc, exact, tangent != NONE, tangent == ALL, speed, push, damped, band
                )  # fmt: skip
        if tangent:
            for lane in range(count):
                e = WIDE * g + lane
                add_matrix(q, lane, elements[e, E_FIRST], elements[e, E_SECOND], parts, scratch, band)
    return moving, elastic, gravity, power


@njit_inside
def load(q, g, count, exact, parts, state, scratch, vel, acc):
    """Fill the lanes of group g."""
    elements, mfig = parts.elements, parts.mfig
    r, R, th, phi, nv = state[0], state[1], state[2], scratch.phi, scratch.nv
    for lane in range(count):
        e = WIDE * g + lane
        f1, f2, i = elements[e, E_FIRST], elements[e, E_SECOND], elements[e, E_LINK]
        if elements[e, E_SLIDES]:
            set_sliding(q, lane, e, elements, mfig, parts.stock[i], phi[i], scratch.z[e])
        gather(q, lane, Q_ONE, f1, r, R, vel, acc)
        gather(q, lane, Q_TWO, f2, r, R, vel, acc)
        if not exact:
            gather_small(q, lane, f1, f2, th, nv)


@njit_inside
def add_matrix(q, lane, f1, f2, parts, scratch, band):
    """Add the matrix of one lane to the whole."""
    frames, moved, K, T = parts.frames, parts.moved, scratch.K, scratch.T
    if frames[f1, F_PLAIN] >= PLAIN and band[2].shape[0]:
        scatter_matrix(q, lane, frames[f1, F_PLAIN], frames[f2, F_DOF], band)
    else:
        take_matrix(q, lane, K)
        for k in range(4):
            f, g = (f1 if k < 2 else f2), (f2 if k % 2 else f1)
            add_block(f, g, 6 * (k // 2), 6 * (k % 2), frames, moved, T, K, band)


@njit_inside
def rest_of_arm(parts, state, scratch, vel, acc, exact, tangent, speed, push, band):
    """Bodies, rear parts, joints; then carry all forces to the unknowns. Returns energies and damping power."""
    frames, moved, joint, jfig, bframe = parts.frames, parts.moved, parts.joint, parts.jfig, parts.bframe
    body, par = parts.body, parts.par
    r, R, th, _v, j, _figures, _sums, _a, _A, ja, fc, fd, jc, jd = state
    K, axis, lever, phi0, nv = scratch.K, scratch.axis, scratch.lever, scratch.phi0, scratch.nv
    na, T = scratch.na, scratch.T
    moving, gravity = 0.0, 0.0
    for b in range(bframe.shape[0]):
        f = bframe[b]
        kinetic, potential = body_forces(b, f, body, r, R, vel, acc, par, not exact, th, nv, na, fc)
        moving, gravity = moving + kinetic, gravity + potential
        if tangent:
            body_tangent(b, f, body, R, acc, par, push, not exact or tangent == MASS, K)
            add_block(f, f, 0, 0, frames, moved, T, K, band)
    for i in range(joint.shape[0]):
        if joint[i, J_REAR]:
            kinetic, potential = add_rear(
                i, parts, state, scratch, vel, acc, exact, tangent != NONE, tangent == ALL, speed, push, band
            )  # fmt: skip
            moving, gravity = moving + kinetic, gravity + potential
    kinetic, stored, lost = joint_rows(frames, joint, jfig, axis, j, ja, phi0, vel, acc, fc, jc, jd)
    fold_forces(frames, joint, axis, lever, fc, jc[LINK_ROW])
    fold_forces(frames, joint, axis, lever, fd, jd[LINK_ROW])
    if tangent:
        joint_tangent(frames, joint, jfig, axis, moved, T, tangent == ALL, speed, push, band)
        if exact and tangent == ALL:
            fold_stiffness(frames, joint, moved, axis, lever, T, fc, fd, band)
    return moving + kinetic, stored, gravity, lost


@njit_inside
def residual_of(parts, state, residual):
    """Balance of all unknowns, without motors."""
    frames, joint = parts.frames, parts.joint
    fc, fd, jc, jd = state[10], state[11], state[12], state[13]
    for f in range(frames.shape[0]):
        dof = frames[f, F_DOF]
        if frames[f, F_KIND] == NODE:
            for k in range(6):
                residual[dof + k] = fc[f, k] + fd[f, k]
    for i in range(joint.shape[0]):
        n, m = joint[i, J_PSI], joint[i, J_TURN]
        for k in (PSI_ROW, NOMINAL_ROW):
            jc[k, i] += jc[LINK_ROW, i]
            jd[k, i] += jd[LINK_ROW, i]
        if n >= 0:
            residual[n] = jc[PSI_ROW, i] + jd[PSI_ROW, i]
        if m >= 0:
            residual[m] = jc[MOTOR_ROW, i] + jd[MOTOR_ROW, i]
