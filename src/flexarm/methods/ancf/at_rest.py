"""Forces and their derivatives at rest, for equilibrium and small motions.

Equations: A37.
"""

from __future__ import annotations

from flexarm.methods.ancf.assemble import element_forces, element_tangent
from flexarm.methods.ancf.bodies import body_forces, body_tangent
from flexarm.methods.ancf.joints import read_joint, spring_forces
from flexarm.methods.ancf.loads import patch_forces
from flexarm.methods.ancf.prescribed import condense, condense_band, expand
from flexarm.methods.ancf.solving import add_joints
from flexarm.methods.ancf.step_end import note_angles
from flexarm.numerics.jit import njit


@njit
def balance(m, s, w, row, loads, force, speed, share):
    """Condensed residual and its derivative in w.residual and w.band: a share of the weight and `force` taken off.

    row commands the joints, `loads` holds the patches; motors are without torque.
    """
    residual, none = w.residual, w.load
    expand(m, s, row)
    element_forces(m, w, s.q, s.v, residual)
    spring_forces(m, s, w, row, residual)
    patch_forces(m, s.q, loads, residual)
    for k in range(residual.shape[0]):
        none[k] = 0.0
    body_forces(m, s.q, none, none, row, share, residual)
    element_tangent(m, w, s.q, s.v, speed, 0.0, 1.0, w.band)
    body_tangent(m, s.q, none, none, row, 0.0, 0.0, 1.0, w.band)
    for k in range(residual.shape[0]):
        residual[k] += (1.0 - share) * m.weight[k] - share * force[k]
        w.raw[k] = residual[k]
    add_joints(m, s, w, loads, 0.0, speed, w.band)
    condense_band(m, row, s.stretch[0], s.q, w.raw, w.band)
    condense(m, row, s.stretch[0], s.q, residual)


@njit
def update_dependent(m, s, w, row):
    """Prescribed sections after a change of the unknowns, and the angles of all joints."""
    expand(m, s, row)
    for i in range(m.links):
        read_joint(m, s, w, row, i)
        note_angles(m, s, w, i)
