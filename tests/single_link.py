"""One link in all its variants: short scenarios in SI units that the tests of several rooms share."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.drive import Program
from flexarm.methods import get_method
from flexarm.methods.base import Hints, Watch
from flexarm.scenario import Scenario

DATA = Path(__file__).parent / "data"
SCHEMES = ("leapfrog", "newmark", "exact")
LENGTH, EI, RHO_A, HUB = 0.96, 71.1e9 * 5.1924e-11, 2710.0 * 6.1544e-5, 5.86e-4
LINK = {
    "name": "link",
    "length": LENGTH,
    "section": {"area": 6.1544e-5, "inertia": 5.1924e-11},
    "material": {"E": 71.1e9, "density": 2710.0, "nu": 0.33},
    "joint": {"hub_inertia": HUB},
}
BANG = {"joint": "link", "torque": {"profile": "bang-bang", "amplitude": 0.1, "duration": 0.6}}
CASES = {"nohub": (0.0, 0.0), "hub": (HUB, 0.0), "hub10g": (HUB, 0.01), "hub20g": (HUB, 0.02)}
"""Hub inertia and payload mass of the four cases with reference values."""


def merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Mappings merged in depth, but section and material replaced as a whole; None takes a key away."""
    out = copy.deepcopy(base)
    for key, value in changes.items():
        if value is None:
            out.pop(key, None)
        elif key not in ("section", "material") and isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = merged(out[key], value)
        else:
            out[key] = copy.deepcopy(value)
    return out


def make(
    *, link: dict | None = None, joint: dict | None = None, payload: dict | None = None, gravity: Any = None,
    damping: dict | None = None, drive: Any = BANG, events: Any = (), end: float = 1.2, step: Any = "auto",
    start: str = "undeformed", every: float | None = None, output: dict | None = None, **method: Any,
) -> Scenario:  # fmt: skip
    """A scenario of one link; keywords that are left over are options of the method `fd`."""
    body = merged(LINK, link or {})
    body["joint"] = merged(body.get("joint", {}), joint or {})
    arm: dict[str, Any] = {"links": [body], "payload": payload or {}}
    if gravity is not None:
        arm["gravity"] = gravity
    if damping is not None:
        arm["damping"] = damping
    drives = [drive] if isinstance(drive, dict) else list(drive or ())
    tree = {
        "name": "one link",
        "arm": arm,
        "drive": drives,
        "events": list(events),
        "method": {"name": "fd", "resolution": 19, **method},
        "time": {"end": end, "step": step, "start": start},
        "output": {**({"every": every} if every else {}), **(output or {})},
    }
    return Scenario.model_validate(tree)


def model_of(scenario: Scenario) -> Any:
    """The model of a scenario's method, without running it."""
    from flexarm.simulation.build import prepare

    return prepare(scenario).model


def bare_model(scenario: Scenario, **hints: Any) -> Any:
    """The model alone: no time grid, so no step is refused."""
    program = Program.compile(scenario.arm, scenario.drive)
    method = get_method(scenario.method.name)
    return method.build(scenario.arm, program.wiring, scenario.method.options, Watch(), Hints(**hints))


def at_times(result: Any, name: str, times: Any) -> np.ndarray:
    """A signal at record times that must exist."""
    grid = result.data["time"].values
    places = np.array([int(np.abs(grid - t).argmin()) for t in np.atleast_1d(times)])
    assert np.allclose(grid[places], times, rtol=0, atol=1e-12 * grid[-1])
    return result.data[name].values[places]


def figures(name: str) -> Any:
    """Reference values from the data folder."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def balance(result: Any) -> float:
    """Largest residual of the energy balance, per largest energy of the run."""
    energy = result.data["energy"]
    scale = float(np.abs(energy.drop_sel(kind="residual").values).max())
    return float(np.abs(energy.sel(kind="residual").values).max()) / scale
