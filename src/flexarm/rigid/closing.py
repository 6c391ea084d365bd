"""Closing the loops of an arm: Newton's method on the passive joints; the rank of the loops."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid.assembly import best_assembly
from flexarm.rigid.chain import Chain, joint_index, joint_values
from flexarm.rigid.loops import CLOSED, LoopEquations, close_rows, passive_joints


class LoopRank(NamedTuple):
    """How many of the loop equations are independent in a pose, and how near that number is to falling."""

    rank: int
    rows: int
    smallest: float


def close_loops(arm: Arm, q: Any, fixed: Iterable[str] | None = None) -> np.ndarray:
    """Joint positions that close all loops.

    Parameters
    ----------
    arm : Arm
        The arm; one without loops returns `q` as it is.
    q : array_like, shape (nj,)
        Joint positions, rad: kept for held joints, a guess for passive ones. A mechanism can often be
        assembled in several ways: from a guess the one is taken to which short Newton steps lead. Where all
        passive joints are 0 there is no guess: of the ways found from many starts the one is taken whose
        links cross least (an open four-bar rather than a crossed one), and of several the one nearest to 0.
    fixed : iterable of str, optional
        Joints that are held. Default: all but the joints of loops whose start position is left out.

    Returns
    -------
    ndarray, shape (nj,)
    """
    values = joint_values(arm, np.ravel(q))
    if not arm.loops:
        return values[0].copy()
    if fixed is None:
        passive = [joint_index(arm, name) for name in passive_joints(arm)]
    else:
        held = {joint_index(arm, name) for name in fixed}
        passive = [j for j in range(len(arm.joints)) if j not in held]
    return _closed(loop_equations(Chain.of(arm)), values, passive)


def _closed(equations: LoopEquations, values: np.ndarray, passive: list[int]) -> np.ndarray:
    """The one row of `values` with its passive joints changed so that the loops close."""
    closed, gap = _solved(_Task(equations, values, tuple(passive)))
    if gap > CLOSED:
        raise FlexarmError(open_message(equations, closed, passive), field="arm.loops")
    return closed.copy()


class _Task:
    """Makes the closing of an arm a key of a cache: equal geometry, guess and passive joints are the same task."""

    def __init__(self, equations: LoopEquations, values: np.ndarray, passive: tuple[int, ...]):
        self.equations, self.values, self.passive = equations, values, passive
        self.key = (equations.geometry, values.tobytes(), passive)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Task) and self.key == other.key


@functools.lru_cache(maxsize=64)
def _solved(task: _Task) -> tuple[np.ndarray, float]:
    """Joint values and the gap that is left; cached, because reading, building and labelling a run all ask for it."""
    equations, values, passive = task.equations, task.values, list(task.passive)
    gap = np.linalg.norm(equations.evaluate(values)[0], axis=1)
    if gap[0] <= CLOSED:
        return values[0].copy(), float(gap[0])
    closed, gap = close_rows(equations, values, passive)
    if gap[0] > CLOSED or not np.any(values[:, passive]):
        closed, gap = best_assembly(equations, values, passive)
    return closed[0], float(gap[0])


def loop_equations(chain: Chain) -> LoopEquations:
    """The equations of all loops; welded pins hold the angle of the arm's closed start pose."""
    arm, hinges = chain.arm, LoopEquations(chain)
    if all(loop.type == "revolute" for loop in arm.loops):
        return hinges
    q = _closed(hinges, joint_values(arm, arm.pose), [arm.joints.index(name) for name in passive_joints(arm)])
    welds = {k: float(hinges.angle_row(k) @ q) for k, loop in enumerate(arm.loops) if loop.type == "fixed"}
    return LoopEquations(chain, welds)


def dead_centres(arm: Arm, q: np.ndarray, moving: list[int]) -> np.ndarray:
    """Numbers of the poses (nt, nj) before which a loop has gone through a singular one, where the joints `moving` that close the
    loops can go two ways: the determinant of their loop equations changes its sign. None if they have other freedom."""
    jac = loop_equations(Chain.of(arm)).evaluate(q)[1][:, :, moving]
    inside = np.flatnonzero(np.abs(jac).max(axis=(0, 1), initial=0.0) > CLOSED)
    if len(inside) != jac.shape[1] or not np.all(np.isfinite(q)):
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(np.diff(np.sign(np.linalg.det(jac[:, :, inside])))) + 1


def loop_rank(arm: Arm, q: Any) -> LoopRank:
    """Rank of the loop equations in a pose.

    Parameters
    ----------
    arm : Arm
        The arm.
    q : array_like, shape (nj,)
        Joint positions, rad.

    Returns
    -------
    LoopRank
        `rank`, number of equations `rows`, and the smallest singular value of their Jacobian (lengths divided
        by the arm's size). The mechanism has nj - rank freedoms; rank < rows means a toggle or a repeated
        loop.
    """
    jac = loop_equations(Chain.of(arm)).evaluate(joint_values(arm, q))[1][0]
    values = np.linalg.svd(jac, compute_uv=False)
    return LoopRank(int((values > 1e-9).sum()), len(jac), float(values.min(initial=np.inf)))


def open_message(equations: LoopEquations, q: np.ndarray, passive: list[int], where: str = "") -> str:
    """Say which loop stays open, by how much, and what could be changed."""
    arm = equations.chain.arm
    residual, owner = equations.evaluate(q[None])[0][0], np.array(equations.owner)
    gaps = [residual[owner == k] for k in range(len(arm.loops))]
    worst = int(np.argmax([np.linalg.norm(gap) for gap in gaps]))
    loop, gap = arm.loops[worst], gaps[worst]
    turned = f" and turned by {abs(gap[2]):.3g} rad" if worst in equations.welds else ""
    if passive:
        advice = "change a length or a given position; joints free to move were " + ", ".join(
            arm.joints[j] for j in passive
        )
    else:
        advice = "no joint was free to move: leave out the start position of those that shall follow"
    return (
        f"loop '{loop.name}' does not close{where}: {loop.pin[0]} and {loop.pin[1]} stay "
        f"{np.linalg.norm(gap[:2]) * equations.size:.3g} m apart{turned} ({advice})"
    )
