"""Cases of Naganathan's thesis, and their runs: each is made once and cached."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

import flexarm as fa
from flexarm.arm import Arm
from flexarm.drive import JointWiring, Wiring
from flexarm.methods.base import Joints, LinearModel
from flexarm.papers.cache import Cache

CASES = {
    "case 1": "naganathan-flexible",
    "case 2": "naganathan-industrial",
    "case 3": "naganathan-servo",
    "rotating link": "rotating-link",
    "spin-up": "spin-up",
    "3R": "naganathan-3r",
    "R-P": "naganathan-rp",
}
"""The cases, and the bundled scenarios that hold them."""
ELEMENTS = 4
"""Elements per link unless something else is said."""
STEP = 1e-3
"""Step of the case studies, s."""
MOVE = 2.5
"""Duration of the joint motions of cases 1 and 3, s."""


class Runs(Cache):
    """Scenarios, simulations, frequencies and matrices, cached by their inputs."""

    def scenario(self, case: str) -> fa.Scenario:
        """The bundled scenario of a case."""
        return self.once(("scenario", case), lambda: fa.load(CASES[case]))

    def result(
        self, case: str, theory: str = "exact", elements: int = ELEMENTS, step: float | None = None, **changes: Any
    ) -> fa.Result:
        """A run with every step recorded; `changes` are further changes of the scenario, dots written as `__`."""
        settings: dict[str, Any] = {
            "method.theory": theory,
            "method.resolution": elements,
            "output.every": None,
            "output.stations": 2,
        }
        if step is not None:
            settings["time.step"] = step
        settings |= {key.replace("__", "."): value for key, value in changes.items()}
        key = (case, theory, elements, step, tuple(sorted(changes.items())))
        return self.once(key, lambda: fa.simulate(self.scenario(case).with_(settings)))

    def tip_error(
        self, case: str, theory: str = "exact", elements: int = ELEMENTS, **settings: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Times in s, shape (nt,), and deformed less rigid tip along x and y in mm, shape (nt, 2)."""
        data = self.result(case, theory, elements, **settings).data
        return data["time"].values, 1e3 * data["tip_error"].values[:, :2]

    def in_turning_frame(self, case: str, elements: int, **settings: Any) -> tuple[np.ndarray, np.ndarray]:
        """Times in s, and the tip of a single link relative to the turning rigid link: along it and across, m."""
        data = self.result(case, elements=elements, **settings).data
        angle, error = data["commanded_position"].values[:, 0], data["tip_error"].values
        c, s = np.cos(angle), np.sin(angle)
        along, across = c * error[:, 0] + s * error[:, 1], c * error[:, 1] - s * error[:, 0]
        return data["time"].values, np.stack([along, across], axis=1)

    def frequencies(self, case: str, elements: int = ELEMENTS, n: int = 4) -> np.ndarray:
        """Natural frequencies at the start pose in Hz, undamped, joints locked."""
        undamped = self.scenario(case).with_({"arm.damping": None, "method.resolution": elements})
        return self.once(("frequencies", case, elements, n), lambda: fa.frequencies(undamped, n=n, joints="locked").hz)


def matrices(arm: Arm, elements: int | tuple[int, ...], joints: Joints, integration: str = "reduced") -> LinearModel:
    """M and K of small motions of an arm at its start pose."""
    method = fa.get_method("fem")
    options = method.Options.model_validate({"resolution": elements, "integration": integration})
    mode: Literal["motion", "free"] = "motion" if joints == "locked" else "free"
    wiring = Wiring(tuple(JointWiring(link.name, mode, False) for link in arm.links))
    return method.build(arm, wiring, options).linearise(joints=joints)
