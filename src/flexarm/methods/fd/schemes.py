"""The three time schemes behind one face: prepare for a step, restart after a jump, run many steps."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np
from numba.core import types

from flexarm.errors import StepError
from flexarm.methods.base import TickSteps
from flexarm.methods.fd import exact, leapfrog, newmark, plain, starting_steps, ticks
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.modal import massless, modal_bundle, modes_of, step_tables
from flexarm.methods.fd.packing import is_plain, workspace
from flexarm.methods.fd.system import System
from flexarm.numerics import band
from flexarm.numerics.by_address import address_of
from flexarm.numerics.law_rows import WIDEST, Z_SIZE
from flexarm.numerics.tick_loop import ROW, STEPS, steps_address

MOST_TABLES = 16
"""Lengths of step whose tables are cached: a trial and the run after it share them."""


class Scheme(abc.ABC):
    """One time scheme of one model."""

    name: str

    def __init__(self, system: System, arm: at.Arm):
        self.system, self.arm = system, arm
        self.h = 0.0
        self.limit = np.inf
        """Largest stable step, s."""

    def prepare(self, h: float) -> None:
        """Make ready for steps of length h."""
        if h == self.h:
            return
        if h > self.limit * (1 + 1e-12):
            raise StepError(
                f"a step of {h:.6g} s would blow up with scheme leapfrog; the largest allowed is "
                f"{self.limit:.6g} s (or choose scheme: newmark)",
                field="time.step",
            )
        self.h = 0.0
        self._prepare(h)
        self.h = h

    def _prepare(self, h: float) -> None:  # noqa: B027 - nothing of leapfrog depends on the step
        """Factor or tabulate for steps of length h."""

    @abc.abstractmethod
    def restart(self, x: np.ndarray, z: np.ndarray, row: np.ndarray) -> None:
        """Start from the right-hand limits in `row`, in place."""

    @abc.abstractmethod
    def run(
        self, x: np.ndarray, z: np.ndarray, table: np.ndarray, records: np.ndarray, every: int, record_offset: int
    ) -> tuple[int, int]:
        """March in place; steps done and records written. A march that fails leaves the state at its start."""

    @abc.abstractmethod
    def between_ticks(self) -> TickSteps:
        """Restart and steps from one control tick to the next."""

    def set_modes(self, x: np.ndarray) -> None:  # noqa: B027 - only the modal scheme has coordinates of its own
        """Take over positions and velocities that were set from outside."""


class Leapfrog(Scheme):
    """Explicit; see `leapfrog`."""

    name = "leapfrog"

    def __init__(self, system: System, arm: at.Arm, limit: float):
        super().__init__(system, arm)
        self.limit, self._data = limit, at.Explicit(arm, workspace(arm))
        self._march = plain.march if is_plain(arm) else leapfrog.march

    def restart(self, x, z, row):
        leapfrog.restart(x, z, row, self.h, self._data)

    def run(self, x, z, table, records, every, record_offset):
        return self._march(x, z, table, records, every, record_offset, self.h, self._data)

    def between_ticks(self):
        restart = address_of(leapfrog.restart, types.none, *ROW, types.float64, self._data)
        march = address_of(self._march, ticks.RUN, *STEPS[:-1], self._data)
        method = ticks.ExplicitTicks(restart, march, self._data)
        return TickSteps(steps_address(ticks.leapfrog_between_ticks, method), method)


class Newmark(Scheme):
    """Implicit; see `newmark`."""

    name = "newmark"

    def __init__(self, system: System, arm: at.Arm):
        super().__init__(system, arm)
        self._K, self._M, self._C = system.K, system.M, arm.eta * system.bending + system.damper
        free, size = system.free, system.size
        place = np.full(size, -1, dtype=np.int64)
        place[free] = np.arange(len(free))
        width = _half_width((self._M + self._C + self._K)[np.ix_(free, free)])
        average, starting = (
            at.Factors(np.zeros((len(free), width + 1)), np.zeros(len(free)), free.astype(np.int64), place, 0.0, 0.0)
            for _ in range(2)
        )
        moving = np.append(system.prescribed, free) if system.prescribed >= 0 else free
        pick = np.ix_(moving, moving)
        wide = _half_width((self._M + self._K)[pick])
        stages = at.Stages(
            moving.astype(np.int64), band.from_dense(self._K[pick], wide), band.from_dense(self._M[pick], wide),
            *np.zeros((6, size)), np.zeros((2, size)), np.zeros((1, Z_SIZE)), np.zeros((1 + arm.patches, WIDEST)),
        )  # fmt: skip
        self._data = at.Implicit(arm, workspace(arm), average, starting, stages, self._at_jumps(place, width))

    def _at_jumps(self, place: np.ndarray, width: int) -> at.Consistency:
        """Factored mass, and rows of K and C of a coordinate without mass (at most one, the hub)."""
        system, slave = self.system, massless(self.system)
        mass = self._M[np.ix_(system.free, system.free)]
        mass[place[slave], place[slave]] = 1.0
        factored = band.from_dense(mass, width)
        band.factor(factored)
        j = int(slave[0]) if len(slave) else -1
        rows = np.ascontiguousarray(self._K[j]), np.ascontiguousarray(self._C[j])
        return at.Consistency(factored, *rows, system.load[j], j)

    def _factor(self, factors: at.Factors, per_position: float, per_rate: float) -> None:
        """Factored ``M + per_rate C + per_position K`` of the free coordinates, and its response to a unit torque."""
        free = self.system.free
        matrix = (self._M + per_rate * self._C + per_position * self._K)[np.ix_(free, free)]
        factors.per_position, factors.per_rate = per_position, per_rate
        factors.band[:] = band.from_dense(matrix, factors.band.shape[1] - 1)
        if band.factor(factors.band) >= 0:
            raise StepError("the arm is unstable under its own weight in this pose", field="arm.gravity")
        factors.reply[:] = self.system.torque[free]
        band.solve(factors.band, factors.reply)

    def _prepare(self, h: float) -> None:
        g = starting_steps.SHARE * h
        self._factor(self._data.average, 0.25 * h * h, 0.5 * h)
        self._factor(self._data.starting, g * g, g)

    def restart(self, x, z, row):
        newmark.restart(x, z, row, self._data)

    def run(self, x, z, table, records, every, record_offset):
        return newmark.march(x, z, table, records, every, record_offset, self.h, self._data)

    def between_ticks(self):
        return _tick_steps(newmark, ticks.ImplicitTicks, self._data)


def _tick_steps(scheme: Any, kind: Any, data: Any) -> TickSteps:
    """Of a scheme whose restart does not ask for the step."""
    restart = address_of(scheme.restart, types.none, *ROW, data)
    method = kind(restart, address_of(scheme.march, ticks.RUN, *STEPS[:-1], data), data)
    return TickSteps(steps_address(ticks.between_ticks, method), method)


def _half_width(matrix: np.ndarray) -> int:
    """Half the width of a symmetric band, at least 2."""
    rows, columns = np.nonzero(matrix)
    return max(2, int(np.abs(rows - columns).max(initial=0)))


class Exact(Scheme):
    """Modal; see `exact`."""

    name = "exact"

    def __init__(self, system: System, arm: at.Arm, sensor: str, count: int | None):
        super().__init__(system, arm)
        self.modal = modal_bundle(system, modes_of(system, count), sensor, arm)
        self._data = at.Spectral(arm, workspace(arm), self.modal)
        self._tables: dict[float, tuple[np.ndarray, ...]] = {}

    def _prepare(self, h: float) -> None:
        modal = self.modal
        if h not in self._tables:
            if len(self._tables) == MOST_TABLES:
                self._tables.clear()
            self._tables[h] = step_tables(modal, h)
        modal.transition[:], modal.by_load[:], modal.moments[:], modal.gram[:] = self._tables[h]

    def set_modes(self, x):
        modal, prescribed = self.modal, self.system.prescribed
        weight, m = modal.shapes @ self.system.M, len(modal.square)
        q, v, _, eta, rate = at.parts.py_func(x, self.arm)
        angle, speed = (q[prescribed], v[prescribed]) if prescribed >= 0 else (0.0, 0.0)
        eta[:m] = weight @ (q - angle / self.system.scale * modal.influence - modal.fixed)
        rate[:m] = weight @ (v - speed / self.system.scale * modal.influence)

    def restart(self, x, z, row):
        exact.restart(x, z, row, self._data)

    def run(self, x, z, table, records, every, record_offset):
        return exact.march(x, z, table, records, every, record_offset, self.h, self._data)

    def between_ticks(self):
        return _tick_steps(exact, ticks.SpectralTicks, self._data)
