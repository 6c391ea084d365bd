"""Forces and tangent of the whole arm: elements, bodies and joints put together on the unknowns.

Equations: S9, S13.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial import simd
from flexarm.methods.fem.spatial.bodies import add_root_load, body_forces, body_tangent
from flexarm.methods.fem.spatial.condensation import add_block, condense_forces, frame_jacobians, geometric_stiffness
from flexarm.methods.fem.spatial.convective_terms import add_convective_terms, set_sliding
from flexarm.methods.fem.spatial.drives import joint_rows, joint_tangent
from flexarm.methods.fem.spatial.element import elastic_forces
from flexarm.methods.fem.spatial.inertia import add_inertia, add_mass
from flexarm.methods.fem.spatial.kinematics import spread
from flexarm.methods.fem.spatial.loads import push_loads
from flexarm.methods.fem.spatial.matrix import clear
from flexarm.methods.fem.spatial.retracted_part import add_retracted
from flexarm.methods.fem.spatial.small_displacements import spread_small
from flexarm.methods.fem.spatial.tangent import element_tangents
from flexarm.numerics.jit import njit_apart, njit_inside


@njit_apart
def assemble(parts, state, scratch, solver, wanted, slopes, matrix):
    """Forces on all frames and joints, their residual, energies, and the matrix that is `wanted` (see `layout`).

    Joint values phi must be set, and the motion of the stiff arm for the linear theory.
    """
    fc, fd, jc, jd = state.force, state.damping_force, state.joint_force, state.joint_damping
    exact = parts.theory != at.LINEAR
    if exact:
        spread(parts, state, scratch)
    else:
        spread_small(parts, state, scratch)
    for f in range(fc.shape[0]):
        for k in range(6):
            fc[f, k] = fd[f, k] = 0.0
    for i in range(jc.shape[1]):
        state.joint_record[at.FLOW, i] = 0.0
        for k in range(6):
            scratch.root_load[i, k] = 0.0
        for k in range(4):
            jc[k, i] = jd[k, i] = 0.0
    if wanted:
        clear(matrix)
        frame_jacobians(parts, scratch)
    v, a = (
        (state.velocity, state.acceleration) if exact else (scratch.total_velocity, scratch.total_acceleration)
    )  # fmt: skip
    moving, elastic, gravity, power = add_elements(parts, state, scratch, v, a, wanted, slopes, matrix)
    if parts.loads:
        scratch.push_power[0] = push_loads((parts, state, scratch, solver, v, wanted, matrix))
    kinetic, stored, potential, lost = add_bodies_and_joints(parts, state, scratch, v, a, wanted, slopes, matrix)
    residual_of(parts, state, solver.residual)
    found = solver.energies
    found[0], found[1], found[2], found[3] = moving + kinetic, elastic + stored, gravity + potential, power + lost


@njit_apart
def add_elements(parts, state, scratch, v, a, wanted, slopes, matrix):
    """Add all elements; returns their kinetic, elastic and gravity energy, and the power that their damping takes."""
    elements, damped, exact = parts.elements, parts.damped == 1, parts.theory != at.LINEAR
    moving, elastic, gravity, power = 0.0, 0.0, 0.0, 0.0
    for g in range(scratch.groups.shape[0]):
        q = scratch.groups[g]
        first, count = simd.WIDE * g, min(simd.WIDE, elements.shape[0] - simd.WIDE * g)
        load_group(q, first, count, parts, state, scratch, v, a)
        elastic_forces(q, exact, damped)
        add_inertia(q, parts.gravity)
        if wanted:
            if wanted == at.TANGENT:
                element_tangents(q, slopes.rate)
            else:
                for k in range(simd.K * simd.WIDE, simd.ROWS * simd.WIDE):
                    q[k] = 0.0
            if slopes.acceleration > 0.0:
                add_mass(q, slopes.acceleration)
        for lane in range(count):
            f1, f2 = elements[first + lane, at.E_FIRST], elements[first + lane, at.E_SECOND]
            elastic += q[simd.ELASTIC * simd.WIDE + lane]
            gravity += q[simd.WEIGHT * simd.WIDE + lane]
            power += q[simd.LOST * simd.WIDE + lane]
            moving += q[simd.KINETIC * simd.WIDE + lane]
            simd.scatter(q, lane, simd.ENDS, f1, f2, state.force)
            if damped:
                simd.scatter(q, lane, simd.DRAGS, f1, f2, state.damping_force)
        for lane in range(count):
            if elements[first + lane, at.E_SLIDES]:
                moving += add_convective_terms(
                    q, lane, first + lane, parts, state, scratch, v, a, wanted, slopes, matrix
                )
        if wanted:
            for lane in range(count):
                add_matrix(q, lane, first + lane, parts, scratch, matrix)
    return moving, elastic, gravity, power


@njit_inside
def load_group(q, first, count, parts, state, scratch, v, a):
    """Fill the lanes of the group that begins with element `first`."""
    elements, r, R = parts.elements, state.position, state.rotation
    for lane in range(count):
        e = first + lane
        f1, f2 = elements[e, at.E_FIRST], elements[e, at.E_SECOND]
        if elements[e, at.E_SLIDES]:
            set_sliding(q, lane, e, parts, scratch)
        simd.gather(q, lane, simd.ONE, f1, r, R, v, a)
        simd.gather(q, lane, simd.TWO, f2, r, R, v, a)
        if parts.theory == at.LINEAR:
            simd.gather_small(q, lane, f1, f2, state.small_rotation, scratch.stiff_velocity)


@njit_inside
def add_matrix(q, lane, e, parts, scratch, matrix):
    """Add the matrix of one element to the whole."""
    frames, f1, f2 = parts.frames, parts.elements[e, at.E_FIRST], parts.elements[e, at.E_SECOND]
    if frames[f1, at.F_PLAIN] >= at.PLAIN and matrix.blocks.shape[0]:
        simd.scatter_matrix(q, lane, frames[f1, at.F_PLAIN], frames[f2, at.F_DOF], matrix)
    else:
        simd.get_matrix(q, lane, scratch.K)
        for k in range(4):
            f, g = (f1 if k < 2 else f2), (f2 if k % 2 else f1)
            add_block(f, g, 6 * (k // 2), 6 * (k % 2), parts, scratch, matrix)


@njit_apart
def add_bodies_and_joints(parts, state, scratch, v, a, wanted, slopes, matrix):
    """Bodies, retracted parts, joints; then carry all forces to the unknowns. Returns energies and damping power."""
    linear, moving, gravity = parts.theory == at.LINEAR, 0.0, 0.0
    for b in range(parts.body_frame.shape[0]):
        f, root = parts.body_frame[b], parts.body_root[b]
        if root >= 0:
            add_root_load(root, f, -1.0, state, scratch)
        kinetic, potential = body_forces(b, f, parts, state, scratch, v, a, linear)
        if root >= 0:
            add_root_load(root, f, 1.0, state, scratch)
        moving, gravity = moving + kinetic, gravity + potential
        if wanted:
            rate = slopes.rate if wanted == at.TANGENT else 0.0
            body_tangent(b, f, parts, state, scratch, v, a, rate, slopes.acceleration, linear or wanted == at.MASS)
            add_block(f, f, 0, 0, parts, scratch, matrix)
    for i in range(parts.joints.shape[0]):
        if parts.joints[i, at.J_RETRACTED]:
            kinetic, potential = add_retracted(i, parts, state, scratch, v, a, wanted, slopes, matrix)
            moving, gravity = moving + kinetic, gravity + potential
    kinetic, stored, lost = joint_rows(parts, state, scratch, v, a)
    condense_forces(parts, scratch, state.force, state.joint_force[at.LINK_ROW])
    condense_forces(parts, scratch, state.damping_force, state.joint_damping[at.LINK_ROW])
    if wanted:
        joint_tangent(parts, state, scratch, v, wanted == at.TANGENT, slopes, matrix)
        if not linear and wanted == at.TANGENT:
            geometric_stiffness(parts, state, scratch, matrix)
    return moving + kinetic, stored, gravity, lost


@njit_inside
def residual_of(parts, state, residual):
    """Balance of all unknowns, without motors."""
    frames, joints = parts.frames, parts.joints
    fc, fd, jc, jd = state.force, state.damping_force, state.joint_force, state.joint_damping
    for f in range(frames.shape[0]):
        dof = frames[f, at.F_DOF]
        if frames[f, at.F_KIND] == at.NODE:
            for k in range(6):
                residual[dof + k] = fc[f, k] + fd[f, k]
    for i in range(joints.shape[0]):
        n, m = joints[i, at.J_PSI], joints[i, at.J_TURN]
        for k in (at.PSI_ROW, at.NOMINAL_ROW):
            jc[k, i] += jc[at.LINK_ROW, i]
            jd[k, i] += jd[at.LINK_ROW, i]
        if n >= 0:
            residual[n] = jc[at.PSI_ROW, i] + jd[at.PSI_ROW, i]
        if m >= 0:
            residual[m] = jc[at.MOTOR_ROW, i] + jd[at.MOTOR_ROW, i]
