"""Two links in Exudyn: ANCF cable elements, joints held by PD laws.

``hub``: a compiled torsional spring-damper reads the slopes at the joint, its reference is set before each step. ``chord``:
the law reads positions of the links' ends, which needs a load user function in Python with a numerical Jacobian.
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

    def __init__(self, lengths, elements, EA, EI, rhoA, beta, pose, gains, reference: Callable, chord: bool = False):
        super().__init__()
        self.reference, self.gains = reference, gains
        mbs, item = self.system, self.item
        ground = mbs.AddObject(item.ObjectGround())
        ground_marker = mbs.AddMarker(item.MarkerBodyRigid(bodyNumber=ground))
        angle, root, before = 0.0, np.zeros(2), None
        self.ends: list[tuple[Any, Any]] = []
        self.connectors: list[Any] = []
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
            self._law(i, markers, pose[i], chord)
            self.ends.append((nodes[0], nodes[-1]))
            root, before = root + length * axis, nodes[-1]
        if not chord:
            mbs.SetPreStepUserFunction(self._set_reference)
        mbs.Assemble()

    def _pin(self, before: Any, node: Any) -> None:
        """Both coordinates of a joint's position."""
        for c in range(2):
            first = self.ground if before is None else self.coordinate(before, c)
            self.follow(first, self.coordinate(node, c))

    def _law(self, i: int, markers: list[Any], start: float, chord: bool) -> None:
        item, mbs, (kp, kv) = self.item, self.system, self.gains[i]
        if not chord:
            made = mbs.AddObject(
                item.ObjectConnectorTorsionalSpringDamper(markerNumbers=markers, stiffness=kp, damping=kv, offset=start)
            )
            self.connectors.append(made)
            return
        mbs.AddLoad(item.LoadTorqueVector(markerNumber=markers[1], loadVectorUserFunction=self._torque(i, 1.0)))
        if i:
            mbs.AddLoad(item.LoadTorqueVector(markerNumber=markers[0], loadVectorUserFunction=self._torque(i, -1.0)))

    def _torque(self, i: int, sign: float) -> Any:
        kp, kv = self.gains[i]

        def torque(mbs: Any, t: float, load: Any) -> list[float]:
            kind = self.exudyn.OutputVariableType
            angles, rates = [], []
            for root, tip in self.ends[: i + 1][-2:]:
                r, v = mbs.GetNodeOutput(root, kind.Position), mbs.GetNodeOutput(root, kind.Velocity)
                p, w = mbs.GetNodeOutput(tip, kind.Position), mbs.GetNodeOutput(tip, kind.Velocity)
                x, y, dx, dy = p[0] - r[0], p[1] - r[1], w[0] - v[0], w[1] - v[1]
                angles.append(math.atan2(y, x))
                rates.append((x * dy - y * dx) / (x * x + y * y))
            angle, rate = angles[-1] - (angles[0] if i else 0.0), rates[-1] - (rates[0] if i else 0.0)
            place, speed = self.reference(t)
            error = math.remainder(place[i] - angle, 2.0 * math.pi)
            return [0.0, 0.0, sign * (kp * error + kv * (speed[i] - rate))]

        return torque

    def _set_reference(self, mbs: Any, t: float) -> bool:
        place, speed = self.reference(t)
        for i, made in enumerate(self.connectors):
            mbs.SetObjectParameter(made, "offset", place[i])
            mbs.SetObjectParameter(made, "velocityOffset", speed[i])
        return True

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        return np.array(self.place(self.ends[-1][1])[:2])
