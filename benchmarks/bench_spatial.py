"""Speed of the finite elements in space: ratios in one run, on one core, best of several, interleaved.

Three links with four elements each turn about all their joints, released under weight from the undeformed shape. Beside
flexarm stands Exudyn (``pip install flexarm[bench]``) with the same elements, scheme and step; the error of both is that
against a run with a tenth of the step. What Newton's method is asked for is chosen for each so that the error is that of
the step: flexarm with its default tolerance and with a loose one, Exudyn with its default (full Newton, 1e-8), with
modified Newton, and with the loosest tolerance that leaves the error as it is. Exudyn's sparse solver is used; its dense
one is slower here. Times are those of the thread's own processor time. Nothing here is stored.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.rigid import forward
from flexarm.rigid.beam import legs
from flexarm.simulation.build import prepare

STEP, END, RADIUS, ELEMENTS, REPEATS = 1e-3, 0.4, 0.9, 4, 6
LOOSE = 1e-6
GRAVITY = [3.0, 4.0, -9.0]
RISES = (0.1, 0.05, -0.08)
TUBE = "{area: 915 mm^2, inertia: 1.08e6 mm^4, torsion: 2.16e6 mm^4, shear_factor: 0.54}"
LINK = f"section: {TUBE}, material: {{E: 207 GPa, density: 7850 kg/m^3, nu: 0.3}}"
SCENARIO = f"""\
name: three links released under weight
arm:
  gravity: {GRAVITY}
  links:
    - {{name: column, {LINK}, joint: {{dh: {{d: 0.5, alpha: 90 deg}}}}}}
    - {{name: upper, {LINK}, joint: {{position: 30 deg, dh: {{a: 1.0}}}}}}
    - {{name: fore, {LINK}, joint: {{position: -60 deg, dh: {{a: 1.0}}}}}}
drive:
  - {{joint: column, motion: {{profile: cycloid, by: {RISES[0]} rad, duration: {END}}}}}
  - {{joint: upper, motion: {{profile: cycloid, by: {RISES[1]} rad, duration: {END}}}}}
  - {{joint: fore, motion: {{profile: cycloid, by: {RISES[2]} rad, duration: {END}}}}}
method: {{name: fem, resolution: {ELEMENTS}, spectral_radius: {RADIUS}, tolerance: 1e-10}}
time: {{end: {END}, step: 1 ms}}
"""


class Kernel:
    """The compiled steps, without records."""

    def __init__(self, step: float, tolerance: float = 1e-10):
        setup = prepare(fa.loads(SCENARIO, overrides={"time.step": step, "method.tolerance": tolerance}))
        self.model: Any = setup.model
        self.steps = round(END / step)
        self.model.prepare(step)
        self.table = np.ascontiguousarray(setup.program.table(step * np.arange(self.steps + 1), 0.5 * END))
        arm = self.model.arm
        self.first = self.model.start(arm.pose, arm.rates, self.table[0])
        self.model.restart(self.first, self.table[0])
        self.last = self.first

    def run(self) -> None:
        """All steps from the start."""
        self.last = self.first.copy()
        self.model._run(self.last, self.table, np.zeros((0, self.model.record_width)), 0, 0)

    @property
    def tip(self) -> np.ndarray:
        """Position of the tip after the last run."""
        frame = int(self.model.mesh.tips[-1])
        return self.last.x[3 * frame : 3 * frame + 3].copy()


def beside(kernel: Kernel) -> Any:
    """The same arm in Exudyn, or None if it is not installed."""
    from exudyn_space import ExudynSpace

    arm = kernel.model.arm
    frames = forward(arm, arm.pose)
    places = [
        (frames.root[i], frames.rotation[i] @ legs(link, True)[0].axes, frames.rotation[i])
        for i, link in enumerate(arm.links)
    ]
    figures = {name: float(value[0]) for name, value in arm.links[0].figures([0.5]).items()}
    lengths = [link.span for link in arm.links]
    try:
        return lambda: ExudynSpace(places, lengths, figures, ELEMENTS, np.array(GRAVITY), list(RISES), END)
    except ImportError:
        return None


def main() -> None:
    """Print times per step, their ratio and the error of each."""
    kernel, loose, fine = Kernel(STEP), Kernel(STEP, LOOSE), Kernel(0.1 * STEP)
    fine.run()
    print(f"3 links x {ELEMENTS} elements, {kernel.model.size} unknowns, steps of {STEP:g} s")
    make = beside(kernel)
    try:
        arm, finer = make(), make()
    except ImportError:
        print("Exudyn is not installed")
        return
    finer.run(0.1 * STEP, END, RADIUS)
    jobs: dict[str, tuple[Any, Any, Any]] = {
        f"flexarm, tolerance {LOOSE:g}": (loose.run, lambda: loose.tip, fine.tip),
        "flexarm, default": (kernel.run, lambda: kernel.tip, fine.tip),
        "Exudyn, default": (lambda: arm.run(STEP, END, RADIUS, False, 1e-8), lambda: arm.tip, finer.tip),
        "Exudyn, modified Newton": (lambda: arm.run(STEP, END, RADIUS, True, 1e-6), lambda: arm.tip, finer.tip),
        "Exudyn, modified, 1e-4": (lambda: arm.run(STEP, END, RADIUS, True, 1e-4), lambda: arm.tip, finer.tip),
    }
    least, error = dict.fromkeys(jobs, np.inf), dict.fromkeys(jobs, 0.0)
    for _ in range(REPEATS):
        for name, (job, tip, known) in jobs.items():
            began = time.thread_time()
            job()
            least[name] = min(least[name], time.thread_time() - began)
            error[name] = float(np.linalg.norm(tip() - known))
    first = next(iter(jobs))
    for name in jobs:
        ratio = least[name] / least[first]
        print(
            f"{name:24s} {1e6 * least[name] / kernel.steps:8.1f} us/step, {ratio:6.1f} times the first, "
            f"tip off by {error[name]:.3e} m"
        )
    print(f"converged tips differ by {np.linalg.norm(finer.tip - fine.tip):.2e} m")


if __name__ == "__main__":
    main()
