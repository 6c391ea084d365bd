"""What a set of gains is worth: tracking error, torque, stability of the closed loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.result import Result
from flexarm.scenario import Scenario
from flexarm.simulation.build import Setup, prepare
from flexarm.simulation.control_loops import stability
from flexarm.simulation.run import simulate

WORST = 1e3
"""Cost of gains that cannot be run, as a multiple of the cost at the start."""


RECORDS = 100_000
"""Most records of a trial."""
FIRST_LOOK, POSES, CLOSER = 3, 32, 6
"""Poses at which gains are looked at first; poses along the whole path; and how often it is looked closer at the worst."""


OBJECTIVES = {
    "rms": "m",
    "peak": "m",
    "settling_time": "s",
    "residual_vibration": "m",
    "overshoot": "1",
    "tip_deflection_peak": "m",
}
"""What can be made least, with units: distances from the wanted place, and answers of the summary."""
TRACKING = ("rms", "peak")


@dataclass(frozen=True)
class Demands:
    """What is asked of the gains.

    Attributes
    ----------
    after : float
        Errors count from this time on, s.
    torque : mapping
        Largest torque in N m (N) by joint; joints that are not named have no limit.
    margin : float
        Least rate in 1/s with which every motion of the closed loop has to die out.
    objective : str
        What is to be least, one of `OBJECTIVES`.
    """

    after: float
    torque: Mapping[str, float]
    margin: float = 0.0
    objective: str = "rms"


@dataclass(frozen=True)
class Score:
    """Outcome of one trial; lengths in m.

    value is the objective in its unit; cost is what is minimised: the value, made larger where a limit is passed.
    """

    cost: float
    value: float
    rms: float
    rms_xyz: tuple[float, float, float]
    peak: float
    abscissa: float
    torque: dict[str, float]
    feasible: bool
    message: str = ""

    def record(self) -> dict[str, Any]:
        """Plain numbers, for files."""
        return {**asdict(self), "rms_xyz": list(self.rms_xyz)}


def score(scenario: Scenario, demands: Demands, scale: float, law: Any = None) -> Score:
    """Judge the gains of a scenario.

    Parameters
    ----------
    scale : float
        Objective at the start of the search, for the cost of gains that cannot be run.
    law : callable, optional
        Controller of joints whose torque comes from outside.
    """
    setup = closely_watched(scenario)
    growth = slowest_decay(setup, demands.margin) if law is None else _growth_of(law, setup)
    if growth > -demands.margin:
        excess = growth + demands.margin
        words = f"the slowest motion of the closed loop has {growth:.3g} 1/s, wanted is -{demands.margin:g} or less"
        return _refused(scale * (10.0 + 10.0 * float(np.log1p(excess))), growth, words)
    try:
        result = simulate(setup, controller=law, warn=False)
    except FlexarmError as error:
        return _refused(WORST * scale, growth, error.message)
    if not result.success:
        return _refused(WORST * scale, growth, result.message)
    return judged(result, demands, growth)


def slowest_decay(setup: Setup, margin: float) -> float:
    """Largest real part of all roots of the closed loop along the whole path, 1/s; the first one that breaks the margin."""
    growth = -np.inf
    for poses, closer in ((FIRST_LOOK, 0), (POSES, CLOSER)):
        loop = stability(setup, poses, closer)
        growth = -np.inf if loop is None else float(loop.abscissa.max())
        if growth > -margin:
            break
    return growth


def _growth_of(law: Any, setup: Setup) -> float:
    """The slowest motion of an arm under a law that can be checked, 1/s; nothing is known of others."""
    if not hasattr(law, "check"):
        return -np.inf
    return float(np.log(law.check(setup.scenario, frequency=0.0)[0].radius) / law.period)


def closely_watched(scenario: Scenario) -> Setup:
    """The set-up with a record at every step (at most `RECORDS`), so that no peak of a torque is missed."""
    setup = prepare(scenario.with_({"output.stations": 2, "output.every": None}))
    apart = int(np.ceil(scenario.time.end / setup.step / RECORDS))
    if apart > 1:
        every = min(apart * setup.step, scenario.time.end)
        setup = prepare(scenario.with_({"output.stations": 2, "output.every": every}))
    return setup


def judged(result: Result, demands: Demands, growth: float) -> Score:
    """The score of a run."""
    data = result.data
    late = data["time"].values >= demands.after - 1e-9
    name = next((name for name in ("path_error", "tip_error") if name in data), None)
    error = data[name].values[late] if name else np.full((1, 3), np.nan)
    distance = np.linalg.norm(error, axis=1)
    rms, peak = float(np.sqrt(np.mean(distance**2))), float(distance.max())
    peaks = np.abs(data["drive_torque"].values).max(axis=0)
    torque = {str(joint): float(each) for joint, each in zip(data["joint"].values, peaks, strict=True)}
    excess = sum(max(0.0, torque[joint] / most - 1.0) for joint, most in demands.torque.items())
    parts = np.sqrt(np.mean(error**2, axis=0))
    value = {"rms": rms, "peak": peak}.get(demands.objective)
    if value is None:
        value = result.summary()[demands.objective]
    if value is None:  # not settled: the longer it takes and the more is left, the worse
        left = result.summary()["residual_vibration"]
        if left is None:
            return _refused(np.inf, growth, "the drives never rest within the run: make time.end longer")
        way = float(np.linalg.norm(np.ptp(data["tip_position"].values, axis=0)))
        value = float(data["time"].values[-1]) * (1.0 + left / max(way, 1e-300))
    return Score(
        cost=value * (1.0 + 10.0 * excess),
        value=value,
        rms=rms,
        rms_xyz=(float(parts[0]), float(parts[1]), float(parts[2])),
        peak=peak,
        abscissa=growth,
        torque=torque,
        feasible=excess == 0.0,
        message="" if excess == 0.0 else "the torque limit is passed",
    )


def _refused(cost: float, growth: float, message: str) -> Score:
    return Score(cost, np.inf, np.inf, (np.inf,) * 3, np.inf, growth, {}, False, message)


def unmakable(scale: float, message: str) -> Score:
    """The score of numbers from which no law can be made."""
    return _refused(WORST * scale, np.inf, message)
