"""Finite elements in space beside Exudyn: same elements, scheme and step.

Three links with four elements each turn about all their joints, released under weight from the undeformed shape. What
Newton's method is asked for is chosen for each program so that the error is that of the step: flexarm with a loose
tolerance and with its default, Exudyn with its default (full Newton), with modified Newton, and with the loosest tolerance
that leaves the error as it is. Exudyn's sparse solver is used; its dense one is slower here.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.benchmarks.exudyn.driver import version
from flexarm.benchmarks.frame import Contest, Growth, Job, entries, growth, interleaved, timed
from flexarm.rigid import forward
from flexarm.simulation.march_only import MarchOnly

NAME, STEP, END, RADIUS, ELEMENTS = "fem-spatial", 1e-3, 0.4, 0.9, 4
LOOSE, TIGHT = 1e-3, 1e-10
SIZES = (4, 8, 16, 32)
GRAVITY = [3.0, 4.0, -9.0]
UPRIGHT = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
"""Axes of a beam along z of its link, as columns."""
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
WAYS = {
    "Exudyn": (False, (1e-8, 1e-10)),
    "Exudyn, modified Newton": (True, (1e-6, 1e-8)),
    "Exudyn, modified Newton, loose": (True, (1e-4, 1e-6)),
}
"""Whether the tangent is kept, relative and absolute tolerance."""


def run(step: float, elements: int = ELEMENTS, tolerance: float = LOOSE) -> MarchOnly:
    """The compiled steps."""
    changes = {"time.step": step, "method.resolution": elements, "method.tolerance": tolerance}
    return MarchOnly(fa.loads(SCENARIO, overrides=changes))


def contests(repeats: int) -> list[Contest]:
    """Both programs; the error of each is that against its own run with a tenth of the step."""
    own, strict, fine = run(STEP), run(STEP, tolerance=TIGHT), run(0.1 * STEP, tolerance=TIGHT)
    fine.run()
    jobs: dict[str, Job] = {"flexarm": own.run, "flexarm, default tolerance": strict.run}
    other: Any = None
    if version() is not None:
        other = _exudyn(own)
        for name, (modified, asked) in WAYS.items():
            jobs[name] = partial(timed, partial(other.solve, END, STEP, RADIUS, modified, tolerances=asked))
    seconds = interleaved(jobs, repeats)
    errors = {
        "flexarm": 1e6 * float(np.linalg.norm(own.tip - fine.tip)),
        "flexarm, default tolerance": 1e6 * float(np.linalg.norm(strict.tip - fine.tip)),
    }
    settings = f"3 links x {ELEMENTS} elements, {own.steps} steps of 1 ms"
    if other is not None:
        finer = _exudyn(own)
        finer.solve(END, 0.1 * STEP, RADIUS, True, tolerances=(1e-6, 1e-8))
        for name, (modified, asked) in WAYS.items():
            other.solve(END, STEP, RADIUS, modified, tolerances=asked)
            errors[name] = 1e6 * float(np.linalg.norm(other.tip - finer.tip))
        settings += f", converged tips {1e6 * np.linalg.norm(finer.tip - fine.tip):.2g} µm apart"
    steps = dict.fromkeys(jobs, own.steps)
    return [Contest(NAME, "fem in space", settings, "error of the tip, µm", entries(seconds, steps, errors))]


def _exudyn(own: MarchOnly) -> Any:
    from flexarm.benchmarks.exudyn.space import ExudynSpace

    arm = own.model.arm
    frames = forward(arm, arm.pose)
    places = [
        (frames.root[i], frames.rotation[i] @ (UPRIGHT if link.name == "column" else np.eye(3)), frames.rotation[i])
        for i, link in enumerate(arm.links)
    ]
    properties = {name: float(value[0]) for name, value in arm.links[0].properties([0.5]).items()}
    lengths = [link.span for link in arm.links]
    return ExudynSpace(places, lengths, properties, ELEMENTS, np.array(GRAVITY), list(RISES), END)


def growths(repeats: int) -> list[Growth]:
    """Finer and finer meshes."""
    runs = [run(STEP, n) for n in SIZES]

    def work(k: int) -> tuple[int, float]:
        return runs[k].steps, 3.0 * SIZES[k]

    jobs = [each.run for each in runs]
    return [growth(NAME, "fem in space, elements per link", "element", SIZES, jobs, repeats, work)]
