"""`tune`: gains for the least tracking error."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.control.tuning.gains import GainTable
from flexarm.control.tuning.numbers import Numbers, Ranges
from flexarm.control.tuning.score import OBJECTIVES, TRACKING, Demands, Score, score, unmakable
from flexarm.control.tuning.study import Study
from flexarm.errors import FlexarmError, check_word
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.build import prepare
from flexarm.simulation.progress import Cancel, Progress

MOST_CHANGE = 0.05
"""Greatest relative change of the rms error on the finer mesh with which gains count as confirmed."""
CANDIDATES = 5
"""How many of the best trials are repeated on the finer mesh until one is confirmed."""


@dataclass(frozen=True)
class Tuned:
    """Outcome of a search.

    Attributes
    ----------
    scenario : Scenario
        With the gains that were found.
    gains : dict
        These gains by name (``joint.kind``, with the number of the gain set if there are several).
    before, after : dict
        Score of the gains at the start and of those found: cost, value (of the objective), rms, rms_xyz, peak (m), torque, abscissa (1/s).
    fine : dict
        Score of the found gains on a finer mesh with half the step.
    confirmed : bool
        The finer mesh agrees: limits are kept and the objective changes by less than 5 %.
    trials : list of dict
        All trials, in order.
    """

    scenario: Scenario
    gains: dict[str, float]
    before: dict[str, Any]
    after: dict[str, Any]
    fine: dict[str, Any]
    confirmed: bool
    trials: list[dict[str, Any]] = field(repr=False)


def tune(
    scenario: Scenario | str | Path,
    *,
    trials: int = 150,
    parameters: Ranges | Sequence[str] | None = None,
    objective: str = "rms",
    law: Callable[[Mapping[str, float], Scenario], Any] | None = None,
    sets: int | Sequence[float] | None = None,
    torque: float | Sequence[float] | None = None,
    margin: float = 0.5,
    after: float | None = None,
    span: float = 30.0,
    seed: int = 0,
    study: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Tuned:
    """Search for the gains, or any numbers of a scenario or a law, with which the tip follows its path best, settles soonest, or rings least.

    Parameters
    ----------
    scenario : Scenario, str or Path
        With control of type pd or pid; the search begins at its gains.
    trials : int
        How many sets of gains are tried in all, those of a resumed study included.
    parameters : mapping or sequence, optional
        Numbers of the scenario by their dotted names, such as ``drive.link.shaper.frequency``, each with its least and largest value (SI, or
        texts with units) or None; default the gains of all pd and pid laws. Names with ``law.`` in front are given to `law`.
    objective : str
        What is to be least: rms or peak (distance from the wanted place), settling_time, residual_vibration, overshoot, tip_deflection_peak.
    law : callable, optional
        ``law(values, scenario)`` makes the controller of joints whose torque comes from outside, as `lqg` does, from the numbers of the trial.
    sets : int, or sequence of float, optional
        Number of equally long gain sets over the run, or the times in s at which gains change; default as the scenario
        has them.
    torque : float or sequence of float, optional
        Largest torque in N m (N), one for all joints or one for each; default the limits of the control laws.
    margin : float
        Least rate in 1/s with which all motions of the closed loop must die out.
    after : float, optional
        Errors count from this time on, s; default 8 % of the run.
    span : float
        Gains are searched from 1/span to span times their present value.
    seed : int
        The same seed gives the same gains.
    study : str or Path, optional
        File that keeps the trials, so that the search can be interrupted and resumed.
    resume, force : bool
        Go on with an existing study; or replace it.
    progress : callable, optional
        Called with (stage, trials done, trials in all); the stage tells the best so far.
    cancel : callable, optional
        The search ends with what it has once this returns True.

    Returns
    -------
    Tuned
        ``fa.tune("tian-circle", torque=[20, 10]).gains`` are the best gains by name.
    """
    scenario = as_scenario(scenario)
    check_word(objective, tuple(OBJECTIVES), "objective")
    if parameters is not None and sets is not None:
        raise FlexarmError("sets divide the gains of laws: leave them out where numbers are named", field="sets")
    table: GainTable | Numbers = (
        GainTable(scenario, sets) if parameters is None else Numbers(scenario, parameters, span)
    )
    _check(scenario, trials, span, margin, after, objective)
    if law is None and table.of_law(table.present):
        raise FlexarmError("numbers of a law need the function that makes it: give law=", field="law")
    demands = Demands(
        after=0.08 * scenario.time.end if after is None else float(after),
        torque=table.limits() if torque is None else _torques(scenario, torque),
        margin=float(margin),
        objective=objective,
    )
    ranges = (
        table.ranges
        if isinstance(table, Numbers)
        else {gain.name: (gain.value / span, gain.value * span) for gain in table.gains}
    )
    purpose = _purpose(scenario, table, demands, ranges, seed)
    kept = Study(ranges, table.present, seed, Path(study) if study is not None else None, resume, force, purpose)
    scale = _scale(kept.records())

    def judge(gains: Mapping[str, float]) -> Score:
        return _judged(table, rounded(gains), demands, scale, law)

    if progress is not None:
        progress("trials", kept.done, trials)
    while kept.done < trials:
        kept.run(judge)
        found = kept.records()
        scale = _scale(found)
        if progress is not None:
            best = _best(found)[0]["value"]
            words = f"{1e3 * best:.4g} mm" if OBJECTIVES[objective] == "m" else f"{best:.4g} {OBJECTIVES[objective]}"
            progress(f"trials, best {words} {objective}", len(found), trials)
        if cancel is not None and cancel():
            break
    return _concluded(table, demands, kept.records(), law)


def _judged(
    table: GainTable | Numbers,
    values: Mapping[str, float],
    demands: Demands,
    scale: float,
    law: Any,
    fine: bool = False,
) -> Score:
    """The score of some values, as they are or on a finer mesh."""
    plan = finer(table.with_(values)) if fine else table.with_(values)
    try:
        made = None if law is None else law(table.of_law(values), table.with_(values))
    except FlexarmError as error:
        return unmakable(scale, error.message)
    return score(plan, demands, scale, made)


def _check(scenario: Scenario, trials: int, span: float, margin: float, after: float | None, objective: str) -> None:
    if trials < 1:
        raise FlexarmError(f"at least one trial is needed, not {trials}")
    if not span > 1.0:
        raise FlexarmError(f"span is how many times larger and smaller gains may become: more than 1, not {span:g}")
    if not margin >= 0.0:
        raise FlexarmError(f"margin is a rate of decay in 1/s, at least 0, not {margin:g}")
    if after is not None and not 0.0 <= after < scenario.time.end:
        raise FlexarmError(f"'after' must lie within the run, from 0 to {scenario.time.end:g} s, not at {after:g} s")
    if objective in TRACKING and not all(scenario.program.commanded):
        raise FlexarmError("tuning needs a path or a commanded motion for every joint", field="drive")
    prepare(scenario)  # what the method refuses is said before the first trial


def _torques(scenario: Scenario, torque: float | Sequence[float]) -> dict[str, float]:
    joints = scenario.arm.joints
    each = [float(torque)] * len(joints) if isinstance(torque, (int, float)) else [float(t) for t in torque]
    if len(each) != len(joints) or not all(value > 0.0 for value in each):
        raise FlexarmError(
            f"torque needs one positive number, or {len(joints)}, one per joint ({', '.join(joints)}), not {torque}"
        )
    return dict(zip(joints, each, strict=True))


def _purpose(
    scenario: Scenario, table: GainTable | Numbers, demands: Demands, ranges: Mapping[str, Any], seed: int
) -> str:
    """A text that is equal only for the same search."""
    parts = [scenario.hash, {str(k): v for k, v in table.switches.items()}, demands.after, dict(demands.torque)]
    text = json.dumps([*parts, demands.margin, demands.objective, dict(ranges), seed], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _scale(records: list[dict[str, Any]]) -> float:
    """The first finite objective that is not zero."""
    return next((record["value"] for record in records if np.isfinite(record["value"]) and record["value"] > 0.0), 1.0)


def _best(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Trials in order of merit: those that keep the limits first."""
    return sorted(records, key=lambda record: (not record["feasible"], record["cost"]))


