"""Speed of the planar finite elements: ratios in one run, on one core, best of several, interleaved.

Two links of 1 m in a row, both joints turned by 60 deg within 2.5 s on a cycloid. Beside flexarm stands Exudyn
(``pip install flexarm[bench]``) with the same elements, the same generalised-alpha scheme and the same step. Times are
those of the thread's own processor time, because machines are shared. Nothing here is a stored number.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from exudyn_arm import Beam, ExudynArm

import flexarm as fa
from flexarm.methods.fem.layout import ITERATIONS
from flexarm.simulation.build import prepare

STEP, END, RISE, RADIUS = 1e-3, 2.5, np.radians(60.0), 0.9
REPEATS = 9
SIZES = (4, 8, 16, 32, 64)
LINK = """\
{length: 1 m, section: {area: 350 mm^2, inertia: 1e-8 m^4, shear_factor: 0.8864},
 material: {E: 70 GPa, nu: 0.3, density: 2700 kg/m^3}, """
SCENARIO = f"""\
name: two links on a cycloid
arm: {{links: [{LINK}name: upper}}, {LINK}name: fore}}]}}
drive:
  - {{joint: upper, motion: {{profile: cycloid, by: 60 deg, duration: 2.5 s}}}}
  - {{joint: fore, motion: {{profile: cycloid, by: 60 deg, duration: 2.5 s}}}}
method: {{name: fem, resolution: 4, spectral_radius: {RADIUS}}}
time: {{end: {END} s, step: 1 ms}}
"""


class Kernel:
    """The compiled steps of one mesh, without records."""

    def __init__(self, elements: int, step: float = STEP):
        setup = prepare(fa.loads(SCENARIO, overrides={"method.resolution": elements, "time.step": step}))
        self.model: Any = setup.model
        self.steps = round(END / step)
        self.model.prepare(step)
        times = step * np.arange(self.steps + 1)
        self.table = np.ascontiguousarray(setup.program.table(times, 0.5 * END))
        self.first = self.model.start([0.0, 0.0], [0.0, 0.0], self.table[0])
        self.model.restart(self.first, self.table[0])
        self.last = self.first

    def run(self) -> None:
        """All steps from the start."""
        self.last = self.first.copy()
        self.model._run(self.last, self.table, np.zeros((0, 0)), 0, 0)

    @property
    def iterations(self) -> float:
        """Newton iterations per step of the last run."""
        return float(self.last.x[self.model.layout["sums"]][ITERATIONS]) / self.steps

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after the last run."""
        return self.last.x[self.model.payload[:2]]


def best(jobs: dict[str, Callable[[], object]], repeats: int = REPEATS) -> dict[str, float]:
    """Least processor time of each job, interleaved so that noise hits all alike."""
    least = dict.fromkeys(jobs, np.inf)
    for _ in range(repeats):
        for name, job in jobs.items():
            began = time.thread_time()
            job()
            least[name] = min(least[name], time.thread_time() - began)
    return least


def exudyn_arm(kernel: Kernel) -> ExudynArm | None:
    """The same arm in Exudyn, or None if it is not installed."""
    figures = {name: float(value[0]) for name, value in kernel.model.arm.links[0].figures([0.0]).items()}
    names = ("EA", "GA", "EI", "rhoA", "rhoI")
    try:
        return ExudynArm(Beam(1.0, *(figures[name] for name in names)), 4, float(RISE), END)
    except ImportError:
        return None


def beside_exudyn() -> None:
    """Time per step of 2 links of 4 elements, and how far the ends of the motions lie apart."""
    kernel = Kernel(4)
    jobs: dict[str, Callable[[], object]] = {"flexarm": kernel.run}
    other = exudyn_arm(kernel)
    if other is not None:
        for name, (modified, dense) in {
            "Exudyn, dense": (False, True),
            "Exudyn, sparse": (False, False),
            "Exudyn, sparse, modified Newton": (True, False),
        }.items():
            jobs[name] = lambda m=modified, d=dense: other.run(END, STEP, RADIUS, m, d)
    for job in jobs.values():
        job()
    times = best(jobs)
    print(f"2 links of 4 elements, {kernel.steps} steps of {STEP * 1e3:g} ms, best of {REPEATS}, one core")
    for name, seconds in times.items():
        print(f"  {name:32s} {seconds / kernel.steps * 1e6:8.2f} us per step")
    print(f"  Newton iterations per step       {kernel.iterations:8.2f}")
    fine = Kernel(4, STEP / 10)
    fine.run()
    print(f"  error of the step at the end     {1e6 * np.abs(kernel.tip - fine.tip).max():8.3f} um (against a tenth)")
    if other is None:
        print("  Exudyn is not installed: the ratio was not measured (pip install flexarm[bench])")
        return
    other.run(END, STEP, RADIUS, False, False)
    print(f"  Exudyn's error, same reference   {1e6 * np.abs(np.array(other.tip) - fine.tip).max():8.3f} um")
    for name, seconds in list(times.items())[1:]:
        print(f"  {name + ' / flexarm':41s}{seconds / times['flexarm']:6.1f}")


def cost_per_element() -> None:
    """Time per element and Newton pass for finer and finer meshes."""
    kernels = {str(n): Kernel(n) for n in SIZES}
    for kernel in kernels.values():
        kernel.run()
    times = best({name: kernel.run for name, kernel in kernels.items()}, 5)
    print("elements per link, us per step, iterations, ns per element and Newton pass")
    costs = []
    for n in SIZES:
        kernel, seconds = kernels[str(n)], times[str(n)] / kernels[str(n)].steps
        costs.append(seconds / (2 * n) / kernel.iterations * 1e9)
        print(f"  {n:4d} {seconds * 1e6:9.2f} {kernel.iterations:6.2f} {costs[-1]:8.1f}")
    print(f"  largest / least {max(costs) / min(costs):.2f}")


def main() -> int:
    """Print the tables."""
    beside_exudyn()
    cost_per_element()
    return 0


if __name__ == "__main__":
    sys.exit(main())
