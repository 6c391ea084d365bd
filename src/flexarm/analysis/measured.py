"""Measured logs: CSV tables with units in their headers and uneven times, and dumps of a 12-bit converter."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analysis.log_units import column_unit, split_header
from flexarm.drive.csvfile import MOST_BYTES, TIME_NAMES, csv_cell, csv_table
from flexarm.errors import FlexarmError
from flexarm.files import read_whole, reason

GAP = 10.0
"""An interval that is so many times longer than its neighbours is a gap."""
POST_INTERVAL = 9.6e-3
"""Time between the readings after the last sweep in the program of the thesis, s."""
BITS = 12


@dataclass(frozen=True, eq=False)
class Log:
    """A measured signal.

    Attributes
    ----------
    name : str
        Of the file and the column.
    time : ndarray, shape (n,)
        Increasing, s; need not be even.
    values : ndarray, shape (n,)
        In the unit `unit`.
    unit : str
        SI unit, ``V`` or ``counts``.
    notes : tuple of str
        What was assumed, and gaps.
    """

    name: str
    time: np.ndarray
    values: np.ndarray
    unit: str = "1"
    notes: tuple[str, ...] = ()


def read_log(path: str | Path, column: str | None = None, unit: str = "1", max_gap: float | None = None) -> Log:
    """Read a measured signal from a CSV file.

    The first row names the columns, with units in brackets: ``time [ms], strain [um/m]``. Without a unit a column is
    taken as in SI units. Time is the column called t or time; it may start anywhere and be uneven.

    Parameters
    ----------
    path : str or Path
        The file, in UTF-8, with commas, semicolons or tabs between the cells.
    column : str, optional
        Name of the column, with or without its unit; may be left out if there is one beside the time.
    unit : str
        SI unit that the signal must have: ``1`` for strains, ``V``, ``counts``, ``rad``, ``m``, ``N*m`` and so on.
    max_gap : float, optional
        Longest time in s between two samples that is accepted.

    Raises
    ------
    FlexarmError
        One sentence with file and line or column, and what to do.
    """
    path = Path(path)
    if not path.exists():
        raise FlexarmError(f"there is no file '{path}'; give the path of a CSV log")
    try:
        names, rows = csv_table(path)
    except ValueError as error:
        raise FlexarmError(str(error)) from None
    when = _time_column(path, names)
    what = _value_column(path, names, when, column)
    seconds, factor = (_factor(path, names[k], si) for k, si in ((when, "s"), (what, unit)))
    try:
        table = np.array([[csv_cell(path, line, cells, k, names) for k in (when, what)] for line, cells in rows])
    except ValueError as error:
        raise FlexarmError(f"{error}; repair or delete that line") from None
    if len(table) < 8:
        raise FlexarmError(f"it holds {len(table)} rows of numbers; a comparison needs at least 8", file=path.name)
    lines = [line for line, _ in rows]
    time = seconds * table[:, 0]
    _check_order(path, lines, time)
    notes = [f"column '{names[k]}' states no unit; it was taken as {si}" for k, si in ((when, "s"), (what, unit))
             if not split_header(names[k])[1] and not (k == when and names[k].endswith("_s"))]  # fmt: skip
    notes += _gaps(path, lines, time, max_gap)
    return Log(f"{path.name}, {split_header(names[what])[0]}", time, factor * table[:, 1], unit, tuple(notes))


def _time_column(path: Path, names: list[str]) -> int:
    for k, name in enumerate(names):
        if split_header(name)[0].lower() in TIME_NAMES:
            return k
    raise FlexarmError(
        f"there is no column of times; call one 'time [s]' (there are {', '.join(names)})", file=path.name
    )


def _value_column(path: Path, names: list[str], when: int, column: str | None) -> int:
    others = [k for k in range(len(names)) if k != when]
    listed = ", ".join(f"'{names[k]}'" for k in others) or "none beside the time"
    if column is None:
        if len(others) == 1:
            return others[0]
        raise FlexarmError(f"say which column to compare; there are {listed}", file=path.name, field="column")
    found = [k for k in others if column in (names[k], split_header(names[k])[0])]
    if not found:
        raise FlexarmError(f"there is no column '{column}'; there are {listed}", file=path.name, field="column")
    if len(found) > 1:
        raise FlexarmError(f"{len(found)} columns are called '{column}'; rename them", file=path.name, field="column")
    return found[0]


def _factor(path: Path, header: str, si: str) -> float:
    try:
        return column_unit(split_header(header)[1], si).factor
    except ValueError as error:
        raise FlexarmError(f"{error}", file=path.name, field=f"column '{header}'") from None


def _check_order(path: Path, lines: list[int], time: np.ndarray) -> None:
    wrong = np.flatnonzero(np.diff(time) <= 0.0)
    if len(wrong):
        k = int(wrong[0])
        fault = "appears twice" if time[k + 1] == time[k] else f"comes after {time[k]:.9g} s"
        raise FlexarmError(
            f"times must increase, but {time[k + 1]:.9g} s {fault}; sort the rows by time",
            file=path.name,
            line=lines[k + 1],
        )


def _gaps(path: Path, lines: list[int], time: np.ndarray, longest: float | None) -> list[str]:
    """Say where samples are missing; refuse where that is longer than is accepted."""
    steps = np.diff(time)
    widest = int(np.argmax(steps))
    if longest is not None and steps[widest] > longest:
        raise FlexarmError(
            f"no sample for {steps[widest]:.4g} s, longer than the accepted gap of {longest:g} s; cut the log there, or "
            "accept a longer gap",
            file=path.name,
            line=lines[widest + 1],
        )
    # times may be uneven by intention (one sample per motor step), so an interval is compared with those beside it
    beside = np.maximum(np.append(steps[1:], steps[-2]), np.insert(steps[:-1], 0, steps[1]))
    gaps = np.flatnonzero(steps > GAP * beside)
    if not len(gaps):
        return []
    k = int(gaps[np.argmax(steps[gaps])])
    more = f" (and {len(gaps) - 1} more)" if len(gaps) > 1 else ""
    return [
        f"no sample for {steps[k]:.4g} s before line {lines[k + 1]}{more}: the spectrum bridges it by interpolation"
    ]


def read_dump(path: str | Path, step_times: Any, post_interval: float = POST_INTERVAL) -> Log:
    """Read a dump of a 12-bit converter: two bytes per reading, the low one first, one reading per motor step.

    Readings beyond the steps are those of the ring-down, `post_interval` apart from the last step on.

    Parameters
    ----------
    path : str or Path
        The file.
    step_times : array_like, shape (n,)
        When the motor stepped, s; see `StepTable`.
    post_interval : float
        Time between two readings after the last step, s.

    Returns
    -------
    Log
        In counts.
    """
    path = Path(path)
    try:
        data = read_whole(path, MOST_BYTES)
    except OSError as error:
        raise FlexarmError(f"'{path}' cannot be read: {reason(error)}") from None
    times = np.asarray(step_times, dtype=float)
    if len(data) % 2:
        raise FlexarmError(
            f"it has {len(data)} bytes, an odd number, but a reading takes two: it was cut short", file=path.name
        )
    codes = np.frombuffer(data, dtype="<u2").astype(float)
    wrong = np.flatnonzero(codes >= 2**BITS)
    if len(wrong):
        raise FlexarmError(
            f"reading {wrong[0] + 1} is {codes[wrong[0]]:.0f}, but {BITS} bits end at {2**BITS - 1}: is the low byte first?",
            file=path.name,
        )
    if len(codes) < len(times):
        raise FlexarmError(
            f"it holds {len(codes)} readings, but the motor makes {len(times)} steps, each with a reading: check the "
            "motion, half steps, ratio and sweeps",
            file=path.name,
        )
    if not post_interval > 0.0:
        raise FlexarmError(
            f"the time between later readings must be positive, not {post_interval:g} s", field="post_interval"
        )
    after = (times[-1] if len(times) else -post_interval) + post_interval * np.arange(1, len(codes) - len(times) + 1)
    return Log(path.name, np.concatenate([times, after]), codes, "counts")