def _concluded(table: GainTable | Numbers, demands: Demands, records: list[dict[str, Any]], law: Any) -> Tuned:
    """Repeat the best trials on a finer mesh until one holds."""
    if not records:
        raise FlexarmError("the search was interrupted before its first trial was judged")
    best = _best(records)
    tried = []
    for record in best[:CANDIDATES]:
        if not np.isfinite(record["value"]):
            break
        fine = _judged(table, rounded(record["gains"]), demands, record["value"], law, fine=True)
        change = abs(fine.value - record["value"]) / max(record["value"], 1e-300) if np.isfinite(fine.value) else np.inf
        tried.append((record, fine))
        if fine.feasible and change < MOST_CHANGE:
            return _tuned(table, records, record, fine, True)
    if not tried:
        raise FlexarmError(f"none of {len(records)} trials could be run: {best[0]['message']}")
    return _tuned(table, records, *tried[0], False)


def _tuned(
    table: GainTable | Numbers, records: list[dict[str, Any]], record: dict[str, Any], fine: Score, good: bool
) -> Tuned:
    gains = rounded(record["gains"])
    return Tuned(table.with_(gains), gains, records[0], record, fine.record(), good, records)


def rounded(gains: Mapping[str, float]) -> dict[str, float]:
    """The gains as they are judged and told, with four digits: limits that are just kept are kept by what stands in a file."""
    return {name: float(f"{value:.4g}") for name, value in gains.items()}


def finer(scenario: Scenario) -> Scenario:
    """The scenario with twice the resolution and half the step."""
    options = scenario.method.options
    now = options.resolution
    doubled = tuple(2 * n for n in now) if isinstance(now, tuple) else 2 * now
    return scenario.with_({**options.mesh(doubled), "time.step": 0.5 * prepare(scenario).step})
