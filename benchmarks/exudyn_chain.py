"""The chain of `segments` in Exudyn: the same rigid bodies, pins and torsion springs; joints turned on a cycloid.

The commands are symbolic user functions, which Exudyn evaluates without going back to Python.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from flexarm.methods.segments import layout as at


class ExudynChain:
    """Stretched along x at rest; every moved joint turns by `rise` within `duration`."""

    def __init__(self, body: np.ndarray, kind: np.ndarray, rise: float, duration: float):
        import exudyn
        from exudyn import itemInterface as item

        self._exudyn, self._item = exudyn, item
        self._container = exudyn.SystemContainer()
        self._system = system = self._container.AddSystem()
        self._functions: list[Any] = []  # Exudyn keeps no reference to them
        ground = system.AddNode(item.NodePointGround())
        turn_before = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
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
            turn = system.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=2))
            system.AddObject(item.ObjectJointRevolute2D(markerNumbers=[end_before, begin]))
            if connection == at.SPRING:
                system.AddObject(
                    item.ObjectConnectorCoordinateSpringDamper(markerNumbers=[turn_before, turn], stiffness=row[at.K])
                )
            else:
                self._command(turn_before, turn, rise, duration)
            end_before = system.AddMarker(item.MarkerBodyPosition(bodyNumber=number, localPosition=last))
            turn_before, place = turn, place + row[at.OX]
            self._last, self._reach = number, last
        system.Assemble()

    def _command(self, first: Any, second: Any, rise: float, duration: float) -> None:
        """Two angles that differ by the command."""
        from exudyn import symbolic
        from exudyn.utilities import CreateSymbolicUserFunction

        def command(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
            turn = 2.0 * math.pi / duration
            return rise / duration * (t - symbolic.sin(turn * t) / turn)

        def rate(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
            return rise / duration * (1.0 - symbolic.cos(2.0 * math.pi / duration * t))

        made = self._system.AddObject(self._item.ObjectConnectorCoordinate(markerNumbers=[first, second]))
        for name, rule in (("offsetUserFunction", command), ("offsetUserFunction_t", rate)):
            function = CreateSymbolicUserFunction(self._system, rule, name, made)
            self._functions.append(function)
            self._system.SetObjectParameter(made, name, function)

    def run(self, end: float, step: float, trapezoidal: bool, tolerances: tuple[float, float]) -> None:
        """March from rest to `end`: sparse, modified Newton, the trapezoidal rule or generalised-alpha."""
        exudyn = self._exudyn
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(end / step)
        settings.timeIntegration.endTime = end
        settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.newton.relativeTolerance = tolerances[0]
        settings.timeIntegration.newton.absoluteTolerance = tolerances[1]
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 2.0 * end
        settings.displayComputationTime = False
        settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
        kinds = exudyn.DynamicSolverType
        solver = kinds.TrapezoidalIndex2 if trapezoidal else kinds.GeneralizedAlpha
        self._system.SolveDynamic(settings, solverType=solver, updateInitialValues=False)

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        kind = self._exudyn.OutputVariableType.Position
        return np.array(self._system.GetObjectOutputBody(self._last, kind, localPosition=self._reach))[:2]
