"""Equilibrium by continuation in load: the one solver of all methods.

The loads are put on as a whole if that moves the arm little, else in parts: each part starts from the equilibrium of the one
before, and is halved while Newton's method does not converge or goes too far at once, where it may find another equilibrium. So a
soft arm is followed from its unloaded shape to the equilibrium that belongs to it. Only where the smallest part still goes far, as
where an arm falls over, its end is taken.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import State

MOST_ITERATIONS = 60
TIGHT, LOOSE = 1e-13, 1e-9
"""Corrections, as shares of the arm's length, that end the iterations; below the second they end where rounding stops them."""
LEAST_PART = 1.0 / 1024.0
FARTHEST = 0.5
"""Sum of the corrections of one part, as a share of the arm's length or in rad, up to which it counts as followed."""
LARGEST_MOVE = 0.3
"""Largest correction that is taken at once, as a share of the arm's length."""

Correction = Callable[[State, float], float | None]
"""One correction of a state, in place, under a share of the loads: its size as a share of the arm's length (or in rad), before it was
limited; None if there is none."""


def limited(step: np.ndarray, length: float) -> tuple[np.ndarray, float]:
    """A correction, no larger than `LARGEST_MOVE` lengths, and its size before as a share of the length."""
    size = float(np.abs(step).max(initial=0.0)) / length
    return step * min(1.0, LARGEST_MOVE / max(size, 1e-300)), size


def find_equilibrium(
    state: State, correct: Correction, pushed: bool = False, sound: Callable[[State, State, float], bool] | None = None
) -> State:
    """The state at rest under all loads, reached from `state` without any.

    Parameters
    ----------
    state : State
        The arm without loads; it is left as it is.
    correct : callable
        One Newton correction under a share of the loads.
    pushed : bool
        Loads were given besides gravity, which the message then names.
    sound : callable, optional
        Whether a state is accepted after the one before it, under its share of the loads: no section crushed.
    """
    share, part = 0.0, 1.0
    while share < 1.0:
        trial, aim = state.copy(), min(1.0, share + part)
        moved = _relax(trial, correct, aim)
        followed = moved <= FARTHEST or (moved < np.inf and part <= LEAST_PART)
        if followed and (sound is None or sound(state, trial, aim)):
            state, share, part = trial, aim, 2.0 * part
        elif part > LEAST_PART:
            part = min(0.5 * part, 1.0 - share)
        else:
            what, field = ("these loads", "loads") if pushed else ("its own weight", "arm.gravity")
            raise CapabilityError(f"no equilibrium was found: the arm is too soft for {what}", field=field)
    return state


def _relax(state: State, correct: Correction, share: float) -> float:
    """Newton's method; the sum of its corrections, infinite if they do not die out."""
    last, moved = np.inf, 0.0
    for _ in range(MOST_ITERATIONS):
        size = correct(state, share)
        if size is None or not np.isfinite(size):
            return np.inf
        moved += size
        if size < TIGHT or (size < LOOSE and size > 0.25 * last):
            return moved
        last = size
    return np.inf
