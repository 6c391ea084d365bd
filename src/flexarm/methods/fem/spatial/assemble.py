"""Forces and tangent of the whole arm.

`parts` are the constant arrays of the mesh, `state` views of the state vector, `scratch` what is computed on the way;
`flexarm.methods.fem.spatial.arrays` makes all three.
"""

from __future__ import annotations

from flexarm.methods.fem.spatial.bodies import body_forces, body_tangent
from flexarm.methods.fem.spatial.drives import joint_rows, joint_tangent
from flexarm.methods.fem.spatial.element import S_D, S_DRAG, S_FORCE, S_N, small_strains, strains, stresses, to_ends
from flexarm.methods.fem.spatial.fold import add_block, add_plain, fold_forces, fold_stiffness, motion
from flexarm.methods.fem.spatial.inertia import element_inertia, element_mass
from flexarm.methods.fem.spatial.kinematics import spread
from flexarm.methods.fem.spatial.layout import (
    E_COUNT,
    E_FIRST,
    E_LINK,
    E_ROOT,
    E_SECOND,
    E_SLIDES,
    F_DOF,
    F_KIND,
    FLOW,
    I_THEORY,
    J_FRAME,
    J_PSI,
    J_REAR,
    J_TURN,
    LINEAR,
    LINK_ROW,
    M_J11,
    M_J12,
    M_J22,
    M_KELVIN,
    M_LENGTH,
    M_RHO,
    MOTOR_ROW,
    NODE,
    NOMINAL_ROW,
    PSI_ROW,
)
from flexarm.methods.fem.spatial.sliding import carried, flow_forces, flow_tangent, rear_part
from flexarm.methods.fem.spatial.small import spread_small, totals
from flexarm.methods.fem.spatial.tangent import element_tangent
from flexarm.numerics.jit import njit, njit_inline, njit_part

NONE, ALL, MASS = range(3)
"""Which matrix is wanted: none, the tangent, or the mass matrix times `push` alone."""


@njit
def evaluate(parts, state, scratch, tangent, speed, push, residual, band):
    """Forces on all frames and joints (into fc, fd, jc, jd), their residual and, if wanted, a matrix (see NONE, ALL, MASS).

    Joint values phi must be set, and those of the stiff arm for the linear theories. Returns kinetic, elastic and
    gravity energy, and the power that damping takes.
    """
    frames, gfig, _moved, elements, _mfig, joint, _jfig, _bframe, _body, _slide, _par, ip = parts
    r, R, th, v, j, figures, _sums, a, _A, ja, fc, fd, jc, jd = state
    _s, _w, _K, axis, lever, phi, _phi0, nr, nv, na, tv, ta, T, _slope = scratch
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
        band[:, :] = 0.0
        motion(frames, joint, axis, lever, T)
    vel, acc = (v, a) if exact else (tv, ta)
    moving, elastic, gravity, power = 0.0, 0.0, 0.0, 0.0
    for e in range(elements.shape[0]):
        kinetic, stored, potential, lost = one_element(
            e, parts, state, scratch, vel, acc, exact, tangent, speed, push, band
        )
        moving, elastic, gravity, power = moving + kinetic, elastic + stored, gravity + potential, power + lost
    kinetic, stored, potential, lost = rest_of_arm(parts, state, scratch, vel, acc, exact, tangent, speed, push, band)
    residual_of(parts, state, residual)
    return moving + kinetic, elastic + stored, gravity + potential, power + lost


