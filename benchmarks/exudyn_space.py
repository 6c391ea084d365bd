"""The spatial arm of `bench_spatial.py` in Exudyn: geometrically exact beams in space, joints held, released under weight."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np


class ExudynSpace:
    """Beams one after the other.

    Parameters
    ----------
    legs : list of (root, axes)
        Root (3,) and axes (3, 3) of each link, x along the beam.
    lengths : list of float
        Their lengths, m.
    figures : dict
        EA, GA, GJ, EI_y, EI, rhoA, rhoJ, rhoI_y, rhoI of the section.
    elements : int
        Per link.
    gravity : ndarray, shape (3,)
        m/s^2.
    """

    def __init__(self, legs: list[Any], lengths: list[float], figures: dict[str, float], elements: int, gravity: Any):
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
        for (root, axes), length in zip(legs, lengths, strict=True):
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
                    markerNumbers=[before, first], rotationMarker0=turned.T @ axes, rotationMarker1=np.eye(3)
                )
            )
            before, turned = system.AddMarker(item.MarkerNodeRigid(nodeNumber=nodes[-1])), axes
            self._tip = nodes[-1]
        system.Assemble()

    def run(self, step: float, end: float, radius: float) -> None:
        """Simulate from rest."""
        settings = self._exudyn.SimulationSettings()
        settings.timeIntegration.numberOfSteps = round(end / step)
        settings.timeIntegration.endTime = end
        settings.timeIntegration.generalizedAlpha.spectralRadius = radius
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.newton.relativeTolerance = 1e-6
        settings.timeIntegration.newton.absoluteTolerance = 1e-8
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
