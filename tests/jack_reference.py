"""A stiff boom on a hydraulic cylinder, written out as plain equations for scipy; nothing of the product is used."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, cos, pi, radians, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp

AREA, ROD, DRAG, SHORT, LONG = 2e-3, 8e-4, 2000.0, 0.7, 1.2
BASE, LUG = np.array([0.1, -0.7]), np.array([0.6, 0.0])
FLOW, DROP, SPOOL, SPOOL_DAMPING = 20e-3 / 60.0, 3.5e6, 60.0, 0.7
SUPPLY, BULK, LEAK, GAIN = 18e6, 0.9e9, 5e-12, 8.0
START, TURN, MOVE, END = radians(20.0), radians(25.0), 1.5, 2.5
LENGTH, TIP_MASS, HUB = 3.0, 80.0, 0.1
MASS = 7850.0 * pi / 4.0 * (0.12**2 - 0.112**2) * LENGTH
G = 9.81

SCENARIO = """
name: a boom on a cylinder
arm:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      length: 3 m
      section: {shape: tube, diameter: 120 mm, thickness: 4 mm}
      material: {E: 2e18 Pa, density: 7850 kg/m^3}
      joint: {type: revolute, position: 20 deg, hub_inertia: 0.1}
  payload: {mass: 80 kg}
drive:
  - joint: boom
    motion: {profile: cycloid, by: 25 deg, duration: 1.5 s}
    actuator:
      type: hydraulic
      loop_gain: 8 1/s
      cylinder: {base: [100 mm, -700 mm], lug: [600 mm, 0], stroke: [700 mm, 1.2 m], area: 20 cm^2, rod_area: 8 cm^2,
                 friction: 2000 N*s/m}
      valve: {flow: 20 L/min, frequency: 60 Hz}
      oil: {supply: 180 bar, bulk_modulus: 0.9 GPa, leakage: 5e-12 m^3/s/Pa}
method: {name: modes, resolution: 2}
time: {end: 2.5 s, step: 2 ms, start: equilibrium}
output: {every: 10 ms}
"""


def pins(angle: float) -> tuple[float, float]:
    """Length of the cylinder and its lever arm."""
    lug = np.array([cos(angle) * LUG[0] - sin(angle) * LUG[1], sin(angle) * LUG[0] + cos(angle) * LUG[1]])
    along = lug - BASE
    length = float(np.linalg.norm(along))
    return length, float(lug[0] * along[1] - lug[1] * along[0]) / length


def wanted(t: float) -> float:
    """Commanded angle."""
    s = min(t / MOVE, 1.0)
    return START + TURN * (s - sin(2.0 * pi * s) / (2.0 * pi))


def equations(gravity: float = G) -> tuple[Callable[[np.ndarray, float], np.ndarray], np.ndarray]:
    """Rates of angle, its rate, both pressures, opening of the valve and its rate, at a commanded angle; and the rest to start from."""
    inertia = HUB + MASS * LENGTH**2 / 3.0 + TIP_MASS * LENGTH**2
    weight = gravity * (0.5 * MASS + TIP_MASS) * LENGTH
    small, edge, w = AREA - ROD, FLOW / sqrt(DROP), 2.0 * pi * SPOOL
    top_speed = edge * sqrt(SUPPLY / 2.0) / (0.5 * (AREA + small))
    dead = 0.05 * AREA * (LONG - SHORT)

    def flow_in(opening: float, p: float) -> float:
        drop = SUPPLY - p if opening >= 0.0 else p
        return opening * edge * copysign(sqrt(abs(drop)), drop)

    force = weight * cos(START) / pins(START)[1]
    a = (force + small * SUPPLY) / (AREA + small)
    b = SUPPLY - a
    trim = LEAK * (a - b) / (edge * sqrt(SUPPLY - a if a > b else a))

    def rates(y: np.ndarray, command: float) -> np.ndarray:
        angle, rate, pa, pb, opening, spool = y
        length, lever = pins(angle)
        u = min(1.0, max(-1.0, trim + GAIN / top_speed * (pins(command)[0] - length)))
        speed, leak = lever * rate, LEAK * (pa - pb)
        push = AREA * pa - small * pb - DRAG * speed
        return np.array(
            [
                rate,
                (push * lever - weight * cos(angle)) / inertia,
                BULK / (dead + AREA * (length - SHORT)) * (flow_in(opening, pa) - leak - AREA * speed),
                BULK / (dead + small * (LONG - length)) * (flow_in(-opening, pb) + leak + small * speed),
                spool,
                w * w * (u - opening) - 2.0 * SPOOL_DAMPING * w * spool,
            ]
        )

    return rates, np.array([START, 0.0, a, b, trim, 0.0])


def solve(gravity: float = G) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angle and torque of the cylinder every 10 ms, (251,) each, and the pressures in its chambers, (2, 251)."""
    rates, start = equations(gravity)
    found = solve_ivp(
        lambda t, y: rates(y, wanted(t)), (0.0, END), start, method="LSODA", rtol=1e-9,
        atol=1e-10 * np.array([1.0, 1.0, 1e6, 1e6, 1.0, 1.0]), t_eval=np.linspace(0.0, END, 251),
    )  # fmt: skip
    levers = np.array([pins(angle)[1] for angle in found.y[0]])
    push = AREA * found.y[2] - (AREA - ROD) * found.y[3] - DRAG * levers * found.y[1]
    return found.y[0], push * levers, found.y[2:4]
