"""Planar arms in SI units that the tests of `segments` share."""

from __future__ import annotations

from typing import Any

import numpy as np

import flexarm as fa
from flexarm.scenario import Scenario
from single_link import figures, merged

DATA = figures("segments")
BAR = {"shape": "rectangle", "width": 0.02, "height": 0.005}
TAPER = [
    {"at": 0, "shape": "rectangle", "width": 0.02, "height": 0.007},
    {"at": 1, "shape": "rectangle", "width": 0.01, "height": 0.004},
]
ALUMINIUM = {"E": 70e9, "density": 2700.0, "nu": 0.3}
DOWN = [0.0, -9.81, 0.0]
HOLD = {"profile": "constant"}


def beam(name: str, length: float = 0.5, **changes: Any) -> dict[str, Any]:
    """A slender link; keywords change it."""
    return merged({"name": name, "length": length, "section": BAR, "material": ALUMINIUM, "joint": {}}, changes)


def prescribed(name: str, motion: dict, **more: Any) -> dict[str, Any]:
    """A joint that follows a motion, or a law that reads it."""
    return {"joint": name, "motion": motion, **more}


def scenario(
    links: list[dict], drive: Any = (), *, end: float = 0.4, step: Any = 1e-3, every: float | None = None,
    start: str = "undeformed", output: dict | None = None, arm: dict | None = None, events: Any = (), **method: Any,
) -> Scenario:  # fmt: skip
    """Any serial arm; keywords that are left over are options of the method."""
    return Scenario.model_validate({
        "name": "chain",
        "arm": {"links": links, **(arm or {})},
        "drive": [drive] if isinstance(drive, dict) else list(drive),
        "events": list(events),
        "method": {"name": "segments", "resolution": 10, **method},
        "time": {"end": end, "step": step, "start": start},
        "output": {**({"every": every} if every else {}), **(output or {})},
    })  # fmt: skip


def by_fem(one: Scenario, elements: int = 12) -> Scenario:
    """The same arm by finite elements."""
    return one.with_({"method": {"name": "fem", "resolution": elements, "order": 2, "integrator": "newmark"}})


def model_of(one: Scenario) -> Any:
    """The model of a scenario, without running it."""
    from flexarm.simulation.build import prepare

    return prepare(one).model


def step_notes(one: Scenario) -> list[str]:
    """What is told of the scenario's step."""
    return list(model_of(one).step_notes(one.time.step))


def li_zhang(joints: str = "rigid", **method: Any) -> Scenario:
    """The three links of Li and Zhang; keywords are options of the method, `step` and `end` those of the run."""
    name = "li-zhang-three-link" + ("-flexible" if joints == "flexible" else "")
    time = {"end": method.pop("end", 2.0), "step": method.pop("step", 1e-3)}
    return fa.load(name).with_({"method": {"name": "segments", "resolution": 20, **method}, "time": time})


def single(**method: Any) -> Scenario:
    """The single beam of Li and Zhang."""
    time = {"end": method.pop("end", 9.0), "step": method.pop("step", 2e-3)}
    output = {"every": method.pop("every", 2e-3)}
    choice = {"name": "segments", "resolution": 60, **method}
    return fa.load("li-zhang-single").with_({"method": choice, "time": time, "output": output})


def signals(result: Any) -> dict[str, np.ndarray]:
    """Tip error, deformation of links and of joints by their short names, and the time."""
    data = result.data
    found = {"ex": data.tip_error.values[:, 0], "ey": data.tip_error.values[:, 1], "time": data.time.values}
    for k in range(data.sizes["link"]):
        found[f"d{k + 1}"] = data.link_deformation.values[:, k]
        found[f"j{k + 1}"] = data.joint_deformation.values[:, k]
    return found


def apart(one: Any, two: Any, name: str) -> float:
    """Largest difference of a signal between two runs, per largest value."""
    a, b = one.data[name].values, two.data[name].values
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-300))
