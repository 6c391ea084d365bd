"""The model of `modes` in space: another tree, another reader, and the stiffness of weight by differences; all else is that of the plane.

Equations: N19.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.methods.left_out import Counted
from flexarm.methods.modes.model import ModesModel
from flexarm.methods.modes.spatial.arrays import make_spatial_workspace
from flexarm.methods.modes.spatial.bodies import Bodies, reach_of
from flexarm.methods.modes.spatial.observe import SpatialModesReader
from flexarm.methods.modes.spatial.packing import build_spatial_tree

STEP = 1e-3
"""Step of differences of weight by the coordinates, which are of the size of rad and m; their error is of its fourth power."""


class SpatialModesModel(ModesModel):
    """See `flexarm.methods.base.Model` for the verbs."""

    bodies: Bodies

    def _build(self) -> None:
        arm = self.arm
        self.bodies, self.reach = Bodies(arm, self.options, self.second_order), reach_of(arm)
        tree: Any = build_spatial_tree(
            arm, self.wiring, self.options, self.bodies, self.second_order, self.reach, self.scheme
        )
        self.tree, self.parts = tree, tree.parts
        work: Any = make_spatial_workspace(tree.parts, self.channels)
        self.work = work

    def _read(self) -> Any:
        return SpatialModesReader(self)

    def counted(self, link: int) -> Counted:
        """Shear follows from the moments."""
        return Counted(True, self.options.counts(1)[2] > 0, 2 if self.second_order else 1)

    def root_coordinates(self) -> list[int]:
        """Coordinates of the joints that stand on the ground, -1 for a fixed one."""
        part: Any = self.parts
        hinges = [int(part.hinge[b]) for b in range(len(part.parent)) if part.parent[b] < 0]
        return [int(part.coordinate[k]) if k >= 0 else -1 for k in hinges]

    def load_stiffness(
        self, q: np.ndarray, lam: np.ndarray, only_second_order: bool = False, loads: np.ndarray | None = None
    ) -> np.ndarray:
        """By central differences of the weight; `work` is left at q."""
        K, rest = np.zeros((self.size, self.size)), np.zeros(self.size)
        if any(self.weight):
            unit = np.eye(self.size)
            for k in range(self.size):
                near, far = (
                    self.bias(q + step * unit[k], rest) - self.bias(q - step * unit[k], rest)
                    for step in (STEP, 2.0 * STEP)
                )
                K[:, k] = (8.0 * near - far) / (12.0 * STEP)
        self.evaluate_pose(q)
        return 0.5 * (K + K.T)
