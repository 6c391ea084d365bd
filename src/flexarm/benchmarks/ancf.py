"""Absolute nodal coordinates beside Exudyn: same elements, scheme, step and laws.

Two links of 0.4 m and 1.6 m (2 and 4 cable elements) follow slow sines under PD laws. The error of a run is the distance of
its tip from that of flexarm with a tight tolerance: both programs solve the same discrete model.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.benchmarks.exudyn.driver import version
from flexarm.benchmarks.frame import Contest, Growth, Job, entries, growth, interleaved, timed
from flexarm.simulation.march_only import MarchOnly

NAME, STEP, END, RADIUS = "ancf", 1e-3, 2.5, 0.9
E, SIDE, DENSITY, BETA, POSE = 30e9, 0.05, 6000.0, 1e-3, (0.3, 0.8)
GAINS = ((2000.0, 400.0), (1000.0, 200.0))
SLOW = ((200.0, 40.0), (100.0, 20.0))
"""Gains that stay stable when they are sampled every 1 ms."""
LINK = "section: {shape: rectangle, width: 50 mm, height: 50 mm}, material: {E: 30 GPa, nu: 0.25, density: 6000 kg/m^3}"
SCENARIO = f"""\
name: two links under PD laws
arm:
  damping: {{time: 1 ms}}
  links:
    - {{name: upper, length: 0.4 m, joint: {{position: 0.3 rad}}, {LINK}}}
    - {{name: fore, length: 1.6 m, joint: {{position: 0.8 rad}}, {LINK}}}
drive:
  - joint: upper
    motion: {{profile: sine, amplitude: 0.2 rad, frequency: 0.04 Hz}}
    control: {{type: pd, kp: 2000, kv: 400, sensor: SENSOR}}
  - joint: fore
    motion: {{profile: sine, amplitude: 0.3 rad, frequency: 0.04 Hz}}
    control: {{type: pd, kp: 1000, kv: 200, sensor: SENSOR}}
method: {{name: ancf, resolution: [2, 4], spectral_radius: {RADIUS}, step_error: null}}
time: {{end: {END} s, step: 1 ms}}
"""
VARIANTS: dict[str, dict[str, str]] = {
    "cable, modified Newton": {"element": "cable"},
    "cable, Newton": {"element": "cable", "solver": "newton"},
    "cable, Broyden": {"element": "cable", "solver": "broyden"},
    "shear, modified Newton": {"element": "shear"},
    "paper, quadrature": {"variant": "paper"},
    "paper, invariants": {"variant": "paper", "evaluation": "invariants"},
}
"""What flexarm offers by itself."""
SIZES = (1, 2, 4, 8)


def reference(t: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Wanted angles and rates of the joints."""
    w = 2 * math.pi * 0.04
    s, c = math.sin(w * t), w * math.cos(w * t)
    return (POSE[0] + 0.2 * s, POSE[1] + 0.3 * s), (0.2 * c, 0.3 * c)


def run(sensor: str, **options: Any) -> MarchOnly:
    """The compiled steps of flexarm."""
    overrides = {f"method.{name}": value for name, value in options.items()}
    return MarchOnly(fa.loads(SCENARIO.replace("SENSOR", sensor), overrides=overrides))


def contests(repeats: int) -> list[Contest]:
    """Both sensors beside Exudyn, then what solvers and elements cost."""
    few = min(repeats, 3)
    return [_contest("hub", repeats), _contest("chord", few), _controllers(few), _variants(repeats)]


