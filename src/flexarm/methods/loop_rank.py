"""What is wrong with closed loops, in words: too many of them, no freedom left, a singular pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexarm.arm import Arm
from flexarm.errors import CapabilityError

DEPENDENT = 1e-9
"""Equations with a singular value below this share of the largest count as dependent."""


def check_rank(arm: Arm, moving: np.ndarray, owner: Sequence[int], singular: float, given: bool = False) -> list[str]:
    """Refuse loops that repeat each other, leave nothing to move, or start singular; warn of a near one.

    Parameters
    ----------
    arm : Arm
        The arm, for the names of its loops.
    moving : ndarray, shape (rows, coordinates)
        Loop equations per coordinate that may move.
    owner : sequence of int
        Loop of each row.
    singular : float
        Least share of the smallest singular value in the largest.
    given : bool
        True if other coordinates are prescribed: then something moves in any case.

    Returns
    -------
    list of str
        Warnings.
    """
    rows, size = moving.shape
    left, values, _ = np.linalg.svd(moving, full_matrices=True)
    values = np.concatenate([values, np.zeros(max(0, rows - len(values)))])
    top = values.max(initial=0.0)
    rank = int(np.sum(values > DEPENDENT * max(top, 1e-300)))
    if rank < rows:
        weak = left[:, rank:]
        parts = [float(np.linalg.norm(weak[np.array(owner) == k])) for k in range(len(arm.loops))]
        names = [f"'{arm.loops[k].name}'" for k in np.argsort(parts)[::-1] if parts[k] > 1e-6]
        what = (
            f"loops {', '.join(sorted(names))} repeat or contradict each other"
            if len(names) > 1
            else f"loop {names[0]} is in a singular pose or holds what nothing can move"
        )
        raise CapabilityError(
            f"{what}: {rows} equations, but only {rank} are independent; take a loop away, let a joint free, make a "
            "link flexible, or start from another pose",
            field="arm.loops",
        )
    if rank == size and not given:
        raise CapabilityError(
            f"the loops leave no freedom: {size} coordinates and {rows} loop equations; take a loop away or make "
            "a link flexible",
            field="arm.loops",
        )
    ratio = float(values[-1] / top)
    loop = arm.loops[owner[int(np.argmax(np.abs(left[:, -1])))]]
    if ratio < singular:
        raise CapabilityError(
            f"loop '{loop.name}' starts in a singular pose (smallest singular value {ratio:.1e} of the largest): the links "
            "are in line or folded; start elsewhere",
            field="arm.loops",
        )
    if ratio < 10.0 * singular:
        return [f"loop '{loop.name}' starts near a singular pose: smallest singular value {ratio:.1e} of the largest"]
    return []
