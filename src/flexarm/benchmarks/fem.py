"""Planar finite elements beside Exudyn: same elements, same generalised-alpha scheme, same step.

Two links of 1 m in a row, both joints turned by 60 deg within 2.5 s on a cycloid.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.benchmarks.exudyn.driver import version
from flexarm.benchmarks.frame import Contest, Growth, Job, entries, growth, interleaved, timed
from flexarm.simulation.march_only import MarchOnly

NAME, STEP, END, RISE, RADIUS, ELEMENTS = "fem", 1e-3, 2.5, np.radians(60.0), 0.9, 4
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
WAYS = {"Exudyn, dense": (False, True), "Exudyn, sparse": (False, False), "Exudyn, modified Newton": (True, False)}
"""Settings of Exudyn: modified Newton, dense solver."""


def run(elements: int, step: float = STEP) -> MarchOnly:
    """The compiled steps of one mesh."""
    return MarchOnly(fa.loads(SCENARIO, overrides={"method.resolution": elements, "time.step": step}))


def contests(repeats: int) -> list[Contest]:
    """Two links of four elements in both programs; errors against flexarm with a tenth of the step."""
    own, fine = run(ELEMENTS), run(ELEMENTS, STEP / 10)
    fine.run()
    jobs: dict[str, Job] = {"flexarm": own.run}
    other: Any = None
    if version() is not None:
        other = _exudyn(own)
        for name, (modified, dense) in WAYS.items():
            jobs[name] = partial(timed, partial(other.solve, END, STEP, RADIUS, modified, dense))
    seconds = interleaved(jobs, repeats)
    off = {"flexarm": float(np.abs(own.tip - fine.tip).max())}
    for name, (modified, dense) in WAYS.items() if other is not None else ():
        other.solve(END, STEP, RADIUS, modified, dense)
        off[name] = float(np.abs(other.tip - fine.tip[:2]).max())
    settings = f"2 links x {ELEMENTS} elements, {own.steps} steps of 1 ms, {own.passes:.2f} Newton passes per step"
    steps = dict.fromkeys(jobs, own.steps)
    errors = {name: 1e6 * value for name, value in off.items()}
    return [Contest(NAME, "planar fem", settings, "error of the tip, µm", entries(seconds, steps, errors))]


def _exudyn(own: MarchOnly) -> Any:
    from flexarm.benchmarks.exudyn.planar import Beam, ExudynArm

    properties = {name: float(value[0]) for name, value in own.model.arm.links[0].properties([0.0]).items()}
    names = ("EA", "GA", "EI", "rhoA", "rhoI")
    return ExudynArm(Beam(1.0, *(properties[name] for name in names)), ELEMENTS, float(RISE), END)


def growths(repeats: int) -> list[Growth]:
    """Finer and finer meshes."""
    runs = [run(n) for n in SIZES]

    def work(k: int) -> tuple[int, float]:
        return runs[k].steps, 2 * SIZES[k] * runs[k].passes

    title = "planar fem, elements per link"
    return [growth(NAME, title, "element and Newton pass", SIZES, [each.run for each in runs], repeats, work)]
