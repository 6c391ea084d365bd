"""Poles of the arm, with its laws open or closed, along the commanded motion: it is frozen at instants on its way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexarm.analysis.along import MOST_POINTS, commanded_poses
from flexarm.control.state_space import state_space
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario, as_scenario

SLOW = 1e-6
"""Poles below this share of the fastest one that is kept are rigid motions and are not shown."""


@dataclass(frozen=True)
class PathPoles:
    """Poles over time.

    Attributes
    ----------
    time : ndarray, shape (m,)
        Instants, s.
    poles : ndarray of complex, shape (m, n)
        Slowest poles at each instant that are no rigid motions, of pairs the upper ones, rad/s.
    pose : ndarray, shape (m, joints)
        Commanded joint positions, rad or m.
    joints : str
        How the joints are treated.
    """

    time: np.ndarray
    poles: np.ndarray
    pose: np.ndarray
    joints: str

    @property
    def abscissa(self) -> np.ndarray:
        """Largest real part at each instant, 1/s, shape (m,): negative if all motions die out."""
        return np.asarray(self.poles.real.max(axis=1))


def poles_along(scenario: Scenario | str | Path, joints: str = "held", n: int = 6, points: int = 41) -> PathPoles:
    """Poles at poses, payloads and gains along the whole commanded motion.

    Parameters
    ----------
    scenario : Scenario, str or Path
        With a commanded motion for every joint.
    joints : {"held", "free", "led", "locked"}
        How the joints are treated, as in `state_space`.
    n : int
        How many poles, slowest first.
    points : int
        At how many instants, evenly from the start to the end of the run.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.poles_along("pd-hub", n=3, points=2)
    >>> found.poles.shape, bool((found.abscissa < 0.0).all())
    ((2, 3), True)
    """
    used = as_scenario(scenario)
    if not 2 <= points <= MOST_POINTS:
        raise FlexarmError(f"poles along the motion need 2 to {MOST_POINTS} points, not {points}", field="points")
    if n < 1:
        raise FlexarmError(f"at least one pole is wanted, not {n}", field="n")
    time = np.linspace(0.0, used.time.end, points)
    pose = commanded_poses(used, time)
    found = [_slowest(state_space(used, time=float(t), joints=joints).poles, n) for t in time]
    count = min(len(each) for each in found)
    if not count:
        raise FlexarmError("there are no poles but rigid motions", field="joints")
    return PathPoles(time, np.array([each[:count] for each in found]), pose, joints)


def _slowest(poles: np.ndarray, n: int) -> np.ndarray:
    upper = poles[poles.imag >= 0.0]
    return upper[np.abs(upper) > SLOW * np.abs(upper[: n + 2]).max(initial=0.0)][:n]
