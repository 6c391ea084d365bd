"""Loops before the run: closing them, which joints follow, and what is wrong with them, in words.

Equations: M21.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.loop_rank import check_rank
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
    sides = zip(model.wiring.joints, model.parts.drive, strict=True)
    driven = [wired.name for wired, k in sides if k not in model.passive]
    return complete_motion(model.arm, pose, rates, driven=driven)[1]


def passive_coordinates(model: ModesModel) -> set[int]:
    """Coordinates of joints that follow from the loops: free joints of loops whose position is left out, and all free
    joints of loops if those are too few to close them."""
    arm = model.arm
    if not model.parts.rows:
        return set()
    inside = set(loop_joints(arm))
    free = {
        wired.name: int(column)
        for wired, column in zip(model.wiring.joints, model.parts.drive, strict=True)
        if wired.mode == "free" and wired.name in inside
    }
    left_out = {name: column for name, column in free.items() if arm.link(name).joint.position is None}
    model.evaluate_pose(model.undeformed(model.pose))

    def rank(columns: dict[str, int]) -> int:
        return int(np.linalg.matrix_rank(model.work.jac[:, list(columns.values())], tol=1e-9)) if columns else 0

    return set((left_out if rank(left_out) == rank(free) else free).values())


def check_loops(model: ModesModel) -> list[str]:
    """Refuse loops that repeat each other, leave nothing to move, or start singular; warn of a near one.

    The angles of welded loops are taken from the undeformed arm.
    """
    part, work = model.parts, model.work
    if not part.rows:
        return []
    model.evaluate_pose(model.undeformed(model.pose))
    for k in np.flatnonzero(part.welded):
        part.weld[k] = np.subtract(*work.angle[part.owner[part.ends[k]]])
    moving = work.jac[:, : part.moving]
    return check_rank(model.arm, moving, model.tree.loop_of_row, model.options.singular, given=part.moving < part.size)
