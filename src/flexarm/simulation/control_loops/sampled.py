"""An arm under laws that are worked out at sampling instants and held in between.

Between two instants the arm is linear with constant commands, so its state (positions q, rates v, states s of actuators and of
laws that act continuously) goes from one to the next by a matrix exponential, x -> A x + B u; with u = F x + ki z and the sum z of
the errors the loop is one matrix. Its largest eigenvalue is the factor by which a motion grows in a period.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flexarm.drive import Wiring
from flexarm.methods.base import LinearModel
from flexarm.simulation.control_loops.closure import close_control_loops
from flexarm.simulation.control_loops.cylinder import Rests
from flexarm.simulation.program import Gains

MOST_UNEVEN = 1e12
"""Condition of the mass matrix beyond which a coordinate counts as one without inertia."""


class SampledLoop(NamedTuple):
    """How the motion that grows fastest does so: its factor per period, its rate in 1/s, and the joint whose law drives it most."""

    factor: float
    growth: float
    joint: str


def sampled_loop(
    open_loop: LinearModel, wiring: Wiring, gains: Sequence[Gains], rests: Rests | None, period: float
) -> SampledLoop | None:
    """Growth of the closed loop; None if a coordinate without inertia leaves no such matrix.

    Parameters
    ----------
    open_loop : LinearModel
        With one column of B and one row of `sensed` per driven joint.
    gains : sequence of (kp, kv, ki)
        In the order of the wiring's joints.
    rests : mapping, optional
        Position and holding torque of joints that cylinders with oil move.
    period : float
        Time between two instants, s. Laws without a period act continuously.
    """
    from scipy.linalg import eig, expm

    n = len(open_loop.M)
    scale = np.sqrt(np.abs(np.diag(open_loop.M)))
    if not np.all(scale > 0.0) or np.linalg.cond(open_loop.M / np.outer(scale, scale)) > MOST_UNEVEN:
        return None
    numbers = {joint.name: k for k, joint in enumerate(wiring.joints)}
    laws = [wiring.joints[numbers[name]].law for name in open_loop.inputs]
    sampled = [i for i, law in enumerate(laws) if law is not None and law.period > 0.0]
    held = {numbers[open_loop.inputs[i]] for i in sampled}
    steady = [(0.0, 0.0, 0.0) if k in held else each for k, each in enumerate(gains)]
    model, _ = close_control_loops(open_loop, wiring, steady, rests)
    slow, count = len(model.M) - n, len(sampled)
    size = 2 * n + slow
    push = model.B[:, sampled]
    flow = np.zeros((size + count, size + count))
    flow[:n, n : 2 * n] = np.eye(n)
    flow[n : 2 * n] = np.hstack([-model.K[:n, :n], -model.C[:n, :n], -model.K[:n, n:], push[:n]])
    flow[n : 2 * n] = np.linalg.solve(model.M[:n, :n], flow[n : 2 * n])
    flow[2 * n : size] = np.hstack([-model.K[n:, :n], -model.C[n:, :n], -model.K[n:, n:], push[n:]])
    step = expm(flow * period)
    A, B = step[:size, :size], step[:size, size:]
    closed, law = np.zeros((size + count, size + count)), np.zeros((count, size + count))
    for row, i in enumerate(sampled):
        kp, kv, ki = gains[numbers[open_loop.inputs[i]]]
        sense = model.sensed[i, :n]
        law[row, :n], law[row, n : 2 * n], law[row, size + row] = -kp * sense, -kv * sense, ki
        closed[size + row, size + row] = 1.0 if ki else 0.0
        closed[size + row, :n] = -period * sense if ki else 0.0
    closed[:size, :size] = A
    closed[:size] += B @ law
    values = np.linalg.eigvals(closed)
    factor = float(np.abs(values).max())
    joint = open_loop.inputs[sampled[0]]
    if factor > 1.0 and count > 1:  # which law: by how much a larger share of each lets the factor grow
        values, left, right = eig(closed, left=True)
        k = int(np.argmax(np.abs(values)))
        gain = left[:size, k].conj() @ B * (law @ right[:, k]) / (left[:, k].conj() @ right[:, k])
        joint = open_loop.inputs[sampled[int(np.argmax((gain * values[k].conj()).real))]]
    return SampledLoop(factor, math.log(factor) / period, joint)
