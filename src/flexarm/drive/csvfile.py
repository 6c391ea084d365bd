"""CSV tables read as data: one column of times, one of values, every fault with its line."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexarm.files import read_whole, reason

TIME_NAMES = ("t", "time", "time_s")
MOST_BYTES = 200_000_000
"""Largest table that is read."""
LONGEST_NAME = 60
"""Names of columns are shown up to this length."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Values over time.

    Attributes
    ----------
    times : ndarray, shape (n,)
        Increasing, in s.
    values : ndarray, shape (n,)
        In the unit of the column.
    """

    times: np.ndarray
    values: np.ndarray

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Samples)
            and np.array_equal(self.times, other.times)
            and np.array_equal(self.values, other.values)
        )

    def __hash__(self) -> int:
        return hash((self.times.tobytes(), self.values.tobytes()))


def read_samples(path: Path, column: str | None) -> Samples:
    """Read a column and its times from a CSV file.

    The first row holds the names of the columns. Time, in seconds, is the column called t, time or
    time_s, else the first one. Empty lines and lines that begin with # are passed over.

    Parameters
    ----------
    path : Path
        The file, in UTF-8, with commas, semicolons or tabs between the cells.
    column : str or None
        Name of the column; may be left out if there is only one beside the time.

    Raises
    ------
    ValueError
        With one sentence that names the file and the line.
    """
    names, rows = csv_table(path)
    time = next((i for i, name in enumerate(names) if name.lower() in TIME_NAMES), 0)
    wanted = _column(path, names, time, column)
    times, values = [], []
    for line, cells in rows:
        times.append(csv_cell(path, line, cells, time, names))
        values.append(csv_cell(path, line, cells, wanted, names))
        if times[-1] < 0.0:
            raise ValueError(f"{path.name}, line {line}: the time {times[-1]:g} s is negative")
        if len(times) > 1 and times[-1] <= times[-2]:
            fault = "appears twice" if times[-1] == times[-2] else f"comes after {times[-2]:g} s"
            raise ValueError(f"{path.name}, line {line}: times must increase, but {times[-1]:g} s {fault}")
    if len(times) < 2:
        raise ValueError(f"{path.name} needs at least two rows of numbers")
    return Samples(np.array(times), np.array(values))


def csv_table(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Names of the columns, and the rows below with their line numbers, without empty lines and comments (#)."""
    rows = _rows(path)
    if not rows:
        raise ValueError(f"{path.name} is empty: its first row must hold the names of the columns")
    names = [name.strip() for name in rows[0][1]]
    if len(names) < 2 or max(map(len, names)) > LONGEST_NAME:  # what is no table is not shown: it may hold anything
        raise ValueError(
            f"{path.name} is no table: its first row must name a column of times and one of values, with commas, "
            "semicolons or tabs between them"
        )
    if all(_number(name) is not None for name in names):
        raise ValueError(f"{path.name}: the first row must hold the names of the columns, not numbers")
    return names, rows[1:]


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Rows with their line numbers."""
    try:
        text = read_whole(path, MOST_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"there is no file {path}; a path counts from the folder of the scenario") from None
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path.name} is not a text in UTF-8 (byte {error.start}); save the table as CSV in UTF-8"
        ) from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}") from None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    head = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    separator = next((mark for mark in ",;\t" if mark in head), ",")
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            rows.append((number, next(csv.reader([line], delimiter=separator, strict=True))))
        except csv.Error as error:
            raise ValueError(f"{path.name}, line {number}: not a row of a CSV table ({error})") from None
    return rows


def _column(path: Path, names: list[str], time: int, column: str | None) -> int:
    """Number of the wanted column."""
    others = [i for i in range(len(names)) if i != time]
    listed = ", ".join(names)
    if column is None:
        if len(others) != 1:
            raise ValueError(f"say which column of {path.name}: it has {listed} ('{names[time]}' is the time)")
        return others[0]
    found = [i for i, name in enumerate(names) if name == column]
    if not found:
        raise ValueError(f"{path.name} has no column '{column}'; it has {listed}")
    if len(found) > 1:
        raise ValueError(f"{path.name} has {len(found)} columns called '{column}'; give them different names")
    return found[0]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def csv_cell(path: Path, line: int, cells: list[str], i: int, names: list[str]) -> float:
    """The number in a cell, or a sentence about the gap."""
    text = cells[i].strip() if i < len(cells) else ""
    if not text:
        raise ValueError(f"{path.name}, line {line}: the cell of '{names[i]}' is empty")
    value = _number(text)
    if value is None or not math.isfinite(value):
        hint = ": write a decimal point" if "," in text else ""
        shown = text if len(text) <= LONGEST_NAME else "a long text"
        raise ValueError(f"{path.name}, line {line}: '{shown}' in the column '{names[i]}' is not a number{hint}")
    return value
