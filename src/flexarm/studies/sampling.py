"""Which values the runs of a study have: any part of them at once, and the same ones however they are cut into parts.

Run `i` stands at point ``i // draws`` of the grid of everything that is listed, with draw ``i % draws`` of everything that is
drawn: all points of the grid see the same draws, so that they differ by what is listed alone.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.studies.laws import TINY, Law

KINDS = ("random", "latin-hypercube", "sobol", "saltelli")
BLOCK = 4096
"""Random numbers are made in blocks of so many draws, each from its own seed."""
MOST_RUNS = 100_000_000
"""Of a study: its table stays in memory, 8 bytes for every number of every run."""
MOST_LATIN, MOST_SOBOL = 10_000_000, 2**30
MOST_DIMENSIONS = 10_000


@dataclass(frozen=True)
class Design:
    """How values are chosen.

    Attributes
    ----------
    kind : str
        One of `KINDS`, for what is drawn.
    runs : int
        Draws; of ``saltelli`` the base sample, of which (drawn variables + 2) times as many are run.
    seed : int
        The same seed gives the same draws.
    points : tuple of tuples of float, or of None
        For each variable the values of its list; None where it is drawn.
    laws : tuple of Law or None
        For each variable its distribution; None where it is listed.
    mixing : ndarray or None, shape (drawn, drawn)
        Lower Cholesky factor of the correlations of what is drawn.
    """

    kind: str
    runs: int
    seed: int
    points: tuple[tuple[float, ...] | None, ...]
    laws: tuple[Law | None, ...]
    mixing: np.ndarray | None = None

    @property
    def drawn(self) -> list[int]:
        """Numbers of the variables that are drawn."""
        return [k for k, law in enumerate(self.laws) if law is not None]

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the lists."""
        return tuple(len(points) for points in self.points if points is not None)

    @property
    def draws(self) -> int:
        """Draws at each point of the grid."""
        if not self.drawn:
            return 1
        return self.runs * (len(self.drawn) + 2) if self.kind == "saltelli" else self.runs

    @property
    def count(self) -> int:
        """Runs in all."""
        return math.prod(self.shape) * self.draws

    def values(self, start: int, stop: int) -> np.ndarray:
        """Values of runs `start` to `stop`, (runs, variables)."""
        found = np.empty((stop - start, len(self.points)))
        cells, draws = np.divmod(np.arange(start, stop), self.draws)
        listed = [k for k, points in enumerate(self.points) if points is not None]
        if listed:
            for k, at in zip(listed, np.unravel_index(cells, self.shape), strict=True):
                found[:, k] = np.asarray(self.points[k])[at]
        if self.drawn:
            shares = self._shares(draws)
            for column, k in enumerate(self.drawn):
                law = self.laws[k]
                assert law is not None
                found[:, k] = law.at(shares[:, column])
        return found

    def _shares(self, draws: np.ndarray) -> np.ndarray:
        """Even shares between 0 and 1 of these draws, (draws, drawn)."""
        starts = np.flatnonzero(np.diff(draws, prepend=-2) != 1)
        parts = np.split(draws, starts[1:])
        once = {(int(part[0]), int(part[-1]) + 1): None for part in parts}
        found = {ends: np.clip(self._even(*ends), TINY, 1.0 - TINY) for ends in once}
        shares = np.concatenate([found[int(part[0]), int(part[-1]) + 1] for part in parts])
        return shares if self.mixing is None else _mixed(shares, self.mixing)

    def _even(self, start: int, stop: int) -> np.ndarray:
        d = len(self.drawn)
        if self.kind == "random":
            return _random(self.seed, d, start, stop)
        if self.kind == "latin-hypercube":
            return _latin(self.seed, d, self.runs)[start:stop]
        if self.kind == "sobol":
            return _sobol(self.seed, d, start, stop)
        both = _both(self.seed, d, self.runs)
        which, at = np.divmod(np.arange(start, stop), self.runs)  # A, B, then A with one column of B after the other
        found = np.where((which == 1)[:, None], both[at, d:], both[at, :d])
        for k in range(d):
            rows = which == k + 2
            found[rows, k] = both[at[rows], d + k]
        return found


def check_size(design: Design) -> None:
    """Refuse what cannot be held or drawn."""
    if design.count > MOST_RUNS:
        raise FlexarmError(
            f"this study has {design.count:.4g} runs, and its table of all runs can hold {MOST_RUNS:.0e}; make fewer, "
            "or share them out among several studies with other seeds",
            field="design.runs" if design.drawn else "vary",
        )
    most = {"latin-hypercube": MOST_LATIN, "sobol": MOST_SOBOL, "saltelli": MOST_LATIN}.get(design.kind, MOST_RUNS)
    if design.drawn and design.runs > most:
        raise FlexarmError(f"{design.kind} can draw {most:.3g} at most; take random", field="design.runs")


def _random(seed: int, d: int, start: int, stop: int) -> np.ndarray:
    first, last = start // BLOCK, (stop - 1) // BLOCK
    made = [
        np.random.Generator(np.random.Philox(key=[seed, block])).random((BLOCK, d)) for block in range(first, last + 1)
    ]
    return np.concatenate(made)[start - first * BLOCK : stop - first * BLOCK]


@functools.lru_cache(maxsize=1)
def _latin(seed: int, d: int, count: int) -> np.ndarray:
    from scipy.stats import qmc

    return qmc.LatinHypercube(d, seed=seed).random(count)


def _sobol(seed: int, d: int, start: int, stop: int) -> np.ndarray:
    from scipy.stats import qmc

    sequence = qmc.Sobol(d, seed=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the count is no power of two is told beside the result
        return (sequence.fast_forward(start) if start else sequence).random(stop - start)


@functools.lru_cache(maxsize=1)
def _both(seed: int, d: int, count: int) -> np.ndarray:
    return _sobol(seed, 2 * d, 0, count)


def _mixed(shares: np.ndarray, mixing: np.ndarray) -> np.ndarray:
    """Shares that go together: normal numbers with these correlations, and the shares that they stand for."""
    from scipy.special import ndtr, ndtri

    normal, found = ndtri(shares), np.zeros_like(shares)
    for k in range(
        shares.shape[1]
    ):  # one column after the other, and no BLAS: the same bits however runs are cut into parts
        total = mixing[k, 0] * normal[:, 0]
        for j in range(1, k + 1):
            total = total + mixing[k, j] * normal[:, j]
        found[:, k] = ndtr(total)
    return np.clip(found, TINY, 1.0 - TINY)


def mixing_of(pairs: Sequence[tuple[int, int, float]], drawn: Sequence[int]) -> np.ndarray | None:
    """Cholesky factor of correlations given by pairs of variables; refuses what no draws can have."""
    if not pairs:
        return None
    matrix = np.eye(len(drawn))
    for a, b, value in pairs:
        i, j = drawn.index(a), drawn.index(b)
        matrix[i, j] = matrix[j, i] = value
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        raise FlexarmError(
            "these correlations contradict each other (their matrix is not positive definite): make some of them smaller",
            field="correlation",
        ) from None
