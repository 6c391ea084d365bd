"""What all models in Exudyn share: the system, commands as symbolic functions, the settings of a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from flexarm.errors import FlexarmError


def version() -> str | None:
    """Version of Exudyn, or None if it is not installed."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        import exudyn

        return str(getattr(exudyn, "__version__", None) or installed("exudyn"))
    except (ImportError, PackageNotFoundError):
        return None


class Driver:
    """A system in Exudyn; the models add their nodes, objects and connectors to it."""

    def __init__(self) -> None:
        try:
            import exudyn
            from exudyn import itemInterface
        except ImportError:
            raise FlexarmError("Exudyn is not installed; pip install 'flexarm[bench]'") from None
        self.exudyn: Any = exudyn
        self.item: Any = itemInterface
        self._container = exudyn.SystemContainer()
        self.system: Any = self._container.AddSystem()
        self._functions: list[Any] = []  # Exudyn keeps no reference to user functions
        ground = self.system.AddNode(itemInterface.NodePointGround())
        self.ground = self.coordinate(ground, 0)

    def coordinate(self, node: Any, number: int) -> Any:
        """Marker of one coordinate of a node."""
        return self.system.AddMarker(self.item.MarkerNodeCoordinate(nodeNumber=node, coordinate=number))

    def follow(self, first: Any, second: Any, **rules: Callable[[Any], Any]) -> Any:
        """Let two coordinates differ by a command of time; `rules` name the user functions of the connector.

        The commands are symbolic, so Exudyn evaluates them without going back to Python.
        """
        from exudyn.utilities import CreateSymbolicUserFunction

        made = self.system.AddObject(self.item.ObjectConnectorCoordinate(markerNumbers=[first, second]))
        for name, rule in rules.items():
            function = CreateSymbolicUserFunction(self.system, _command(rule), name, made)
            self._functions.append(function)
            self.system.SetObjectParameter(made, name, function)
        return made

    def solve(
        self, end: float, step: float, radius: float = 0.9, modified: bool = False, dense: bool = False,
        tolerances: tuple[float, float] = (1e-5, 1e-8), trapezoidal: bool = False, every: float | None = None,
        load_jacobian: bool = False,
    ) -> None:  # fmt: skip
        """March from the start to `end` by generalised-alpha or the trapezoidal rule."""
        exudyn = self.exudyn
        settings = exudyn.SimulationSettings()
        time, kinds = settings.timeIntegration, exudyn.DynamicSolverType
        time.numberOfSteps, time.endTime, time.verboseMode = round(end / step), end, 0
        time.generalizedAlpha.spectralRadius = radius
        time.newton.useModifiedNewton = modified
        time.newton.relativeTolerance, time.newton.absoluteTolerance = tolerances
        if load_jacobian:
            time.computeLoadsJacobian = 2
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = every or 2.0 * end
        settings.displayComputationTime = False
        solvers = exudyn.LinearSolverType
        settings.linearSolverType = solvers.EXUdense if dense else solvers.EigenSparse
        rule = kinds.TrapezoidalIndex2 if trapezoidal else kinds.GeneralizedAlpha
        self.system.SolveDynamic(settings, solverType=rule, updateInitialValues=False)

    def place(self, node: Any) -> list[float]:
        """Position of a node after a run."""
        return [float(v) for v in self.system.GetNodeOutput(node, self.exudyn.OutputVariableType.Position)]


def _command(rule: Callable[[Any], Any]) -> Callable[..., Any]:
    """A rule of time with the arguments that Exudyn gives to the user functions of a connector."""

    def command(mbs: Any, t: Any, itemNumber: Any, lOffset: Any) -> Any:
        return rule(t)

    return command


def cycloid(rise: float, duration: float) -> dict[str, Callable[[Any], Any]]:
    """A turn by `rise` within `duration` and its rate, as symbolic user functions of a connector."""
    from exudyn import symbolic

    turn = 2.0 * math.pi / duration
    return {
        "offsetUserFunction": lambda t: rise / duration * (t - symbolic.sin(turn * t) / turn),
        "offsetUserFunction_t": lambda t: rise / duration * (1.0 - symbolic.cos(turn * t)),
    }
