"""Blocks of single links in the exact scheme of `fd`, for fields that enter masses and stiffnesses linearly, and for torques.

Whether a field does is found by trying: mass and stiffness of a few variants are compared with straight lines. Rows that need
more than that (a mass that is zero, a link that bends far, numbers that are refused) are left to the general way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.drive.actuators import Ideal
from flexarm.drive.piecewise import Row
from flexarm.drive.profiles.sequence import rows_of
from flexarm.errors import FlexarmError
from flexarm.methods.fd.modal_block import LANES, fill_torque, march_block, modal_block, suits
from flexarm.numerics import timegrid
from flexarm.numerics.expressions import STATE_SUM, Operations, Tape
from flexarm.simulation.batch.variants import Variants
from flexarm.simulation.build import Setup
from flexarm.simulation.label import bend_limit

STRAIGHT = 1e-12
"""Share of the largest number by which matrices may miss a straight line."""
TRIED = (0.5, 0.75)
"""Shares of a field's value at which matrices are looked at."""
NO_INTERVAL = (0.0,) * 7
"""Of an interval: steps, steps between records, how many of these have passed, first and last piece of the torque that holds, step
in s, start in s."""
SAME = 1e-9
"""Jumps below this share of a torque are rounding."""


@dataclass
class SingleLinks:
    """What a block of variants needs; made by `single_links`."""

    variants: Variants
    setup: Setup
    tape: Tape
    origin: np.ndarray
    """Values of the fields at which the matrices were found, (fields,)."""
    M: np.ndarray
    K: np.ndarray
    """At the origin, (N, N)."""
    slopes_M: np.ndarray
    slopes_K: np.ndarray
    """Per unit of each field, (fields, N, N)."""
    drives: list[tuple[int, int, str]]
    """Fields that are numbers of the torque: column, item of the sequence, name."""
    least: np.ndarray
    most: np.ndarray
    """Values of the fields that are known to be allowed, and all between, (fields,)."""

    def run(self, rows: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Values of the tape at `count` records, (arms, count, k), and which rows have to go the general way, (arms,)."""
        arms, model = len(rows), self.setup.model
        again = np.any((rows == 0.0) != (self.origin == 0.0), axis=1) | ~self._allowed(rows)
        change = np.where(again[:, None], 0.0, rows - self.origin)
        M = self.M + np.tensordot(change, self.slopes_M, 1)
        K = self.K + np.tensordot(change, self.slopes_K, 1)
        options: Any = model.options
        found = modal_block(model.system, M, K, options.modes)  # type: ignore[attr-defined]
        tau, spans, lengths = self._torques(np.where(again[:, None], self.origin, rows))
        leaves, weights, constants = self._leaves(found.shapes)
        start = self._first @ found.weight
        position, rate = np.ascontiguousarray(start[:, 0]), np.ascontiguousarray(start[:, 1])
        sums = np.empty((arms, count, len(constants)))
        modes = found.square.shape[1]
        room = np.empty((8, modes)), np.zeros((2 * modes, LANES))
        written = march_block(
            found.square, found.torque, position, rate, tau, spans, lengths, weights, constants, *room, sums
        )
        if written != count:
            return np.empty((arms, count, self.tape.size)), np.ones(arms, dtype=bool)
        values = sums[:, :, leaves] if isinstance(leaves, np.ndarray) else _values(leaves, sums)
        return values, again | ~np.isfinite(values).all(axis=(1, 2))

    @property
    def _first(self) -> np.ndarray:
        """Positions and rates of the grid at the start, (2, N)."""
        arm, grid = self.setup.scenario.arm, self.setup.model.grid  # type: ignore[attr-defined]
        return np.outer([arm.pose[0], arm.rates[0]], grid.rotation)

    def _allowed(self, rows: np.ndarray) -> np.ndarray:
        """Which rows are surely allowed, (arms,): limits of these fields are intervals, so the least and the largest tell of all."""
        lowest, highest = np.minimum(rows.min(axis=0), self.least), np.maximum(rows.max(axis=0), self.most)
        for k in range(rows.shape[1]):
            for value, known in ((lowest[k], self.least[k]), (highest[k], self.most[k])):
                if value != known and not self._one_allowed(_with(self.origin, k, value)):
                    return np.array([self._one_allowed(each) for each in rows])
        self.least, self.most = lowest, highest
        return np.ones(len(rows), dtype=bool)

    def _one_allowed(self, row: np.ndarray) -> bool:
        try:
            self.variants.scenario(row)
        except FlexarmError:
            return False
        return True

    # what is read

    def _leaves(self, shapes: np.ndarray) -> tuple[Tape | np.ndarray, np.ndarray, np.ndarray]:
        """The tape on sums of the modes in place of the state, or numbers of the sums if these are all; weights
        (arms, sums, 2 modes) and constants of these."""
        old, size = self.tape.operations, shapes.shape[2]
        code, leaf = old.code.copy(), np.flatnonzero(old.code[:, 0] == STATE_SUM)
        rows = np.zeros((len(leaf), 2 * size))
        for k, node in enumerate(leaf):
            places = slice(*old.code[node, 1:])
            np.add.at(rows[k], old.places[places], old.weights[places])
        taken = np.zeros(len(old.places) + len(leaf), dtype=np.int64)
        taken[: len(old.places)], taken[len(old.places) :] = old.places, np.arange(len(leaf))
        weights = np.concatenate([old.weights, np.ones(len(leaf))])
        first = len(old.places) + np.arange(len(leaf))
        code[leaf, 1], code[leaf, 2] = first, first + 1
        constant = old.constant.copy()
        constants, constant[leaf] = old.constant[leaf].copy(), 0.0
        n = len(code)
        steps = Operations(code, constant, taken, weights, old.tables, old.wanted, np.zeros(n), np.zeros(n))
        back = np.swapaxes(shapes, 1, 2)
        of_modes = np.concatenate([rows[:, :size] @ back, rows[:, size:] @ back], axis=2)
        return old.wanted if len(leaf) == len(code) else Tape(steps), np.ascontiguousarray(of_modes), constants

    # the torque

    def _torques(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Torque at all step points (arms, points), intervals and their steps, as `march_block` takes them."""
        profiles = self.setup.scenario.drive[0].torque or ()
        alike = not self.drives
        plans = [self._plan(profiles, row) for row in (rows[:1] if alike else rows)]
        n, most, pieces = len(plans), max(len(plan[0]) for plan in plans), max(len(plan[1]) for plan in plans)
        degree, sines = max(plan[2] for plan in plans), max(plan[3] for plan in plans)
        grids = np.array([plan[0] + [NO_INTERVAL] * (most - len(plan[0])) for plan in plans])
        spans, held = grids[:, :, :3].astype(np.int64), grids[:, :, 3:5].astype(np.int64)
        lengths, begins = np.ascontiguousarray(grids[:, :, 5]), np.ascontiguousarray(grids[:, :, 6])
        starts, poly, waves = np.zeros((n, pieces)), np.zeros((n, pieces, degree)), np.zeros((n, pieces, sines, 3))
        for a, (_, found, _, _) in enumerate(plans):
            for p, piece in enumerate(found):
                starts[a, p], poly[a, p, : len(piece.poly)] = piece.start, piece.poly
                for w, wave in enumerate(piece.waves):
                    waves[a, p, w] = wave
        tau = np.zeros((n, int((spans[:, :, 0] + (spans[:, :, 0] > 0)).sum(axis=1).max())))
        fill_torque(tau, spans, lengths, begins, held, starts, poly, waves)
        if alike:
            tau, spans, lengths = (
                np.ascontiguousarray(np.broadcast_to(each, (len(rows), *each.shape[1:])))
                for each in (tau, spans, lengths)
            )
        return tau, spans, lengths

    def _plan(self, profiles: Any, row: np.ndarray) -> tuple[list[Any], list[Row], int, int]:
        """Intervals in numbers (see `NO_INTERVAL`), pieces of the torque, size of the polynomials, number of sines."""
        items = list(profiles)
        for column, item, name in self.drives:
            items[item] = items[item].model_copy(update={name: float(row[column])})
        found = _pieces(items)
        breaks = _jumps(found)
        if not self.drives:
            grid = self.setup.intervals
        else:
            time, output = self.setup.scenario.time, self.setup.scenario.output
            inside = _distinct([at for at, _ in breaks if 0.0 < at < time.end], time.end)
            grid = timegrid.build(time.end, self.setup.step, inside, output.every, None)
        numbers = [
            (g.steps, g.record_every, g.record_offset, *_holding(breaks, len(found), g.inside), g.h, g.start)
            for g in grid
        ]  # fmt: skip
        return numbers, found, max(len(r.poly) for r in found), max(len(r.waves) for r in found)


def _values(tape: Tape, sums: np.ndarray) -> np.ndarray:
    return tape.values(sums.reshape(-1, sums.shape[2])).reshape(*sums.shape[:2], -1)


def _pieces(items: Any) -> list[Row]:
    """Pieces of a torque, with the rest before t = 0; those of no length are left out."""
    rows = [Row(-1.0, (0.0,)), *rows_of(items, 0.0)]
    return [row for row, after in zip(rows, [*rows[1:], None], strict=True) if after is None or row.start < after.start]


def _jumps(rows: list[Row]) -> list[tuple[float, int]]:
    """Where the torque jumps, and which piece begins there; rounding is no jump."""
    found = []
    for k in range(1, len(rows)):
        before, after = rows[k - 1], rows[k]
        left, right = before.value(after.start - before.start), after.value(0.0)
        bound = max(
            _bound(before, after.start - before.start),
            _bound(after, 0.0 if k + 1 == len(rows) else rows[k + 1].start - after.start),
        )
        if not after.smooth and abs(right - left) > SAME * bound:
            found.append((after.start, k))
    return found


def _bound(row: Row, length: float) -> float:
    return sum(abs(c) * length**k for k, c in enumerate(row.poly)) + sum(abs(w.amplitude) for w in row.waves)


def _distinct(times: list[float], end: float) -> list[float]:
    """As `Program.jumps`: times that differ by rounding only are one."""
    kept: list[float] = []
    for time in sorted(times):
        close = 1e-10 + 1e-12 * time
        if time - (kept[-1] if kept else 0.0) > close and end - time > close:
            kept.append(time)
    return kept


def _holding(breaks: list[tuple[float, int]], pieces: int, inside: float) -> tuple[int, int]:
    """First and last piece of the stretch between two jumps around a time."""
    first, last = 0, pieces - 1
    for at, piece in breaks:
        if at <= inside:
            first = piece
        else:
            last = piece - 1
            break
    return first, last


def single_links(
    variants: Variants,
    setup: Setup,
    tape: Callable[[Setup], Tape],
    made: Callable[[np.ndarray], Setup],
    row: np.ndarray,
) -> SingleLinks | None:
    """What blocks of these variants need; None if they are none that a block can hold.

    `made` gives the set-up of a row, `tape` the formulas that are read; `row` is one of the variants.
    """
    scenario = setup.scenario
    drives = [] if scenario.method.name != "fd" or not _plain(setup) else _torque_fields(variants)
    if (
        drives is None
        or scenario.method.name != "fd"
        or not _plain(setup)
        or (drives and scenario.output.every is None)
    ):
        return None
    origin = np.array(row, dtype=float)
    first = made(origin)
    if not _fits(first):
        return None
    size, of_drive = first.model.system.size, {column for column, _, _ in drives}  # type: ignore[attr-defined]
    M, K = _matrices(first)
    slopes = np.zeros((2, len(row), size, size))
    every = origin.copy()
    for k in range(len(row)):
        if k in of_drive or origin[k] == 0.0:
            if k not in of_drive:
                return None
            continue
        near, far = (_matrices(made(_with(origin, k, share * origin[k]))) for share in TRIED)
        for s, (base, half, most) in enumerate(zip((M, K), near, far, strict=True)):
            slopes[s, k] = (half - base) / ((TRIED[0] - 1.0) * origin[k])
            if not _close(most, base + slopes[s, k] * (TRIED[1] - 1.0) * origin[k], base):
                return None
        every[k] *= TRIED[1]
    together = _matrices(made(every))
    for s, base in enumerate((M, K)):
        if not _close(together[s], base + np.tensordot(every - origin, slopes[s], 1), base):
            return None
    formulas = tape(first)
    op = formulas.operations
    used = op.code[op.code[:, 0] == STATE_SUM]
    if any(np.any(op.places[a:b] >= 2 * size) for _, a, b in used):  # torques and energies are not carried here
        return None
    return SingleLinks(variants, first, formulas, origin, M, K, slopes[0], slopes[1], drives, origin, origin)


def _plain(setup: Setup) -> bool:
    """Whether a torque that is given drives the joint, from an undeformed start, without events."""
    scenario, joints = setup.scenario, setup.program.wiring.joints
    if len(joints) != 1 or setup.program.wiring.patches or scenario.events or scenario.time.start != "undeformed":
        return False
    drive = scenario.drive[0] if len(scenario.drive) == 1 else None
    given = drive is not None and drive.torque is not None and drive.shaper is None and drive.control is None
    ideal = given and drive is not None and (drive.actuator is None or isinstance(drive.actuator, Ideal))
    return bool(ideal) and joints[0].mode == "torque" and joints[0].law is None


def _fits(setup: Setup) -> bool:
    model: Any = setup.model
    return model.choice.scheme == "exact" and suits(model.system, model.eta)


def _torque_fields(variants: Variants) -> list[tuple[int, int, str]] | None:
    """Columns of the fields that are numbers of the torque; None if other numbers of drives vary, or what only the reader knows."""
    found: list[tuple[int, int, str]] = []
    for column, steps in enumerate(variants.places):
        if steps[0] == "drive":
            if len(steps) != 5 or steps[2] != "torque":
                return None
            found.append((column, int(steps[3]), str(steps[4])))
    return found if len(variants.places) == len(variants.fields) else None


def _matrices(setup: Setup) -> tuple[np.ndarray, np.ndarray]:
    system = setup.model.system  # type: ignore[attr-defined]
    return system.M, system.K


def _with(row: np.ndarray, k: int, value: float) -> np.ndarray:
    changed = row.copy()
    changed[k] = value
    return changed


def _close(found: np.ndarray, wanted: np.ndarray, base: np.ndarray) -> bool:
    return bool(
        found.shape == wanted.shape and np.all(np.abs(found - wanted) <= STRAIGHT * (np.abs(base) + np.abs(found)))
    )


def far_bent(setup: Setup, ends: np.ndarray, share: float) -> np.ndarray:
    """Which arms bend so far that it has to be looked at, from the deflections (arms, records, links) of their ends."""
    return ~(np.abs(ends).max(axis=(1, 2)) <= share * bend_limit(setup)[1])
