"""Finite segments beside Exudyn: the same rigid bodies, pins and springs, in the settings that suit Exudyn best.

One link of 60 segments and three links of 20, joints turned on a cycloid within 0.4 s.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.benchmarks.exudyn.driver import version
from flexarm.benchmarks.frame import Contest, Growth, Job, entries, growth, interleaved, timed
from flexarm.simulation.march_only import MarchOnly

NAME, END, STEP = "segments", 0.4, 1e-3
RISE = {"li-zhang-single": np.pi / 4, "li-zhang-three-link": np.pi / 6}
CASES = {"1 x 60": ("li-zhang-single", 60), "3 x 20": ("li-zhang-three-link", 20)}
SIZES = (60, 125, 250, 500, 1000)
WAYS = {
    f"Exudyn, {'trapezoidal' if rule else 'generalised-alpha'}, {tolerances[0]:g}": (rule, tolerances)
    for rule in (True, False)
    for tolerances in ((1e-6, 1e-8), (1e-4, 1e-6))
}
"""Settings of Exudyn: trapezoidal rule, tolerances of Newton's method; always sparse with modified Newton."""


def run(name: str, segments: int, step: float = STEP) -> MarchOnly:
    """The compiled steps of one chain."""
    base = fa.load(name)
    motion = {"profile": "cycloid", "by": float(RISE[name]), "duration": END}
    changes = {
        "drive": [{"joint": joint, "motion": motion} for joint in base.arm.joints],
        "method.resolution": segments,
        "time": {"end": END, "step": step},
        "output.every": None,
    }
    return MarchOnly(base.with_(changes))


def contests(repeats: int) -> list[Contest]:
    """Both chains in both programs; errors against flexarm with a twentieth of the step."""
    return [_contest(title, repeats) for title in CASES]


def _contest(title: str, repeats: int) -> Contest:
    name, segments = CASES[title]
    own, fine = run(name, segments), run(name, segments, STEP / 20)
    fine.run()
    jobs: dict[str, Job] = {"flexarm": own.run}
    other: Any = None
    if version() is not None:
        other = _exudyn(name, segments)
        for words, (rule, both) in WAYS.items():
            jobs[words] = partial(timed, partial(_solve, other, rule, both))
    seconds = interleaved(jobs, repeats)
    errors = {"flexarm": 1e6 * float(np.abs(own.tip - fine.tip).max())}
    for words, (rule, both) in WAYS.items() if other is not None else ():
        _solve(other, rule, both)
        errors[words] = 1e6 * float(np.abs(other.tip - fine.tip[:2]).max())
    settings = f"{title} segments, {own.steps} steps of 1 ms, {own.passes:.2f} Newton passes per step"
    steps = dict.fromkeys(jobs, own.steps)
    return Contest(NAME, f"segments {title}", settings, "error of the tip, µm", entries(seconds, steps, errors))


def _exudyn(name: str, segments: int) -> Any:
    from flexarm.benchmarks.exudyn.chain import ExudynChain, bodies

    return ExudynChain(bodies(fa.load(name).arm, segments), float(RISE[name]), END)


def _solve(other: Any, trapezoidal: bool, tolerances: tuple[float, float]) -> None:
    other.solve(END, STEP, modified=True, tolerances=tolerances, trapezoidal=trapezoidal)


def growths(repeats: int) -> list[Growth]:
    """Longer and longer chains."""
    runs = [run("li-zhang-single", n) for n in SIZES]

    def work(k: int) -> tuple[int, float]:
        return runs[k].steps, SIZES[k] * runs[k].passes

    jobs = [each.run for each in runs]
    return [growth(NAME, "segments of one link", "segment and Newton pass", SIZES, jobs, repeats, work)]
