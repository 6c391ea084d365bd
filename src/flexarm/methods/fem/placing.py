"""The arm as a stiff one: where every node is at a pose, and how it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem import layout as at

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


def place_rigidly(model: FemModel, state: State, pose: Any, rates: Any = None, row: np.ndarray | None = None) -> None:
    """Nodes of the stiff arm at `pose` (joint order), turning with `rates`; commanded joints with the command."""
    q, v = state.x[model.layout["q"]], state.x[model.layout["v"]]
    angle = nominal = 0.0
    spin = nominal_spin = 0.0
    root, rate = np.zeros(2), np.zeros(2)
    for i, link in enumerate(model.arm.links):
        k = model.joint[i, at.J_CHANNEL]
        position = link.joint.start if k < 0 else float(pose[k])
        turning = 0.0 if k < 0 or rates is None else float(rates[k])
        framed = bool(model.joint[i, at.J_FRAME]) and row is not None
        command = (float(row[k, 0]), float(row[k, 1])) if framed and row is not None else None
        if command is not None and model.joint[i, at.J_MOVED]:
            position, turning = command
        angle, spin = angle + position, spin + turning
        nominal += command[0] if command is not None else model.jfig[i, at.K_START]
        nominal_spin += command[1] if command is not None else 0.0
        axis = np.array([np.cos(angle), np.sin(angle)])
        for a, s in enumerate(model.mesh.places[i]):
            place = root + s * axis
            speed = rate + spin * s * np.array([-axis[1], axis[0]])
            values = (*place, angle - nominal), (*speed, spin - nominal_spin)
            for c, index in enumerate(model.mesh.nodes[i][a]):
                if index >= 0 and not (a == 0 and c < 2):
                    q[index], v[index] = values[0][c], values[1][c]
        root, rate = place, speed
        motor = model.mesh.joints[i].motor
        if motor >= 0:
            q[motor] = position - (command[0] if command is not None else model.jfig[i, at.K_START])
            v[motor] = turning - (command[1] if command is not None else 0.0)
