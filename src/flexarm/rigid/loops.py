"""Closed loops of planar arms: the equations of the pins, and which joints follow from them.

A pin holds two places together (two equations); a welded pin also holds the angle between the two links at
the value that it has when the pin is first closed in the arm's start pose. With J the Jacobian of these
equations the joints' velocities satisfy J q' = 0.
"""

from __future__ import annotations

import numpy as np

from flexarm.arm import Arm
from flexarm.rigid.chain import Chain, link_index
from flexarm.rigid.kinematics import Motion, jacobian, move
from flexarm.rigid.newton import solve

CLOSED = 1e-9
"""A loop counts as closed when its gap is less than this share of the arm's size."""


class LoopEquations:
    """The loop equations of an arm, divided by its size."""

    def __init__(self, chain: Chain, welds: dict[int, float] | None = None):
        self.chain, self.size, arm = chain, chain.size, chain.arm
        self.pins = [
            tuple((link_index(arm, name), np.array(arm.link(name).place(place))) for name, place in loop.places)
            for loop in arm.loops
        ]
        self.welds = welds or {}
        """Angle that each welded loop holds, rad; a loop without one counts as a hinge."""
        self.owner = [k for k in range(len(arm.loops)) for _ in range(3 if k in self.welds else 2)]
        """Which loop each equation belongs to."""

    @property
    def geometry(self) -> tuple[object, ...]:
        """All that the equations depend on, as a key: equal for arms of the same shape."""
        pins = tuple((i, place.tobytes()) for pin in self.pins for i, place in pin)
        return self.chain.geometry, pins, tuple(sorted(self.welds.items()))

    def angle_row(self, k: int) -> np.ndarray:
        """Angle of the loop's first link minus that of its second, per joint angle."""
        row = np.zeros(len(self.chain.arm.joints))
        for (i, _), sign in zip(self.pins[k], (1.0, -1.0), strict=True):
            for link in self.chain.path(i):
                if self.chain.column[link] >= 0:
                    row[self.chain.column[link]] += sign
        return row

    def evaluate(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, Motion]:
        """Residuals (nt, m) and Jacobians (nt, m, nj) at joint values (nt, nj)."""
        motion = move(self.chain, q)
        rows, jacs = [np.zeros((len(q), 0))], [np.zeros((len(q), 0, q.shape[1]))]
        for k, ((i, a), (j, b)) in enumerate(self.pins):
            rows.append((motion.point(i, a) - motion.point(j, b))[:, :2] / self.size)
            both = jacobian(self.chain, motion, i, a) - jacobian(self.chain, motion, j, b)
            jacs.append(both[:, :2] / self.size)
            if k in self.welds:
                row = self.angle_row(k)
                rows.append((q @ row)[:, None] - self.welds[k])
                jacs.append(np.broadcast_to(row, (len(q), 1, len(row))))
        return np.concatenate(rows, axis=1), np.concatenate(jacs, axis=1), motion

    def bias(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """J' q', the part of the second derivative that accelerations must make up for, (nt, m)."""
        motion = move(self.chain, q, qd)
        rows = [np.zeros((len(q), 0))]
        for k, ((i, a), (j, b)) in enumerate(self.pins):
            rows.append((motion.point_acceleration(i, a) - motion.point_acceleration(j, b))[:, :2] / self.size)
            if k in self.welds:
                rows.append(np.zeros((len(q), 1)))
        return np.concatenate(rows, axis=1)


def close_rows(
    equations: LoopEquations, q: np.ndarray, passive: list[int], longest: float = 0.4
) -> tuple[np.ndarray, np.ndarray]:
    """Change the passive joints of every row until its loops close; also the gaps left over the size."""

    def partial(x: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        full = held.copy()
        full[:, passive] = x
        r, jac, _ = equations.evaluate(full)
        return r, jac[:, :, passive]

    out = q.copy()
    out[:, passive], gap = solve(partial, q[:, passive], q, longest=longest)
    return out, gap


def loop_joints(arm: Arm) -> tuple[str, ...]:
    """Joints that move the two sides of some loop differently."""
    chain = Chain.of(arm)
    inside: set[int] = set()
    for loop in arm.loops:
        a, b = (set(chain.path(link_index(arm, name))) for name, _ in loop.places)
        inside |= {chain.column[i] for i in a ^ b if chain.column[i] >= 0}
    return tuple(arm.joints[j] for j in sorted(inside))


def passive_joints(arm: Arm) -> tuple[str, ...]:
    """Joints of loops whose start position is left out: they follow from closing the loops."""
    return tuple(name for name in loop_joints(arm) if arm.link(name).joint.position is None)


def driven_joints(arm: Arm) -> tuple[str, ...]:
    """Joints that do not follow from closing a loop."""
    passive = passive_joints(arm)
    return tuple(name for name in arm.joints if name not in passive)
