"""The RALF arm in Exudyn: cubic cable elements of large deformation, joints moved by symbolic user functions.

The rigid bracket is one very stiff element that continues the upper link behind its joint. The bellcrank is followed
rigidly, so only its pin is there: a node that moves on a circle.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from flexarm.benchmarks.exudyn.driver import Driver

GRAVITY, BETA = 9.81, 2e-4
E, RHO = 68.9e9, 2700.0
LENGTH, ARM = 3.048, 0.6096
TUBES = {"lower": (0.26, 0.0021), "upper": (0.1665, 0.0021), "actuating": (0.1027, 0.0037)}
STRETCH = 100.0
"""Factor on EA: the model with assumed modes does not stretch."""


def tube(name: str) -> tuple[float, float, float]:
    """EA, EI and mass per length of a tube."""
    outer, wall = TUBES[name]
    inner = outer - 2.0 * wall
    area, second = math.pi / 4 * (outer**2 - inner**2), math.pi / 64 * (outer**4 - inner**4)
    return E * area, E * second, RHO * area


class ExudynRalf(Driver):
    """Both drives swing by (1 - cos(pi t)) / 2 times their amplitude for 2 s, then hold."""

    def __init__(self, elements: int, start: tuple[float, float], swing: tuple[float, float]):
        super().__init__()
        self._start, self._swing = start, swing
        self._gauges: list[int] = []
        one, two = (complex(math.cos(a), math.sin(a)) for a in start)
        lower = self._beam(0.0, one, LENGTH, elements, *tube("lower"), gauge="lower")
        elbow = LENGTH * one
        rear = elbow - ARM * two
        EA, EI, _ = tube("upper")
        bracket = self._beam(rear, two, ARM, 1, EA, 1e3 * EI, 4.5 / ARM)
        upper = self._beam(elbow, two, LENGTH, elements, *tube("upper"), first=bracket[-1], gauge="upper")
        link = self._beam(-ARM * two, one, LENGTH, elements, *tube("actuating"), gauge="actuating")
        self._mass(lower[-1], elbow, 21.0)
        self._mass(upper[-1], elbow + LENGTH * two, 0.4)
        self._tie(lower[-1], bracket[-1])
        self._tie(link[-1], bracket[0])
        self._drive(lower[0], (None, None, (0, 1.0), (1, 1.0)), 0)
        self._drive(link[0], ((0, -ARM), (1, -ARM), None, None), 1)
        for number in range(2):
            self.follow(self.ground, self.coordinate(lower[0], number))
        self.system.Assemble()

    def _beam(
        self, root: complex, along: complex, length: float, elements: int, EA: float, EI: float, mass: float,
        first: int | None = None, gauge: str = "",
    ) -> list[int]:  # fmt: skip
        system, item, h = self.system, self.item, length / elements
        nodes = [] if first is None else [first]
        for k in range(len(nodes), elements + 1):
            place = root + k * h * along
            nodes.append(
                system.AddNode(
                    item.NodePoint2DSlope1(referenceCoordinates=[place.real, place.imag, along.real, along.imag])
                )
            )
        made = []
        for a, b in itertools.pairwise(nodes):
            made.append(
                system.AddObject(
                    item.ObjectANCFCable2D(
                        nodeNumbers=[a, b], physicsLength=h, physicsMassPerLength=mass, physicsBendingStiffness=EI,
                        physicsAxialStiffness=STRETCH * EA, physicsBendingDamping=BETA * EI,
                        physicsAxialDamping=BETA * STRETCH * EA,
                    )
                )
            )  # fmt: skip
            weight = system.AddMarker(item.MarkerBodyMass(bodyNumber=made[-1]))
            system.AddLoad(item.LoadMassProportional(markerNumber=weight, loadVector=[0.0, -GRAVITY, 0.0]))
        if gauge:
            k = elements // 2
            where = 0.0 if elements % 2 == 0 else 0.5 * h
            self._gauges.append(
                system.AddSensor(
                    item.SensorBody(
                        bodyNumber=made[k], localPosition=[where, 0.0, 0.0], storeInternal=True, writeToFile=False,
                        outputVariableType=self.exudyn.OutputVariableType.CurvatureLocal,
                    )
                )
            )  # fmt: skip
        return nodes

    def _mass(self, node: int, place: complex, mass: float) -> None:
        system, item = self.system, self.item
        point = system.AddNode(item.NodePoint2D(referenceCoordinates=[place.real, place.imag]))
        body = system.AddObject(item.ObjectMassPoint2D(physicsMass=mass, nodeNumber=point))
        weight = system.AddMarker(item.MarkerBodyMass(bodyNumber=body))
        system.AddLoad(item.LoadMassProportional(markerNumber=weight, loadVector=[0.0, -GRAVITY, 0.0]))
        self._tie(node, point)

    def _tie(self, a: int, b: int) -> None:
        """Two nodes at one place."""
        marks = [self.system.AddMarker(self.item.MarkerNodePosition(nodeNumber=n)) for n in (a, b)]
        self.system.AddObject(self.item.ObjectJointRevolute2D(markerNumbers=marks))

    def _drive(self, node: int, parts: tuple[tuple[int, float] | None, ...], which: int) -> None:
        """Let coordinates of a node follow the cosine (0) or sine (1) of a commanded angle, times a length."""
        begin, swing = self._start[which], self._swing[which]
        for coordinate, part in enumerate(parts):
            if part is None:
                continue
            rule = _turned(begin, swing, *part)
            self.follow(self.ground, self.coordinate(node, coordinate), offsetUserFunction=rule)

    def peaks(self) -> list[float]:
        """Largest mid-link strain of each link without its static part."""
        found = []
        for sensor, (outer, _) in zip(self._gauges, (TUBES[n] for n in ("lower", "upper", "actuating")), strict=True):
            curve = self.system.GetSensorStoredData(sensor)
            values = curve[:, -1]
            found.append(float(0.5 * outer * abs(values - values[0]).max()))
        return found


def _turned(begin: float, swing: float, kind: int, size: float) -> Callable[[Any], Any]:
    """Change of the cosine (kind 0) or sine of the commanded angle, times a length."""
    from exudyn import symbolic

    def rule(t: Any) -> Any:
        clipped = 0.5 * (t + 2.0 - symbolic.abs(t - 2.0))
        angle = begin + 0.5 * swing * (1.0 - symbolic.cos(math.pi * clipped))
        if kind == 0:
            return size * (symbolic.cos(angle) - math.cos(begin))
        return size * (symbolic.sin(angle) - math.sin(begin))

    return rule
