"""Joints held by their laws: the linear model of an arm with its control loops closed.

Integrals of the error and states of actuators become coordinates without mass: ``x' = A x + B u`` is a row with
damping 1 and stiffness -A. So the closed loop has the form M q'' + C q' + K q = 0 again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.drive import Law, Wiring
from flexarm.errors import FlexarmError
from flexarm.methods.base import LinearModel
from flexarm.simulation.control_loops.cylinder import Rests, close_cylinder
from flexarm.simulation.control_loops.states import Torque, with_states
from flexarm.simulation.program import Gains


def close_control_loops(
    open_loop: LinearModel, wiring: Wiring, gains: Sequence[Gains], rests: Rests | None = None
) -> tuple[LinearModel, list[str]]:
    """The model with the laws of all driven joints in it, and what was simplified; B is then that of the laws' commands.

    Parameters
    ----------
    open_loop : LinearModel
        With one column of B and one row of `sensed` per driven joint.
    wiring : Wiring
        Its joints' laws.
    gains : sequence of (kp, kv, ki)
        In the order of the wiring's joints.
    rests : mapping, optional
        Position and holding torque of joints that cylinders with oil move.
    """
    notes: list[str] = []
    closed = open_loop
    for k, name in enumerate(open_loop.inputs):
        index = [joint.name for joint in wiring.joints].index(name)
        law, values = wiring.joints[index].law or Law(), gains[index] if index < len(gains) else (0.0, 0.0, 0.0)
        if law.kind == "external":
            raise FlexarmError(f"joint '{name}' is held by an external controller, whose gains are not known here")
        if law.period > 0.0 and any(values):
            notes.append(f"the law of '{name}' is sampled every {law.period:g} s; here it acts continuously")
        if law.friction > 0.0:
            notes.append(f"dry friction of '{name}' is left out")
        if law.cylinder is not None:
            if rests is None or name not in rests:
                raise FlexarmError(f"the cylinder of joint '{name}' needs to know its load here")
            closed = close_cylinder(closed, k, law.cylinder, rests[name])
        else:
            closed = _close(closed, k, law, values)
    return closed, notes


def spring_loops(open_loop: LinearModel, wiring: Wiring, gains: Sequence[Gains]) -> LinearModel:
    """The model with nothing but the proportional gains of the laws in it."""
    ideal = Wiring(tuple(replace(joint, law=None) for joint in wiring.joints))
    return close_control_loops(open_loop, ideal, [(kp, 0.0, 0.0) for kp, _, _ in gains])[0]


def _close(model: LinearModel, k: int, law: Law, gains: Gains) -> LinearModel:
    kp, kv, ki = gains
    size, order = len(model.M), law.actuator.order if law.actuator is not None else 0
    extra = order + (1 if ki else 0)
    M, C, K = (np.pad(matrix, (0, extra)) for matrix in (model.M, model.C, model.K))
    push, sense = np.pad(model.B[:, k], (0, extra)), np.pad(model.sensed[k], (0, extra))
    command_K, command_C = -kp * sense, -kv * sense - law.back_emf * push  # u - e v_m = command_K q + command_C q'
    if ki:
        last = size + extra - 1
        C[last, last] = 1.0
        K[last] = sense  # integral of the error -y
        command_K[last] = ki
    if law.actuator is None:
        torque_K, torque_C = command_K, command_C
    else:
        states = slice(size, size + order)
        space = law.actuator
        C[states, states] += np.eye(order)
        K[states, states] -= space.A
        K[states] -= np.outer(space.B, command_K)
        C[states] -= np.outer(space.B, command_C)
        torque_K, torque_C = space.D * command_K, space.D * command_C
        torque_K[states] += space.C
    K -= np.outer(push, torque_K)
    C -= np.outer(push, torque_C)
    joint, passed = model.inputs[k], 1.0 if law.actuator is None else law.actuator.D
    names = (*(f"{joint}.actuator{j + 1}" for j in range(order)), *((f"{joint}.integral",) if ki else ()))
    closed = with_states(model, (M, C, K), names, k, Torque(torque_K, torque_C, passed))
    if law.actuator is not None:  # what reaches the arm is no longer the torque, but a command
        closed.B[:, k] *= law.actuator.D
        closed.B[states, k] = law.actuator.B
    return closed
