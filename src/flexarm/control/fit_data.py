"""What a fit compares: columns of logs, each with its signal of the run, and what the sensors of each log add to it.

A sensor reads  y(t) = offset + scale u(t - lag)  of the signal u. Its lag belongs to the clock of a log, offset and scale to each of its
columns. Their derivatives are known without a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analysis.free_motion import rest_from
from flexarm.analysis.log_lag import Pair, find_lag
from flexarm.analysis.log_signal import log_unit, simulated_signal
from flexarm.analysis.measured import Log, read_log
from flexarm.errors import FlexarmError
from flexarm.result import Result
from flexarm.scenario import Scenario

FEWEST = 8
HIT, BETWEEN = 1e-6, 4
"""Distance of a sample from a record, as a share of their interval, at which it counts as hit; records per sample where they are not."""
MOVES = 0.01
EDGE = 10
"""Samples by which the lag of a log may move without it leaving the run."""


@dataclass(frozen=True, eq=False)
class Column:
    """A measured column: its log, the signal of the run, and the standard deviation of its noise (None: to be estimated)."""

    log: Log
    signal: str
    sigma: float | None


@dataclass(frozen=True, eq=False)
class Experiment:
    """A log with its columns on one clock, and the scenario of the run that belongs to it.

    Attributes
    ----------
    name : str
        Of the log.
    scenario : Scenario
        With a fixed step and all records.
    columns : tuple of Column
    used : tuple of ndarray
        Which samples of each column lie within the run.
    lag : float
        By which the log is taken to be late at first, s.
    offsets : tuple of float
        Mean distance of each column from the run at first.
    """

    name: str
    scenario: Scenario
    columns: tuple[Column, ...]
    used: tuple[np.ndarray, ...]
    lag: float
    offsets: tuple[float, ...]

    def times(self, k: int) -> np.ndarray:
        """Those of the samples of column `k` that are used, s, on the clock of the log."""
        return self.columns[k].log.time[self.used[k]]

    def values(self, k: int) -> np.ndarray:
        """Those samples."""
        return self.columns[k].log.values[self.used[k]]


@dataclass(frozen=True, eq=False)
class Curves:
    """Signals of a run, (records, signals), to be read at any time: before its start the arm rests."""

    time: np.ndarray
    values: np.ndarray

    @property
    def begins(self) -> float:
        """When the first signal has left its start by a share of its range, s; 0 if none does."""
        moved = np.abs(self.values - self.values[0]) > MOVES * np.ptp(self.values, axis=0)
        return float(self.time[int(np.argmax(moved.any(axis=1)))])

    def at(self, k: int, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signal `k` and its rate at `times`."""
        from scipy.interpolate import make_interp_spline

        spline = make_interp_spline(self.time, self.values[:, k], k=min(3, len(self.time) - 1))
        inside = np.clip(times, self.time[0], self.time[-1])
        return spline(inside), np.where(inside == times, spline.derivative()(inside), 0.0)


def curves(signals: Sequence[tuple[str, str]], result: Result) -> Curves:
    """Signals with their units, of a run."""
    found = [simulated_signal(result, name, unit, None) for name, unit in signals]
    return Curves(found[0][0], np.stack([values for _, values, _ in found], axis=1))


Sigma = Mapping[str, float] | float | None
"""Standard deviation of the noise: by column or signal, one for all, or to be estimated."""


