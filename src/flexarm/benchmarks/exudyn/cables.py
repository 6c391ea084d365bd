"""Two links in Exudyn: ANCF cable elements, joints held by PD laws.

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

from flexarm.benchmarks.exudyn.driver import Driver


class ExudynCableArm(Driver):
    """Two cables in a row from a pose at rest.

    Parameters: lengths, elements, EA, EI, rhoA, beta (Kelvin-Voigt time, s), pose (rad), gains ((kp, kv), (kp, kv)), and
    `reference`, which gives positions (2,) and rates (2,) of the joints at a time.
    """

    def __init__(self, lengths, elements, EA, EI, rhoA, beta, pose, gains, reference: Callable, sensor: str = "hub"):
        super().__init__()
        self.reference, self.gains, self.sensor, self._step = reference, gains, sensor, 0.0
        mbs, item = self.system, self.item
        ground = mbs.AddObject(item.ObjectGround())
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
            self._law(i, markers, pose[i])
            self.ends.append((nodes[0], nodes[-1]))
            root, before = root + length * axis, nodes[-1]
        if sensor != "chord":
            mbs.SetPreStepUserFunction(self._set_reference if sensor == "hub" else self._set_torques)
        mbs.Assemble()

    def _pin(self, before: Any, node: Any) -> None:
        """Both coordinates of a joint's position."""
        for c in range(2):
            first = self.ground if before is None else self.coordinate(before, c)
            self.follow(first, self.coordinate(node, c))

    def _law(self, i: int, markers: list[Any], start: float) -> None:
        item, mbs, (kp, kv) = self.item, self.system, self.gains[i]
        if self.sensor == "hub":
            made = mbs.AddObject(
                item.ObjectConnectorTorsionalSpringDamper(markerNumbers=markers, stiffness=kp, damping=kv, offset=start)
            )
            self.connectors.append(made)
            return
        for sign, marker in ((1.0, markers[1]), (-1.0, markers[0]))[: 2 if i else 1]:
            law = {"loadVectorUserFunction": self._torque(i, sign)} if self.sensor == "chord" else {}
            self.loads.append((i, sign, mbs.AddLoad(item.LoadTorqueVector(markerNumber=marker, **law))))

    def _torque(self, i: int, sign: float) -> Any:
        def torque(mbs: Any, t: float, load: Any) -> list[float]:
            place, speed = self.reference(t)
            return [0.0, 0.0, sign * self._feedback(mbs, i, place[i], speed[i])]

        return torque

    def _feedback(self, mbs: Any, i: int, place: float, speed: float) -> float:
        """Torque of a joint from the chords of its links."""
        kind, (kp, kv) = self.exudyn.OutputVariableType, self.gains[i]
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

    def run(self, end: float, step: float, radius: float) -> None:
        """March from rest by generalised-alpha with modified Newton, dense."""
        self._step = step
        self.solve(end, step, radius, True, True, (1e-6, 1e-8), load_jacobian=self.sensor == "chord")

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        return np.array(self.place(self.ends[-1][1])[:2])
