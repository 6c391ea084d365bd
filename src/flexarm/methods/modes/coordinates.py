"""Coordinates of an arm and what its joints say, for arms in the plane and in space alike.

Equations: M3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import Wiring
from flexarm.methods.law_table import law_row
from flexarm.methods.modes.arrays import scheme_tables
from flexarm.methods.modes.options import ModesOptions
from flexarm.numerics import laws

FRICTION_RATE = 1e-3
"""Rate in rad/s over which dry friction changes its sign."""


def with_motor_coordinate(arm: Arm, wiring: Wiring) -> set[str]:
    """Joints whose motor side has a coordinate of its own: a spring, and something that holds or slows the motor."""
    return {
        wired.name
        for wired in wiring.joints
        if wired.spring and (wired.mode != "free" or arm.link(wired.name).joint.rotor_inertia > 0.0)
    }


def with_own_rotor(arm: Arm, wiring: Wiring) -> set[str]:
    """Joints whose rotor does not turn with the link: behind a spring, or faster than the link by a gear."""
    geared = {link.name for link in arm.links if link.joint.gear is not None and link.joint.rotor_inertia > 0.0}
    return with_motor_coordinate(arm, wiring) | geared


class Coordinates:
    """Numbers of the coordinates: those that the equations decide first, joints before shapes, then prescribed ones.

    shapes : names of the coordinates of all shapes
    """

    def __init__(self, arm: Arm, wiring: Wiring, shapes: Sequence[str]):
        self.arm, self.wiring = arm, wiring
        self.sprung = with_motor_coordinate(arm, wiring)
        moving, prescribed, self.channel = [], [], []
        for k, wired in enumerate(wiring.joints):
            sides = [wired.name, f"{wired.name} motor"] if wired.name in self.sprung else [wired.name]
            if wired.mode == "motion":
                prescribed.append(sides.pop())
                self.channel.append(k)
            moving += sides
        moving += shapes
        self.moving, self.names = len(moving), (*moving, *prescribed)
        self.index = {name: k for k, name in enumerate(self.names)}

    def joints(self) -> dict[str, np.ndarray]:
        """Joints that can move."""
        rows, values, law = [], [], np.zeros((len(self.wiring.joints), laws.LAW_SIZE))
        for k, wired in enumerate(self.wiring.joints):
            own, sprung = self.arm.link(wired.name).joint, wired.name in self.sprung
            link, motor = self.index[wired.name], self.index.get(f"{wired.name} motor", -1)
            drive = motor if sprung else link
            by_motor = wired.law is not None and wired.law.sensor == "motor"
            sense = drive if by_motor else link
            rows.append((link, motor, drive, sense, wired.mode == "motion", *self._bodies_of(wired.name)))
            between = (own.stiffness or 0.0, own.damping, own.backlash) if sprung else (0.0, 0.0, 0.0)
            values.append((*between, own.rotor_inertia))
            law[k] = law_row(wired.law, FRICTION_RATE)
        whole = np.array(rows, dtype=np.int64).reshape(-1, 7).T.copy()
        real = np.array(values).reshape(-1, 4).T.copy()
        return {
            **dict(zip(("link", "motor", "drive", "sense", "prescribed", "body", "rotor_body"), whole, strict=True)),
            **dict(zip(("spring", "damper", "play", "rotor"), real, strict=True)), "law": law,
        }  # fmt: skip

    def _bodies_of(self, joint: str) -> tuple[int, int]:
        """Body of a joint's link, and that of its rotor or -1."""
        return self.arm.index(joint), -1

    def common(
        self, options: ModesOptions, elastic: np.ndarray, second_order: bool, reach: float, scheme: str
    ) -> dict[str, Any]:
        """Fields of `Common` without those of the loops; `elastic` is the stiffness of each link, (links, size, size)."""
        joints, size = self.joints(), len(self.names)
        twist = np.zeros((len(self.wiring.joints), size))  # of the springs in the joints
        for k in np.flatnonzero(joints["motor"] >= 0):
            twist[k, joints["link"][k]], twist[k, joints["motor"][k]] = 1.0, -1.0
        linear = np.where(joints["play"] == 0.0, joints["spring"], 0.0)
        return {
            "size": size, "moving": self.moving, **joints, "channel": np.array(self.channel, dtype=np.int64),
            "stiffness": elastic.sum(axis=0) + (twist.T * linear) @ twist, "damping": (twist.T * joints["damper"]) @ twist,
            "second_order": second_order, **scheme_tables(scheme), "reach": reach, "tolerance": options.tolerance,
            "iterations": options.iterations, "singular": options.singular,
        }  # fmt: skip
