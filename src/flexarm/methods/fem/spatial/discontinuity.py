"""Accelerations with which steps go on after a discontinuity of the torques.

The section before an elbow has hardly any inertia, so a torque that jumps there begins with an acceleration that no step can
follow. What the trapezoidal rule would see of it is left: (M + h/2 C + h^2/4 K) a = M a0, with a0 from the forces.

Equations: S16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem.spatial import layout as at

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


def filter_fast_accelerations(model: SpatialModel, state: State, row: np.ndarray, h: float) -> None:
    """Filter the accelerations in `state`, in place, for steps of length h; forces and energies stay as they are."""
    trial = state.copy()
    rest = model.views(trial)
    for part in (rest.acceleration, rest.scheme_acceleration, rest.joint_acceleration):
        part[:] = 0.0  # they add to the tangent, and huge ones would spoil it
    tangent = model.evaluate(trial, row, at.TANGENT, 2.0 / h, 4.0 / h**2).matrix.dense()
    mass = model.evaluate(trial, row, at.MASS, 0.0, 4.0 / h**2).matrix.dense()
    x = model.views(state)
    slow = np.linalg.solve(tangent, mass @ model.mesh.gather(x.acceleration, x.joint_acceleration))
    model.mesh.scatter(slow, x.acceleration, x.joint_acceleration)
    model.mesh.scatter(slow, x.scheme_acceleration, x.joint_acceleration[1:])
