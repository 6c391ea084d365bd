"""Roots of the closed loop of the circle example, linearised at rest: reversed feedback, and feedback of chords."""

from __future__ import annotations

import numpy as np

import flexarm as fa
from flexarm.drive import POSITION, JointWiring, Program, Wiring
from flexarm.methods.base import LinearModel, Watch
from flexarm.papers.tian.runs import Runs

TIMES = (0.0, 3.125, 6.25)
KP, KV = np.diag([2000.0, 1000.0]), np.diag([400.0, 200.0])


def _open_loop(runs: Runs, time: float) -> tuple[LinearModel, np.ndarray]:
    """The arm without damping, driven by torques, in the pose of a time; and that pose."""
    case = runs.scenario("circle base").with_({"arm.damping": None})
    pose = Program.compile(case.arm, case.drive).table([time], inside=time + 1e-9)[0, : len(case.arm.joints), POSITION]
    turned = {f"arm.links.{name}.joint.position": float(q) for name, q in zip(case.arm.joints, pose, strict=True)}
    wiring = Wiring(tuple(JointWiring(name, "torque") for name in case.arm.joints))
    method, arm = fa.get_method(case.method.name), fa.Arm.model_validate(case.with_({"drive": [], **turned}).arm)
    return method.build(arm, wiring, case.method.options, Watch(stations=2)).linearise(joints="held"), pose


def _growth(model: LinearModel, sensed: np.ndarray, sign: float = 1.0) -> float:
    """Largest real part of the roots of M q'' + (C + B kv S) q' + (K + B kp S) q = 0, in 1/s."""
    C, K = (matrix + sign * model.B @ gains @ sensed for matrix, gains in ((model.C, KV), (model.K, KP)))
    n = len(model.M)
    first_order = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(model.M, np.hstack([K, C]))]])
    return float(np.linalg.eigvals(first_order).real.max())


def reversed_growth(runs: Runs) -> float:
    """Growth in 1/s when the torque has the other sign."""
    model, _ = _open_loop(runs, 0.0)
    return _growth(model, model.sensed, sign=-1.0)


def chord_growth(runs: Runs) -> list[float]:
    """Largest real part of the roots in 1/s at three times, with the angles between chords fed back."""
    found = []
    lengths = [link.span for link in runs.scenario("circle base").arm.links]
    for time in TIMES:
        model, pose = _open_loop(runs, time)
        # how the direction of each chord turns with each coordinate, from the shifts of its two ends
        turns = np.zeros((len(lengths), len(model.M)))
        for k, (angle, length) in enumerate(zip(np.cumsum(pose), lengths, strict=True)):
            ends = model.shapes[:, k, -1] - model.shapes[:, k, 0]
            turns[k] = (np.cos(angle) * ends[:, 1] - np.sin(angle) * ends[:, 0]) / length
        found.append(_growth(model, np.vstack([turns[:1], np.diff(turns, axis=0)])))
    return found
