"""Runs of both examples with all gains: each is made once and cached."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexarm as fa
from flexarm.papers.cache import Cache, stored

SWITCH = "12.5 s"
AFTER = 2.0
"""Errors count from this time on, s."""


def data() -> dict[str, Any]:
    """Gains and reference values."""
    return stored("tian")


class Runs(Cache):
    """Scenarios and simulations, cached by their inputs."""

    def scenario(self, case: str, sensor: str = "chord") -> fa.Scenario:
        """A case such as ``circle base``: path and gains, read by `sensor`, every step recorded."""
        scenario = fa.load(f"tian-{case.split()[0]}")
        (drive,) = scenario.tree["drive"]
        rows = [{"kp": row[:2], "kv": row[2:]} for row in data()["gains"][case]]
        law = {"gains": [{"until": SWITCH, **rows[0]}, rows[1]]} if len(rows) > 1 else rows[0]
        drive = {**drive, "control": {"type": "pd", "sensor": sensor, **law}}
        return scenario.with_(
            {
                "drive": [drive],
                "output": {"every": "1 ms", "stations": 2},
            }
        )

    def result(self, case: str, sensor: str = "chord") -> fa.Result:
        """The run of a case."""
        return self.once((case, sensor), lambda: fa.simulate(self.scenario(case, sensor)))

    def errors(self, case: str, sensor: str = "chord") -> tuple[np.ndarray, np.ndarray]:
        """Times in s, shape (nt,), and tip minus path along x and y in mm, shape (nt, 2)."""
        found = self.result(case, sensor).data
        return found["time"].values, 1e3 * found["path_error"].values[:, :2]

    def figures_of_merit(self, case: str, sensor: str = "chord") -> np.ndarray:
        """rms along x and y, then peaks along x and y, mm, from 2 s on; not a number if the run did not reach its end."""
        if not self.result(case, sensor).success:
            return np.full(4, np.nan)
        return merit(*self.errors(case, sensor))

    def deflections(self, case: str, sensor: str = "chord") -> np.ndarray:
        """Largest deflection of the ends of both links from their root tangents, mm."""
        return 1e3 * np.abs(self.result(case, sensor).data["deflection"].values[:, :, -1]).max(axis=0)


def merit(time: np.ndarray, error: np.ndarray) -> np.ndarray:
    """rms and peaks of an error (nt, 2) from 2 s on."""
    late = error[time >= AFTER - 1e-9]
    return np.concatenate([np.sqrt(np.mean(late**2, axis=0)), np.abs(late).max(axis=0)])
