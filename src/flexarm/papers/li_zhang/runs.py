"""Runs of the cases of Li and Zhang: each is made once and cached."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.analysis.ringdown import Ringdown, ringdown

SCENARIOS = {"rigid": "li-zhang-three-link", "flexible": "li-zhang-three-link-flexible"}
FINAL = (np.pi / 6,) * 3
"""Pose at the end of the motion of the three links, rad."""
REST = 0.4
"""Time at which the three links have reached it, s."""
PAIRS = ((0.7, 0.8), (0.8, 0.7))
"""beta and gamma as printed in two places."""


class Runs:
    """Simulations and frequencies by their inputs."""

    def __init__(self) -> None:
        self.single = cache(self._single)
        self.three = cache(self._three)
        self.frequencies = cache(self._frequencies)
        self.ring = cache(self._ring)

    def _single(
        self, beta: float = 0.7, gamma: float = 0.8, ends: str = "root", E: float = 70e9, turn: float = 0.25
    ) -> fa.Result:
        """The beam by the scheme of the paper, iterated; `turn` in half turns."""
        changes: dict[str, Any] = {
            "method": {"name": "segments", "resolution": 60, "variant": "paper", "arms": "newton", "ends": ends, "beta": beta,
                       "gamma": gamma},
            "time": {"end": 9.0, "step": 2e-3}, "arm.links.link.material.E": E, "drive.0.motion.by": turn * np.pi,
        }  # fmt: skip
        return fa.simulate(fa.load("li-zhang-single").with_(changes))

    def _three(
        self, joints: str, variant: str = "sound", arms: str = "newton", ends: str = "half", segments: int = 20
    ) -> fa.Result:
        """The three links: sound form with steps of 0.5 ms, or the paper's scheme with its step, beta and gamma."""
        method: dict[str, Any] = {"name": "segments", "resolution": segments, "ends": ends}
        if variant == "paper":
            method |= {"variant": "paper", "arms": arms, "beta": 0.7, "gamma": 0.51}
        time = {"end": 2.0, "step": 1e-3 if variant == "paper" else 5e-4}
        return fa.simulate(fa.load(SCENARIOS[joints]).with_({"method": method, "time": time}))

    def _frequencies(self, joints: str, pose: str = "final", ends: str = "half", segments: int = 20) -> np.ndarray:
        """First five natural frequencies of the three links, Hz."""
        one = fa.load(SCENARIOS[joints]).with_({"method": {"name": "segments", "resolution": segments, "ends": ends}})
        return fa.frequencies(one, n=5, pose=FINAL if pose == "final" else None).hz

    def beam(self, ends: str = "half", E: float = 70e9, segments: int = 60) -> np.ndarray:
        """First three natural frequencies of the beam, Hz."""
        changes = {"method": {"name": "segments", "resolution": segments, "ends": ends}, "arm.links.link.material.E": E}
        return fa.frequencies(fa.load("li-zhang-single").with_(changes), n=3).hz

    def _ring(self, beta: float, gamma: float, ends: str, E: float = 70e9) -> Ringdown:
        """Frequency and decay of the beam after its motion, from 1 s on."""
        data = self.single(beta, gamma, ends, E).data
        late = data.time.values > 1.0
        return ringdown(data.time.values[late], data.link_deformation.values[late, 0])


def exact_beam(E: float = 70e9) -> float:
    """First frequency of the clamped beam in closed form, Hz."""
    link = fa.load("li-zhang-single").arm.links[0]
    properties = link.properties([0.0])
    stiffness = properties["EI"][0] * E / 70e9
    return float(1.8751040687119611**2 / (2.0 * np.pi) * np.sqrt(stiffness / (properties["rhoA"][0] * link.span**4)))


def signal(result: fa.Result, name: str) -> np.ndarray:
    """Tip error along x or y (ex, ey), deformation of a link (d1..d3, m) or of a joint (j1..j3, rad)."""
    data, kind, which = result.data, name[0], name[1]
    if kind == "e":
        return data.tip_error.values[:, "xy".index(which)]
    variable = data.link_deformation if kind == "d" else data.joint_deformation
    return variable.values[:, int(which) - 1]


def extremes(result: fa.Result, name: str) -> np.ndarray:
    """Greatest and least value, and the greatest size after the motion."""
    values = signal(result, name)
    late = values[result.data.time.values >= REST]
    return np.array([values.max(), values.min(), np.abs(late).max()])
