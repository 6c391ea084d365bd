"""Which command tells wanted parameters best, before anything is measured.

A log of a command with noise sigma tells the parameters p with the covariance (J^T J)^-1, J the derivatives of the signals over sigma: it needs
runs but no log. Commands are ranked by the root mean square of the relative standard deviations of the numbers of the scenario.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analysis.log_signal import log_unit, simulated_signal
from flexarm.analysis.measured import Log
from flexarm.control.fit_runs import FitRuns
from flexarm.control.unknowns import SENSOR, as_wanted
from flexarm.errors import FlexarmError
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.result import Result
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.run import simulate

SAMPLES = 500
"""Samples of a log whose interval is not given."""


@dataclass(frozen=True, eq=False)
class Proposal:
    """Commands in the order in which they tell the parameters, the best first.

    Attributes
    ----------
    names : tuple of str
        Of the numbers of the scenario.
    changes : tuple of mapping
        What each command changes in the scenario.
    relative_sd : ndarray, shape (commands, p)
        Standard deviation of each number over its value; infinite where it is not told.
    scenario : Scenario
        With the best command.
    refused : tuple of (mapping, str)
        Commands that pass a limit or cannot be run, and why.
    """

    names: tuple[str, ...]
    changes: tuple[Mapping[str, Any], ...]
    relative_sd: np.ndarray
    scenario: Scenario
    refused: tuple[tuple[Mapping[str, Any], str], ...]

    @property
    def score(self) -> np.ndarray:
        """Root mean square of the relative standard deviations of each command, shape (commands,)."""
        return np.sqrt(np.mean(self.relative_sd**2, axis=1))

    def __repr__(self) -> str:
        rows = zip(self.changes, self.relative_sd, strict=True)
        lines = [f"{_words(change)}: " + ", ".join(f"{100 * sd:.2g} %" for sd in each) for change, each in rows]
        lines += [f"{_words(change)}: refused, {why}" for change, why in self.refused]
        return "\n".join([f"standard deviations of {', '.join(self.names)}", *lines])


@with_one_blas_thread
def propose_experiment(
    scenario: Scenario | str | Path,
    parameters: Any,
    commands: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]],
    sigma: Mapping[str, float],
    *,
    interval: float | None = None,
    limits: Mapping[str, float] | None = None,
) -> Proposal:
    """Rank commands by how well a log of each would tell the parameters.

    Parameters
    ----------
    scenario : Scenario, str or Path
        The arm, with the best guess of its numbers.
    parameters : sequence of str, or mapping
        As for `fit`; lag, offset and scale may be among them, as unknowns that are found too.
    commands : mapping of field to values, or sequence of changes
        What may be commanded: all combinations of some fields (``{"drive.link.torque.duration": ["0.2 s", "0.4 s"]}``), or
        single changes as `Scenario.with_` takes them.
    sigma : mapping of signal to float
        The signals that are logged, with the standard deviation of their noise, SI units.
    interval : float, optional
        Time between two samples, s; 1/500 of the run by default.
    limits : mapping of signal to float, optional
        Largest size that signals may have, SI units.

    Examples
    --------
    >>> import flexarm as fa
    >>> arm = fa.load("tokhi-azad-20g").with_({"arm.damping": {"time": 3e-4}, "method.resolution": 10})
    >>> found = propose_experiment(
    ...     arm, ["arm.links.link.material.E", "arm.payload.mass"], {"drive.link.torque.duration": ["0.2 s", "0.6 s"]}, {"joint_position:link": 1e-4},
    ... )
    >>> found.changes[0]
    {'drive.link.torque.duration': '0.6 s'}
    """
    base, wanted = as_scenario(scenario), as_wanted(parameters)
    if not sigma:
        raise FlexarmError("name the signals that are logged, with their noise: {'strain:root': 1e-6}", field="sigma")
    if interval is not None and not 0.0 < interval < base.time.end / 8.0:
        raise FlexarmError(
            f"the time between two samples must lie between 0 and {base.time.end / 8.0:g} s", field="interval"
        )
    if not any(name not in SENSOR for name in wanted):
        raise FlexarmError("name at least one number of the scenario, such as arm.payload.mass", field="parameters")
    told, refused = list[tuple[Mapping[str, Any], np.ndarray, Scenario]](), list[tuple[Mapping[str, Any], str]]()
    names: tuple[str, ...] = ()
    for change in _combined(commands):
        changed = base.with_(change)
        try:
            result = simulate(changed, warn=False, notes=False)
            _check_limits(result, limits or {})
            runs = FitRuns([changed], [_log(result, sigma, interval)], wanted, {}, sigma, {}, None, None)
        except FlexarmError as error:
            refused.append((change, str(error)))
            continue
        names = tuple(each.name for each in runs.fields)
        told.append((change, _deviations(runs), changed))
    if not told:
        raise FlexarmError(
            f"none of the commands can be used: {refused[0][1] if refused else 'there are none'}", field="commands"
        )
    told.sort(key=lambda each: float(np.mean(each[1] ** 2)))
    return Proposal(names, tuple(t[0] for t in told), np.stack([t[1] for t in told]), told[0][2], tuple(refused))


def _combined(commands: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    if not isinstance(commands, Mapping):
        return list(commands)
    return [dict(zip(commands, values, strict=True)) for values in itertools.product(*commands.values())]


def _check_limits(result: Result, limits: Mapping[str, float]) -> None:
    if not result.success:
        raise FlexarmError(result.message)
    for signal, most in limits.items():
        values = _signal(result, signal)[1]
        if (peak := float(np.abs(values).max())) > most:
            raise FlexarmError(f"{signal} reaches {peak:.4g}, more than its limit of {most:g}")


def _signal(result: Result, name: str) -> tuple[np.ndarray, np.ndarray, str]:
    """Times, values and unit of a signal."""
    unit = log_unit(result, name)
    time, values, _ = simulated_signal(result, name, unit, None)
    return time, values, unit


def _log(result: Result, sigma: Mapping[str, float], interval: float | None) -> dict[str, Log]:
    """What would be logged, without noise."""
    end = result.scenario.time.end
    apart = interval if interval is not None else end / SAMPLES
    times = apart * np.arange(int(end / apart * (1.0 + 1e-9)) + 1)
    made = {}
    for name in sigma:
        time, values, unit = _signal(result, name)
        made[name] = Log(name, times, np.interp(times, time, values), unit)
    return made


def _deviations(runs: FitRuns) -> np.ndarray:
    """Relative standard deviations of the numbers of the scenario; infinite if they are not told."""
    count = len(runs.fields)
    r = runs.residuals(runs.start)
    if r is None:
        return np.full(count, np.inf)
    noise = runs.spread(r, np.ones(len(r), dtype=bool))
    try:
        sd = runs.told(runs.start, r, runs.jacobian(runs.start, r), noise, 1.0)[2]
    except FlexarmError:  # one of them moves nothing that is logged
        return np.full(count, np.inf)
    return sd[:count] / np.abs(runs.start[:count] * runs.size[:count])


def _words(change: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in change.items()) or "as it is"
