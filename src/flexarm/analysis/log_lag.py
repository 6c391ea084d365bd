"""The time by which a log is late against a run, found where the drives move.

A model that is not identified yet rings at other frequencies than the arm, so the free decay says little about the clock:
over n swings a frequency that is off by a share e shifts it by e n periods. What the drives do is known, so the lag is
looked for in the part W of the run until they rest. With x(t) the run and y(t + lag) the log on W, r their correlation
and q <= 1 the share of the motion sum((x - mean)^2) over W that the log covers, the log leaves unexplained

    J(lag) = 1 - q r^2 if r > 0,   OPPOSITE^2 (1 - q r^2) if r < 0.

Columns of one log share its clock: the lag makes sum(log J) over the columns smallest, which is the most likely one if
the size of each column's error is not known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.analysis.measured import Log

MOST_POINTS = 1 << 15
LONGEST_LAG = 0.25
"""Share of the run up to which the lag is looked for."""
SHORTEST_PART = 0.1
"""Share of the run that is looked at even if the drives rest sooner."""
OPPOSITE = 1.3
"""The log counts as upside down if it fits so many times better that way."""
LEAST = 1e-12
"""What a perfect log is taken to leave unexplained."""


@dataclass(frozen=True, eq=False)
class Pair:
    """A column of a log and the signal of the run that belongs to it.

    Attributes
    ----------
    log : Log
        What was measured.
    time : ndarray, shape (n,)
        Records of the run, s.
    signal : callable
        Times in s -> simulated values in the unit of the log.
    """

    log: Log
    time: np.ndarray
    signal: Callable[[np.ndarray], np.ndarray]

    @property
    def changes(self) -> bool:
        """Whether log and signal both vary."""
        return bool(np.ptp(self.log.values) > 0.0 and np.ptp(self.signal(self.time)) > 0.0)


def driven_until(time: np.ndarray, rest: float) -> float:
    """End in s of the part of the run in which its drives move, which it begins with; the whole run if they rest never or always."""
    first, last = float(time[0]), float(time[-1])
    return max(rest, first + SHORTEST_PART * (last - first)) if first < rest < last else last


def find_lag(pairs: Sequence[Pair], rest: float, offset: bool, notes: list[str]) -> float:
    """Lag in s of all columns together.

    Parameters
    ----------
    pairs : sequence of Pair
        Columns of one log with their signals.
    rest : float
        Time of the run from which on its drives rest, s.
    offset : bool
        Whether the log may have a constant offset.
    notes : list of str
        What is to be said about it is added here.
    """
    from scipy.optimize import minimize_scalar

    used = [pair for pair in pairs if pair.changes]
    if not used:
        notes.append("the lag cannot be found, because one of the signals does not change")
        return 0.0
    first, last = used[0].time[0], used[0].time[-1]
    clock, longest = used[0].log.time, LONGEST_LAG * (last - first)
    end = driven_until(used[0].time, rest)
    if np.ptp(np.clip([clock[0], clock[-1]], first, end)) < 0.5 * (end - first) and end < last:
        end = last
        notes.append(
            "the log does not cover the time in which the drives move: the lag is that of the ringing, which is wrong by "
            "whole swings if the frequencies of the model are off; give the lag if it is known"
        )
    start, stop = min(clock[0], first), max(clock[-1], last)
    step = max(min(np.median(np.diff(clock)), np.median(np.diff(used[0].time))), (stop - start) / MOST_POINTS)
    grid = np.arange(start, stop + 0.5 * step, step)
    lags = step * (np.arange(2 * len(grid) - 1) - (len(grid) - 1))
    near = np.abs(lags) <= longest
    left = sum(_unexplained(pair, grid, end, offset)[near] for pair in used)
    coarse = float(lags[near][np.argmin(left)])

    def misfit(lag: float) -> float:
        total = 0.0
        for pair in used:
            inside = (clock - lag >= first) & (clock - lag <= end)
            x, y = pair.signal(clock[inside] - lag), pair.log.values[inside]
            x, y = (x - x.mean(), y - y.mean()) if offset and len(x) else (x, y)
            power = float(x @ x) * float(y @ y)
            total += float(_logarithm(np.array(float(x @ y) / math.sqrt(power) if power > 0.0 else 0.0), np.array(1.0)))
        return total

    around = (coarse - 2.0 * step, coarse + 2.0 * step)
    best = float(minimize_scalar(misfit, bounds=around, method="bounded", options={"xatol": 1e-3 * step}).x)
    if abs(best) >= longest - 3.0 * step:
        notes.append(f"the lag of {best:.4g} s lies at the end of what is searched: check the clock of the log")
    return best


def _unexplained(pair: Pair, grid: np.ndarray, end: float, offset: bool) -> np.ndarray:
    """log J for every shift of the log against the run by whole steps of `grid`, shape (2 n - 1,)."""
    from scipy.signal import correlate

    log, time = pair.log, pair.time
    have = ((grid >= log.time[0]) & (grid <= log.time[-1])).astype(float)
    part = ((grid >= time[0]) & (grid <= end)).astype(float)
    x = part * (pair.signal(np.clip(grid, time[0], end)) - (np.mean(pair.signal(time)) if offset else 0.0))
    y = have * (np.interp(grid, log.time, log.values) - (np.mean(log.values) if offset else 0.0))
    x, y = x / np.abs(x).max(initial=1e-300), y / np.abs(y).max(initial=1e-300)

    def total(of_log: np.ndarray, of_run: np.ndarray) -> np.ndarray:
        return correlate(of_log, of_run, mode="full", method="fft")

    count = np.maximum(total(have, part), 0.5)
    mean_x, mean_y = (total(have, x) / count, total(y, part) / count) if offset else (0.0, 0.0)
    power_x, power_y = total(have, x * x) - count * mean_x**2, total(y * y, part) - count * mean_y**2
    both = total(y, x) - count * mean_x * mean_y
    whole = float(x @ x) - (float(np.sum(x)) ** 2 / part.sum() if offset else 0.0)
    clear = (power_x > 1e-6 * whole) & (power_y > 1e-9 * power_y.max())
    r = np.where(clear, both / np.sqrt(np.where(clear, power_x * power_y, 1.0)), 0.0)
    return _logarithm(np.clip(r, -1.0, 1.0), np.clip(power_x / whole, 0.0, 1.0))


def _logarithm(r: np.ndarray, covered: np.ndarray) -> np.ndarray:
    """log J of a correlation and the share of the motion that the log covers."""
    left = np.maximum(1.0 - covered * r * r, LEAST)
    return np.log(np.where(r < 0.0, OPPOSITE**2 * left, left))
