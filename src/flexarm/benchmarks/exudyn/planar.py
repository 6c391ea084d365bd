"""Two links in Exudyn: geometrically exact planar beams, both joints on a cycloid."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.benchmarks.exudyn.driver import Driver, cycloid


@dataclass(frozen=True)
class Beam:
    """Figures of one link in SI units: length, stiffnesses EA, kGA, EI, mass and rotary inertia per length."""

    length: float
    EA: float
    GA: float
    EI: float
    rhoA: float
    rhoI: float


class ExudynArm(Driver):
    """Two links in a row, stretched along x at rest, each joint turned by `rise` within `duration`."""

    def __init__(self, beam: Beam, elements: int, rise: float, duration: float):
        super().__init__()
        system, item = self.system, self.item
        before, h = None, beam.length / elements
        for link in range(2):
            places = [link * beam.length + k * h for k in range(elements + 1)]
            nodes = [system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[x, 0.0, 0.0])) for x in places]
            for a, b in itertools.pairwise(nodes):
                system.AddObject(
                    item.ObjectBeamGeometricallyExact2D(
                        nodeNumbers=[a, b], length=h, massPerLength=beam.rhoA, crossSectionInertia=beam.rhoI,
                        bendingStiffness=beam.EI, axialStiffness=beam.EA, shearStiffness=beam.GA,
                    )
                )  # fmt: skip
            self._joint(before, nodes[0], rise, duration)
            before = nodes[-1]
        self._tip = before
        system.Assemble()

    def _joint(self, before: Any, node: Any, rise: float, duration: float) -> None:
        """Join a node to the one before it (None: the ground); their angles differ by the command."""
        for number in range(3):
            first = self.ground if before is None else self.coordinate(before, number)
            rules = {"offsetUserFunction": cycloid(rise, duration)["offsetUserFunction"]} if number == 2 else {}
            self.follow(first, self.coordinate(node, number), **rules)

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        return np.array(self.place(self._tip)[:2])
