"""Distributions that a file may name, each as the value below which a share of all draws lies.

Everything that is drawn comes from shares that are even between 0 and 1: whether they are random, a Latin hypercube or a Sobol
sequence is not the business of a distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

TINY = 2.0**-54
"""Least share that is ever asked for, and the least distance of a share from one."""


class Law:
    """A distribution."""

    def at(self, share: np.ndarray) -> np.ndarray:
        """Values below which these shares of all draws lie."""
        raise NotImplementedError

    @property
    def reach(self) -> tuple[float, float]:
        """Least and largest value that can be drawn."""
        low, high = self.at(np.array([TINY, 1.0 - TINY]))
        return float(low), float(high)


@dataclass(frozen=True)
class Uniform(Law):
    """Every value between two limits is as likely."""

    low: float
    high: float

    def at(self, share: np.ndarray) -> np.ndarray:
        """`Law.at`."""
        return self.low + (self.high - self.low) * share


@dataclass(frozen=True)
class LogUniform(Law):
    """Every ratio between two limits is as likely."""

    low: float
    high: float

    def at(self, share: np.ndarray) -> np.ndarray:
        """`Law.at`."""
        return np.clip(self.low * (self.high / self.low) ** share, self.low, self.high)


@dataclass(frozen=True)
class Normal(Law):
    """The bell curve, cut off at `low` and `high` where they are given; `logarithmic`: of the logarithm, with `mean` its median."""

    mean: float
    sd: float
    low: float = -np.inf
    high: float = np.inf
    logarithmic: bool = False

    def at(self, share: np.ndarray) -> np.ndarray:
        """`Law.at`."""
        from scipy.special import ndtr, ndtri

        first, last = ndtr(self._bell(self.low)), ndtr(self._bell(self.high))
        bell = ndtri(np.clip(first + share * (last - first), TINY, 1.0 - TINY))
        found = self.mean * np.exp(self.sd * bell) if self.logarithmic else self.mean + self.sd * bell
        return np.clip(found, self.low, self.high)

    def _bell(self, value: float) -> float:
        if not self.logarithmic:
            return (value - self.mean) / self.sd
        return float(np.log(value / self.mean) / self.sd) if value > 0.0 else -np.inf


@dataclass(frozen=True)
class Discrete(Law):
    """Some values, each with its probability."""

    values: tuple[float, ...]
    shares: tuple[float, ...]

    def at(self, share: np.ndarray) -> np.ndarray:
        """`Law.at`."""
        ends = np.cumsum(self.shares) / np.sum(self.shares)
        return np.asarray(self.values)[np.searchsorted(ends[:-1], share, side="right")]
