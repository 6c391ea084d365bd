"""Loops before the run: closing them, which joints follow from them, and what is wrong with them, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import JointWiring, Wiring
from flexarm.methods.base import State
from flexarm.methods.fem import layout as at
from flexarm.methods.loop_rank import check_rank
from flexarm.rigid import close_loops, complete_motion
from flexarm.rigid.chain import Chain, joint_values
from flexarm.rigid.closing import loop_equations
from flexarm.rigid.loops import loop_joints

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel

SINGULAR = 1e-3
"""A start is refused when the smallest singular value of the loops is below this share of the largest."""
NEAR = 30.0 * SINGULAR
"""A step that does not converge is put down to the loops below this share."""


def closed_pose(arm: Arm, pose: Any) -> np.ndarray:
    """Joint positions of the undeformed arm with its loops closed."""
    return close_loops(arm, pose) if arm.loops else np.asarray(pose, dtype=float)


def passive_joints(arm: Arm, wiring: Wiring, pose: np.ndarray) -> tuple[str, ...]:
    """Joints that follow from the loops: free joints of loops whose position is left out, or all free joints of loops if
    those are too few to close them."""
    if not arm.loops:
        return ()
    inside = set(loop_joints(arm))
    free = [j for j, wired in enumerate(wiring.joints) if wired.mode == "free" and wired.name in inside]
    left_out = [j for j in free if arm.link(wiring.joints[j].name).joint.position is None]
    jac, _ = loop_jacobian(arm, pose)
    full, some = (int(np.linalg.matrix_rank(jac[:, own], tol=1e-9)) if own else 0 for own in (free, left_out))
    return tuple(wiring.joints[j].name for j in (left_out if some == full else free))


def loop_jacobian(arm: Arm, pose: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Loop equations of the stiff arm per joint angle, (rows, joints), and the loop of each row."""
    equations = loop_equations(Chain.of(arm))
    return equations.evaluate(joint_values(arm, pose))[1][0], equations.owner


def closed_rates(model: FemModel, pose: np.ndarray, rates: Any, row: np.ndarray) -> np.ndarray:
    """Rates of all joints of the undeformed arm that keep the loops closed; those of passive joints follow."""
    turning = np.zeros(len(pose)) if rates is None else np.array(rates, dtype=float)
    moved = [j for j, wired in enumerate(model.wiring.joints) if wired.mode == "motion"]
    turning[moved] = row[moved, 1]
    if not model.arm.loops or not np.any(turning):
        return turning
    driven = [name for name in model.arm.joints if name not in model.passive]
    return complete_motion(model.arm, pose, turning, driven=driven)[1]


def with_motors(wiring: Wiring, mode: str, passive: tuple[str, ...]) -> Wiring:
    """All motors held (motion) or without torque (free); joints that follow from loops stay free."""
    joints = (
        JointWiring(j.name, "free" if j.name in passive else mode, j.spring, None)  # type: ignore[arg-type]
        for j in wiring.joints
    )
    return Wiring(tuple(joints), wiring.patches)


def check_loops(model: FemModel, state: State, jac: np.ndarray) -> list[str]:
    """Refuse loops that repeat each other, leave nothing to move, or start singular; warn of a near one.

    `jac` holds the equations of all constraints, (rows, freedoms), in the undeformed start pose `state`. Welded loops get the
    angle that they hold.
    """
    if not model.arm.loops:
        return []
    held, x = model.constraints, state.x
    for p in range(0, len(held.side), 2):
        if held.side[p, at.SIDE_KIND] == at.PIN and held.side[p, at.SIDE_ROWS] == 3:
            a, b = (model.reader.angles(int(held.side[k, at.SIDE_LINK]), [0.0])[0] for k in (p, p + 1))
            held.data[p, at.SIDE_ANGLE] = model.reader.graph.tape([a - b]).values(x)[0]
    inner = [r for r, loop in enumerate(held.owner) if loop >= 0]
    outer = [r for r, loop in enumerate(held.owner) if loop < 0]
    if outer:  # motions that keep the links on their parents
        jac = jac @ null_space(jac[outer])
    given = any(wired.mode == "motion" for wired in model.wiring.joints)
    check_rank(model.arm, jac[inner], [held.owner[r] for r in inner], 0.0, given)
    stiff, owner = _stiff_loops(model, model.pose)
    return [] if stiff is None else check_rank(model.arm, stiff, owner, SINGULAR, True)


def _stiff_loops(model: FemModel, pose: np.ndarray) -> tuple[np.ndarray | None, list[int]]:
    """Loop equations of the stiff arm per joint that may move, (rows, joints), and the loop of each; None for a frame, whose links
    must bend."""
    stiff, owner = loop_jacobian(model.arm, pose)
    size = np.linalg.norm(stiff, axis=0)
    free = [j for j, wired in enumerate(model.wiring.joints) if wired.mode != "motion"]
    moving = [j for j in free if size[j] > 1e-9 * size.max()]
    return (None if len(moving) < len(stiff) else stiff[:, moving]), owner


def nearly_singular(model: FemModel, state: State) -> str:
    """What is to be said if the stiff arm in the pose of `state` has loops near a singular pose; empty if it has not."""
    if not model.arm.loops:
        return ""
    names = [f"{name}.position" for name in model.arm.joints]
    stiff, owner = _stiff_loops(model, model.reader.tape(names).values(state.x[: model.record_width]))
    if stiff is None:
        return ""
    left, values, _ = np.linalg.svd(stiff)
    if values[-1] > NEAR * values[0]:
        return ""
    loop = model.arm.loops[owner[int(np.argmax(np.abs(left[:, -1])))]]
    links = " and ".join(name for name, _ in loop.places)
    return (
        f"loop '{loop.name}' ({links}) is near a singular pose: the smallest singular value of the loops is "
        f"{values[-1] / values[0]:.2g} of the largest, where forces grow without bound"
    )


def null_space(jac: np.ndarray) -> np.ndarray:
    """Orthonormal motions (columns, freedoms) in which no equation of `jac` (rows, columns) changes."""
    if not len(jac):
        return np.eye(jac.shape[1])
    _, values, right = np.linalg.svd(jac)
    return right[int(np.sum(values > 1e-12 * values.max(initial=0.0))) :].T
