"""The whole motion of an arm with loops from that of its driven joints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid.chain import Chain, joint_index, joint_values
from flexarm.rigid.closing import close_loops, loop_equations, open_message
from flexarm.rigid.loops import CLOSED, LoopEquations, close_rows, driven_joints, loop_joints
from flexarm.rigid.newton import follow

STRIDE = 0.1
"""Greatest move of a driven joint between two poses that are solved one from the other, rad."""


def complete_motion(
    arm: Arm, q: Any, qd: Any = None, qdd: Any = None, driven: Iterable[str] | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions, velocities and accelerations of all joints that keep the loops closed.

    Parameters
    ----------
    arm : Arm
        The arm.
    q, qd, qdd : array_like, shape (nj,) or (nt, nj)
        Motion of the driven joints in the order of ``arm.joints``. Of the other joints of loops only the
        position in the first row is read, as a guess; later rows stay on the same assembly of the mechanism.
        Velocities and accelerations that are left out are zero.
    driven : iterable of str, optional
        Joints whose motion is given. Default: all that do not follow from closing a loop.

    Returns
    -------
    q, qd, qdd : ndarray, shape of the argument `q`
    """
    rows = joint_values(arm, q)
    given = [
        np.zeros_like(rows) if value is None else joint_values(arm, value, name)
        for value, name in ((qd, "qd"), (qdd, "qdd"))
    ]
    if any(part.shape != rows.shape for part in given):
        raise FlexarmError(f"'qd' and 'qdd' need as many rows as 'q', that is {len(rows)}")
    names = driven_joints(arm) if driven is None else tuple(driven)
    held = {joint_index(arm, name) for name in names}
    passive = [j for j, name in enumerate(arm.joints) if j not in held and name in loop_joints(arm)]
    out = (rows.copy(), given[0].copy(), given[1].copy())
    if arm.loops:
        equations = loop_equations(Chain.of(arm))
        _positions(equations, out[0], passive)
        _rates(equations, *out, passive)
    return out if np.ndim(q) == 2 else (out[0][0], out[1][0], out[2][0])


def _positions(equations: LoopEquations, q: np.ndarray, passive: list[int]) -> None:
    """Close every row of `q` in place, each on the branch of the row before."""
    arm = equations.chain.arm
    held = [j for j in range(q.shape[1]) if j not in passive]
    start = close_loops(arm, q[0], fixed=[arm.joints[j] for j in held])

    def step(guess: np.ndarray, path: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        full = np.zeros((len(path), q.shape[1]))
        full[:, held], full[:, passive] = path, guess
        closed, gap = close_rows(equations, full, passive)
        return closed[:, passive], gap

    q[:, passive], gap = follow(step, start[passive], q[:, held], STRIDE)
    if gap.max() > CLOSED:
        k = int(np.argmax(gap > CLOSED))
        raise FlexarmError(open_message(equations, q[k], passive, f" at row {k} of the motion"), field="arm.loops")


def _rates(equations: LoopEquations, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, passive: list[int]) -> None:
    """Fill velocities and accelerations of the passive joints from J q' = 0 and J q'' = -J' q'."""
    jac = equations.evaluate(q)[1]
    own = jac[:, :, passive]
    freedom = len(passive) - int(np.linalg.matrix_rank(own, tol=1e-9).max(initial=0))
    if freedom:
        names = ", ".join(equations.chain.arm.joints[j] for j in passive)
        raise FlexarmError(
            f"the driven joints leave the mechanism {freedom} more freedom{'s' if freedom > 1 else ''}: "
            f"drive {freedom} more of {names}"
        )
    inverse = np.linalg.pinv(own, rcond=1e-10)
    for rate in (qd, qdd):
        rate[:, passive] = 0.0
    qd[:, passive] = -(inverse @ (jac @ qd[:, :, None]))[:, :, 0]
    opening = np.abs((jac @ qd[:, :, None])[:, :, 0]).max(axis=1, initial=0.0)
    if np.any(opening > 1e-6 * np.abs(qd).max(initial=0.0)):
        raise FlexarmError(
            f"the driven velocities in row {int(np.argmax(opening))} would tear a loop open: it is "
            "in a toggle there, or more joints are driven than it has freedoms"
        )
    bias = equations.bias(q, qd)[:, :, None]
    qdd[:, passive] = -(inverse @ (jac @ qdd[:, :, None] + bias))[:, :, 0]
