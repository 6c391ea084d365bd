"""Ratios of pairs of runs: their median, and between which bounds the true one lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVEL = 0.9
"""Wanted coverage of the interval."""


@dataclass(frozen=True)
class PairRatio:
    """One row: this installation's time over the other's.

    Attributes
    ----------
    row : str
        What was done.
    ratio : float
        Median of the ratios of pairs; above 1 this installation is slower.
    low, high : float
        Interval of the true median: order statistics of the medians of the rounds, since ratios within a round share the
        two processes and where these happen to lie in memory, which alone makes some per cent.
    coverage : float
        Probability with which the interval holds it, whatever the distribution of the ratios.
    rounds, pairs : int
        Number of rounds (new processes), and of pairs in all.
    here, there : float
        Median processor time of the work in either installation, s.
    """

    row: str
    ratio: float
    low: float
    high: float
    coverage: float
    rounds: int
    pairs: int
    here: float
    there: float


def order_statistics(n: int, level: float = LEVEL) -> tuple[int, float]:
    """Rank k (from 0) such that the k-th least and k-th greatest of `n` values hold the median, and the coverage.

    Each value lies below the median with probability 1/2, so the number below is binomial:
    P(x_(k) < m < x_(n-1-k)) = 1 - 2 P(B(n, 1/2) <= k). The narrowest interval that reaches `level` is taken, or the
    whole range if there are too few values.

    Examples
    --------
    >>> rank, coverage = order_statistics(8)
    >>> rank, round(coverage, 4)
    (1, 0.9297)
    """
    below, best = 0.0, (0, 1.0 - 2.0 * 0.5**n)
    for k in range((n + 1) // 2):
        below += math.comb(n, k) * 0.5**n
        if 1.0 - 2.0 * below < level:
            break
        best = k, 1.0 - 2.0 * below
    return best


def pair_ratio(row: str, times: Sequence[Sequence[tuple[float, float]]]) -> PairRatio:
    """The row of a table from the times (here, there) of the pairs of each round."""
    pairs = np.array([pair for each in times for pair in each])
    middles = np.sort([np.median([own / other for own, other in each]) for each in times])
    rank, coverage = order_statistics(len(middles))
    return PairRatio(
        row,
        ratio=float(np.median(pairs[:, 0] / pairs[:, 1])),
        low=float(middles[rank]),
        high=float(middles[len(middles) - 1 - rank]),
        coverage=coverage,
        rounds=len(times),
        pairs=len(pairs),
        here=float(np.median(pairs[:, 0])),
        there=float(np.median(pairs[:, 1])),
    )
