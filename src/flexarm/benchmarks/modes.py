"""Assumed modes beside Exudyn on the RALF arm, at equal error: both cylinders swing out and back within 2 s of 5 s.

Each program takes the cheapest setting of its ladder whose peaks of the three mid-link strains lie within 2 % of its own refined
solution; Exudyn computes with cubic cable elements for large deformations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.benchmarks.exudyn.driver import version
from flexarm.benchmarks.frame import Contest, Growth, Job, entries, growth, interleaved, timed
from flexarm.errors import FlexarmError
from flexarm.simulation.march_only import MarchOnly

NAME, END, SWING, WITHIN = "modes", 5.0, (0.2, 0.3), 0.02
START = (math.radians(60.0), math.radians(16.0))
SHAPES = {"lower": "clamped-mass", "actuating": "pinned-pinned", "upper": "clamped-free"}
Rung = tuple[int, float]
"""Shapes or elements per link, and step in s."""
OURS = [(n, step) for n in (2, 3, 4) for step in (1e-2, 8e-3, 5e-3, 2.5e-3)]
THEIRS = [(n, step) for n in (2, 4, 6, 8) for step in (5e-3, 2.5e-3, 2e-3, 1e-3)]
FINE = {"flexarm": (8, 5e-4), "Exudyn": (16, 2.5e-4)}
SIZES = (2, 4, 6)


def scenario(shapes: int, step: float, every: float | None = None) -> fa.Scenario:
    """The arm, from rest and undeformed."""
    out_and_back = {
        joint: [{"profile": "versine", "by": sign * swing, "duration": 1.0} for sign in (1.0, -1.0)]
        for joint, swing in zip(("lower", "bellcrank"), SWING, strict=True)
    }
    changes = {
        "drive": [{"joint": joint, "motion": motion} for joint, motion in out_and_back.items()],
        "method": {"name": "modes", "resolution": shapes, "shapes": SHAPES, "tolerance": 1e-6},
        "time": {"end": END, "step": step, "start": "undeformed"},
        "output.every": every,
    }
    return fa.load("ralf").with_(changes)


def our_peaks(rung: Rung) -> np.ndarray:
    """Largest mid-link strains, (3,); the links are straight at the start."""
    return np.abs(fa.simulate(scenario(*rung, rung[1])).data["strain"].values).max(axis=0)


def their_peaks(rung: Rung) -> np.ndarray:
    """The same by Exudyn."""
    arm = _exudyn(rung[0])
    arm.solve(END, rung[1], every=rung[1])
    return np.array(arm.peaks())


def cheapest(
    ladder: list[Rung], fine: Rung, peaks: Callable[[Rung], np.ndarray], job: Callable[[Rung], Job]
) -> tuple[Rung, float, Job]:
    """The cheapest rung whose peaks, and those of all finer steps, agree with the refined ones; its error, its job."""
    goal = peaks(fine)
    best: tuple[float, Rung, float, Job] | None = None
    failed: set[int] = set()
    for rung in sorted(ladder):
        if rung[0] in failed:
            continue
        off = float(np.abs(peaks(rung) / goal - 1.0).max())
        if off > WITHIN:
            failed.add(rung[0])
            continue
        made = job(rung)
        seconds = min(made() for _ in range(3))
        if best is None or seconds < best[0]:
            best = (seconds, rung, off, made)
    if best is None:
        raise FlexarmError("no setting of the ladder is good enough")
    return best[1:]


def _our_job(rung: Rung) -> Job:
    return MarchOnly(scenario(*rung)).run


def _exudyn(elements: int) -> Any:
    from flexarm.benchmarks.exudyn.ralf import ExudynRalf

    return ExudynRalf(elements, START, SWING)


def _their_job(rung: Rung) -> Job:
    arm = _exudyn(rung[0])
    return lambda: timed(lambda: arm.solve(END, rung[1], every=rung[1]))


def contests(repeats: int) -> list[Contest]:
    """The cheapest run of each program."""
    rung, off, job = cheapest(OURS, FINE["flexarm"], our_peaks, _our_job)
    jobs, errors = {"flexarm": job}, {"flexarm": 100.0 * off}
    told = [f"flexarm {rung[0]} shapes per link, {1e3 * rung[1]:g} ms"]
    if version() is not None:
        rung, off, job = cheapest(THEIRS, FINE["Exudyn"], their_peaks, _their_job)
        jobs["Exudyn"], errors["Exudyn"] = job, 100.0 * off
        told.append(f"Exudyn {rung[0]} elements per link, {1e3 * rung[1]:g} ms")
    seconds = interleaved(jobs, repeats)
    # both march the same 5 s in steps of their own, so a 'step' is 1 ms of motion
    steps = dict.fromkeys(jobs, round(END / 1e-3))
    settings = f"5 s of RALF; {'; '.join(told)}; times are per ms of motion"
    what = "error of the strain peaks, % of its refined solution"
    return [Contest(NAME, "modes, closed loop, equal error", settings, what, entries(seconds, steps, errors))]


def growths(repeats: int) -> list[Growth]:
    """More and more shapes."""
    runs = [MarchOnly(scenario(n, 1e-3)) for n in SIZES]

    def work(k: int) -> tuple[int, float]:
        return runs[k].steps, 3.0 * SIZES[k]

    return [growth(NAME, "modes, shapes per link", "shape", SIZES, [each.run for each in runs], repeats, work)]
