"""The two-link arm of `bench_fem.py` in Exudyn: geometrically exact planar beams, both joints on a cycloid.

The commands are symbolic user functions, which Exudyn evaluates without going back to Python.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Beam:
    """Figures of one link in SI units: length, stiffnesses EA, kGA, EI, mass and rotary inertia per length."""

    length: float
    EA: float
    GA: float
    EI: float
    rhoA: float
    rhoI: float


class ExudynArm:
    """Two links in a row, stretched along x at rest, each joint turned by `rise` within `duration`."""

    def __init__(self, beam: Beam, elements: int, rise: float, duration: float):
        import exudyn
        from exudyn import itemInterface as item

        self._exudyn = exudyn
        self._container = exudyn.SystemContainer()
        self._system = system = self._container.AddSystem()
        self._functions: list[Any] = []  # Exudyn keeps no reference to them
        ground = system.AddNode(item.NodePointGround())
        self._ground = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
        before, h = None, beam.length / elements
        for link in range(2):
            places = [link * beam.length + k * h for k in range(elements + 1)]
            nodes = [system.AddNode(item.NodeRigidBody2D(referenceCoordinates=[x, 0.0, 0.0])) for x in places]
            for a, b in itertools.pairwise(nodes):
                system.AddObject(
                    item.ObjectBeamGeometricallyExact2D(
                        nodeNumbers=[a, b],
                        length=h,
                        massPerLength=beam.rhoA,
                        crossSectionInertia=beam.rhoI,
                        bendingStiffness=beam.EI,
                        axialStiffness=beam.EA,
                        shearStiffness=beam.GA,
                    )
                )
            self._joint(before, nodes[0], rise, duration)
            before = nodes[-1]
        self._tip = before
        system.Assemble()

    def _joint(self, before: Any, node: Any, rise: float, duration: float) -> None:
        """Join a node to the one before it (None: the ground); their angles differ by the command."""
        from exudyn import itemInterface as item
        from exudyn import symbolic
        from exudyn.utilities import CreateSymbolicUserFunction

        def command(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
            turn = 2.0 * math.pi / duration
            return rise / duration * (t - symbolic.sin(turn * t) / turn)

        system = self._system
        for coordinate in range(3):
            second = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))
            first = self._ground
            if before is not None:
                first = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=before, coordinate=coordinate))
            made = system.AddObject(item.ObjectConnectorCoordinate(markerNumbers=[first, second]))
            if coordinate == 2:
                function = CreateSymbolicUserFunction(system, command, "offsetUserFunction", made)
                self._functions.append(function)
                system.SetObjectParameter(made, "offsetUserFunction", function)

    def run(self, end: float, step: float, radius: float, modified: bool = False, dense: bool = True) -> None:
        """March from rest to `end` by generalised-alpha with this spectral radius at infinity."""
        exudyn = self._exudyn
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(end / step)
        settings.timeIntegration.endTime = end
        settings.timeIntegration.generalizedAlpha.spectralRadius = radius
        settings.timeIntegration.newton.useModifiedNewton = modified
        settings.timeIntegration.newton.relativeTolerance = 1e-5
        settings.timeIntegration.newton.absoluteTolerance = 1e-8
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 2.0 * end
        settings.displayComputationTime = False
        settings.linearSolverType = exudyn.LinearSolverType.EXUdense if dense else exudyn.LinearSolverType.EigenSparse
        self._system.SolveDynamic(settings, updateInitialValues=False)

    @property
    def tip(self) -> tuple[float, float]:
        """Position of the tip after a run."""
        place = self._system.GetNodeOutput(self._tip, self._exudyn.OutputVariableType.Position)
        return float(place[0]), float(place[1])
