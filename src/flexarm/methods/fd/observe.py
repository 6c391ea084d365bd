"""What is read off the grid: displacements by a spline through the nodes, moments and shear forces by their differences.

Equations: F18, F21, F22.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from flexarm.methods.fd.lumps import lump_rows
from flexarm.methods.fd.system import System, bending_rows, curvature_row
from flexarm.methods.reader import JointNumbers, Reader
from flexarm.methods.subdivision import SAME, attachment_places
from flexarm.numerics.along import between

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
        super().__init__(model, rates)

    @property
    def load_places(self) -> Sequence[int]:
        """Of the patches."""
        first = self.sums + at.PATCHES
        return range(first, first + self.model.packed.patches)

    def joint(self, link: int) -> JointNumbers:
        """Hub and motor are in the state, and so are the torques."""
        state, size, sums = self.graph.state, self.system.size, self.sums
        drive = state(sums + at.DRIVE_TORQUE) - state(sums + at.DRAG)
        return JointNumbers(
            state(HUB), state(size + HUB), state(MOTOR), state(size + MOTOR), state(sums + at.TORQUE), drive
        )

    def carrier_rate(self, link: int) -> Any:
        """The ground carries the motor."""
        return 0.0

    @property
    def of_balance(self) -> Sequence[int]:
        """Moments of half cells at a root whose slope is no coordinate."""
        return () if self.system.hub_state else (self.sums + at.ROOT_MOMENT, self.sums + at.ROOT_RATE)

    # along the link

    @cached_property
    def _spline(self) -> tuple[np.ndarray, np.ndarray]:
        """Weights of the coordinates in displacements and slopes at the nodes, (n + 1, N) each: a cubic spline with the slopes of both
        ends, whose second derivative is continuous."""
        n, size, dx = self.system.grid.n, self.system.size, self.system.grid.dx
        nodes, right = np.zeros((n + 1, size)), np.zeros((n + 1, size))
        nodes[np.arange(n + 1), NODE + np.arange(n + 1)] = 1.0
        right[1:-1] = 3.0 * (nodes[2:] - nodes[:-2]) / dx
        right[0, HUB] = right[-1, NODE + n + 1] = 1.0
        matrix = 4.0 * np.eye(n + 1) + np.eye(n + 1, k=1) + np.eye(n + 1, k=-1)
        matrix[[0, -1]] = np.eye(n + 1)[[0, -1]]
        return nodes, np.linalg.solve(matrix, right)

    def _rows(self, fractions: Sequence[float], derivative: int = 0) -> np.ndarray:
        """Weights of the coordinates in displacement or slope at fractions of the link, (k, N)."""
        (nodes, slopes), n, dx = self._spline, self.system.grid.n, self.system.grid.dx
        along = np.asarray(fractions, dtype=float)[:, None] * n
        k = np.clip(along[:, 0].astype(int), 0, n - 1)
        t = along - k[:, None]
        step = nodes[k + 1] - nodes[k]
        if derivative:
            rows = 6.0 * t * (1.0 - t) * step / dx + (1.0 - t) * (1.0 - 3.0 * t) * slopes[k]
            rows += t * (3.0 * t - 2.0) * slopes[k + 1]
        else:
            rows = nodes[k] + t * t * (3.0 - 2.0 * t) * step
            rows += dx * t * (1.0 - t) * ((1.0 - t) * slopes[k] - t * slopes[k + 1])
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

    @cached_property
    def _moments(self) -> np.ndarray:
        """Weights of the state's numbers in the elastic moments at the nodes; those of ends whose slope is no coordinate are in the
        sums, (n + 1, width)."""
        system, grid = self.system, self.system.grid
        rows = np.zeros((grid.n + 1, self.model.record_width))
        for i in range(0 if system.hub_state else 1, grid.n + 1 if system.tip_state else grid.n):
            rows[i, : system.size] = grid.EI[i] * curvature_row(grid, i, system.hub_state, system.tip_state)
        rows[0, self.sums + at.ROOT_MOMENT] = 0.0 if system.hub_state else 1.0
        rows[-1, self.sums + at.TIP_MOMENT] = 0.0 if system.tip_state else 1.0
        return rows

    def _felt(self, rows: np.ndarray) -> np.ndarray:
        """Weights in elastic forces with those of damping."""
        out, size, time = rows.copy(), self.system.size, self.damping_time(0)
        out[:, size : 2 * size] += time * rows[:, :size]
        for moment, rate in ((at.ROOT_MOMENT, at.ROOT_RATE), (at.TIP_MOMENT, at.TIP_RATE)):
            out[:, self.sums + rate] += time * rows[:, self.sums + moment]
        return out

    @cached_property
    def _couples(self) -> list[tuple[float, np.ndarray, np.ndarray]]:
        """Of lumps with inertia: place in sections, weights of the elastic couple on the lump (1, width), and the shear force between the
        nodes that its forces on nodes make in place of it, per couple, (n,)."""
        grid, found = self.system.grid, []
        rows = zip(*lump_rows(grid, self.system.hub_state, self.system.tip_state), strict=True)
        for place, (row, stiffness) in zip(grid.lump_place, rows, strict=True):
            couple = np.zeros((1, self.model.record_width))
            couple[0, : len(row)] = stiffness * row
            found.append((place, couple, np.cumsum(row[NODE + grid.n : NODE : -1])[::-1]))
        return found

    @cached_property
    def _bent(self) -> np.ndarray:
        """`_moments` with the couples of lumps where they are, which nodes feel as forces, (n + 1, width)."""
        rows, nodes = self._moments.copy(), np.arange(self.system.grid.n + 1)
        for place, couple, shears in self._couples:
            smeared = np.append(np.cumsum(shears[::-1])[::-1] * self.system.grid.dx, 0.0)
            rows += np.outer(smeared - (nodes <= place), couple)
        return rows

    @cached_property
    def _shears(self) -> np.ndarray:
        """Weights in the shear forces between the nodes: slopes of the moments, less what patches and lumps put in, (n, width)."""
        grid, patch = self.system.grid, self.model.packed.patch_moment
        force = -np.diff(self._felt(self._moments), axis=0) / grid.dx
        force[:, self.sums + at.PATCHES :] += np.diff(patch[:, NODE : NODE + grid.n + 1], axis=1).T / grid.dx
        for _, couple, shears in self._couples:
            force += np.outer(shears, self._felt(couple))
        return force

    @property
    def _jumps(self) -> np.ndarray:
        """Fractions of the link at which lumps sit, in order."""
        return np.unique(attachment_places(self.arm, 0))

    @property
    def _nodes(self) -> np.ndarray:
        """Fractions of the link at its nodes."""
        return np.linspace(0.0, 1.0, self.system.grid.n + 1)

    def elastic_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Moment, linear between the nodes on each side of lumps; weight along the link, which a gauge feels though the link
        keeps its length; it does not shear."""
        out = np.zeros((3, len(fractions)), dtype=object)
        out[0] = self._axial_force(fractions)
        out[2] = self.graph.rows(between(self._nodes, self._bent.T, fractions, self._jumps).T)
        return out

    def section_forces(self, link: int, fractions: Sequence[float]) -> np.ndarray:
        """Axial force by weight along the link; both forces linear between the middles of sections without lumps inside; moment."""
        out, (whole, middles), jumps = np.zeros((3, len(fractions)), dtype=object), self._middles, self._jumps
        out[0] = self._axial_force(fractions)
        out[1] = self.graph.rows(between(middles, self._shears[whole].T, fractions, jumps).T)
        out[2] = self.graph.rows(self._felt(between(self._nodes, self._bent.T, fractions, jumps).T))
        return out

    @cached_property
    def _middles(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of the sections without lumps inside, and the fractions of the link at their middles."""
        nodes, jumps = self._nodes, self._jumps
        inside = [np.any((jumps > a + SAME) & (jumps < b - SAME)) for a, b in pairwise(nodes)]
        whole = np.flatnonzero(np.logical_not(inside))
        return whole, 0.5 * (nodes[1:] + nodes[:-1])[whole]

    def _axial_force(self, fractions: Sequence[float]) -> np.ndarray:
        whole, middles = self._middles
        return between(middles, np.asarray(self.system.grid.tension)[whole], fractions, self._jumps)

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
