"""What formulas can do with signals: functions of each value, and numbers of a whole signal, for many runs at once.

Signals are (runs, times). A row with gaps, a run that ended early, gives nan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Over = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(values (runs, times), time (times,)) -> (runs,)."""

ELEMENTWISE: dict[str, tuple[Any, int, str]] = {
    "abs": (np.abs, 1, "same"), "sqrt": (np.sqrt, 1, "root"), "sin": (np.sin, 1, "plain"), "cos": (np.cos, 1, "plain"),
    "tan": (np.tan, 1, "plain"), "exp": (np.exp, 1, "plain"), "log": (np.log, 1, "plain"), "log10": (np.log10, 1, "plain"),
    "hypot": (np.hypot, 2, "same"), "atan2": (np.arctan2, 2, "angle"), "least": (np.minimum, 2, "same"),
    "largest": (np.maximum, 2, "same"),
}  # fmt: skip
"""Function, number of arguments, and what becomes of the unit."""


def _integral(values: np.ndarray, time: np.ndarray) -> np.ndarray:
    return np.sum(0.5 * (values[:, 1:] + values[:, :-1]) * np.diff(time), axis=1)


def at(values: np.ndarray, time: np.ndarray, instant: float) -> np.ndarray:
    """Values at an instant, between records along the straight line; nan outside of the run."""
    k = int(np.clip(np.searchsorted(time, instant, side="right") - 1, 0, len(time) - 1))
    if not time[0] <= instant <= time[-1] * (1.0 + 1e-12):
        return np.full(len(values), np.nan)
    if k == len(time) - 1 or instant == time[k]:
        return values[:, k].copy()
    return values[:, k] + (values[:, k + 1] - values[:, k]) * ((instant - time[k]) / (time[k + 1] - time[k]))


def on_grid(values: np.ndarray, time: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """Values at the instants of a common grid, (runs, grid)."""
    return np.stack([at(values, time, float(instant)) for instant in grid], axis=1)


def _settling(values: np.ndarray, time: np.ndarray, band: float) -> np.ndarray:
    """Last time at which a signal is further than `band` from where it ends."""
    outside = np.abs(values - values[:, -1:]) > band
    last = values.shape[1] - 1 - np.argmax(outside[:, ::-1], axis=1)
    found = np.where(outside.any(axis=1), time[np.minimum(last + 1, len(time) - 1)], time[0])
    return np.where(np.isnan(values[:, -1]), np.nan, found)


def _time_of(find: Callable[..., np.ndarray]) -> Over:
    def when(values: np.ndarray, time: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(values).any(axis=1), np.nan, time[find(values, axis=1)])

    return when


REDUCERS: dict[str, tuple[Over, int]] = {
    "max": (lambda values, time: values.max(axis=1), 0),
    "min": (lambda values, time: values.min(axis=1), 0),
    "peak": (lambda values, time: np.abs(values).max(axis=1), 0),
    "range": (lambda values, time: np.ptp(values, axis=1), 0),
    "mean": (lambda values, time: np.mean(values, axis=1), 0),
    "rms": (lambda values, time: np.sqrt(np.mean(values**2, axis=1)), 0),
    "start": (lambda values, time: values[:, 0].copy(), 0),
    "end": (lambda values, time: values[:, -1].copy(), 0),
    "integral": (_integral, 1),
}
"""Numbers of a signal, and the power of a second that comes with them."""
REDUCERS["time_of_max"] = (_time_of(np.argmax), 0)
REDUCERS["time_of_min"] = (_time_of(np.argmin), 0)
WITH_NUMBER: dict[str, Callable[[np.ndarray, np.ndarray, float], np.ndarray]] = {"at": at, "settling": _settling}
"""Numbers of a signal and one constant."""
