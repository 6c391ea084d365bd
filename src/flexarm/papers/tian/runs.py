"""Runs of both examples with all gains: each is made once and kept."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexarm as fa
from flexarm.errors import CapabilityError
from flexarm.papers.kept import Kept, stored
from flexarm.simulation.build import prepare

METHODS: dict[str, dict[str, Any]] = {"fem": {}, "ancf": {"energy_error": 1e6}}
"""Methods that are asked, in this order, whether they can read a sensor, and their options. The reference velocity jumps at
the start, a shock whose energy no scheme keeps; it must not stop the run, whose errors count from 2 s on."""
SWITCH = "12.5 s"
AFTER = 2.0
"""Errors count from this time on, s."""


def data() -> dict[str, Any]:
    """Gains and reference figures."""
    return stored("tian")


class Runs(Kept):
    """Scenarios and simulations, kept by their inputs."""

    def scenario(self, case: str, sensor: str = "hub", method: str = "fem") -> fa.Scenario:
        """A case such as ``circle base``: path and gains, read by `sensor`, every step recorded."""
        plan = fa.load(f"tian-{case.split()[0]}")
        (drive,) = plan.tree["drive"]
        rows = [{"kp": row[:2], "kv": row[2:]} for row in data()["gains"][case]]
        law = {"gains": [{"until": SWITCH, **rows[0]}, rows[1]]} if len(rows) > 1 else rows[0]
        drive = {**drive, "control": {"type": "pd", "sensor": sensor, **law}}
        return plan.with_(
            {
                "drive": [drive],
                "method": {"name": method, "resolution": [2, 4], **METHODS[method]},
                "output": {"every": "1 ms", "stations": 2},
            }
        )

    def method_for(self, sensor: str) -> str | None:
        """The first method that can feed back a sensor; None if none can."""

        def find() -> str | None:
            for name in METHODS:
                if name in fa.method_names():
                    try:
                        prepare(self.scenario("circle base", sensor, name))
                    except CapabilityError:
                        continue
                    return name
            return None

        return self.once(("method", sensor), find)

    def result(self, case: str, sensor: str = "hub") -> fa.Result:
        """The run of a case by the first method that can."""
        method = self.method_for(sensor)
        if method is None:
            raise CapabilityError(f"no method of this version feeds back the {sensor}", field="drive.control.sensor")
        return self.once((case, sensor), lambda: fa.simulate(self.scenario(case, sensor, method)))

    def errors(self, case: str, sensor: str = "hub") -> tuple[np.ndarray, np.ndarray]:
        """Times in s, shape (nt,), and tip minus path along x and y in mm, shape (nt, 2)."""
        found = self.result(case, sensor).data
        return found["time"].values, 1e3 * found["path_error"].values[:, :2]

    def figures_of_merit(self, case: str, sensor: str = "hub") -> np.ndarray:
        """rms along x and y, then peaks along x and y, mm, from 2 s on; not a number if the run did not reach its end."""
        if not self.result(case, sensor).success:
            return np.full(4, np.nan)
        return merit(*self.errors(case, sensor))

    def deflections(self, case: str, sensor: str = "hub") -> np.ndarray:
        """Largest deflection of the ends of both links from their root tangents, mm."""
        return 1e3 * np.abs(self.result(case, sensor).data["deflection"].values[:, :, -1]).max(axis=0)


def merit(time: np.ndarray, error: np.ndarray) -> np.ndarray:
    """rms and peaks of an error (nt, 2) from 2 s on."""
    late = error[time >= AFTER - 1e-9]
    return np.concatenate([np.sqrt(np.mean(late**2, axis=0)), np.abs(late).max(axis=0)])