def _contest(sensor: str, repeats: int) -> Contest:
    own, exact = run(sensor, element="cable", tolerance=1e-8), run(sensor, element="cable", tolerance=1e-13)
    exact.run()
    jobs: dict[str, Job] = {"flexarm": own.run}
    other: Any = None
    if version() is not None:
        other = _exudyn(sensor)
        jobs["Exudyn"] = lambda: timed(lambda: other.run(END, STEP, RADIUS))
    seconds = interleaved(jobs, repeats)
    errors = {"flexarm": 1e6 * float(np.linalg.norm(own.tip - exact.tip))}
    if other is not None:
        errors["Exudyn"] = 1e6 * float(np.linalg.norm(other.tip - exact.tip[:2]))
    settings = f"cable elements 2 + 4, PD on the {sensor}, {own.steps} steps of 1 ms"
    steps = dict.fromkeys(jobs, own.steps)
    return Contest(NAME, f"ancf, {sensor} sensor", settings, "error of the tip, µm", entries(seconds, steps, errors))


def _exudyn(sensor: str, gains: Any = GAINS) -> Any:
    from flexarm.benchmarks.exudyn.cables import ExudynCableArm

    area = SIDE**2
    properties = E * area, E * SIDE**4 / 12, DENSITY * area, BETA
    return ExudynCableArm((0.4, 1.6), (2, 4), *properties, POSE, gains, reference, sensor)


class Controlled:
    """flexarm under a controller in Python that is called every step and reads the chords, step by step."""

    def __init__(self) -> None:
        text = re.sub(r"control: .*", "control: {type: external, period: 1 ms}", SCENARIO)
        loaded = fa.loads(text, overrides={"method.element": "cable", "method.tolerance": 1e-8, "output.every": END})
        self._simulator = fa.Simulator(loaded)
        names = [f"{joint}.{what}" for joint in ("upper", "fore") for what in ("chord_position", "chord_velocity")]
        self._reads, self._tip = (
            [self._simulator.outputs.index(name) for name in each] for each in (names, ("tip.x", "tip.y"))
        )
        self.tip = np.zeros(2)

    def law(self, t: float, y: np.ndarray) -> tuple[float, float]:
        """PD on both chords."""
        (place, speed), (a, b, c, d) = reference(t), self._reads
        (k, v), (m, w) = SLOW
        return k * (place[0] - y[a]) + v * (speed[0] - y[b]), m * (place[1] - y[c]) + w * (speed[1] - y[d])

    def run(self) -> None:
        """From the start to the end."""
        simulator = self._simulator
        y = simulator.reset()
        while not simulator.finished:
            y = simulator.step(self.law(simulator.time, y))
        self.tip = y[self._tip]


def _controllers(repeats: int) -> Contest:
    """A controller in Python on both sides, called every step."""
    own = Controlled()
    jobs: dict[str, Job] = {"flexarm": lambda: timed(own.run)}
    other: Any = None
    if version() is not None:
        other = _exudyn("python", SLOW)
        jobs["Exudyn"] = lambda: timed(lambda: other.run(END, STEP, RADIUS))
    seconds = interleaved(jobs, repeats)
    errors = {} if other is None else {"Exudyn": 1e6 * float(np.linalg.norm(own.tip - other.tip))}
    settings = "cable elements 2 + 4, a controller in Python called every 1 ms on both sides"
    steps = dict.fromkeys(jobs, round(END / STEP))
    what = "tips apart by, µm"
    return Contest(NAME, "ancf, controller in Python", settings, what, entries(seconds, steps, errors))


def _variants(repeats: int) -> Contest:
    runs = {f"flexarm, {name}": run("hub", **options) for name, options in VARIANTS.items()}
    seconds = interleaved({name: each.run for name, each in runs.items()}, repeats)
    steps = {name: each.steps for name, each in runs.items()}
    return Contest(NAME, "ancf by itself", "elements 2 + 4, PD on the hub", "", entries(seconds, steps))


def growths(repeats: int) -> list[Growth]:
    """Finer and finer meshes."""
    runs = [run("hub", element="cable", resolution=[2 * n, 4 * n]) for n in SIZES]

    def work(k: int) -> tuple[int, float]:
        return runs[k].steps, 6.0 * SIZES[k]

    counts = [6 * n for n in SIZES]
    return [growth(NAME, "ancf, cable elements", "element", counts, [each.run for each in runs], repeats, work)]
