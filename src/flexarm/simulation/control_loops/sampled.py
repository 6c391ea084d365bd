"""An arm under laws that are worked out at sampling instants and held in between.

Between two instants the arm is linear with constant commands, so its state (positions q, rates v, states s of actuators and of
laws that act continuously) goes from one to the next by a matrix exponential, x -> A x + B u; with u = F x + ki z and the sum z of
the errors the loop is one matrix. Its largest eigenvalue is the factor by which a motion grows in a period.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexarm.drive import REFERENCES, LawBlock, Wiring
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


def block_loop(
    open_loop: LinearModel, wiring: Wiring, gains: Sequence[Gains], rests: Rests | None, law: LawBlock
) -> SampledLoop | None:
    """The same under a law of matrices, without its limits; what it reads beside positions, rates and torques is seen with the
    acceleration of the period before.

    The state is that of the arm, of the law, and the torque of the period before, which readings at a tick still see.
    """
    found = _between_ticks(
        open_loop, wiring, gains, rests, [open_loop.inputs.index(name) for name in law.joints], law.period
    )
    if found is None:
        return None
    A, B, flow, _ = found
    n, size, k, states = len(open_loop.M), len(A), len(law.outputs), len(law.A)
    read, by_torque = np.zeros((len(law.inputs), size)), np.zeros((len(law.inputs), k))
    driven = [open_loop.inputs.index(name) for name in law.joints]
    for row, name in enumerate(law.inputs):
        owner, _, part = name.rpartition(".")
        if part in REFERENCES and owner in open_loop.inputs:
            continue
        place = open_loop.output_names.index(name)
        position, rate, acceleration, torque = (np.nan_to_num(part[place]) for part in open_loop.rows)
        read[row, :n], read[row, n : 2 * n] = position, rate
        read[row] += acceleration @ flow[n : 2 * n, :size]
        by_torque[row] = torque[driven] + acceleration @ flow[n : 2 * n, size:]
    x, s, u = slice(0, size), slice(size, size + states), slice(size + states, size + states + k)
    whole = np.zeros((u.stop, u.stop))
    torque = np.zeros((k, u.stop))
    torque[:, x], torque[:, s], torque[:, u] = law.D @ read, law.C, law.D @ by_torque
    whole[x], whole[u] = B @ torque, torque
    whole[x, x] += A
    whole[s, x], whole[s, s], whole[s, u] = law.B @ read, law.A, law.B @ by_torque
    factor = float(np.abs(np.linalg.eigvals(whole)).max())
    return SampledLoop(factor, math.log(max(factor, 1e-300)) / law.period, law.joints[0])


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
    from scipy.linalg import eig

    n, numbers = len(open_loop.M), {joint.name: k for k, joint in enumerate(wiring.joints)}
    laws = [wiring.joints[numbers[name]].law for name in open_loop.inputs]
    sampled = [i for i, law in enumerate(laws) if law is not None and law.period > 0.0]
    found = _between_ticks(open_loop, wiring, gains, rests, sampled, period)
    if found is None:
        return None
    A, B, _, sensed = found
    size, count = len(A), len(sampled)
    closed, law = np.zeros((size + count, size + count)), np.zeros((count, size + count))
    for row, i in enumerate(sampled):
        kp, kv, ki = gains[numbers[open_loop.inputs[i]]]
        sense = sensed[i]
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


def _between_ticks(
    open_loop: LinearModel,
    wiring: Wiring,
    gains: Sequence[Gains],
    rests: Rests | None,
    held: Sequence[int],
    period: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """A and B of the step from tick to tick with the torques of the inputs `held`, the flow (x, u) -> x' in between, and what laws read
    per unit of each coordinate; None if a coordinate without inertia leaves no such matrix."""
    from scipy.linalg import expm

    n = len(open_loop.M)
    scale = np.sqrt(np.abs(np.diag(open_loop.M)))
    if not np.all(scale > 0.0) or np.linalg.cond(open_loop.M / np.outer(scale, scale)) > MOST_UNEVEN:
        return None
    names = {open_loop.inputs[i] for i in held}
    steady = [
        (0.0, 0.0, 0.0) if joint.name in names else each for joint, each in zip(wiring.joints, gains, strict=False)
    ]
    joints = tuple(
        replace(joint, law=replace(joint.law, kind="pd")) if joint.law is not None and joint.name in names else joint
        for joint in wiring.joints
    )
    model, _ = close_control_loops(open_loop, replace(wiring, joints=joints), steady, rests)
    slow, count = len(model.M) - n, len(held)
    size = 2 * n + slow
    push = model.B[:, list(held)]
    flow = np.zeros((size + count, size + count))
    flow[:n, n : 2 * n] = np.eye(n)
    flow[n : 2 * n] = np.hstack([-model.K[:n, :n], -model.C[:n, :n], -model.K[:n, n:], push[:n]])
    flow[n : 2 * n] = np.linalg.solve(model.M[:n, :n], flow[n : 2 * n])
    flow[2 * n : size] = np.hstack([-model.K[n:, :n], -model.C[n:, :n], -model.K[n:, n:], push[n:]])
    step = expm(flow * period)
    return step[:size, :size], step[:size, size:], flow[:size], model.sensed[:, :n]
