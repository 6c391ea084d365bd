"""Speed of the finite elements in space: ratios in one run, on one core, best of several, interleaved.

Three links with four elements each turn about all their joints, released under weight from the undeformed shape. Beside
flexarm stands Exudyn (``pip install flexarm[bench]``) with the same elements, scheme and step; the error of both is that
against a run with a tenth of the step. Times are those of the thread's own processor time. Nothing here is stored.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.rigid import forward
from flexarm.rigid.beam import legs
from flexarm.simulation.build import prepare

STEP, END, RADIUS, ELEMENTS, REPEATS = 1e-3, 0.1, 0.9, 4, 5
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
method: {{name: fem, resolution: {ELEMENTS}, spectral_radius: {RADIUS}}}
time: {{end: {END}, step: 1 ms}}
"""


class Kernel:
    """The compiled steps, without records."""

    def __init__(self, step: float):
        setup = prepare(fa.loads(SCENARIO, overrides={"time.step": step}))
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
    """Print times per step, their ratio and both errors."""
    kernel, fine = Kernel(STEP), Kernel(0.1 * STEP)
    kernel.run()
    fine.run()
    ours = float(np.linalg.norm(kernel.tip - fine.tip))
    print(f"3 links x {ELEMENTS} elements, {kernel.model.size} unknowns, steps of {STEP:g} s")
    make = beside(kernel)
    try:
        arm = make()
    except ImportError:
        print("Exudyn is not installed")
        return
    jobs: dict[str, Any] = {
        "flexarm": kernel.run,
        "Exudyn": lambda: arm.run(STEP, END, RADIUS, modified=False),
        "Exudyn, modified Newton": lambda: arm.run(STEP, END, RADIUS),
    }
    least = dict.fromkeys(jobs, np.inf)
    for _ in range(REPEATS):
        for name, job in jobs.items():
            began = time.thread_time()
            job()
            least[name] = min(least[name], time.thread_time() - began)
    theirs = arm.tip
    finer = make()
    finer.run(0.1 * STEP, END, RADIUS)
    error = float(np.linalg.norm(theirs - finer.tip))
    for name, off in zip(jobs, (ours, error, error), strict=True):
        ratio = least[name] / least["flexarm"]
        print(
            f"{name:24s} {1e6 * least[name] / kernel.steps:9.1f} us/step, {ratio:5.1f} times flexarm, tip off by {off:.2e} m"
        )
    print(f"converged tips differ by {np.linalg.norm(finer.tip - fine.tip):.2e} m")


if __name__ == "__main__":
    main()
