"""Inverse kinematics: joint positions that bring the tip to a place, or along a path."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.arm.pose import from_rpy
from flexarm.errors import FlexarmError
from flexarm.rigid.chain import Chain, joint_values, link_index
from flexarm.rigid.closing import close_loops
from flexarm.rigid.kinematics import move
from flexarm.rigid.newton import follow, solve
from flexarm.rigid.task import TaskEquations
from flexarm.rigid.two_link import two_link_angles

REACHED = 1e-9
"""A target counts as reached when the tip misses it by less than this share of the arm's size."""


def inverse(arm: Arm, target: Any, guess: Any = None, elbow: str = "up", orientation: Any = None) -> np.ndarray:
    """Joint positions that bring the payload link's tip, or the tool, to a target.

    A planar arm whose tip is moved by two joints is solved in closed form, any other by damped least squares
    from the guess (or the start pose); joints more than needed move as little as they can, loops stay closed, and joints with limits
    stay between them. If that start leads nowhere, others are tried, and of those that arrive the one nearest to it is taken.
    Joints that do not move the tip keep the guess.

    Parameters
    ----------
    arm : Arm
        The arm.
    target : array_like, shape (2,), (3,), (nt, 2) or (nt, 3)
        Where the tip shall be, m; planar arms need x and y only. Many rows are a path: each is solved next to
        the one before.
    guess : array_like, shape (nj,), optional
        Joint positions near the ones wanted (of the first row).
    elbow : {"up", "down"}
        ``up``: the last turning joint that moves the tip is bent clockwise (its sine is negative), so that
        the elbow of a two-link arm lies to the left of the line from shoulder to tip, above it when the arm
        points to +x. ``down``: the mirror image. With a guess, only the closed form reads it.
    orientation : array_like, shape (3,), (nt, 3), (3, 3) or (nt, 3, 3), optional
        Arms in space: how the tool (link axes where none is named) shall stand, as roll, pitch and yaw in rad or as its axes in the
        columns of a rotation; one for all rows of the target, or one for each.

    Returns
    -------
    ndarray, shape (nj,) or (nt, nj)

    Examples
    --------
    >>> from flexarm.arm import Arm
    >>> rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    >>> arm = Arm(links=[{"name": "upper", **rod}, {"name": "fore", **rod}])
    >>> inverse(arm, [1.0, 1.0]).round(6)
    array([ 1.570796, -1.570796])
    """
    if elbow not in ("up", "down"):
        raise FlexarmError(f"'elbow' is '{elbow}', but it can only be 'up' or 'down'")
    goals = _targets(arm, target)
    chain = Chain.of(arm)
    i = link_index(arm, arm.payload_link.name)
    moving = [k for k in chain.path(i) if chain.column[k] >= 0]
    start = joint_values(arm, arm.pose if guess is None else np.ravel(guess))[0]
    if orientation is not None:
        goals = np.concatenate([goals, _orientations(arm, orientation, len(goals))], axis=1)
    if not arm.spatial and not arm.loops and len(moving) == 2:
        path = two_link_angles(chain, moving, start, goals, elbow)
    else:
        bend = elbow if guess is None else None
        path = _search(TaskEquations(chain, orientation is not None), moving, start, goals, bend)
    return path if np.ndim(target) == 2 else path[0]


def _targets(arm: Arm, target: Any) -> np.ndarray:
    """The target as rows of three coordinates."""
    rows = np.asarray(target, dtype=float)
    sizes = (3,) if arm.spatial else (2, 3)
    if rows.ndim not in (1, 2) or rows.shape[-1] not in sizes or not np.all(np.isfinite(rows)) or not rows.size:
        raise FlexarmError(
            f"the target needs {' or '.join(map(str, sizes))} finite coordinates in m, not {rows.tolist()}"
        )
    rows = np.atleast_2d(rows)
    if rows.shape[1] == 2:
        rows = np.concatenate([rows, np.zeros((len(rows), 1))], axis=1)
    if not arm.spatial and np.any(rows[:, 2] != 0.0):
        raise FlexarmError("a planar arm lies in the x-y plane: the z coordinate of its target must be 0")
    return rows


