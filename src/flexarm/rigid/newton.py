"""Damped least squares for many small systems at once, and following a solution along a path.

The step of Levenberg and Marquardt, ``dq = J^T (J J^T + damping 1)^-1 r``, with a damping of its own for
every system: near a solution it fades and the steps become Newton's; in a singular pose it keeps them finite.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

Equations = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""(unknowns (n, nq), parameters (n, np)) -> residuals (n, m), Jacobians (n, m, nq), scaled to order one."""

PRECISION = 1e-13
"""Residual at which a system counts as solved to rounding."""


def solve(
    equations: Equations,
    start: np.ndarray,
    parameters: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray] | None = None,
    longest: float = 0.4,
    rounds: int = 60,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve n systems from their start values; short steps keep each on the branch where it starts.

    Parameters
    ----------
    start : ndarray, shape (n, nq)
        Start values.
    parameters : ndarray, shape (n, np)
        What distinguishes the systems.
    bounds : pair of ndarray, shape (nq,), optional
        Least and greatest values of the unknowns.
    longest : float
        Greatest change of an unknown in one step.
    rounds : int
        Greatest number of steps.

    Returns
    -------
    q : ndarray, shape (n, nq)
        The best values found.
    gap : ndarray, shape (n,)
        Norm of the residual that is left.
    """
    q = np.array(start, dtype=float)
    r, jac = equations(q, parameters)
    gap = np.linalg.norm(r, axis=1)
    damping = np.full(len(q), 1e-4)
    eye = np.eye(r.shape[1])
    for _ in range(rounds):
        todo = np.flatnonzero((gap > PRECISION) & (damping < 1e6))
        if not len(todo):
            break
        jt = np.swapaxes(jac[todo], 1, 2)
        normal = jac[todo] @ jt + (damping[todo] * np.minimum(gap[todo], 1.0) + 1e-15)[:, None, None] * eye
        step = -(jt @ np.linalg.solve(normal, r[todo][:, :, None]))[:, :, 0]
        step *= np.minimum(1.0, longest / np.maximum(np.abs(step).max(axis=1, initial=0.0), 1e-300))[:, None]
        trial = q[todo] + step
        if bounds is not None:
            trial = np.clip(trial, *bounds)
        new_r, new_jac = equations(trial, parameters[todo])
        new_gap = np.linalg.norm(new_r, axis=1)
        better = new_gap < gap[todo]
        won = todo[better]
        q[won], r[won], jac[won], gap[won] = trial[better], new_r[better], new_jac[better], new_gap[better]
        damping[todo] *= np.where(better, 0.2, 10.0)
    return q, gap


def follow(
    step: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]],
    start: np.ndarray,
    path: np.ndarray,
    stride: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Solve along a path of parameters without leaving the branch.

    A few points, at most `stride` apart, are solved one after the other; all points between two of them are
    then solved together, each from the one before it.

    Parameters
    ----------
    step : callable
        (start values (n, nq), parameters (n, np)) -> solutions (n, nq), gaps (n,).
    start : ndarray, shape (nq,)
        The solution at the first point, or a guess of it.
    path : ndarray, shape (nt, np)
        Parameters.

    Returns
    -------
    q : ndarray, shape (nt, nq)
    gap : ndarray, shape (nt,)
    """
    travel = np.zeros(len(path))
    travel[1:] = np.cumsum(np.abs(np.diff(path, axis=0)).max(axis=1, initial=0.0))
    cell = np.floor(travel / stride).astype(np.int64)
    knots = np.flatnonzero(np.diff(cell, prepend=-1))
    q, _ = step(np.asarray(start, dtype=float)[None], path[:1])
    solved = [q[0]]
    for a, b in pairwise(knots):
        distance = np.abs(path[b] - path[a]).max(initial=0.0)
        for share in np.linspace(0.0, 1.0, max(1, int(np.ceil(distance / stride))) + 1)[1:]:
            q, _ = step(q, (path[a] + share * (path[b] - path[a]))[None])
        solved.append(q[0])
    last_knot = np.searchsorted(knots, np.arange(len(path)), side="right") - 1
    return step(np.array(solved)[last_knot], path)
