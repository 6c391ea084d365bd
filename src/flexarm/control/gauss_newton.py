"""Least squares by Gauss and Newton with few evaluations, over a part of the data that grows.

With residuals r(x) over sigma and J = dr/dx, a step d makes |r + J d|^2 least between the bounds and within a box. A model that is off in its
frequencies runs out of phase with the data, and the sum of squares has a valley for every swing: over the whole record the
step leads into the wrong one. So the first steps look at the first part of the record only, the longest one of which the linear model explains
at least half of what is off; then at more of it, and the last ones at all.
J is computed anew after steps that change it and kept after small ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

PARTS = (1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125)
"""Shares of the record that are tried."""
EXPLAINED = 0.5
NOISE = 2.0
"""Mean square over a stated sigma^2 below which a column holds nothing but noise."""
DOWN, UP = 0.5, 1.0
"""Largest change of an unknown in one step, as a share of its reach."""
TRUST = 0.3
"""Change of an unknown, as a share of its reach, that costs as much as what is off in one sample: weakly known combinations move slowly."""
RIDGE = 1e-3
"""The same as a share of J: combinations of which J shows nothing but errors of its differences stay where they are."""
KEPT, KEPT_NEAR = 1e-3, 0.02
"""Change of the scaled unknowns up to which J is kept; the same for a step of one standard deviation at most."""
DONE = 0.02
"""Step in standard deviations at which all is found; 0.3 at which more of the record is taken."""
NEARLY = 0.3
STAY = 2
"""Steps with a part of the record after which more of it is taken anyway."""
HALVINGS = 6
PER_UNKNOWN = 4
"""Samples per unknown that a part of the record must hold."""

Residuals = Callable[[np.ndarray], "np.ndarray | None"]
"""Unknowns -> residuals not yet divided by sigma; None if there is no run with these unknowns."""


@dataclass(frozen=True, eq=False)
class Found:
    """Where the steps ended.

    Attributes
    ----------
    x : ndarray, shape (p,)
    residuals : ndarray, shape (n,)
        Data minus model, in the units of the data.
    jacobian : ndarray, shape (n, p)
        Of the model.
    sigma : ndarray, shape (n,)
    converged : bool
    steps : int
    """

    x: np.ndarray
    residuals: np.ndarray
    jacobian: np.ndarray
    sigma: np.ndarray
    converged: bool
    steps: int


def least_squares(
    residuals: Residuals,
    jacobian: Callable[[np.ndarray, np.ndarray], np.ndarray],
    x: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    reach: Callable[[np.ndarray], np.ndarray],
    time: np.ndarray,
    columns: Sequence[tuple[slice, bool]],
    spread: Callable[[np.ndarray, np.ndarray], np.ndarray],
    most: int,
) -> Found:
    """Find the unknowns.

    Parameters
    ----------
    residuals : callable
        Data minus model at some unknowns.
    jacobian : callable
        (unknowns, residuals there) -> derivatives of the model.
    x, low, high : ndarray, shape (p,)
        Start and bounds, scaled to the size of one.
    reach : callable
        Unknowns -> how far around them a linear model is believed; infinite where the model is linear.
    time : ndarray, shape (n,)
        Of each residual, from 0 at the beginning of its record to 1 at its end.
    columns : sequence of (slice, bool)
        Residuals that belong to one column of the data each, and whether its sigma is stated.
    spread : callable
        (residuals, which of them count) -> standard deviation of the noise of each.
    most : int
        Steps.
    """
    begin, r = x, residuals(x)
    assert r is not None, "the start was run before"
    slopes, part, steps, here = jacobian(x, r), 0.0, 0, 0
    while steps < most:
        before = part
        part, d, sigma, inside = _choose(r, slopes, low - x, high - x, reach(x), begin - x, time, columns, spread, part)
        far = _in_deviations(slopes, d, r, sigma, inside)
        wide = part >= 1.0
        here = here + 1 if part == before else 1
        if far < (DONE if wide else NEARLY) or (here > STAY and not wide):
            if wide:
                return Found(x, r, slopes, sigma, True, steps)
            part, here = PARTS[PARTS.index(part) - 1], 0
            continue
        steps += 1
        for _ in range(HALVINGS):
            other = residuals(np.clip(x + d, low, high))
            if other is not None and _sum(other, sigma, inside) < _sum(r, sigma, inside):
                break
            d = 0.4 * d
        else:
            if wide:
                return Found(x, r, slopes, sigma, bool(far < NEARLY), steps)
            part, here = PARTS[PARTS.index(part) - 1], 0
            continue
        x, r = np.clip(x + d, low, high), other
        if np.abs(d).max() > (KEPT_NEAR if far < 1.0 else KEPT):
            slopes = jacobian(x, r)
    everything = np.ones(len(r), dtype=bool)
    return Found(x, r, slopes, spread(r, everything), False, steps)


def _choose(
    r: np.ndarray,
    slopes: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    reach: np.ndarray,
    back: np.ndarray,
    time: np.ndarray,
    columns: Sequence[tuple[slice, bool]],
    spread: Callable[[np.ndarray, np.ndarray], np.ndarray],
    part: float,
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """The part of the record for the next step, not less than `part`; the step; sigma; which residuals count."""
    last = None
    for share in PARTS:
        inside = time <= share
        if share < part or inside.sum() < PER_UNKNOWN * len(reach):
            break
        sigma = spread(r, inside)
        d = step(r, slopes, sigma, inside, low, high, reach, back if share < 1.0 else 0.0 * back)
        last = share, d, sigma, inside
        if share == part or all(
            _explained(r[c], r[c] - slopes[c] @ d, sigma[c], inside[c], told) for c, told in columns
        ):
            break
    assert last is not None
    return last


def _explained(r: np.ndarray, left: np.ndarray, sigma: np.ndarray, inside: np.ndarray, stated: bool) -> bool:
    """Whether what a step leaves of a column is less than half of what is off, or noise if that is known."""
    noise = NOISE * int(inside.sum()) if stated else 0.0
    return _sum(left, sigma, inside) < max(EXPLAINED * _sum(r, sigma, inside), noise)


def step(
    r: np.ndarray,
    slopes: np.ndarray,
    sigma: np.ndarray,
    inside: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    reach: np.ndarray,
    aim: np.ndarray,
) -> np.ndarray:
    """Change of the unknowns that makes the linear sum of squares least, between `low` and `high` and within their reach.

    What the residuals do not tell goes towards `aim`: nowhere, or back to the start, since a part of a record tells less than all of it.
    """
    from scipy.optimize import lsq_linear

    off = np.sqrt(_sum(r, sigma, inside) / max(int(inside.sum()), 1))
    weighted = slopes[inside] / sigma[inside, None]
    hold = np.maximum(off / (TRUST * reach), RIDGE * np.linalg.norm(weighted))
    a = np.vstack([weighted, np.diag(hold)])
    b = np.concatenate([r[inside] / sigma[inside], hold * np.where(np.isfinite(reach), aim, 0.0)])
    q, upper = np.linalg.qr(a)
    limits = np.maximum(low, -DOWN * reach), np.minimum(high, UP * reach)
    return lsq_linear(upper, q.T @ b, bounds=limits, method="bvls").x


def _sum(r: np.ndarray, sigma: np.ndarray, inside: np.ndarray) -> float:
    return float(np.sum((r[inside] / sigma[inside]) ** 2))


def _in_deviations(slopes: np.ndarray, d: np.ndarray, r: np.ndarray, sigma: np.ndarray, inside: np.ndarray) -> float:
    """Size of a step in standard deviations of the unknowns, the largest over all directions."""
    noise = _sum(r, sigma, inside) / max(int(inside.sum()) - len(d), 1)
    return float(np.linalg.norm(slopes[inside] @ d / sigma[inside]) / np.sqrt(max(noise, 1e-300)))