def _orientations(arm: Arm, orientation: Any, count: int) -> np.ndarray:
    """Wanted axes of the tool, row by row, (count, 9)."""
    if not arm.spatial:
        raise FlexarmError("an orientation is for arms in space: a planar arm turns about z alone")
    given = np.asarray(orientation, dtype=float)
    if given.shape in ((3,), (count, 3)) and not (
        given.shape == (3, 3) and np.allclose(given @ given.T, np.eye(3), atol=1e-6)
    ):
        given = np.array([from_rpy(tuple(row)) for row in np.atleast_2d(given)])
    given = given[None] if given.shape == (3, 3) else given
    if given.shape not in ((1, 3, 3), (count, 3, 3)) or not np.all(np.isfinite(given)):
        raise FlexarmError(
            f"the orientation has the shape {np.shape(orientation)}: give roll, pitch and yaw, or a rotation (3, 3), once or for each target"
        )
    off = np.abs(given @ np.swapaxes(given, 1, 2) - np.eye(3)).max()
    if off > 1e-6 or np.any(np.linalg.det(given) < 0.0):
        raise FlexarmError(
            "the orientation is no rotation: its columns are three unit vectors at right angles, right-handed"
        )
    return np.broadcast_to(given, (count, 3, 3)).reshape(count, 9)


def _search(
    equations: TaskEquations, moving: list[int], start: np.ndarray, goals: np.ndarray, elbow: str | None
) -> np.ndarray:
    """Damped least squares for the first target, from several starts; the others follow along the path."""
    chain, arm = equations.chain, equations.chain.arm
    bounds = equations.bounds
    turning = [k for k in moving if not chain.slides[k]]
    last = chain.column[turning[-1]] if turning else -1
    sign = {"up": -1.0, "down": 1.0}.get(elbow or "", 0.0) if last >= 0 and len(turning) > 1 else 0.0
    first = close_loops(arm, start) if arm.loops else start.copy()
    if sign and not arm.loops and np.sin(first[last]) * sign <= 0.1:
        first[last] = sign
    rng = np.random.default_rng(0)
    tries = np.tile(first, (32, 1))
    columns = [chain.column[k] for k in moving]
    spread = np.array([arm.links[k].span if chain.slides[k] else np.pi for k in moving])
    tries[1:, columns] += rng.uniform(-1.0, 1.0, (31, len(columns))) * spread
    tries = np.clip(tries, *bounds)
    found, gap = solve(equations.evaluate, tries, np.repeat(goals[:1], len(tries), axis=0), bounds)
    if gap.min() > REACHED:
        raise FlexarmError(_unreachable(equations, moving, goals[0], found[int(np.argmin(gap))], start))
    # rank: reached, elbow on the wanted side, found from the first start, near the first start
    side = (np.sin(found[:, last]) * sign < -1e-6) if sign else np.zeros(len(found), dtype=bool)
    away = np.abs(found - first).max(axis=1)
    away[0] = -1.0
    best = np.lexsort((away, side, gap > REACHED))[0]

    def step(guess: np.ndarray, path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return solve(equations.evaluate, guess, path, bounds)

    q, gap = follow(step, found[best], goals, 0.05 * equations.size)
    if gap.max() > REACHED:
        k = int(np.argmax(gap > REACHED))
        raise FlexarmError(_unreachable(equations, moving, goals[k], q[k], q[k]))
    return q


def _unreachable(
    equations: TaskEquations, moving: list[int], target: np.ndarray, best: np.ndarray, q: np.ndarray
) -> str:
    """Say which target is out of reach, by how much, and how far the arm reaches."""
    chain, goal = equations.chain, target[:3]
    left = equations.evaluate(best[None], target[None])[0][0]
    miss = float(np.linalg.norm(left[: equations.axes])) * equations.size
    if not equations.turned:  # loops that stay open count as well
        miss = float(np.linalg.norm(left)) * equations.size
    i = link_index(chain.arm, chain.arm.payload_link.name)
    motion = move(chain, q[None])
    place = ", ".join(f"{x:g}" for x in (goal if chain.arm.spatial else goal[:2]))
    if not moving:
        return f"the target ({place}) m cannot be reached: no joint moves the tip"
    stops = [motion.joint[k][0] for k in moving] + [motion.point(i, chain.tip[i])[0]]
    reach = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(stops))
    for k in moving:
        if chain.slides[k]:
            reach += max(0.0, chain.arm.links[k].span - float(np.linalg.norm(motion.origin[k] - motion.joint[k])))
    if equations.turned:
        turn = np.degrees(np.linalg.norm(left[equations.axes : equations.axes + 3]))
        return (
            f"the target ({place}) m cannot be reached in the wanted orientation: the nearest that was found stays {miss:.3g} m and {turn:.3g} deg "
            "away from it; change the orientation, bring it nearer, or look at the limits of the joints"
        )
    name, distance = chain.arm.links[moving[0]].name, np.linalg.norm(goal - stops[0])
    return (
        f"the target ({place}) m cannot be reached: the tip stays {miss:.3g} m away from it; it reaches at "
        f"most {reach:g} m from the joint '{name}', and the target is {distance:g} m from there"
    )
