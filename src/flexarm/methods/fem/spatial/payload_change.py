"""A payload that changes on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.placing import frame_motions
from flexarm.methods.fem.spatial.properties import payload_at_tip

if TYPE_CHECKING:
    from flexarm.methods.fem.spatial.model import SpatialModel


def _body_mass(model: SpatialModel, R: np.ndarray) -> np.ndarray:
    """Mass matrix (6, 6) of the payload about its link's tip, in world axes; R is the frame there."""
    load, (centre, tensor) = model.arm.payload, payload_at_tip(model.arm)
    d = R @ centre
    cross = np.array([[0.0, -d[2], d[1]], [d[2], 0.0, -d[0]], [-d[1], d[0], 0.0]])
    rotary = R @ tensor @ R.T
    return np.block(
        [[load.mass * np.eye(3), -load.mass * cross], [load.mass * cross, rotary - load.mass * cross @ cross]]
    )


def changed_state(old: SpatialModel, new: SpatialModel, state: State, rule: str) -> State:
    """The state just after the change: at-rest takes the new payload up from rest, else the velocities stay."""
    after = state.copy()
    x = new.views(after)
    if rule == "at-rest":
        mass = new.evaluate(after, new.row_of(after), at.MASS, 0.0, 1.0).matrix.dense()
        tip = int(old.mesh.tips[old.arm.index(old.arm.payload_link.name)])
        R = x.rotation[tip].reshape(3, 3)
        velocity = x.velocity[tip].copy()
        if old.options.theory == "linear":
            velocity[3:] += new.scratch.stiff_velocity[tip, 3:]
        impulse = (_body_mass(new, R) - _body_mass(old, R)) @ velocity
        push = frame_motions(new)[tip].T @ impulse
        rates = new.mesh.gather(x.velocity, x.deviation[1:]) - np.linalg.solve(mass, push)
        new.mesh.scatter(rates, x.velocity, x.deviation[1:])
    kinetic, elastic, gravity, _ = new.evaluate(after, new.row_of(after)).energies
    x.sums[at.KINETIC], x.sums[at.ELASTIC], x.sums[at.GRAVITY] = kinetic, elastic, gravity
    old._account_change(new, state, after, rule)
    return after
