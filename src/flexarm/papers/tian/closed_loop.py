"""Roots of the closed loop of the circle example, linearised at rest: reversed feedback, and feedback of chords."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import flexarm as fa
from flexarm.drive import JointWiring, Wiring
from flexarm.methods.base import LinearModel, Watch
from flexarm.numerics.eigen import abscissa
from flexarm.papers.tian.runs import Runs
from flexarm.simulation.control_loops.closure import close_control_loops
from flexarm.simulation.poses import commanded_pose, posed

TIMES = (0.0, 3.125, 6.25)
KP, KV = (2000.0, 1000.0), (400.0, 200.0)


def _open_loop(runs: Runs, time: float) -> tuple[LinearModel, Wiring]:
    """The arm without damping, driven by torques, in the pose of a time."""
    plan = runs.scenario("circle base").with_({"arm.damping": None})
    pose = commanded_pose(plan, time)
    assert pose is not None
    wiring = Wiring(tuple(JointWiring(name, "torque") for name in plan.arm.joints))
    model = fa.get_method(plan.method.name).build(posed(plan.arm, pose), wiring, plan.method.options, Watch(stations=2))
    return model.linearise(joints="held"), wiring


def _growth(model: LinearModel, wiring: Wiring, sign: float = 1.0) -> float:
    gains = [(sign * kp, sign * kv, 0.0) for kp, kv in zip(KP, KV, strict=True)]
    closed, _ = close_control_loops(model, wiring, gains)
    return abscissa(closed.M, closed.C, closed.K)


def reversed_growth(runs: Runs) -> float:
    """Growth in 1/s when the torque has the other sign."""
    return _growth(*_open_loop(runs, 0.0), sign=-1.0)


def chord_growth(runs: Runs) -> list[float]:
    """Largest real part of the roots in 1/s at three times, with the angles between chords fed back."""
    found = []
    for time in TIMES:
        model, wiring = _open_loop(runs, time)
        plan = runs.scenario("circle base")
        pose = commanded_pose(plan, time)
        lengths = [link.span for link in plan.arm.links]
        # how the direction of each chord turns with each coordinate, from the shifts of its two ends
        turns = np.zeros((len(lengths), len(model.M)))
        for k, (angle, length) in enumerate(zip(np.cumsum(pose or ()), lengths, strict=True)):
            ends = model.shapes[:, k, -1] - model.shapes[:, k, 0]
            turns[k] = (np.cos(angle) * ends[:, 1] - np.sin(angle) * ends[:, 0]) / length
        between = np.vstack([turns[:1], np.diff(turns, axis=0)])
        found.append(_growth(replace(model, sensed=between), wiring))
    return found
