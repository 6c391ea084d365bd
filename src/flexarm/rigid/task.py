"""The tip as a task: its equations in the joints, and joint rates from tip rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.errors import FlexarmError
from flexarm.rigid.beam import parameters, tool_pose
from flexarm.rigid.chain import Chain, joint_values, link_index
from flexarm.rigid.closing import loop_equations
from flexarm.rigid.kinematics import Motion, jacobian, move


def tip_joints(arm: Arm) -> tuple[str, ...]:
    """Names of the joints that move the payload link's tip, from the ground outwards."""
    chain = Chain.of(arm)
    path = chain.path(link_index(arm, arm.payload_link.name))
    return tuple(arm.joints[chain.column[k]] for k in path if chain.column[k] >= 0)


class TaskEquations:
    """Tip at a target and loops closed, divided by the arm's size; if `turned`, the tool's axes also along given ones, in rad.

    With r the vector of the turn from the wanted axes to those of the tool, and w the tool's spin,

        dr = (1 - [r]/2 + c [r]^2) w,   c = 1/p^2 - (1 + cos p) / (2 p sin p),   p = |r| .
    """

    def __init__(self, chain: Chain, turned: bool = False):
        self.chain, self.size, self.turned = chain, chain.size, turned
        self.tool = tool_pose(chain.arm)[1]
        self.loops = loop_equations(chain)
        self.link = link_index(chain.arm, chain.arm.payload_link.name)
        self.axes = 3 if chain.arm.spatial else 2

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest joint values: a prismatic link cannot leave its joint."""
        arm, chain = self.chain.arm, self.chain
        low, high = np.full(len(arm.joints), -np.inf), np.full(len(arm.joints), np.inf)
        for k, slides in enumerate(chain.slides):
            limits = arm.links[k].joint.limits
            if limits is not None and chain.column[k] >= 0:
                low[chain.column[k]], high[chain.column[k]] = limits.ends
            if slides:
                framed = arm.links[k].joint.origin is not None or arm.links[k].joint.axis is not None
                if arm.links[k].section is not None or not framed:
                    low[chain.column[k]] = max(low[chain.column[k]], 0.0, -chain.offset[k])
                if arm.links[k].section is not None:
                    most = arm.links[k].span - abs(parameters(arm.links[k]).a)
                    high[chain.column[k]] = min(high[chain.column[k]], most - chain.offset[k])
        return low, high

    def evaluate(self, q: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals (nt, m) and Jacobians (nt, m, nj) for joint values (nt, nj) and targets (nt, 3), or (nt, 12) with the axes row by row."""
        closing, closing_jac, motion = self.loops.evaluate(q)
        place = self.chain.tip[self.link]
        miss = (motion.point(self.link, place) - target[:, :3])[:, : self.axes] / self.size
        jac = jacobian(self.chain, motion, self.link, place)[:, : self.axes] / self.size
        if self.turned:
            turn, turn_jac = self._turn(motion, target[:, 3:].reshape(-1, 3, 3))
            miss, jac = np.concatenate([miss, turn], axis=1), np.concatenate([jac, turn_jac], axis=1)
        return np.concatenate([miss, closing], axis=1), np.concatenate([jac, closing_jac], axis=1)

    def _turn(self, motion: Motion, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Vector of the turn from the wanted axes (nt, 3, 3) to those of the tool, (nt, 3), and its Jacobian (nt, 3, nj)."""
        from scipy.spatial.transform import Rotation

        away = motion.rotation[self.link] @ self.tool @ np.swapaxes(wanted, 1, 2)
        r = Rotation.from_matrix(away).as_rotvec()
        spin = np.zeros((len(r), 3, len(self.chain.arm.joints)))
        for k in self.chain.path(self.link):
            if self.chain.column[k] >= 0 and not self.chain.slides[k]:
                spin[:, :, self.chain.column[k]] = motion.axis(k)
        p = np.linalg.norm(r, axis=1)
        large = np.where(p > 1e-4, np.minimum(p, np.pi - 1e-9), 1.0)
        c = np.where(p > 1e-4, 1.0 / large**2 - (1.0 + np.cos(large)) / (2.0 * large * np.sin(large)), 1.0 / 12.0)
        side = np.cross(r[:, None, :], np.swapaxes(spin, 1, 2))
        twice = np.cross(r[:, None, :], side)
        return r, spin + np.swapaxes(c[:, None, None] * twice - 0.5 * side, 1, 2)

    def bias(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """J' q' of the same equations, (nt, m)."""
        motion = move(self.chain, q, qd)
        own = motion.point_acceleration(self.link, self.chain.tip[self.link])[:, : self.axes] / self.size
        return np.concatenate([own, self.loops.bias(q, qd)], axis=1)


def joint_rates(arm: Arm, q: Any, velocity: Any, acceleration: Any) -> tuple[np.ndarray, np.ndarray]:
    """Joint velocities and accelerations that give the tip those of a path; loops stay closed.

    Parameters
    ----------
    arm : Arm
        The arm.
    q : array_like, shape (nt, nj)
        Joint positions along the path, rad or m.
    velocity, acceleration : array_like, shape (nt, 3)
        Of the payload link's tip, m/s and m/s^2.

    Returns
    -------
    qd, qdd : ndarray, shape (nt, nj)
        The smallest ones if the arm has joints to spare.
    """
    rows = joint_values(arm, q)
    equations = TaskEquations(Chain.of(arm))
    _, jac = equations.evaluate(rows, np.zeros((len(rows), 3)))
    back = np.linalg.pinv(jac, rcond=1e-10)
    wanted = np.zeros((2, len(rows), jac.shape[1]))
    for part, given in zip(wanted, (velocity, acceleration), strict=True):
        part[:, : equations.axes] = np.atleast_2d(given)[:, : equations.axes] / equations.size
    qd = (back @ wanted[0][:, :, None])[:, :, 0]
    rest = wanted[1] - equations.bias(rows, qd)
    qdd = (back @ rest[:, :, None])[:, :, 0]
    for rate, need in ((qd, wanted[0]), (qdd, rest)):
        miss = np.abs((jac @ rate[:, :, None])[:, :, 0] - need).max(axis=1)
        if np.any(miss > 1e-6 * np.abs(need).max(initial=0.0) + 1e-12):
            raise FlexarmError(
                f"the path passes a pose (row {int(np.argmax(miss))}) in which the arm cannot move the tip "
                "as wanted: it is stretched, folded or has too few joints; move the path away from it"
            )
    return qd, qdd
