"""Loops before the run: closing them, which joints follow, and what is wrong with them, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.loop_rank import check_rank
from flexarm.methods.modes import layout as at
from flexarm.rigid import close_loops, complete_motion
from flexarm.rigid.loops import loop_joints

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


def close_undeformed(arm: Arm, pose: np.ndarray) -> np.ndarray:
    """Joint positions of the undeformed arm with its loops closed."""
    return close_loops(arm, pose) if arm.loops else np.asarray(pose, dtype=float)


def closed_rates(model: ModesModel, pose: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Rates of all joints of the undeformed arm that keep the loops closed; those of passive joints follow."""
    if not model.arm.loops or not np.any(rates):
        return rates
    links = {int(row[at.J_DRIVE]): model.wiring.joints[j].name for j, row in enumerate(model.tree.joint)}
    passive = {links[k] for k in model._passive}
    driven = [name for name in model.arm.joints if name not in passive]
    return complete_motion(model.arm, pose, rates, driven=driven)[1]


def passive_coordinates(model: ModesModel) -> set[int]:
    """Coordinates of joints that follow from the loops: free joints of loops whose position is left out, and all free
    joints of loops if those are too few to close them."""
    arm, tree = model.arm, model.tree
    if not arm.loops or model.cut:
        return set()
    inside = set(loop_joints(arm))
    free = [j for j, wired in enumerate(model.wiring.joints) if wired.mode == "free" and wired.name in inside]
    left_out = [j for j in free if arm.link(model.wiring.joints[j].name).joint.position is None]
    model.take_pose(model.stiff(model.pose))
    jac = model.room.jac
    columns = {j: int(tree.joint[j, at.J_DRIVE]) for j in free}
    full = np.linalg.matrix_rank(jac[:, [columns[j] for j in free]], tol=1e-9) if free else 0
    some = np.linalg.matrix_rank(jac[:, [columns[j] for j in left_out]], tol=1e-9) if left_out else 0
    return {columns[j] for j in (left_out if some == full else free)}


def check_loops(model: ModesModel) -> list[str]:
    """Refuse loops that repeat each other, leave nothing to move, or start singular; warn of a near one."""
    arm, tree = model.arm, model.tree
    if not tree.rows:
        return []
    model.take_pose(model.stiff(model.pose))
    for k, (first, last, weld, _) in enumerate(tree.loop):
        if weld:
            tree.weld[k] = _section(model, int(first)) - _section(model, int(last))
    moving = model.room.jac[:, : tree.moving]
    return check_rank(arm, moving, tree.owner, model.options.singular, given=tree.moving < tree.size)


def _section(model: ModesModel, point: int) -> float:
    """Angle of the section at a point of the undeformed arm."""
    return float(model.room.kin[model.tree.point[point], at.K_ANGLE])
