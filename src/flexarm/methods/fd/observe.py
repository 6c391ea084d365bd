"""What is read off the grid: displacements by a spline through the nodes, moments and shear forces by their differences.

Equations: F18, F21, F22.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.lumps import lump_rows
from flexarm.methods.fd.system import System, bending_rows, curvature_row
from flexarm.methods.reader import JointNumbers, Reader

if TYPE_CHECKING:
    from flexarm.methods.fd.model import FdModel

NOTHING = 1e-18
"""Weights of far nodes in a spline that are below this are left out."""


class FdReader(Reader):
    """Readings of the model's state, in which the ends are those of `system`."""

    model: FdModel

    def __init__(self, model: FdModel, system: System):
        self.system, self.sums = system, 2 * system.size
        rates = {j: system.size + j for j in range(system.size)}
        rates |= {
            self.sums + at.ROOT_MOMENT: self.sums + at.ROOT_RATE,
            self.sums + at.TIP_MOMENT: self.sums + at.TIP_RATE,
        }
        self._node_moments: dict[int, Any] = {}
        super().__init__(model, rates)

    def joint(self, link: int) -> JointNumbers:
        """Hub and motor are in the state, and so are the torques."""
        state, size, sums = self.graph.state, self.system.size, self.sums
        drive = state(sums + at.DRIVE_TORQUE) - state(sums + at.DRAG)
        return JointNumbers(
            state(HUB), state(size + HUB), state(MOTOR), state(size + MOTOR), state(sums + at.TORQUE), drive
        )

    # along the link

    @cached_property
    def _spline(self) -> Any:
        """Weights of the coordinates in the displacement: spline through the nodes with the slopes of both ends."""
        from scipy.interpolate import CubicSpline

        n, size = self.system.grid.n, self.system.size
        nodes, ends = np.zeros((n + 1, size)), np.zeros((2, size))
        nodes[np.arange(n + 1), NODE + np.arange(n + 1)] = 1.0
        ends[0, HUB] = ends[1, NODE + n + 1] = 1.0
        return CubicSpline(self.system.grid.x, nodes, bc_type=((1, ends[0]), (1, ends[1])))

    def _rows(self, fractions: Sequence[float], derivative: int = 0) -> np.ndarray:
        """Weights of the coordinates in displacement or slope at fractions of the link, (k, N)."""
        rows = self._spline(np.asarray(fractions, dtype=float) * self.system.grid.length, derivative)
        rows[np.abs(rows) < NOTHING] = 0.0
        for k, place in enumerate(np.asarray(fractions) * self.system.grid.n):
            if derivative == 0 and place == int(place):  # on a node: known without rounding
                rows[k] = 0.0
                rows[k, NODE + int(place)] = 1.0
        return rows

    def displacements(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Across the tangent at the root; nothing moves along it."""
        rows = self._rows(fractions)
        rows[:, HUB] -= np.asarray(fractions) * self.system.grid.length
        out = np.zeros((len(fractions), 3), dtype=object)
        out[:, 1] = self.graph.rows(rows)
        return out

    def places(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Along the tangent at the root and across it."""
        hub, across = self.graph.state(HUB), self.displacements(link, fractions)[:, 1]
        c, s, along = np.cos(hub), np.sin(hub), np.asarray(fractions) * self.system.grid.length
        out = np.zeros((len(fractions), 3), dtype=object)
        out[:, 0], out[:, 1] = c * along - s * across, s * along + c * across
        return out

    def angles(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Slopes of the spline."""
        return self.graph.rows(self._rows(fractions, 1))

    def chord(self, link: int) -> Any:
        """Displacement of the tip over the length, as laws read it; the model is linear."""
        return self.graph.state(NODE + self.system.grid.n, 1.0 / self.system.grid.length)

    # section forces

    def _moment(self, i: int) -> Any:
        """Elastic moment at node i; that of an end whose slope is no coordinate is in the sums."""
        if i not in self._node_moments:
            system, grid = self.system, self.system.grid
            if i == 0 and not system.hub_state:
                found = self.graph.state(self.sums + at.ROOT_MOMENT)
            elif i == grid.n and not system.tip_state:
                found = self.graph.state(self.sums + at.TIP_MOMENT)
            else:
                found = self.graph.row(grid.EI[i] * curvature_row(grid, i, system.hub_state, system.tip_state))
            self._node_moments[i] = found
        return self._node_moments[i]

    def _felt(self, elastic: Any) -> Any:
        """An elastic force with its damping."""
        return elastic + self.damping_time(0) * self.graph.rate(elastic)

    def _shear(self, i: int) -> Any:
        """Shear force between nodes i and i + 1: slope of the moment, less what patches and lumps put in."""
        grid, patch = self.system.grid, self.model.packed.patch_moment
        force = (self._felt(self._moment(i)) - self._felt(self._moment(i + 1))) / grid.dx
        for p, step in enumerate(np.diff(patch[:, NODE + i : NODE + i + 2], axis=1)[:, 0] / grid.dx):
            force = force + float(step) * self.graph.state(self.sums + at.PATCHES + p)
        for row, stiffness in zip(*lump_rows(grid, self.system.hub_state, self.system.tip_state), strict=True):
            beyond = float(row[NODE + i + 1 : NODE + grid.n + 1].sum())
            force = force + stiffness * beyond * self._felt(self.graph.row(row))
        return force

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Moment, linear between the nodes; the link neither stretches nor shears."""
        out = np.zeros((3, len(fractions)), dtype=object)
        out[2] = [self._between(self._moment, self.system.grid.n, float(f) * self.system.grid.n) for f in fractions]
        return out

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Axial force by weight along the link; shear force linear between the middles of the sections; moment."""
        grid = self.system.grid
        out = np.zeros((3, len(fractions)), dtype=object)
        for k, fraction in enumerate(fractions):
            place = float(fraction) * grid.n
            out[0, k] = self._between(lambda i: float(grid.tension[i]), grid.n - 1, place - 0.5)
            out[1, k] = self._between(self._shear, grid.n - 1, place - 0.5)
            out[2, k] = self._felt(self._between(self._moment, grid.n, place))
        return out

    def _between(self, value: Any, last: int, place: float) -> Any:
        """Linear between the values at the whole numbers 0 .. last, continued beyond them."""
        i = min(max(int(place), 0), last - 1)
        share = place - i
        return (1.0 - share) * value(i) + (share * value(i + 1) if share else 0.0)

    # energies

    def stored(self, records: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """That of gravity is zero in the reference pose."""
        system, size = self.system, self.system.size
        q, v = records[:, :size], records[:, size : self.sums]
        rows, weights = bending_rows(system.grid, system.hub_state, system.tip_state)
        elastic = 0.5 * (q @ rows.T) ** 2 @ weights + self._end_energy(records)
        if system.grid.spring > 0.0:
            elastic += 0.5 * system.grid.spring * (q[:, MOTOR] - q @ system.hub_row) ** 2
        return 0.5 * np.sum((v @ system.M) * v, axis=1), elastic, gravity_energy(system, q)

    def energies(self, records: np.ndarray) -> np.ndarray:
        """The load that bends half cells at the ends has put their energy in."""
        found = super().energies(records)
        found[:, 3] += self._end_energy(records)
        return found

    def _end_energy(self, records: np.ndarray) -> np.ndarray:
        """Energy in the half cells of ends whose slope is no coordinate, (nt,)."""
        system, s, stored = self.system, records[:, self.sums :], np.zeros(len(records))
        if not system.hub_state and not system.ends.paper:
            stored += system.grid.dx * s[:, at.ROOT_MOMENT] ** 2 / (4.0 * system.grid.EI[0])
        if not system.tip_state and not system.ends.paper:
            stored += system.grid.dx * s[:, at.TIP_MOMENT] ** 2 / (4.0 * system.grid.EI[-1])
        return stored

    def more_signals(self, records: np.ndarray) -> dict[str, Any]:
        """Angular momentum, and the impulse of the torque if it alone changes that."""
        system, grid = self.system, self.system.grid
        momentum = records[:, system.size : self.sums] @ (system.M @ grid.rotation)
        pushed = any(patch.kind == "force" for patch in self.model.wiring.patches)
        if system.ends.pinned_tip or grid.gravity_axial or grid.gravity_transverse or pushed:
            return {"angular_momentum": ("time", momentum)}
        impulse = records[:, self.sums + at.IMPULSE]
        return {"angular_momentum": ("time", momentum), "torque_impulse": ("time", impulse)}


def gravity_energy(system: System, q: np.ndarray) -> np.ndarray:
    """Potential of gravity, zero in the reference pose, (nt,)."""
    reference = system.grid.reference * system.grid.rotation
    offset = 0.5 * reference @ system.geometric @ reference - system.load @ reference
    return 0.5 * np.sum((q @ system.geometric) * q, axis=1) - q @ system.load - offset
