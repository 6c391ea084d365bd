"""Values along a line from the places where they are known: straight lines, continued beyond the ends, or from their slopes."""

from __future__ import annotations

from typing import Any

import numpy as np

SAME = 1e-9
"""Places nearer to each other than this are one, as a share of the largest."""


def neighbours(places: np.ndarray, wanted: Any, jumps: Any = ()) -> tuple[Any, Any, Any]:
    """Numbers of the two places beside each wanted one (the nearest two, beyond the ends), and its share of the second.

    At `jumps` values change at once: both places are on the same side of them as the wanted one. A place on a jump is before
    it. If a side has one place only, its value counts; if it has none, jumps are passed over.
    """
    jumps, wanted = np.asarray(jumps, dtype=float), np.asarray(wanted, dtype=float)
    slack = SAME * max(1.0, abs(places).max())
    first = np.searchsorted(places, np.concatenate([[-np.inf], jumps + slack]))
    last = np.append(first[1:], len(places)) - 1
    side = np.searchsorted(jumps + slack, wanted)
    low, high = (np.where(first <= last, own, whole)[side] for own, whole in ((first, 0), (last, len(places) - 1)))
    k = np.clip(np.searchsorted(places, wanted) - 1, low, np.maximum(low, high - 1))
    after = np.minimum(k + 1, high)
    gap = places[after] - places[k]
    return k, after, np.where(gap > 0.0, (wanted - places[k]) / np.where(gap > 0.0, gap, 1.0), 0.0)


def part_before(ends: np.ndarray, wanted: Any) -> np.ndarray:
    """Numbers of the parts between successive `ends` in which the wanted places are; on an end that of the part before it."""
    found = np.searchsorted(ends + SAME * max(1.0, ends[-1]), wanted) - 1
    return np.clip(found, 0, len(ends) - 2)


def between(places: np.ndarray, values: np.ndarray, wanted: Any, jumps: Any = ()) -> np.ndarray:
    """Values, or formulas, of the last axis at the wanted places; see `neighbours`."""
    k, after, share = neighbours(places, wanted, jumps)
    return (1.0 - share) * values[..., k] + share * values[..., after]


def by_slopes(places: np.ndarray, wanted: Any) -> np.ndarray:
    """Weights of the slopes at some places in what a line has more at the wanted ones than in the mean of its values at the
    places, (wanted, places): the polynomial through the slopes is integrated.

    Examples
    --------
    >>> by_slopes(np.array([0.5]), [0.0, 1.0])
    array([[-0.5],
           [ 0.5]])
    """
    middle, powers = float(np.mean(places)), np.arange(len(places))
    size = float(np.ptp(places)) or 1.0
    xi, at = (np.asarray(values, dtype=float)[:, None] - middle for values in (places, wanted))
    integral = lambda x: (x / size) ** (powers + 1) * size / (powers + 1)  # noqa: E731
    return (integral(at) - integral(xi).mean(axis=0)) @ np.linalg.inv((xi / size) ** powers)
