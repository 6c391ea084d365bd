"""`step: auto` over a spread of arms, drives, schemes and accuracies: halving it keeps the reported peaks."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.simulation.build import prepare
from single_link import make

SIZE = 24


def drawn(seed: int) -> tuple[dict, float]:
    """A random arm with its drive, and the wanted accuracy."""
    rng = np.random.default_rng(seed)
    joint = {"hub_inertia": float(rng.choice([0.0, 1e-5, 6e-4])), "position": float(rng.uniform(-1.5, 0.0))}
    if rng.random() < 0.3:
        joint |= {"stiffness": 30.0, "rotor_inertia": 1e-3, "damping": float(rng.choice([0.0, 0.02]))}
    torque = {"joint": "link", "torque": {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.2}}
    swing = {"joint": "link", "motion": {"profile": "sine", "amplitude": 1e-3, "frequency": rng.uniform(5.0, 60.0),
             "phase": -np.pi / 2}}  # fmt: skip
    move = {"joint": "link", "motion": {"profile": "cycloid", "by": 0.3, "duration": 0.2}}
    drive = [(torque, swing, move)[rng.integers(3)]]
    if rng.random() < 0.3:
        moment = {"profile": "constant", "amplitude": 0.2, "duration": 0.1}
        drive.append({"patch": {"link": "link", "from": 0.13, "to": 0.37}, "moment": moment})
    accuracy = float(rng.choice([1e-3, 3e-3, 1e-2]))
    options = {
        "joint": joint, "drive": drive, "payload": {"mass": float(rng.choice([0.0, 0.03]))}, "accuracy": accuracy,
        "resolution": int(rng.integers(8, 20)), "end": 0.3, "every": 0.002,
        "output": {"gauges": [{"link": "link", "at": 0.5}]},
    }  # fmt: skip
    if rng.random() < 0.5:
        options["gravity"] = [0.0, -9.81, 0.0]
    if rng.random() < 0.4:
        options["damping"] = {"time": float(rng.choice([2e-4, 2e-3]))}
    if rng.random() < 0.3:
        options["scheme"] = "newmark"
    return options, accuracy


def peaks(run) -> np.ndarray:
    data = run.data
    shown = (data["travel"], data["deflection"][:, 0, -1], data["joint_torque"], data["strain"])
    return np.array([np.abs(values.values).max() for values in shown])


@pytest.mark.parametrize("seed", range(SIZE))
def test_halving_the_automatic_step_keeps_the_peaks(seed):
    options, accuracy = drawn(seed)
    auto = fa.simulate(make(**options))
    scheme = auto.notes[0].split(":")[0].removeprefix("scheme ").removesuffix(" as asked")
    step = max(interval.h for interval in prepare(make(**options)).intervals)
    half = fa.simulate(make(**{**options, "scheme": scheme, "step": step / 2}))
    assert not any("still change" in note for note in auto.notes)
    assert np.abs(peaks(auto) / peaks(half) - 1).max() < accuracy
