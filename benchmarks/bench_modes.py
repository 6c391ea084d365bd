"""Speed of the assumed modes on the RALF arm: ratios in one run, on one core, best of several, interleaved.

Both cylinders swing out and back within 2 s, the run lasts 5 s. Beside flexarm stands Exudyn (``pip install flexarm[bench]``)
with its cubic cable elements for large deformations. Each code takes the cheapest setting of its ladder whose peaks of
the three mid-link strains lie within 2 % of its own refined solution. Nothing here is a stored number.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.methods.base import Plan
from flexarm.simulation.build import prepare
from flexarm.simulation.stepper import Stepper

END, SWING, WITHIN, REPEATS = 5.0, (0.2, 0.3), 0.02, 5
START = (math.radians(60.0), math.radians(16.0))
OURS = [(n, step) for n in (2, 3, 4) for step in (1e-2, 8e-3, 5e-3, 2.5e-3)]
SHAPES = {"lower": "clamped-mass", "actuating": "pinned-pinned", "upper": "clamped-free"}
THEIRS = [(n, step) for n in (2, 4, 6, 8) for step in (5e-3, 2.5e-3, 2e-3, 1e-3)]


def out_and_back(amplitude: float) -> list[dict[str, Any]]:
    """A cosine move by the amplitude within 1 s, and back."""
    return [{"profile": "versine", "by": sign * amplitude, "duration": 1.0} for sign in (1.0, -1.0)]


class Flexarm:
    """All steps of a run; records at every step give the strains."""

    def __init__(self, shapes: int, step: float, tolerance: float = 1e-6):
        drives = [{"joint": j, "motion": out_and_back(a)} for j, a in zip(("lower", "bellcrank"), SWING, strict=True)]
        changes = {
            "drive": drives, "time.step": step, "time.start": "undeformed", "output.every": None, "time.end": END,
            "method": {"name": "modes", "resolution": shapes, "shapes": SHAPES, "tolerance": tolerance},
        }  # fmt: skip
        self.setup = prepare(fa.load("ralf").with_(changes))
        self.steps = sum(grid.steps for grid in self.setup.stretches)
        self.tables = [Stepper(self.setup).table(k, 0, grid.steps) for k, grid in enumerate(self.setup.stretches)]
        self.first = Stepper(self.setup).state
        self.records: list[np.ndarray] = []

    def run(self) -> None:
        """From the start to the end."""
        state = self.first.copy()
        self.records = []
        for grid, table in zip(self.setup.stretches, self.tables, strict=True):
            self.setup.model.prepare(grid.h)
            state = self.setup.model.restart(state, table[0])
            marched = self.setup.model.march(state, Plan(grid.h, table, 1))
            state = marched.state
            self.records.append(marched.records)

    def peaks(self) -> np.ndarray:
        """Largest mid-link strains; the links are straight at the start."""
        model: Any = self.setup.model
        q = np.concatenate(self.records)[:, model.layout["q"]]
        return np.abs(model.reader.strains(q)).max(axis=0)


class Exudyn:
    """The same run in Exudyn."""

    def __init__(self, elements: int, step: float):
        from exudyn_ralf import ExudynRalf

        self.arm, self.step, self.steps = ExudynRalf(elements, START, SWING), step, round(END / step)

    def run(self) -> None:
        """From the start to the end."""
        self.arm.run(END, self.step, self.step)

    def peaks(self) -> np.ndarray:
        """Largest mid-link strains."""
        return np.array(self.arm.peaks())


def timed(job: Callable[[], object]) -> float:
    """Processor time of a job, s."""
    began = time.thread_time()
    job()
    return time.thread_time() - began


def cheapest(kind: type, ladder: list[tuple[int, float]], fine: tuple[int, float]) -> Any:
    """The cheapest rung whose peaks agree with the refined solution, and those of all finer steps with it."""
    refined = kind(*fine)
    refined.run()
    goal = refined.peaks()
    print(f"{kind.__name__}: refined {fine[0]} per link, {1e3 * fine[1]:g} ms: peaks {np.round(1e6 * goal, 2)} 1e-6")
    best: tuple[float, Any, Any] | None = None
    failed: set[int] = set()
    for rung in sorted(ladder, key=lambda rung: (rung[0], rung[1])):
        if rung[0] in failed:
            continue
        run = kind(*rung)
        run.run()
        seconds = min(timed(run.run) for _ in range(2))
        off = float(np.abs(run.peaks() / goal - 1.0).max())
        print(f"  {rung[0]:3d} per link, {1e3 * rung[1]:5.2f} ms: off by {100 * off:6.2f} %, {1e3 * seconds:8.2f} ms")
        if off > WITHIN:
            failed.add(rung[0])
        elif best is None or seconds < best[0]:
            best = (seconds, run, rung)
    if best is None:
        raise SystemExit("no rung of the ladder is good enough")
    return best[1], best[2]


def main() -> int:
    """Print the tables."""
    ours, rung = cheapest(Flexarm, OURS, (8, 5e-4))
    print(f"flexarm: {rung[0]} shapes per link, {1e3 * rung[1]:g} ms, {ours.steps} steps")
    try:
        theirs, other = cheapest(Exudyn, THEIRS, (16, 2.5e-4))
    except ImportError:
        print("Exudyn is not installed: the ratio was not measured (pip install flexarm[bench])")
        return 0
    print(f"Exudyn: {other[0]} elements per link, {1e3 * other[1]:g} ms, {theirs.steps} steps")
    times = {"flexarm": np.inf, "Exudyn": np.inf}
    for _ in range(REPEATS):
        for name, run in (("flexarm", ours), ("Exudyn", theirs)):
            times[name] = min(times[name], timed(run.run))
    for name, run in (("flexarm", ours), ("Exudyn", theirs)):
        print(f"  {name:8s} {1e3 * times[name]:9.2f} ms, {1e6 * times[name] / run.steps:8.2f} us per step")
    print(f"  Exudyn / flexarm {times['Exudyn'] / times['flexarm']:.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
