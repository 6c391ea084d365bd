"""Links in space in Exudyn: geometrically exact beams in space, joints on a cycloid, released under weight."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from flexarm.benchmarks.exudyn.driver import Driver


def cycloid(rise: float, duration: float) -> Any:
    """Command of a joint as Exudyn wants it."""

    def offset(mbs: Any, t: float, item: Any, parameters: Any) -> list[float]:
        s = min(t / duration, 1.0)
        return [0.0, 0.0, 0.0, 0.0, 0.0, rise * (s - math.sin(2.0 * math.pi * s) / (2.0 * math.pi))]

    return offset


class ExudynSpace(Driver):
    """Beams one after the other.

    Parameters
    ----------
    legs : list of (root, axes, joint)
        Root (3,), axes (3, 3) of each link with x along the beam, and axes of its joint with z along it, at the start.
    lengths : list of float
        Their lengths, m.
    values : dict
        EA, GA, GJ, EI_y, EI, rhoA, rhoJ, rhoI_y, rhoI of the section.
    elements : int
        Per link.
    gravity : ndarray, shape (3,)
        m/s^2.
    rises : list of float
        Angle by which each joint turns within `duration`, rad.
    """

    def __init__(
        self,
        legs: list[Any],
        lengths: list[float],
        values: dict[str, float],
        elements: int,
        gravity: Any,
        rises: list[float],
        duration: float,
    ):
        super().__init__()
        from exudyn import rigidBodyUtilities as rigid

        system, item = self.system, self.item
        section = self.exudyn.BeamSection()
        section.stiffnessMatrix = np.diag([values[k] for k in ("EA", "GA", "GA_z", "GJ", "EI_y", "EI")])
        section.inertia = np.diag([values[k] for k in ("rhoJ", "rhoI_y", "rhoI")])
        section.massPerLength = values["rhoA"]
        ground = system.AddObject(item.ObjectGround())
        before, turned = system.AddMarker(item.MarkerBodyRigid(bodyNumber=ground)), np.eye(3)
        for (root, axes, own), length, rise in zip(legs, lengths, rises, strict=True):
            h = length / elements
            vector = rigid.RotationMatrix2RotationVector(axes)
            nodes = [
                system.AddNode(
                    item.NodeRigidBodyRotVecLG(referenceCoordinates=[*(root + k * h * axes[:, 0]), *np.ravel(vector)])
                )
                for k in range(elements + 1)
            ]
            for a, b in itertools.pairwise(nodes):
                system.AddObject(item.ObjectBeamGeometricallyExact(nodeNumbers=[a, b], length=h, sectionData=section))
            for k, node in enumerate(nodes):
                marker = system.AddMarker(item.MarkerNodePosition(nodeNumber=node))
                share = h if 0 < k < elements else 0.5 * h
                system.AddLoad(item.LoadForceVector(markerNumber=marker, loadVector=share * values["rhoA"] * gravity))
            first = system.AddMarker(item.MarkerNodeRigid(nodeNumber=nodes[0]))
            system.AddObject(
                item.ObjectJointGeneric(
                    markerNumbers=[before, first],
                    rotationMarker0=turned.T @ own,
                    rotationMarker1=axes.T @ own,
                    offsetUserFunction=cycloid(rise, duration),
                )
            )
            before, turned = system.AddMarker(item.MarkerNodeRigid(nodeNumber=nodes[-1])), axes
            self._tip = nodes[-1]
        system.Assemble()

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        return np.array(self.place(self._tip))
