"""Speed of the finite segments: ratios in one run, on one core, best of several, interleaved.

One link of 60 segments and three links of 20, joints turned on a cycloid within 0.4 s. Beside flexarm stands Exudyn with the
same rigid bodies, pins and springs (sparse, modified Newton, commands as symbolic functions), in the settings that suit it best.
Run it with ``python benchmarks/bench_segments.py``; without Exudyn only the cost per segment is shown.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from exudyn_chain import ExudynChain

import flexarm as fa
from flexarm.methods.segments.layout import ITERATIONS
from flexarm.simulation.build import prepare

END, STEP, REPEATS = 0.4, 1e-3, 7
RISE = {"li-zhang-single": np.pi / 4, "li-zhang-three-link": np.pi / 6}
CASES = {"1 x 60": ("li-zhang-single", 60), "3 x 20": ("li-zhang-three-link", 20)}
SIZES = (60, 125, 250, 500, 1000)
TOLERANCES = ((1e-6, 1e-8), (1e-4, 1e-6))


class Kernel:
    """The compiled steps of one chain, without records."""

    def __init__(self, name: str, segments: int, step: float = STEP):
        base = fa.load(name)
        drive = [
            {"joint": joint, "motion": {"profile": "cycloid", "by": float(RISE[name]), "duration": END}}
            for joint in base.arm.joints
        ]
        changes = {
            "drive": drive,
            "method.resolution": segments,
            "time": {"end": END, "step": step},
            "output.every": None,
        }
        setup = prepare(base.with_(changes))
        self.model: Any = setup.model
        self.steps = round(END / step)
        self.model.prepare(step)
        self.table = np.ascontiguousarray(setup.program.table(step * np.arange(self.steps + 1), 0.5 * END))
        self.first = self.model.start(base.arm.pose, base.arm.rates, self.table[0])
        self.model.restart(self.first, self.table[0])
        self.last = self.first

    def run(self) -> None:
        """All steps from the start."""
        self.last = self.first.copy()
        self.model._run(self.last, self.table, np.zeros((0, 0)), 0, 0)

    @property
    def passes(self) -> float:
        """Newton passes per step of the last run."""
        return float(self.last.x[self.model.layout["sums"]][ITERATIONS]) / self.steps

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after the last run."""
        return self.model.reader.tip(self.model.record(self.last)[None, :])[0]


def best(jobs: dict[str, Callable[[], object]], repeats: int = REPEATS) -> dict[str, float]:
    """Least processor time of each job, interleaved so that noise hits all alike."""
    least = dict.fromkeys(jobs, np.inf)
    for _ in range(repeats):
        for name, job in jobs.items():
            began = time.thread_time()
            job()
            least[name] = min(least[name], time.thread_time() - began)
    return least


def beside_exudyn(title: str) -> None:
    """Time per step, and how far the ends of the motions lie apart."""
    name, segments = CASES[title]
    kernel, fine = Kernel(name, segments), Kernel(name, segments, STEP / 20)
    fine.run()
    jobs: dict[str, Callable[[], object]] = {"flexarm": kernel.run}
    chain = kernel.model.chain
    try:
        other = ExudynChain(chain.body, chain.kind, float(RISE[name]), END)
    except ImportError:
        print("  Exudyn is not installed: the ratio was not measured (pip install flexarm[bench])")
        return
    for trapezoidal in (True, False):
        for tolerances in TOLERANCES:
            words = (
                f"Exudyn, {'trapezoidal' if trapezoidal else 'generalised-alpha'}, {tolerances[0]:g}/{tolerances[1]:g}"
            )
            jobs[words] = lambda t=trapezoidal, both=tolerances: other.run(END, STEP, t, both)
    off = {}
    for words, job in jobs.items():
        job()
        tip = kernel.tip if words == "flexarm" else other.tip
        off[words] = 1e6 * float(np.abs(tip - fine.tip).max())
    times = best(jobs)
    print(f"{title} segments, {kernel.steps} steps of {STEP * 1e3:g} ms, best of {REPEATS}, one core")
    for words, seconds in times.items():
        ratio = seconds / times["flexarm"]
        print(
            f"  {words:44s} {seconds / kernel.steps * 1e6:8.2f} us per step {ratio:6.1f}   tip off by {off[words]:8.3f} um"
        )
    fastest = min(seconds for words, seconds in times.items() if words != "flexarm")
    print(f"  fastest Exudyn / flexarm {fastest / times['flexarm']:.1f}; {kernel.passes:.2f} Newton passes per step")


def cost_per_segment() -> None:
    """Time per segment and Newton pass for longer and longer chains."""
    kernels = {str(n): Kernel("li-zhang-single", n) for n in SIZES}
    for kernel in kernels.values():
        kernel.run()
    times = best({name: kernel.run for name, kernel in kernels.items()}, 15)
    print("segments, us per step, passes, ns per segment and Newton pass")
    costs = []
    for n in SIZES:
        kernel, seconds = kernels[str(n)], times[str(n)] / kernels[str(n)].steps
        costs.append(seconds / n / kernel.passes * 1e9)
        print(f"  {n:5d} {seconds * 1e6:9.2f} {kernel.passes:6.2f} {costs[-1]:8.1f}")
    print(f"  largest / least {max(costs) / min(costs):.2f}")


def main() -> int:
    """Print the tables."""
    cost_per_segment()
    for title in CASES:
        beside_exudyn(title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
