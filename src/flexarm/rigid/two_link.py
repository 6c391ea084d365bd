"""Inverse kinematics in closed form where exactly two joints turn the tip of a planar arm.

What lies between the two joints, and between the second one and the tip, is rigid in any shape: only the two
distances and the angles in which they stand in a known pose matter.
"""

from __future__ import annotations

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.rigid.chain import Chain, link_index
from flexarm.rigid.kinematics import move


def two_link_angles(chain: Chain, moving: list[int], start: np.ndarray, goals: np.ndarray, elbow: str) -> np.ndarray:
    """Joint positions (nt, nj) for targets (nt, 3); turns count from `start` and along the path."""
    motion = move(chain, start[None])
    i = link_index(chain.arm, chain.arm.payload_link.name)
    shoulder, middle = (motion.joint[k][0, :2] for k in moving)
    inner, outer = middle - shoulder, motion.point(i, chain.tip[i])[0, :2] - middle
    l1, l2 = np.linalg.norm(inner), np.linalg.norm(outer)
    line = goals[:, :2] - shoulder
    distance = np.linalg.norm(line, axis=1)
    slack = 1e-9 * (l1 + l2)
    bad = (distance > l1 + l2 + slack) | (distance < abs(l1 - l2) - slack)
    if bad.any():
        k, name = int(np.argmax(bad)), chain.arm.links[moving[0]].name
        raise FlexarmError(
            f"the target ({goals[k, 0]:g}, {goals[k, 1]:g}) m is {distance[k]:g} m from the joint "
            f"'{name}', but the tip reaches from {abs(l1 - l2):g} m to {l1 + l2:g} m"
        )
    if min(l1, l2) <= slack:
        raise FlexarmError("two joints at one place, or one at the tip, cannot bring the tip to a target")
    cosine = np.clip((distance**2 - l1**2 - l2**2) / (2.0 * l1 * l2), -1.0, 1.0)
    bend = np.arccos(cosine) * (-1.0 if elbow == "up" else 1.0)
    first = np.arctan2(line[:, 1], line[:, 0]) - np.arctan2(l2 * np.sin(bend), l1 + l2 * np.cos(bend))
    turn1 = first - np.arctan2(inner[1], inner[0])
    turn2 = bend - (np.arctan2(outer[1], outer[0]) - np.arctan2(inner[1], inner[0]))
    q = np.tile(start, (len(goals), 1))
    for k, turn in zip(moving, (turn1, turn2), strict=True):
        turn = np.unwrap(turn)
        q[:, chain.column[k]] += turn - 2.0 * np.pi * np.round(turn[0] / (2.0 * np.pi))
    return q