@njit_inline
def one_element(e, parts, state, scratch, vel, acc, exact, tangent, speed, push, band):
    """Add one element; returns its kinetic, elastic and gravity energy, and the power that its damping takes."""
    frames, _gfig, moved, elements, mfig, _joint, _jfig, _bframe, _body, _slide, par, _ip = parts
    r, R, th, v, _j, figures, _sums, _a, _A, _ja, fc, fd, jc, jd = state
    s, w, K, _axis, _lever, phi, _phi0, _nr, nv, _na, _tv, _ta, T, slope = scratch
    f1, f2, i = elements[e, E_FIRST], elements[e, E_SECOND], elements[e, E_LINK]
    h, dh, slides = mfig[e, M_LENGTH], 0.0, elements[e, E_SLIDES] == 1
    if slides:
        h, dh = phi[i, 0] / elements[e, E_COUNT], phi[i, 1] / elements[e, E_COUNT]
    damped = mfig[e, M_KELVIN] > 0.0
    if exact:
        strains(f1, f2, h, dh, damped, r, R, v, w, s)
    else:
        small_strains(f1, f2, h, dh, damped, r, R, th, v, nv, w, s)
    density, drain = stresses(e, mfig, s)
    for k in range(9):
        s[S_N + k] = 0.0
    to_ends(f1, f2, S_FORCE, not exact, w, s, fc)
    if damped:
        to_ends(f1, f2, S_DRAG, not exact, w, s, fd)
    kinetic, potential = element_inertia(e, f1, f2, h, mfig, r, R, vel, acc, par, fc)
    g1, g2, firm = 0.0, 0.0, not exact
    if slides:
        first = e
        while not elements[first, E_ROOT]:
            first -= 1
        g1, g2 = 1.0 - (e - first) / elements[e, E_COUNT], 1.0 - (e - first + 1.0) / elements[e, E_COUNT]
        for k in range(3):
            slope[k] = s[S_D + k] / h
        drive, drag, missing = flow_forces(
            e,
            f1,
            f2,
            g1,
            g2,
            h,
            elements,
            mfig,
            phi[i, 1],
            phi[i, 2],
            nv if firm else vel,
            acc,
            par,
            slope,
            phi[i, 0],
            s,
            fc,
        )
        kinetic += missing
        jc[LINK_ROW, i] += drive
        jd[LINK_ROW, i] += drag
        if elements[e, E_ROOT]:
            rotary = mfig[e, M_J11] + 2.0 * mfig[e, M_J12] + mfig[e, M_J22]
            figures[FLOW, i] += carried(mfig[e, M_RHO], rotary, phi[i, 1], f1, r, vel, slope, par)
    if tangent:
        if tangent == ALL:
            element_tangent(e, mfig, h, 1.0 + mfig[e, M_KELVIN] * speed, not exact, w, s, K)
        else:
            K[:, :] = 0.0
        if push > 0.0:
            element_mass(e, f1, f2, h, mfig, R, push, K)
        if slides and not firm and tangent == ALL:
            flow_tangent(e, f1, f2, g1, g2, h, elements, mfig, phi[i, 1], phi[i, 2], speed, K)
        if frames[f1, F_KIND] == NODE:
            add_plain(frames[f1, F_DOF], frames[f2, F_DOF], K, band)
        else:
            add_block(f1, f1, 0, 0, frames, moved, T, K, band)
            add_block(f1, f2, 0, 6, frames, moved, T, K, band)
            add_block(f2, f1, 6, 0, frames, moved, T, K, band)
            add_block(f2, f2, 6, 6, frames, moved, T, K, band)
    return kinetic, h * density, potential, h * drain


@njit_part
def rest_of_arm(parts, state, scratch, vel, acc, exact, tangent, speed, push, band):
    """Bodies, rear parts, joints; then carry all forces to the unknowns. Returns energies and damping power."""
    frames, _gfig, moved, _elements, _mfig, joint, jfig, bframe, body, _slide, par, _ip = parts
    r, R, _th, _v, j, figures, _sums, _a, _A, ja, fc, fd, jc, jd = state
    _s, _w, K, axis, lever, phi, phi0, _nr, _nv, _na, _tv, _ta, T, _slope = scratch
    moving, gravity = 0.0, 0.0
    for b in range(bframe.shape[0]):
        f = bframe[b]
        kinetic, potential = body_forces(b, f, body, r, R, vel, acc, par, fc)
        moving, gravity = moving + kinetic, gravity + potential
        if tangent:
            body_tangent(b, f, body, R, acc, par, push, not exact or tangent == MASS, K)
            add_block(f, f, 0, 0, frames, moved, T, K, band)
    for i in range(joint.shape[0]):
        if joint[i, J_REAR]:
            drive, kinetic, potential, leaving = rear_part(i, joint[i, J_FRAME], jfig, phi, r, R, vel, acc, par, fc)
            moving, gravity = moving + kinetic, gravity + potential
            jc[LINK_ROW, i] += drive
            figures[FLOW, i] -= leaving
    kinetic, stored, lost = joint_rows(frames, joint, jfig, axis, j, ja, phi0, vel, acc, fc, jc, jd)
    fold_forces(frames, joint, axis, lever, fc, jc[LINK_ROW])
    fold_forces(frames, joint, axis, lever, fd, jd[LINK_ROW])
    if tangent:
        joint_tangent(frames, joint, jfig, axis, moved, T, tangent == ALL, speed, push, band)
        if exact and tangent == ALL:
            fold_stiffness(frames, joint, moved, axis, lever, T, fc, fd, band)
    return moving + kinetic, stored, gravity, lost


@njit_part
def residual_of(parts, state, residual):
    """Balance of all unknowns, without motors."""
    frames, joint = parts[0], parts[5]
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
