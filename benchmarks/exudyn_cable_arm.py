"""The two-link arm of `bench_ancf.py` in Exudyn: ANCF cable elements, joints held by PD laws.

``hub``: a compiled torsional spring-damper reads the slopes at the joint, its reference is set before each step. ``chord``:
the law reads positions of the links' ends, which needs a load user function in Python with a numerical Jacobian. ``python``: a
controller in Python reads the chords before each step, and its torques are held over the step.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np


class ExudynCableArm:
    """Two cables in a row from a pose at rest.

    Parameters: lengths, elements, EA, EI, rhoA, beta (Kelvin-Voigt time, s), pose (rad), gains ((kp, kv), (kp, kv)), and
    `reference`, which gives positions (2,) and rates (2,) of the joints at a time.
    """

    def __init__(self, lengths, elements, EA, EI, rhoA, beta, pose, gains, reference: Callable, sensor: str = "hub"):
        import exudyn
        from exudyn import itemInterface as item

        self._exudyn, self._item, self.reference, self.gains = exudyn, item, reference, gains
        self._container = exudyn.SystemContainer()
        self.mbs = mbs = self._container.AddSystem()
        ground = mbs.AddObject(item.ObjectGround())
        self._ground_node = mbs.AddNode(item.NodePointGround())
        self._fixed = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=self._ground_node, coordinate=0))
        ground_marker = mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=ground))
        angle, root, before = 0.0, np.zeros(2), None
        self.ends: list[tuple[Any, Any]] = []
        self.connectors: list[Any] = []
        self.loads: list[tuple[int, float, Any]] = []
        for i, (length, count) in enumerate(zip(lengths, elements, strict=True)):
            angle += pose[i]
            axis = np.array([math.cos(angle), math.sin(angle)])
            nodes = [
                mbs.AddNode(item.NodePoint2DSlope1(referenceCoordinates=[*(root + length * k / count * axis), *axis]))
                for k in range(count + 1)
            ]
            for a, b in itertools.pairwise(nodes):
                mbs.AddObject(
                    item.ObjectANCFCable2D(
                        physicsLength=length / count, physicsMassPerLength=rhoA, physicsBendingStiffness=EI,
                        physicsAxialStiffness=EA, physicsBendingDamping=beta * EI, physicsAxialDamping=beta * EA,
                        nodeNumbers=[a, b], useReducedOrderIntegration=2,
                    )
                )  # fmt: skip
            self._pin(before, nodes[0])
            markers = [mbs.AddMarker(item.MarkerNodeRigid(nodeNumber=nodes[0]))]
            markers.insert(
                0, ground_marker if before is None else mbs.AddMarker(item.MarkerNodeRigid(nodeNumber=before))
            )
            self._law(i, markers, pose[i], sensor)
            self.ends.append((nodes[0], nodes[-1]))
            root, before = root + length * axis, nodes[-1]
        if sensor != "chord":
            mbs.SetPreStepUserFunction(self._set_reference if sensor == "hub" else self._set_torques)
        mbs.Assemble()
        self.pose, self._user_function, self._step = pose, sensor == "chord", 0.0

    def _pin(self, before: Any, node: Any) -> None:
        """Both coordinates of a joint's position."""
        item, mbs = self._item, self.mbs
        for c in range(2):
            second = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=node, coordinate=c))
            first = self._fixed
            if before is not None:
                first = mbs.AddMarker(item.MarkerNodeCoordinate(nodeNumber=before, coordinate=c))
                mbs.AddObject(item.ObjectConnectorCoordinate(markerNumbers=[first, second], offset=0.0))
            else:
                mbs.AddObject(item.ObjectConnectorCoordinate(markerNumbers=[first, second]))

    def _law(self, i: int, markers: list[Any], start: float, sensor: str) -> None:
        item, mbs, (kp, kv) = self._item, self.mbs, self.gains[i]
        if sensor == "hub":
            made = mbs.AddObject(
                item.ObjectConnectorTorsionalSpringDamper(markerNumbers=markers, stiffness=kp, damping=kv, offset=start)
            )
            self.connectors.append(made)
            return
        for sign, marker in ((1.0, markers[1]), (-1.0, markers[0]))[: 2 if i else 1]:
            law = {"loadVectorUserFunction": self._torque(i, sign)} if sensor == "chord" else {}
            self.loads.append((i, sign, mbs.AddLoad(item.LoadTorqueVector(markerNumber=marker, **law))))

    def _torque(self, i: int, sign: float) -> Any:
        def torque(mbs: Any, t: float, load: Any) -> list[float]:
            place, speed = self.reference(t)
            return [0.0, 0.0, sign * self._feedback(mbs, i, place[i], speed[i])]

        return torque

    def _feedback(self, mbs: Any, i: int, place: float, speed: float) -> float:
        """Torque of a joint from the chords of its links."""
        kind, (kp, kv) = self._exudyn.OutputVariableType, self.gains[i]
        angles, rates = [], []
        for root, tip in self.ends[: i + 1][-2:]:
            r, v = mbs.GetNodeOutput(root, kind.Position), mbs.GetNodeOutput(root, kind.Velocity)
            p, w = mbs.GetNodeOutput(tip, kind.Position), mbs.GetNodeOutput(tip, kind.Velocity)
            x, y, dx, dy = p[0] - r[0], p[1] - r[1], w[0] - v[0], w[1] - v[1]
            angles.append(math.atan2(y, x))
            rates.append((x * dy - y * dx) / (x * x + y * y))
        angle, rate = angles[-1] - (angles[0] if i else 0.0), rates[-1] - (rates[0] if i else 0.0)
        error = math.remainder(place - angle, 2.0 * math.pi)
        return kp * error + kv * (speed - rate)

    def _set_torques(self, mbs: Any, t: float) -> bool:
        """Torques of the controller at the start of the step that ends at t."""
        place, speed = self.reference(t - self._step)
        torques = [self._feedback(mbs, i, place[i], speed[i]) for i in range(len(self.ends))]
        for i, sign, load in self.loads:
            mbs.SetLoadParameter(load, "loadVector", [0.0, 0.0, sign * torques[i]])
        return True

    def _set_reference(self, mbs: Any, t: float) -> bool:
        place, speed = self.reference(t)
        for i, made in enumerate(self.connectors):
            mbs.SetObjectParameter(made, "offset", place[i])
            mbs.SetObjectParameter(made, "velocityOffset", speed[i])
        return True

    def run(self, end: float, step: float, radius: float, tolerance: float = 1e-6) -> np.ndarray:
        """March from rest by generalised-alpha with modified Newton; returns the tip."""
        exudyn, self._step = self._exudyn, step
        settings = exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(end / step)
        settings.timeIntegration.endTime = end
        settings.timeIntegration.generalizedAlpha.spectralRadius = radius
        newton = settings.timeIntegration.newton
        newton.useModifiedNewton, newton.relativeTolerance, newton.absoluteTolerance = True, tolerance, 1e-8
        newton.numericalDifferentiation.forODE2 = False
        if self._user_function:
            settings.timeIntegration.computeLoadsJacobian = 2
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 2.0 * end
        settings.displayComputationTime = False
        settings.linearSolverType = exudyn.LinearSolverType.EXUdense
        self.mbs.SolveDynamic(settings, updateInitialValues=False)
        place = self.mbs.GetNodeOutput(self.ends[-1][1], exudyn.OutputVariableType.Position)
        return np.array(place[:2])
