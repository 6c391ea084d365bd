"""Sampled laws beside a PD law that acts continuously: what control ticks cost, in every method.

Two links (one in `fd`) follow a slow sine in steps of 0.1 ms, ten per control tick; every law reads the joints and one gauge. The error of
a run is the distance of its tip from that under the continuous law: the delay of sampling, no fault.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.benchmarks.frame import Contest, Growth, Job, entries, interleaved
from flexarm.drive import LawBlock
from flexarm.simulation.march_only import MarchTicks

NAME, STEP, PERIOD, END = "ticks", 1e-4, 1e-3, 0.5
KP, KV, SHARE = 50.0, 2.0, 1e-3
METHODS: dict[str, dict[str, Any]] = {
    "fd": {"name": "fd", "scheme": "exact"}, "fd, newmark": {"name": "fd", "scheme": "newmark"}, "fem": {"name": "fem"},
    "fem in space": {"name": "fem"}, "segments": {"name": "segments"}, "modes": {"name": "modes"}, "ancf": {"name": "ancf"},
}  # fmt: skip


def scenario(label: str, control: dict[str, Any]) -> fa.Scenario:
    """The arm under a law."""
    names = ["first"] if label.startswith("fd") else ["first", "second"]
    joint: dict[str, Any] = {"hub_inertia": 0.05, "motor_mass": 0.5, "motor_inertia": 0.01}
    if label.endswith("space"):
        joint["dh"] = {"a": 0.8}
    section = {"shape": "rectangle", "width": 0.05, "height": 0.008}
    link = {"length": 0.8, "section": section, "material": {"E": 70e9, "nu": 0.3, "density": 2700.0}, "joint": joint}
    return fa.Scenario.model_validate({
        "name": "ticks", "arm": {"links": [{"name": name, **link} for name in names], "damping": {"ratio": 0.01}},
        "drive": [{"joints": names, "motion": {"profile": "sine", "amplitude": 0.2, "frequency": 0.5}, "control": control}],
        "method": METHODS[label], "time": {"end": END, "step": STEP},
        "output": {"every": END, "gauges": [{"link": "first", "at": 0.1, "name": "gauge"}]},
    })  # fmt: skip


def law_block(joints: tuple[str, ...]) -> LawBlock:
    """PD on the joints and a filtered gauge, as matrices."""
    parts = ("reference", "reference_velocity", "position", "velocity")
    inputs, k = (*(f"{name}.{part}" for name in joints for part in parts), "gauge"), len(joints)
    D, m = np.zeros((k, len(inputs))), len(inputs)
    for i in range(k):
        D[i, 4 * i : 4 * i + 4] = KP, KV, -KP, -KV
    B = np.zeros((1, m))
    B[0, -1] = 1.0
    return LawBlock(
        np.array([[0.9]]), B, np.full((k, 1), -SHARE), D, np.zeros((1, k)), inputs, tuple(f"{name}.torque" for name in joints), PERIOD,
        np.full(k, np.inf), np.zeros(m), np.zeros(k), np.zeros(1, dtype=bool),
    )  # fmt: skip


def compiled_law(joints: tuple[str, ...]) -> Any:
    """The same as a compiled function."""
    readings = [f"{name}.{part}" for name in joints for part in ("position", "velocity")]

    @fa.controller(readings=[*readings, "gauge"], states=1)
    def law(t, y, r, x, u):
        for i in range(u.shape[0]):
            u[i] = KP * (r[i, 0] - y[2 * i]) + KV * (r[i, 1] - y[2 * i + 1]) - SHARE * x[0]
        x[0] = 0.9 * x[0] + y[y.shape[0] - 1]

    return law


def contests(repeats: int) -> list[Contest]:
    """One per method; the continuous law first."""
    return [_contest(label, repeats) for label in METHODS]


def _contest(label: str, repeats: int) -> Contest:
    joints = ("first",) if label.startswith("fd") else ("first", "second")
    outside = scenario(label, {"type": "external", "period": PERIOD})
    with tempfile.TemporaryDirectory() as folder:
        file = law_block(joints).save(Path(folder) / "law.json")
        of_file = scenario(label, {"type": "state-space", "file": str(file)})
    law = compiled_law(joints)
    runs = {
        "flexarm, PD continuous": MarchTicks(scenario(label, {"type": "pd", "kp": KP, "kv": KV})),
        "flexarm, PD every 1 ms": MarchTicks(scenario(label, {"type": "pd", "kp": KP, "kv": KV, "period": PERIOD})),
        "flexarm, state-space law": MarchTicks(of_file),
        "flexarm, @fa.controller": MarchTicks(outside, law),
        "flexarm, controller in Python": MarchTicks(outside, law.python()),
    }
    jobs: dict[str, Job] = {name: run.run for name, run in runs.items()}
    seconds = interleaved(jobs, repeats)
    first = next(iter(runs.values()))
    errors = {name: 1e6 * float(np.linalg.norm(run.tip - first.tip)) for name, run in runs.items()}
    settings = f"ten steps of 0.1 ms per tick, a gauge read, {first.steps} steps"
    steps = {name: run.steps for name, run in runs.items()}
    return Contest(
        NAME, f"control ticks, {label}", settings, "tip from the continuous law, µm", entries(seconds, steps, errors)
    )


def growths(repeats: int) -> list[Growth]:
    """None."""
    return []
