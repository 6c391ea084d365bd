"""Loops before the run: closing them, which joints follow, and what is wrong with them, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.modes import layout as at
from flexarm.rigid import close_loops, complete_motion
from flexarm.rigid.loops import loop_joints

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel

DEPENDENT = 1e-9
"""Equations with a singular value below this share of the largest count as dependent."""


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
    left, values, _ = np.linalg.svd(moving, full_matrices=True)
    values = np.concatenate([values, np.zeros(max(0, tree.rows - len(values)))])
    top = values.max(initial=0.0)
    rank = int(np.sum(values > DEPENDENT * max(top, 1e-300)))
    if rank < tree.rows:
        weak = left[:, rank:]
        size = [float(np.linalg.norm(weak[np.array(tree.owner) == k])) for k in range(len(arm.loops))]
        names = [f"'{arm.loops[k].name}'" for k in np.argsort(size)[::-1] if size[k] > 1e-6]
        what = (
            f"loops {', '.join(sorted(names))} repeat or contradict each other"
            if len(names) > 1
            else f"loop {names[0]} is in a singular pose or holds what nothing can move"
        )
        raise CapabilityError(
            f"{what}: {tree.rows} equations, but only {rank} are independent; take a loop away, let a joint free, make a "
            "link flexible, or start from another pose",
            field="arm.loops",
        )
    if rank == tree.moving and tree.moving == tree.size:
        raise CapabilityError(
            f"the loops leave no freedom: {tree.size} coordinates and {tree.rows} loop equations; take a loop away or make "
            "a link flexible",
            field="arm.loops",
        )
    ratio = float(values[-1] / top)
    loop = arm.loops[tree.owner[int(np.argmax(np.abs(left[:, -1])))]]
    if ratio < model.options.singular:
        raise CapabilityError(
            f"loop '{loop.name}' starts in a singular pose (smallest singular value {ratio:.1e} of the largest): the links "
            "are in line or folded; start elsewhere",
            field="arm.loops",
        )
    if ratio < 10.0 * model.options.singular:
        return [f"loop '{loop.name}' starts near a singular pose: smallest singular value {ratio:.1e} of the largest"]
    return []


def _section(model: ModesModel, point: int) -> float:
    """Angle of the section at a point of the undeformed arm."""
    return float(model.room.kin[model.tree.point[point], at.K_ANGLE])
