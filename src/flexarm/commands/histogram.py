"""Histograms of times in the terminal."""

from __future__ import annotations

import numpy as np

EDGES = np.array([0.0, *(float(f"{digit}e{power}") for power in range(-6, 2) for digit in (1, 2, 5))])
"""Classes in s; what lies beyond the last edge is counted in the last class."""


def classes(values: np.ndarray) -> list[tuple[float, float, int]]:
    """Edges and count of the classes (1, 2, 5, 10, ...), from the first to the last that is not empty.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Times in s. The first class begins at 0 (or below).
    """
    places = np.clip(np.searchsorted(EDGES, values, side="right") - 1, 0, len(EDGES) - 2)
    counts = np.bincount(places, minlength=len(EDGES) - 1)
    used = np.flatnonzero(counts)
    if not len(used):
        return []
    return [(float(EDGES[k]), float(EDGES[k + 1]), int(counts[k])) for k in range(used[0], used[-1] + 1)]


def lines(values: np.ndarray, width: int = 40) -> list[str]:
    """The histogram as lines of text; the bars have a logarithmic length, because the rare ones matter."""
    found = classes(values)
    if not found:
        return []
    highest = np.log1p(max(count for *_, count in found))
    made = []
    for low, high, count in found:
        bar = "█" * max(round(width * np.log1p(count) / highest), 1 if count else 0)
        made.append(f"{_short(low):>7} to {_short(high):<7} {count:>8}  {bar}")
    return made


def _short(value: float) -> str:
    if value == 0.0:
        return "0"
    factor, unit = next(pair for pair in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")) if value >= 0.999 * pair[0])
    return f"{value / factor:.3g} {unit}"
