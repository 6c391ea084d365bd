"""What a fit is worth: whiteness of its residuals, and what the data cannot tell apart.

White residuals have no correlation from sample to sample: with the autocorrelations a_k of N residuals, Q = N (N + 2) sum a_k^2/(N - k)
over m lags is distributed as chi-square with m degrees of freedom (Ljung and Box). Coloured residuals hold
N / (1 + 2 sum a_k) independent samples only, the sum taken to the first a_k that is not positive.

With J the derivatives by the logarithms of the unknowns over sigma and J = U S V^T, the combination prod p_i^(v_ik) of the unknowns has
the relative standard deviation 1/s_k. Where that is not small nothing is known about it: with N the vectors v_k of all such
combinations and q of the unknowns as pivots, p_i / prod_q p_q^(c_iq), c = N N_q^-1, are the combinations that can be told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LAGS = 20
UNTOLD = 0.5
"""Standard deviation of the logarithm of a combination beyond which it counts as not known."""
BLURRED = 1e-5
"""Singular values below this share of the largest are errors of the differences."""
TAKES_PART = 0.1
"""Share of an unknown in a combination from which on it is named."""


@dataclass(frozen=True)
class Whiteness:
    """Of the residuals of one column.

    Attributes
    ----------
    probability : float
        Of such correlations or larger ones if the residuals were white.
    effective : float
        Number of independent samples.
    samples : int
    """

    probability: float
    effective: float
    samples: int

    @property
    def white(self) -> bool:
        """Whether there is no reason to doubt it (1 %)."""
        return self.probability > 0.01


def whiteness(residuals: np.ndarray) -> Whiteness:
    """Test residuals in the order of their times.

    Examples
    --------
    >>> noise = np.random.default_rng(1).normal(size=2000)
    >>> whiteness(noise).white, whiteness(noise + np.roll(noise, 1)).white
    (True, False)
    """
    from scipy.special import gammaincc

    n = len(residuals)
    lags = np.arange(1, min(LAGS, n // 4) + 1)
    r = residuals - residuals.mean()
    power = float(r @ r) or 1.0
    a = np.array([float(r[k:] @ r[:-k]) / power for k in lags])
    q = n * (n + 2.0) * float(np.sum(a**2 / (n - lags)))
    last = np.flatnonzero(a <= 0.0)
    together = float(np.sum(a[: last[0]] if len(last) else a))
    return Whiteness(float(gammaincc(0.5 * len(lags), 0.5 * q)), n / (1.0 + 2.0 * together), n)


@dataclass(frozen=True)
class Blind:
    """A group of unknowns that the data cannot tell apart.

    Attributes
    ----------
    names : tuple of str
        Of the unknowns.
    known : tuple of (str, float)
        Combinations of them that can be told, in words, with the standard deviation of their logarithms.
    """

    names: tuple[str, ...]
    known: tuple[tuple[str, float], ...]

    def __str__(self) -> str:
        together = ", ".join(self.names)
        if len(self.names) == 1:
            return f"the logs tell nothing about {together}: leave it out of the fit, or add a log that depends on it"
        if not self.known:
            return f"the logs tell nothing about {together}: leave them out of the fit, or add logs that depend on them"
        combos = ", ".join(f"{words} (to {100 * sd:.2g} %)" for words, sd in self.known)
        return f"the logs cannot tell {together} apart, only {combos}: leave one of them out of the fit at a value that is known"


@dataclass(frozen=True, eq=False)
class Information:
    """Covariance of the unknowns (infinite where they are not told), and the groups that cannot be told apart."""

    covariance: np.ndarray
    blind: tuple[Blind, ...]


def information(weighted: np.ndarray, names: Sequence[str], factor: float) -> Information:
    """What the data tell.

    Parameters
    ----------
    weighted : ndarray, shape (n, p)
        Derivatives over sigma, by unknowns on a scale on which one is a change by all of them (logarithms of what is positive).
    names : sequence of str
    factor : float
        By which variances are larger than sigma says.
    """
    _, s, vt = np.linalg.svd(np.linalg.qr(weighted, mode="r"))
    deviations = np.sqrt(factor) / np.maximum(s, 1e-300)
    dark = (deviations > UNTOLD) | (s < BLURRED * s[0])
    known = vt[~dark].T / s[~dark]
    covariance = factor * known @ known.T
    if not dark.any():
        return Information(covariance, ())
    return Information(_blinded(covariance, vt[dark]), tuple(_groups(vt[dark].T, names, covariance)))


def _blinded(covariance: np.ndarray, dark: np.ndarray) -> np.ndarray:
    made = covariance.copy()
    for k in np.flatnonzero(np.abs(dark).max(axis=0) > TAKES_PART):
        made[k, k] = np.inf
    return made


def _groups(null: np.ndarray, names: Sequence[str], covariance: np.ndarray) -> list[Blind]:
    """Unknowns that stand together in the same combinations, each with what is known of it."""
    from scipy.linalg import qr

    pivots = qr(null.T, pivoting=True)[2][: null.shape[1]]
    c = null @ np.linalg.inv(null[pivots])
    c[np.abs(c) < TAKES_PART] = 0.0
    left, found = set(map(int, pivots)), []
    while left:
        group, grown = {left.pop()}, True
        rows: set[int] = set()
        while grown:
            rows = {int(i) for i in range(len(names)) if any(c[i, k] for k, q in enumerate(pivots) if q in group)}
            more = {int(q) for k, q in enumerate(pivots) if q not in group and any(c[i, k] for i in rows)}
            group, grown = group | more, bool(more)
        left -= group
        known = []
        for i in sorted(rows - group):
            a = np.zeros(len(names))
            a[i] = 1.0
            parts = []
            for k, q in enumerate(pivots):
                if c[i, k]:
                    a[q] = -c[i, k]
                    parts.append((names[q], -c[i, k]))
            known.append((_product(names[i], parts), float(np.sqrt(a @ covariance @ a))))
        found.append(Blind(tuple(names[i] for i in sorted(rows)), tuple(known)))
    return found


def _product(first: str, parts: Sequence[tuple[str, float]]) -> str:
    words = first
    for name, power in parts:
        size = "" if abs(abs(power) - 1.0) < 5e-3 else f"^{abs(power):.3g}"
        words += f" {'*' if power > 0 else '/'} {name}{size}"
    return words
