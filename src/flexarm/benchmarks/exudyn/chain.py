"""The chain of `segments` in Exudyn: the same rigid bodies, pins and torsion springs; joints turned on a cycloid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import flexarm as fa
from flexarm.benchmarks.exudyn.driver import Driver, cycloid


class Body(NamedTuple):
    """A rigid piece of a link: mass, inertia about its centre, place of the centre, length; the spring in front of it, or
    None where a moved joint is."""

    mass: float
    inertia: float
    centre: float
    length: float
    spring: float | None


def bodies(arm: fa.Arm, segments: int) -> list[Body]:
    """Uniform links in `segments` pieces, the outer ones halved; the motor of the next joint sits on the end of a link."""
    found = []
    for link, motor in zip(arm.links, [*(each.joint.motor_mass for each in arm.links[1:]), 0.0], strict=True):
        properties, h = link.properties([0.5]), link.span / segments
        spring, per_length = float(properties["EI"][0]) / h, float(properties["rhoA"][0])
        for k, length in enumerate([0.5 * h, *[h] * (segments - 1), 0.5 * h]):
            own, load = per_length * length, motor if k == segments else 0.0
            centre = (0.5 * own + load) * length / (own + load)
            inertia = own * (length**2 / 12.0 + (0.5 * length - centre) ** 2) + load * (length - centre) ** 2
            found.append(Body(own + load, inertia, centre, length, spring if k else None))
    return found


class ExudynChain(Driver):
    """Stretched along x at rest; every moved joint turns by `rise` within `duration`."""

    def __init__(self, chain: Sequence[Body], rise: float, duration: float):
        super().__init__()
        system, item, turn_before = self.system, self.item, self.ground
        floor = system.AddObject(item.ObjectGround())
        end_before = system.AddMarker(item.MarkerBodyPosition(bodyNumber=floor, localPosition=[0.0, 0.0, 0.0]))
        place = 0.0
        for body in chain:
            node = system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[place + body.centre, 0.0, 0.0]))
            number = system.AddObject(
                item.ObjectRigidBody2D(physicsMass=body.mass, physicsInertia=body.inertia, nodeNumber=node)
            )
            first, last = [-body.centre, 0.0, 0.0], [body.length - body.centre, 0.0, 0.0]
            begin = system.AddMarker(item.MarkerBodyPosition(bodyNumber=number, localPosition=first))
            turn = self.coordinate(node, 2)
            system.AddObject(item.ObjectJointRevolute2D(markerNumbers=[end_before, begin]))
            if body.spring is not None:
                system.AddObject(
                    item.ObjectConnectorCoordinateSpringDamper(markerNumbers=[turn_before, turn], stiffness=body.spring)
                )
            else:
                self.follow(turn_before, turn, **cycloid(rise, duration))
            end_before = system.AddMarker(item.MarkerBodyPosition(bodyNumber=number, localPosition=last))
            turn_before, place = turn, place + body.length
            self._last, self._reach = number, last
        system.Assemble()

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        kind = self.exudyn.OutputVariableType.Position
        return np.array(self.system.GetObjectOutputBody(self._last, kind, localPosition=self._reach))[:2]
