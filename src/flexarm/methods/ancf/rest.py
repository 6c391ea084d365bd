"""Forces and their derivatives at rest, for equilibrium and small motions."""

from __future__ import annotations

from flexarm.methods.ancf.assemble import element_forces, element_tangent
from flexarm.methods.ancf.bodies import body_forces, body_tangent
from flexarm.methods.ancf.joints import read_joint, spring_forces
from flexarm.methods.ancf.layout import I_CHORDS, I_LINKS, S_READ
from flexarm.methods.ancf.loads import patch_forces
from flexarm.methods.ancf.moved import condense, condense_band, expand
from flexarm.methods.ancf.settle import note_frame
from flexarm.methods.ancf.solving import add_joints, view
from flexarm.numerics.jit import njit


@njit
def balance(m, w, x, z, row, loads, force, speed, share, residual, raw, band):
    """Condensed residual and its band derivative, motors without torque: a share of the weight and `force` taken off.

    row commands the joints, `loads` holds the patches; raw is scratch.
    """
    s = view(x, m.weight.shape[0], m.ip[I_LINKS], m.ip[I_CHORDS])
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
    element_forces(m.elem, m.fig, m.paper, m.weight, s.q, s.v, w.el, residual)
    spring_forces(m.joint, m.jfig, s.q, s.v, row, s.frame, w.small[S_READ], residual)
    patch_forces(m.patch, s.q, loads, residual)
    for k in range(residual.shape[0]):
        raw[k] = 0.0
    body_forces(m.body, s.q, raw, raw, row, share, residual)
    element_tangent(m.elem, m.fig, m.paper, m.mass, s.q, s.v, speed, 0.0, 1.0, w.el, band)
    body_tangent(m.body, s.q, raw, raw, row, 0.0, 0.0, 1.0, band)
    for k in range(residual.shape[0]):
        residual[k] += (1.0 - share) * m.weight[k] - share * force[k]
        raw[k] = residual[k]
    add_joints(m, s, loads, z, 0.0, speed, w, band)
    condense_band(m.joint, m.jfig, m.ip, row, s.slide, s.q, raw, band)
    condense(m.joint, m.jfig, m.ip, row, s.slide, s.q, residual)


@njit
def follow(m, w, x, row):
    """Commanded sections after a change of the unknowns, and the angles of all joints."""
    s = view(x, m.weight.shape[0], m.ip[I_LINKS], m.ip[I_CHORDS])
    expand(m.joint, m.jfig, row, s.slide, s.q, s.v, s.a)
    for i in range(m.ip[I_LINKS]):
        read_joint(m.joint, m.jfig, s.q, s.v, row, s.frame, i, w.small[S_READ])
        note_frame(m.joint, s.frame, w.small[S_READ], s.q, s.v, i)
