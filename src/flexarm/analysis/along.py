"""Natural frequencies along the commanded motion of a scenario: the arm is frozen at instants on its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from flexarm.analysis.frequencies import frequencies
from flexarm.errors import FlexarmError, check_word
from flexarm.methods.base import Joints
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.scenario import Scenario

MOST_POINTS = 2000


@dataclass(frozen=True)
class PathFrequencies:
    """Frequencies over time.

    Attributes
    ----------
    time : ndarray, shape (m,)
        Instants, s.
    hz, damping : ndarray, shape (m, n)
        The lowest elastic frequencies at the pose of each instant, and damping ratios.
    pose : ndarray, shape (m, joints)
        Commanded joint positions, rad or m.
    joints : str
        locked, free or held.
    """

    time: np.ndarray
    hz: np.ndarray
    damping: np.ndarray
    pose: np.ndarray
    joints: str


@with_one_blas_thread
def frequencies_along(
    scenario: Scenario, method: str | None = None, n: int = 4, points: int = 41, joints: Joints = "locked"
) -> PathFrequencies:
    """Natural frequencies at poses along the whole commanded motion.

    Parameters
    ----------
    scenario : Scenario
        With a commanded motion for every joint.
    method : str, optional
        Another method than the scenario's.
    n : int
        How many frequencies.
    points : int
        At how many instants, evenly from the start to the end of the run.
    joints : {"locked", "free", "held"}
        What the motors do.

    Returns
    -------
    PathFrequencies

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.frequencies_along(fa.load("naganathan-flexible"), n=1, points=3)
    >>> found.time.tolist(), found.hz.shape
    ([0.0, 2.0, 4.0], (3, 1))
    """
    if not 2 <= points <= MOST_POINTS:
        raise FlexarmError(f"frequencies along the motion need 2 to {MOST_POINTS} points, not {points}", field="points")
    check_word(joints, get_args(Joints), "joints")
    time = np.linspace(0.0, scenario.time.end, points)
    pose = commanded_poses(scenario, time)
    found = [frequencies(scenario, method, n, list(row), joints, stations=2) for row in pose]
    count = min(len(each.hz) for each in found)
    return PathFrequencies(
        time,
        np.array([each.hz[:count] for each in found]),
        np.array([each.damping[:count] for each in found]),
        pose,
        joints,
    )


def commanded_poses(scenario: Scenario, time: np.ndarray) -> np.ndarray:
    """Commanded joint positions (m, joints) at times (m,)."""
    from flexarm.drive import POSITION
    from flexarm.simulation.program import prepare_program

    program = prepare_program(scenario)
    silent = [name for name, told in zip(scenario.arm.joints, program.commanded, strict=True) if not told]
    if silent:
        raise FlexarmError(
            f"frequencies along the motion need one: joint {', '.join(silent)} has no commanded position", field="drive"
        )
    end = scenario.time.end
    edges = np.array([0.0, *program.jumps(end), end])
    piece = np.clip(np.searchsorted(edges, time, side="right") - 1, 0, len(edges) - 2)
    inside = 0.5 * (edges[piece] + edges[piece + 1])
    rows = [program.table(np.array([t]), float(where))[0] for t, where in zip(time, inside, strict=True)]
    return np.array(rows)[:, : len(scenario.arm.joints), POSITION]
