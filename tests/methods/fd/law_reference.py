"""The linear model of an arm under a joint law, integrated by SciPy: an independent opinion on the laws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from flexarm.methods.fd.layout import HUB, MOTOR, NODE
from single_link import model_of


@dataclass
class Reference:
    """Arm of a scenario under ``u = kp (r - y) + kv (r' - y') + ki int(r - y)``, cut at `limit`, through an actuator.

    Its own drives are not used: the command comes as `reference(t) -> (r, r')`. Gravity acts as a constant load.
    """

    scenario: Any
    reference: Callable[[float], tuple[float, float]]
    kp: float = 0.0
    kv: float = 0.0
    ki: float = 0.0
    sensor: str = "position"
    limit: float = np.inf
    torque: float = 0.0
    actuator: tuple[np.ndarray, np.ndarray, np.ndarray, float] | None = None
    state: np.ndarray | None = field(default=None)

    def __post_init__(self) -> None:
        built = model_of(self.scenario)
        system, free = built.system, built.system.free
        block = np.ix_(free, free)
        self.M, self.K = system.M[block], system.K[block]
        self.C, self.B = (built.eta * system.bending + system.damper)[block], system.torque[free]
        read = {"position": HUB, "motor_position": MOTOR, "chord_position": NODE + system.grid.n}[self.sensor]
        self.tip = (free == NODE + system.grid.n).astype(float)
        self.y = (free == read) / (system.grid.length if self.sensor == "chord_position" else 1.0)
        self.load = system.load[free]
        self.n = len(self.B)
        self.order = 0 if self.actuator is None else len(self.actuator[0])
        self.start = built.start(self.scenario.arm.pose, self.scenario.arm.rates, np.zeros((4, 7))).x[free]

    def torques(self, t: float, s: np.ndarray) -> tuple[float, float, float]:
        """Command, torque at the motor, error."""
        n = self.n
        q, v, integral, z = s[:n], s[n : 2 * n], s[2 * n], s[2 * n + 1 :]
        r, rate = self.reference(t)
        error = r - self.y @ q
        u = self.torque + self.kp * error + self.kv * (rate - self.y @ v) + self.ki * integral
        u = min(max(u, -self.limit), self.limit)
        if self.actuator is None:
            return u, u, error
        _, _, c, d = self.actuator
        return u, float(c @ z) + d * u, error

    def slope(self, t: float, s: np.ndarray) -> np.ndarray:
        n = self.n
        q, v, z = s[:n], s[n : 2 * n], s[2 * n + 1 :]
        u, tau, error = self.torques(t, s)
        a = np.linalg.solve(self.M, self.B * tau + self.load - self.C @ v - self.K @ q)
        dz = self.actuator[0] @ z + self.actuator[1] * u if self.actuator is not None else z
        return np.concatenate([v, a, [error], dz])

    def run(self, start: float, times: np.ndarray) -> np.ndarray:
        """Tip travel and motor torque at `times` after `start`, shape (nt, 2); goes on from where it last ended."""
        s = self.state
        if s is None:
            s = np.concatenate([self.start, np.zeros(self.n + 1 + self.order)])
        out = solve_ivp(self.slope, (start, times[-1]), s, "DOP853", t_eval=times, rtol=1e-9, atol=1e-12)
        self.state = out.y[:, -1]
        torque = [self.torques(t, s)[1] for t, s in zip(out.t, out.y.T, strict=True)]
        return np.column_stack([out.y[: self.n].T @ self.tip, torque])


def quintic(by: float, duration: float) -> Callable[[float], tuple[float, float]]:
    """Place and rate of the smooth move of a scenario."""

    def at(t: float) -> tuple[float, float]:
        s = min(max(t / duration, 0.0), 1.0)
        place = by * (10 * s**3 - 15 * s**4 + 6 * s**5)
        return place, by / duration * (30 * s**2 - 60 * s**3 + 30 * s**4)

    return at
