"""The three time schemes behind one face: prepare for a step, restart after a jump, run many steps."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from flexarm.errors import StepError
from flexarm.methods.fd import exact, leapfrog, modal_sums, newmark, plain, softstep
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import SUMS
from flexarm.methods.fd.modal import exact_rows, massless, modes_of
from flexarm.methods.fd.packing import Packed, is_plain
from flexarm.methods.fd.system import System
from flexarm.numerics import band
from flexarm.numerics.laws import Z_SIZE
from flexarm.numerics.oscillator import INPUTS, exact_step, step_integrals


class Scheme(abc.ABC):
    """One time scheme of one model."""

    name: str

    def __init__(self, system: System, packed: Packed, eta: float):
        self.system, self.packed, self.eta = system, packed, eta
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
        self._prepare(h)
        self.h = h

    @abc.abstractmethod
    def _prepare(self, h: float) -> None: ...

    @abc.abstractmethod
    def restart(self, x: np.ndarray, z: np.ndarray, row: np.ndarray) -> None:
        """Start from the right-hand limits in `row`, in place."""

    @abc.abstractmethod
    def run(
        self, x: np.ndarray, z: np.ndarray, table: np.ndarray, records: np.ndarray, every: int, phase: int
    ) -> tuple[int, int]:
        """March in place; steps done and records written."""

    def enter(self, x: np.ndarray) -> None:  # noqa: B027 - only the modal scheme has coordinates of its own
        """Take over positions and velocities that were set from outside."""


class Leapfrog(Scheme):
    """Explicit; see `leapfrog`."""

    name = "leapfrog"

    def __init__(self, system: System, packed: Packed, eta: float, limit: float):
        super().__init__(system, packed, eta)
        self.limit = limit
        p = packed
        self._args = (p.law, p.coef, p.par, p.ip, p.patch, p.lump, p.amplitude, p.work, p.law_work)
        self._march = plain.march if is_plain(packed, eta) else leapfrog.march

    def _prepare(self, h: float) -> None:
        """Nothing depends on the step."""

    def restart(self, x, z, row):
        leapfrog.restart(x, z, row, self.h, *self._args)

    def run(self, x, z, table, records, every, phase):
        return self._march(x, z, table, records, every, phase, self.h, *self._args)


class Newmark(Scheme):
    """Implicit; see `newmark`."""

    name = "newmark"

    def __init__(self, system: System, packed: Packed, eta: float):
        super().__init__(system, packed, eta)
        p, free = packed, system.free
        self._args: tuple[Any, ...] = (p.law, p.coef, p.par, p.ip, p.patch, p.lump, p.amplitude, p.work, p.law_work)
        self._place = np.full(system.size, -1, dtype=np.int64)
        self._place[free] = np.arange(len(free))
        self._free = free.astype(np.int64)
        self._K, self._M = system.K, system.M
        self._C = eta * system.bending + system.damper
        slave = massless(system)
        self._massless = int(slave[0]) if len(slave) else -1
        self._width = _half_width((self._M + self._C + self._K)[np.ix_(free, free)])
        mass = self._M[np.ix_(free, free)].copy()
        if len(slave):
            mass[self._place[slave[0]], self._place[slave[0]]] = 1.0
        self._mass_band = band.from_dense(mass, self._width)
        band.factor(self._mass_band)
        self._soft = self._soft_arrays(1 + int(p.ip[at.I_PATCHES]))
        j = max(self._massless, 0)
        self._settle = (
            self._massless, np.ascontiguousarray(self._K[j]), np.ascontiguousarray(self._C[j]), float(system.load[j])
        )  # fmt: skip

    def _soft_arrays(self, channels: int) -> tuple[Any, ...]:
        """What soft steps need besides their factors: bands of K and M over all moving coordinates, and scratch."""
        system, size = self.system, self.system.size
        moving = list(system.free)
        if system.prescribed >= 0:
            moving.insert(0, system.prescribed)
        order = np.array(moving, dtype=np.int64)
        pick = np.ix_(order, order)
        width = _half_width((self._M + self._K)[pick])
        return (
            order, band.from_dense(self._K[pick], width), band.from_dense(self._M[pick], width), np.zeros((2, size)),
            np.zeros((1, Z_SIZE)), np.zeros((channels, 7)), np.zeros((softstep.SCRATCH, size)),
        )  # fmt: skip

    def _factors(self, g: float) -> tuple[np.ndarray, np.ndarray]:
        """Factored ``M + g C + g^2 K`` of the free coordinates, and its response to a unit torque."""
        free = self.system.free
        factored = band.from_dense((self._M + g * self._C + g * g * self._K)[np.ix_(free, free)], self._width)
        if band.factor(factored) >= 0:
            raise StepError("the arm is unstable under its own weight in this pose", field="arm.gravity")
        reply = self.system.torque[free].copy()
        band.solve(factored, reply)
        return factored, reply

    def _prepare(self, h: float) -> None:
        factored, reply = self._factors(0.5 * h)
        soft, soft_reply = self._factors(softstep.SHARE * h)
        order, stiffness, mass, spare, spare_z, spare_row, scratch = self._soft
        self._plan = (
            factored, self._free, self._place, reply, scratch, order, soft_reply, soft, stiffness, mass, spare, spare_z,
            spare_row,
        )  # fmt: skip

    def restart(self, x, z, row):
        newmark.restart(x, z, row, *self._args, self._mass_band, self._free, self._place, *self._settle)

    def run(self, x, z, table, records, every, phase):
        return newmark.march(x, z, table, records, every, phase, self.h, *self._args, *self._plan)


def _half_width(matrix: np.ndarray) -> int:
    """Half the width of a symmetric band, at least 2."""
    rows, columns = np.nonzero(matrix)
    return max(2, int(np.abs(rows - columns).max(initial=0)))


class Exact(Scheme):
    """Modal; see `exact`."""

    name = "exact"

    def __init__(self, system: System, packed: Packed, eta: float, sensor: str, count: int | None):
        super().__init__(system, packed, eta)
        self.modes = modes_of(system, count)
        self._rows, self._scalars, self._ride, self._fixed = exact_rows(system, self.modes, eta, sensor, packed.patch)
        p = packed
        self._args = (p.law, p.coef, p.par, p.ip, p.patch, p.work, p.law_work)
        self._shapes = np.ascontiguousarray(self.modes.shapes)

    def _prepare(self, h: float) -> None:
        damping = self._rows[modal_sums.R_DAMPING]
        self._steps = exact_step(self.modes.square, damping, h)
        moments, gram = step_integrals(self.modes.square, damping, h)
        upper = np.triu_indices(INPUTS)
        self._sums = np.concatenate([moments.reshape(len(moments), -1), gram[:, upper[0], upper[1]]], axis=1)

    def enter(self, x):
        size, m = self.system.size, len(self.modes.square)
        weight = self._shapes @ self.system.M
        q, v = x[:size], x[size : 2 * size]
        angle = rate = 0.0
        if self.system.prescribed >= 0:
            k, scale = self.system.prescribed, self.system.scale
            angle, rate = q[k] / scale, v[k] / scale
        x[2 * size + SUMS : 2 * size + SUMS + m] = weight @ (q - angle * self._ride - self._fixed)
        x[3 * size + SUMS : 3 * size + SUMS + m] = weight @ (v - rate * self._ride)

    def restart(self, x, z, row):
        exact.restart(x, z, row, *self._args, self._rows, self._scalars, self._shapes, self._ride, self._fixed)

    def run(self, x, z, table, records, every, phase):
        return exact.march(
            x, z, table, records, every, phase, self.h, *self._args, self._steps, self._sums, self._rows, self._scalars,
            self._shapes, self._ride, self._fixed,
        )  # fmt: skip
