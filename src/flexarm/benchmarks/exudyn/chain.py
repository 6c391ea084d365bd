"""The chain of `segments` in Exudyn: the same rigid bodies, pins and torsion springs; joints turned on a cycloid."""

from __future__ import annotations

import numpy as np

from flexarm.benchmarks.exudyn.driver import Driver, cycloid
from flexarm.methods.segments import layout as at


class ExudynChain(Driver):
    """Stretched along x at rest; every moved joint turns by `rise` within `duration`."""

    def __init__(self, body: np.ndarray, kind: np.ndarray, rise: float, duration: float):
        super().__init__()
        system, item, turn_before = self.system, self.item, self.ground
        floor = system.AddObject(item.ObjectGround())
        end_before = system.AddMarker(item.MarkerBodyPosition(bodyNumber=floor, localPosition=[0.0, 0.0, 0.0]))
        place = 0.0
        for row, connection in zip(body, kind[:, at.CONNECTION], strict=True):
            centre = [row[at.CX], row[at.CY], 0.0]
            node = system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[place + centre[0], centre[1], 0.0]))
            number = system.AddObject(
                item.ObjectRigidBody2D(physicsMass=row[at.M], physicsInertia=row[at.J], nodeNumber=node)
            )
            first = [-centre[0], -centre[1], 0.0]
            last = [row[at.OX] - centre[0], row[at.OY] - centre[1], 0.0]
            begin = system.AddMarker(item.MarkerBodyPosition(bodyNumber=number, localPosition=first))
            turn = self.coordinate(node, 2)
            system.AddObject(item.ObjectJointRevolute2D(markerNumbers=[end_before, begin]))
            if connection == at.SPRING:
                system.AddObject(
                    item.ObjectConnectorCoordinateSpringDamper(markerNumbers=[turn_before, turn], stiffness=row[at.K])
                )
            else:
                self.follow(turn_before, turn, **cycloid(rise, duration))
            end_before = system.AddMarker(item.MarkerBodyPosition(bodyNumber=number, localPosition=last))
            turn_before, place = turn, place + row[at.OX]
            self._last, self._reach = number, last
        system.Assemble()

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        kind = self.exudyn.OutputVariableType.Position
        return np.array(self.system.GetObjectOutputBody(self._last, kind, localPosition=self._reach))[:2]
