"""`tune`: gains for the least tracking error."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analysis.tuning.gains import GainTable
from flexarm.analysis.tuning.score import Demands, Score, score
from flexarm.analysis.tuning.study import Study
from flexarm.errors import FlexarmError
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
        Score of the gains at the start and of those found: cost, rms, rms_xyz, peak (m), torque, abscissa (1/s).
    fine : dict
        Score of the found gains on a finer mesh with half the step.
    confirmed : bool
        The finer mesh agrees: limits are kept and the rms error changes by less than 5 %.
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
    """Search for the gains with which the tip follows its path (or the commanded motion) best.

    Parameters
    ----------
    scenario : Scenario, str or Path
        With control of type pd or pid; the search begins at its gains.
    trials : int
        How many sets of gains are tried in all, those of a resumed study included.
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
    table = GainTable(scenario, sets)
    _check(scenario, trials, span, margin, after)
    demands = Demands(
        after=0.08 * scenario.time.end if after is None else float(after),
        torque=table.limits() if torque is None else _torques(scenario, torque),
        margin=float(margin),
    )
    ranges = {gain.name: (gain.value / span, gain.value * span) for gain in table.gains}
    purpose = _purpose(scenario, table, demands, ranges, seed)
    kept = Study(ranges, table.present, seed, Path(study) if study is not None else None, resume, force, purpose)
    scale = _scale(kept.records())

    def judge(gains: Mapping[str, float]) -> Score:
        return score(table.with_(rounded(gains)), demands, scale)

    if progress is not None:
        progress("trials", kept.done, trials)
    while kept.done < trials:
        kept.run(judge)
        found = kept.records()
        scale = _scale(found)
        if progress is not None:
            progress(f"trials, best {1e3 * _best(found)[0]['rms']:.4g} mm rms", len(found), trials)
        if cancel is not None and cancel():
            break
    return _concluded(table, demands, kept.records())


def _check(scenario: Scenario, trials: int, span: float, margin: float, after: float | None) -> None:
    if trials < 1:
        raise FlexarmError(f"at least one trial is needed, not {trials}")
    if not span > 1.0:
        raise FlexarmError(f"span is how many times larger and smaller gains may become: more than 1, not {span:g}")
    if not margin >= 0.0:
        raise FlexarmError(f"margin is a rate of decay in 1/s, at least 0, not {margin:g}")
    if after is not None and not 0.0 <= after < scenario.time.end:
        raise FlexarmError(f"'after' must lie within the run, from 0 to {scenario.time.end:g} s, not at {after:g} s")
    if not all(scenario.program.commanded):
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


def _purpose(scenario: Scenario, table: GainTable, demands: Demands, ranges: Mapping[str, Any], seed: int) -> str:
    """A text that is equal only for the same search."""
    parts = [scenario.hash, {str(k): v for k, v in table.switches.items()}, demands.after, dict(demands.torque)]
    text = json.dumps([*parts, demands.margin, dict(ranges), seed], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _scale(records: list[dict[str, Any]]) -> float:
    """The first finite rms error, m."""
    return next((record["rms"] for record in records if np.isfinite(record["rms"])), 1.0)


def _best(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Trials in order of merit: those that keep the limits first."""
    return sorted(records, key=lambda record: (not record["feasible"], record["cost"]))


def _concluded(table: GainTable, demands: Demands, records: list[dict[str, Any]]) -> Tuned:
    """Repeat the best trials on a finer mesh until one holds."""
    if not records:
        raise FlexarmError("the search was interrupted before its first trial was judged")
    best = _best(records)
    tried = []
    for record in best[:CANDIDATES]:
        if not np.isfinite(record["rms"]):
            break
        fine = score(finer(table.with_(rounded(record["gains"]))), demands, record["rms"])
        change = abs(fine.rms / record["rms"] - 1.0) if np.isfinite(fine.rms) else np.inf
        tried.append((record, fine))
        if fine.feasible and change < MOST_CHANGE:
            return _tuned(table, records, record, fine, True)
    if not tried:
        raise FlexarmError(f"none of {len(records)} trials could be run: {best[0]['message']}")
    return _tuned(table, records, *tried[0], False)


def _tuned(table: GainTable, records: list[dict[str, Any]], record: dict[str, Any], fine: Score, good: bool) -> Tuned:
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
