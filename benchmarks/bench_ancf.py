"""Speed of the absolute nodal coordinates: ratios in one run, on one core, best of several, interleaved.

Two links of 0.4 m and 1.6 m (2 and 4 cable elements) follow slow sines under PD laws. Beside flexarm stands Exudyn
(``pip install flexarm[bench]``) with the same elements, scheme, step and laws; last with a controller in Python on both
sides. The error of a run is the distance of its
tip from that of flexarm's own run with a tight tolerance: both programs solve the same discrete model. Solvers and
evaluations of flexarm follow. Times are those of the thread's own processor time, because machines are shared. Nothing
here is a stored number.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from exudyn_cable_arm import ExudynCableArm

import flexarm as fa
from flexarm.simulation.build import prepare
from flexarm.simulation.stepper import Stepper

STEP, END, RADIUS, REPEATS = 1e-3, 2.5, 0.9, 5
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


def reference(t: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Wanted angles and rates of the joints."""
    w = 2 * math.pi * 0.04
    s, c = math.sin(w * t), w * math.cos(w * t)
    return (POSE[0] + 0.2 * s, POSE[1] + 0.3 * s), (0.2 * c, 0.3 * c)


class Kernel:
    """The compiled steps of flexarm, without records."""

    def __init__(self, sensor: str, **options: Any):
        overrides = {f"method.{name}": value for name, value in options.items()}
        setup = prepare(fa.loads(SCENARIO.replace("SENSOR", sensor), overrides=overrides))
        self.model: Any = setup.model
        self.model.prepare(STEP)
        times = STEP * np.arange(round(END / STEP) + 1)
        self.table = np.ascontiguousarray(setup.program.table(times, 0.5 * END))
        self.first = self.model.start(POSE, (0.0, 0.0), self.table[0])
        self.model.restart(self.first, self.table[0])

    def run(self) -> np.ndarray:
        """All steps; returns the tip."""
        last = self.first.copy()
        self.model._run(last, self.table, np.zeros((0, 0)), 0, 0)
        return last.x[self.model.reader.tip : self.model.reader.tip + 2].copy()


def exudyn_arm(sensor: str, gains: Any = GAINS) -> ExudynCableArm:
    """The same arm in Exudyn."""
    area = SIDE**2
    figures = E * area, E * SIDE**4 / 12, DENSITY * area, BETA
    return ExudynCableArm((0.4, 1.6), (2, 4), *figures, POSE, gains, reference, sensor)


def controlled() -> Callable[[], np.ndarray]:
    """The same arm under a controller in Python that is called every step: the loop of `simulate`."""
    text = re.sub(r"control: .*", "control: {type: external, period: 1 ms}", SCENARIO)
    plan = fa.loads(text, overrides={"method.element": "cable", "method.tolerance": 1e-8, "output.every": END})

    def law(t: float, reading: Any) -> tuple[float, float]:
        y, (place, speed) = reading.array, reference(t)
        (a, b), (c, d) = SLOW
        return a * (place[0] - y[5]) + b * (speed[0] - y[6]), c * (place[1] - y[12]) + d * (speed[1] - y[13])

    setup = prepare(plan)
    tip = setup.model.reader.tip  # type: ignore[attr-defined]

    def run() -> np.ndarray:
        stepper = Stepper(setup, law)
        while not stepper.finished:
            stepper.chunk(1)
        return stepper.state.x[tip : tip + 2].copy()

    return run


def best(jobs: dict[str, Callable[[], np.ndarray]], repeats: int) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Least processor time of each job per step in us, interleaved, and its last answer."""
    least, answer = dict.fromkeys(jobs, np.inf), {}
    for _ in range(repeats):
        for name, job in jobs.items():
            began = time.thread_time()
            answer[name] = job()
            least[name] = min(least[name], (time.thread_time() - began) * 1e6 * STEP / END)
    return least, answer


def compare(sensor: str, repeats: int) -> None:
    """flexarm beside Exudyn for one sensor."""
    ours, theirs = Kernel(sensor, element="cable", tolerance=1e-8), exudyn_arm(sensor)
    exact = Kernel(sensor, element="cable", tolerance=1e-13).run()
    least, tip = best({"flexarm": ours.run, "Exudyn": lambda: theirs.run(END, STEP, RADIUS)}, repeats)
    print(f"{sensor} sensor, cable elements 2 + 4")
    print(f"  flexarm {least['flexarm']:8.2f} us per step, error {np.linalg.norm(tip['flexarm'] - exact):.1e} m")
    print(f"  Exudyn  {least['Exudyn']:8.2f} us per step, error {np.linalg.norm(tip['Exudyn'] - exact):.1e} m")
    print(f"  ratio   {least['Exudyn'] / least['flexarm']:8.1f}")


def compare_controllers(repeats: int) -> None:
    """A controller in Python on both sides, called every step."""
    theirs = exudyn_arm("python", SLOW)
    least, tip = best({"flexarm": controlled(), "Exudyn": lambda: theirs.run(END, STEP, RADIUS)}, repeats)
    print("controller in Python, called every 1 ms, cable elements 2 + 4")
    for name, value in least.items():
        print(f"  {name:8s}{value:8.2f} us per step")
    apart = float(np.linalg.norm(tip["flexarm"] - tip["Exudyn"]))
    print(f"  ratio   {least['Exudyn'] / least['flexarm']:8.1f}, tips {apart:.1e} m apart")


def variants() -> None:
    """What solvers and evaluations cost."""
    cases = {
        "cable, modified": {"element": "cable"},
        "cable, newton": {"element": "cable", "solver": "newton"},
        "cable, broyden": {"element": "cable", "solver": "broyden"},
        "shear, modified": {"element": "shear"},
        "paper, quadrature": {"variant": "paper"},
        "paper, invariants": {"variant": "paper", "evaluation": "invariants"},
    }
    least, _ = best({name: Kernel("hub", **options).run for name, options in cases.items()}, REPEATS)
    for name, value in least.items():
        print(f"  {name:20s} {value:8.2f} us per step")


if __name__ == "__main__":
    compare("hub", REPEATS)
    compare("chord", 3)
    compare_controllers(3)
    print("flexarm by itself, hub sensor")
    variants()
