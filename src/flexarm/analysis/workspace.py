"""How stiff an arm is where: tip stiffness, first frequency and sag by weight over places of its tip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.frequencies import frequencies
from flexarm.analysis.static import static
from flexarm.errors import FlexarmError
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.rigid import inverse, tips

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

FORCE = 1.0
"""Force in N with which the tip is tried."""
AXES = "xyz"


@dataclass(frozen=True)
class WorkspaceMap:
    """What was found at places of the tip; nan where the arm cannot be.

    Attributes
    ----------
    place : ndarray, shape (n, 3)
        Of the tip of the stiff arm, m.
    pose : ndarray, shape (n, joints)
        Joint positions, rad or m.
    hz : ndarray, shape (n,)
        First natural frequency, motors locked, Hz.
    stiffness : ndarray, shape (n,)
        Least stiffness of the tip over all directions of a force, N/m.
    sag : ndarray, shape (n,)
        Distance that weight moves the tip, m.
    plane : str
        Two of x, y, z that a grid lies along, x first; empty along a motion.
    """

    place: np.ndarray
    pose: np.ndarray
    hz: np.ndarray
    stiffness: np.ndarray
    sag: np.ndarray
    plane: str = ""

    @property
    def reached(self) -> np.ndarray:
        """Which places the arm reaches, (n,)."""
        return np.isfinite(self.hz)


@with_one_blas_thread
def workspace_map(
    scenario: Scenario,
    places: Any = None,
    orientation: Any = None,
    plane: str = "",
    points: int = 21,
    tell: Callable[[int, int], None] | None = None,
) -> WorkspaceMap:
    """Tip stiffness, first frequency and sag, joints locked, over places of the tip or along the commanded motion.

    Parameters
    ----------
    scenario : Scenario
        The arm, its payload, and a method that takes loads at points.
    places : array_like, shape (n, 2) or (n, 3), optional
        Where the tip shall be, m; each is reached from the pose of the one before, or else anew from the start pose. Without them: `points`
        instants along the commanded motion.
    orientation : array_like, optional
        How the tool shall stand there, as for `flexarm.rigid.inverse`.
    plane : str
        Names of the two axes of a grid, for the figure.
    tell : callable, optional
        Called with places done and in all.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.workspace_map(fa.load("naganathan-3r").with_({"method.resolution": 2}), [[1.2, 0.0, 0.8]])
    >>> bool(found.reached[0]), found.hz.shape
    (True, (1,))
    """
    arm = scenario.arm
    poses = (
        _along(scenario, points)
        if places is None
        else _poses(arm, np.atleast_2d(np.asarray(places, dtype=float)), orientation)
    )
    found = np.full((len(poses), 3), np.nan)
    for k, pose in enumerate(poses):
        if np.all(np.isfinite(pose)):
            found[k] = _at(scenario, pose)
        if tell is not None:
            tell(k + 1, len(poses))
    place = np.full((len(poses), 3), np.nan)
    good = np.isfinite(poses).all(axis=1)
    if good.any():
        place[good] = tips(arm, poses[good])
    if places is not None:
        place[:, : np.shape(places)[-1]] = np.atleast_2d(places)
    return WorkspaceMap(place, poses, found[:, 0], found[:, 1], found[:, 2], plane)


def _along(scenario: Scenario, points: int) -> np.ndarray:
    from flexarm.simulation.poses import commanded_motion

    motion = commanded_motion(scenario, points)
    if motion is None:
        raise FlexarmError(
            "there is no commanded motion of all joints to go along: give places of the tip", field="drive"
        )
    return motion


def _poses(arm: Any, places: np.ndarray, orientation: Any) -> np.ndarray:
    """Joint positions (n, joints) for places, nan where there are none."""
    out, last = np.full((len(places), len(arm.joints)), np.nan), None
    for k, place in enumerate(places):
        for guess in (last, None) if last is not None else (None,):
            try:
                out[k] = last = inverse(arm, place, guess, orientation=orientation)
                break
            except FlexarmError:
                continue
    return out


def _at(scenario: Scenario, pose: np.ndarray) -> tuple[float, float, float]:
    """First frequency, least stiffness of the tip and sag in a pose."""
    arm, link = scenario.arm, scenario.arm.payload_link.name
    hz = float(frequencies(scenario, n=1, pose=pose.tolist()).hz[0])
    rest = static(scenario, pose=pose.tolist(), hold=True, stations=2).tip_displacement
    axes = 3 if arm.spatial else 2
    soft = np.zeros((axes, axes))
    for k in range(axes):
        force = [FORCE if j == k else 0.0 for j in range(axes)]
        pushed = static(scenario, pose=pose.tolist(), loads=[{"link": link, "force": force}], hold=True, stations=2)
        soft[:, k] = (np.asarray(pushed.tip_displacement) - np.asarray(rest))[:axes] / FORCE
    return hz, 1.0 / float(np.linalg.norm(soft, 2)), float(np.linalg.norm(rest))


def grid(
    plane: str, first: tuple[float, ...], last: tuple[float, ...], counts: tuple[int, int], at: float, spatial: bool
) -> np.ndarray:
    """Places (n, 3) or (n, 2) of an even grid in a plane such as ``xz``, row by row, every other one backwards so that neighbours follow."""
    if len(plane) != 2 or any(letter not in AXES for letter in plane) or plane[0] == plane[1]:
        raise FlexarmError(f"a plane is named by two of x, y and z, such as xz, not '{plane}'", field="--plane")
    if not spatial and sorted(plane) != ["x", "y"]:
        raise FlexarmError("a planar arm has the plane xy alone", field="--plane")
    a, b = (np.linspace(first[k], last[k], counts[k]) for k in range(2))
    rows = [[(u, v) for u in (a if j % 2 == 0 else a[::-1])] for j, v in enumerate(b)]
    flat = np.array([pair for row in rows for pair in row])
    out = np.full((len(flat), 3), at)
    out[:, AXES.index(plane[0])], out[:, AXES.index(plane[1])] = flat.T
    return out if spatial else out[:, :2]
