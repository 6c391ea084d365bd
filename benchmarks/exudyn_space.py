"""The spatial arm of `bench_spatial.py` in Exudyn: geometrically exact beams in space, joints on a cycloid, released under weight."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np


def cycloid(rise: float, duration: float) -> Any:
    """Command of a joint as Exudyn wants it."""

    def offset(mbs: Any, t: float, item: Any, parameters: Any) -> list[float]:
        s = min(t / duration, 1.0)
        return [0.0, 0.0, 0.0, 0.0, 0.0, rise * (s - math.sin(2.0 * math.pi * s) / (2.0 * math.pi))]

    return offset


class ExudynSpace:
    """Beams one after the other.

    Parameters
    ----------
    legs : list of (root, axes, joint)
        Root (3,), axes (3, 3) of each link with x along the beam, and axes of its joint with z along it, at the start.
    lengths : list of float
        Their lengths, m.
    figures : dict
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
        figures: dict[str, float],
        elements: int,
        gravity: Any,
        rises: list[float],
        duration: float,
    ):
        import exudyn
        from exudyn import itemInterface as item
        from exudyn import rigidBodyUtilities as rigid

        self._exudyn, self._container = exudyn, exudyn.SystemContainer()
        self._system = system = self._container.AddSystem()
        section = exudyn.BeamSection()
        section.stiffnessMatrix = np.diag([figures[k] for k in ("EA", "GA", "GA", "GJ", "EI_y", "EI")])
        section.inertia = np.diag([figures[k] for k in ("rhoJ", "rhoI_y", "rhoI")])
        section.massPerLength = figures["rhoA"]
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
                system.AddLoad(item.LoadForceVector(markerNumber=marker, loadVector=share * figures["rhoA"] * gravity))
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

    def run(self, step: float, end: float, radius: float, modified: bool = True, tolerance: float = 1e-6) -> None:
        """Simulate from rest, with modified Newton iterations or with full ones (Exudyn's default).

        `tolerance` is the relative one; the absolute one is a hundredth of it, as in Exudyn's default of 1e-8 and 1e-10.
        """
        settings = self._exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(end / step)
        settings.timeIntegration.endTime = end
        settings.timeIntegration.generalizedAlpha.spectralRadius = radius
        settings.timeIntegration.newton.useModifiedNewton = modified
        settings.timeIntegration.newton.relativeTolerance = tolerance
        settings.timeIntegration.newton.absoluteTolerance = 0.01 * tolerance
        settings.timeIntegration.verboseMode = 0
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = 2.0 * end
        settings.displayComputationTime = False
        settings.linearSolverType = self._exudyn.LinearSolverType.EigenSparse
        self._system.SolveDynamic(settings, updateInitialValues=False)

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after a run."""
        return np.array(self._system.GetNodeOutput(self._tip, self._exudyn.OutputVariableType.Position))