def columns_of(log: Any, wanted: Mapping[str, str | None], result: Result, sigma: Sigma) -> list[Column]:
    """The columns of a log that are compared.

    Parameters
    ----------
    log : path, Log, or mapping of signal to Log
        A CSV file, or what was read from one.
    wanted : mapping
        Column of the file -> signal of the run; empty for a file with one column, which is the first gauge.
    result : Result
        A run, for the names and units of its signals.
    sigma : mapping, float or None
        Standard deviations in SI units.
    """
    pairs: list[tuple[str, str | None, Log]]
    if isinstance(log, Mapping):
        pairs = [(signal, signal, each) for signal, each in log.items()]
    elif isinstance(log, Log):
        pairs = [(log.name, signal, log) for signal in (wanted.values() or [None])][:1]
    else:
        names: list[tuple[str | None, str | None]] = list(wanted.items()) or [(None, None)]
        pairs = [
            (column or signal or Path(log).name, signal, read_log(Path(log), column, log_unit(result, signal)))
            for column, signal in names
        ]
    unknown = (
        next((name for name in sigma if name not in {*wanted, *wanted.values(), *(p[0] for p in pairs)}), None)
        if isinstance(sigma, Mapping)
        else None
    )
    if unknown is not None:
        raise FlexarmError(
            f"there is no column '{unknown}' in the fit; there are {', '.join(p[0] for p in pairs)}", field="sigma"
        )
    made = []
    for column, signal, each in pairs:
        name = simulated_signal(result, signal, each.unit, None)[2]
        made.append(Column(each, name, _sigma(sigma, column, name)))
    return made


def _sigma(sigma: Sigma, *names: str) -> float | None:
    given = next((sigma[name] for name in names if name in sigma), None) if isinstance(sigma, Mapping) else sigma
    if given is not None and not 0.0 < float(given) < float("inf"):
        raise FlexarmError(
            f"the standard deviation of {names[0]} is {given:g}: it must be positive; leave it out to have it estimated",
            field="sigma",
        )
    return None if given is None else float(given)


def record_interval(columns: Sequence[Column], late: bool, step: float, finest: float) -> float:
    """Time in s between the records of a run: that of the samples if they hit them all, else a share of it and of the `finest` move of the drives."""
    apart = min(float(np.median(np.diff(column.log.time))) for column in columns)
    places = np.concatenate([column.log.time for column in columns]) / apart
    if not late and np.abs(places - np.round(places)).max() < HIT:
        return float(f"{apart:.12g}")
    return max(min(apart, finest) / BETWEEN, step)


def experiment(
    name: str, scenario: Scenario, columns: Sequence[Column], result: Result, late: bool, notes: list[str]
) -> Experiment:
    """A log with the run that belongs to it; `late`: its lag is fitted, and looked for where the drives move at first."""
    from scipy.interpolate import make_interp_spline

    lag, clock = 0.0, columns[0].log.time
    if late and any(not np.array_equal(column.log.time, clock) for column in columns):
        raise FlexarmError(
            "columns whose lag is fitted have one clock, but their times differ: give columns of one log", field="lag"
        )
    read = curves([(column.signal, column.log.unit) for column in columns], result)
    if late:
        pairs = [
            Pair(column.log, read.time, make_interp_spline(read.time, read.values[:, k], k=3))
            for k, column in enumerate(columns)
        ]
        lag = find_lag(pairs, rest_from(result), True, notes)
    used, offsets = [], []
    for k, column in enumerate(columns):
        time = column.log.time
        if not np.all(np.isfinite(column.log.values)):
            raise FlexarmError(f"{column.log.name} holds values that are not finite (nan or inf): cut them off first")
        edge = EDGE * float(np.median(np.diff(time))) if late else 1e-9 * scenario.time.end
        inside = (time - lag >= -edge) & (time - lag <= scenario.time.end + (-edge if late else edge))
        if inside.sum() < FEWEST:
            raise FlexarmError(
                f"{column.log.name} and the run have {int(inside.sum())} samples in common only: the log lasts from "
                f"{time[0]:g} to {time[-1]:g} s, the run from 0 to {scenario.time.end:g} s; fit its lag, or shift its times"
            )
        used.append(inside)
        offsets.append(float(np.mean(column.log.values[inside] - read.at(k, time[inside] - lag)[0])))
    return Experiment(name, scenario, tuple(columns), tuple(used), lag, tuple(offsets))
