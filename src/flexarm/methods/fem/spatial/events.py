"""A payload that changes on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.arrays import views
from flexarm.methods.fem.spatial.assemble import MASS
from flexarm.methods.fem.spatial.matrix import dense

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


def _body_mass(model: SpatialModel, R: np.ndarray) -> np.ndarray:
    """Mass matrix (6, 6) of the payload about its link's tip, in world axes; R is the frame there."""
    load = model.arm.payload
    d = R @ np.array(load.offset_vector)
    cross = np.array([[0.0, -d[2], d[1]], [d[2], 0.0, -d[0]], [-d[1], d[0], 0.0]])
    rotary = R @ np.diag(np.broadcast_to(np.asarray(load.inertia, dtype=float), 3)) @ R.T
    return np.block(
        [[load.mass * np.eye(3), -load.mass * cross], [load.mass * cross, rotary - load.mass * cross @ cross]]
    )


def changed_state(old: SpatialModel, new: SpatialModel, state: State, rule: str) -> State:
    """The state just after the change: at-rest takes the new payload up from rest, else the velocities stay."""
    after = state.copy()
    x = views(after.x, old.F, old.links)
    before = x[6].copy()
    if rule == "at-rest":
        band = new.look(after, new.row_of(after), MASS, 0.0, 1.0)[1]
        tip = int(old.mesh.tips[old.arm.index(old.arm.payload_link.name)])
        R = x[1][tip].reshape(3, 3)
        velocity = x[3][tip].copy()
        if old.options.theory == "linear":
            velocity[3:] += new.scratch.nv[tip, 3:]
        impulse = (_body_mass(new, R) - _body_mass(old, R)) @ velocity
        push = new.reader.frame_motion(tip).T @ impulse
        jump = np.linalg.solve(dense(band), push)
        for f in np.flatnonzero(new.mesh.frames[:, at.F_KIND] == at.NODE):
            dof = int(new.mesh.frames[f, at.F_DOF])
            x[3][f] -= jump[dof : dof + 6]
        for i in range(new.links):
            for column, place in ((at.J_PSI, at.PSI_RATE), (at.J_TURN, at.TURN_RATE)):
                if new.joint[i, column] >= 0:
                    x[4][place, i] -= jump[new.joint[i, column]]
    kinetic, elastic, gravity, _ = new.look(after, new.row_of(after))[2]
    change = kinetic - before[at.KINETIC]
    x[6][at.LOST if rule == "at-rest" else at.WORK] += -change if rule == "at-rest" else change
    x[6][at.WORK] += gravity - before[at.GRAVITY]
    x[6][at.KINETIC], x[6][at.ELASTIC], x[6][at.GRAVITY] = kinetic, elastic, gravity
    return after
