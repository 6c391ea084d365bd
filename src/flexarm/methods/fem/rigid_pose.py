"""The arm as a stiff one: where every node is at a pose, and how it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.base import State
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.far_nodes import place_followers

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


def place_rigidly(model: FemModel, state: State, pose: Any, rates: Any = None, row: np.ndarray | None = None) -> None:
    """Nodes of the stiff arm at `pose` (joint order, loops closed), turning with `rates`; commanded joints with the
    command."""
    q, v = state.x[model.layout["q"]], state.x[model.layout["v"]]
    turned = np.zeros((model.links, 4))  # angle and its rate, and what the commands make of both
    root, rate = np.zeros((model.links, 2)), np.zeros((model.links, 2))
    for i, link in enumerate(model.arm.links):
        k, p = model.parts.joint[i, at.J_CHANNEL], model.parts.joint[i, at.J_PARENT]
        position = link.joint.start if k < 0 else float(pose[k])
        turning = 0.0 if k < 0 or rates is None else float(rates[k])
        framed = bool(model.parts.joint[i, at.J_FRAME]) and row is not None
        command = (float(row[k, 0]), float(row[k, 1])) if framed and row is not None else None
        if command is not None and model.parts.joint[i, at.J_PRESCRIBED]:
            position, turning = command
        nominal = command if command is not None else (model.parts.joint_data[i, at.START], 0.0)
        if p >= 0:
            turned[i] = turned[p]
            lever = _turn(turned[p, 0]) @ np.array(model.arm.links[p].place(link.at)[:2])
            root[i], rate[i] = root[p] + lever, rate[p] + turned[p, 1] * np.array([-lever[1], lever[0]])
        turned[i] += position, turning, *nominal
        axis = _turn(turned[i, 0])[:, 0]
        for a, s in enumerate(model.mesh.places[i]):
            speed = rate[i] + turned[i, 1] * s * np.array([-axis[1], axis[0]])
            place = root[i] + s * axis
            values = (*place, turned[i, 0] - turned[i, 2]), (*speed, turned[i, 1] - turned[i, 3])
            for c, index in enumerate(model.mesh.nodes[i][a]):
                if index >= 0 and not (a == 0 and c < 2 and not model.mesh.joints[i].separate):
                    q[index], v[index] = values[0][c], values[1][c]
        motor = model.mesh.joints[i].motor
        if motor >= 0:
            q[motor], v[motor] = position - nominal[0], turning - nominal[1]
    frame = state.x[model.layout["frame"]].reshape(at.FRAME, model.links)
    frame[at.ANGLE], frame[at.RATE] = turned[:, 2], turned[:, 3]
    if len(model.parts.far_nodes) or len(model.parts.copies):
        place_followers(state.x, model.parts, model.work)


def _turn(angle: float) -> np.ndarray:
    """The matrix of a turn."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
