"""Runs and frequencies of the RALF arm: each is made once and cached."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.papers.cache import Cache, stored

CASES = {"lower only": "ralf-lower-only", "upper only": "ralf-upper-only", "both": "ralf"}
"""Motions of the paper, and the bundled scenarios that hold them."""
LINKS = ("lower", "upper", "actuating")


def data() -> dict[str, Any]:
    """Numbers of the paper and reference values."""
    return stored("lee_huggins_book")


class Runs(Cache):
    """Scenarios, simulations and frequencies, cached by their inputs."""

    def frequencies(self, weight: bool = False, n: int = 6, scenario: str = "ralf", **options: Any) -> fa.Frequencies:
        """Natural frequencies with the cylinders held; `options` are those of the scenario's method."""

        def make() -> fa.Frequencies:
            changes: dict[str, Any] = {f"method.{key}": value for key, value in options.items()}
            if not weight:
                changes["arm.gravity"] = [0, 0, 0]
            return fa.frequencies(fa.load(scenario).with_(changes), n=n)

        return self.once((weight, n, scenario, tuple(sorted(options.items()))), make)

    def result(self, case: str, **changes: Any) -> fa.Result:
        """A run of a motion; `changes` are further changes of the scenario, dots written as `__`."""
        settings = {key.replace("__", "."): value for key, value in changes.items()}
        return self.once(
            (case, json.dumps(settings, sort_keys=True)), lambda: fa.simulate(fa.load(CASES[case]).with_(settings))
        )

    def strain(self, case: str, **changes: Any) -> tuple[np.ndarray, np.ndarray]:
        """Times in s, (nt,), and mid-link strains without their static part in 1e-6, (nt, 3: lower, upper, actuating)."""
        found = self.result(case, **changes).data
        return found["time"].values, 1e6 * (found["strain"].values - found["strain"].values[0])

    def peaks(self, case: str, **changes: Any) -> np.ndarray:
        """Largest dynamic strains, 1e-6, (3,)."""
        return np.abs(self.strain(case, **changes)[1]).max(axis=0)
