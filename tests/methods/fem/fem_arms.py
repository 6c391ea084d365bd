"""Planar arms in SI units that the tests of `fem` share."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.scenario import Scenario
from single_link import merged

ROD = {"area": 350e-6, "inertia": 1e-8, "shear_factor": 0.8864}
ALUMINIUM = {"E": 70e9, "density": 2700.0, "nu": 0.3}
TUBE = {"shape": "tube", "diameter": 0.1, "inner": 0.094, "shear_factor": 0.54}
STEEL = {"E": 200e9, "density": 7850.0, "nu": 0.3}
SLENDER = {
    "section": {"area": 6.1544e-5, "inertia": 5.1924e-11},
    "material": {"E": 71.1e9, "density": 2710.0, "nu": 0.33},
}
"""The bar of 0.96 m; as thin as it is, shear and rotary inertia do not show."""
CYCLOID = {"profile": "cycloid", "by": np.pi / 3, "duration": 2.5}
TRAPEZOID = {"profile": "trapezoid-velocity", "by": np.pi / 3, "duration": 2.0, "rise": 0.5}
HOLD = {"profile": "constant"}
DOWN = [0.0, -9.81, 0.0]


def beam(name: str, length: float = 1.0, **changes: Any) -> dict[str, Any]:
    """A link of the aluminium rod of case 1; keywords change it."""
    return merged({"name": name, "length": length, "section": ROD, "material": ALUMINIUM, "joint": {}}, changes)


def moved(name: str, motion: dict, **more: Any) -> dict[str, Any]:
    """A joint that follows a motion, or a law that reads it."""
    return {"joint": name, "motion": motion, **more}


def scenario(
    links: list[dict], drive: Any = (), *, end: float = 1.0, step: Any = 1e-3, every: float | None = None,
    start: str = "undeformed", output: dict | None = None, arm: dict | None = None, **method: Any,
) -> Scenario:  # fmt: skip
    """Any serial arm; keywords that are left over are options of `fem`."""
    return Scenario.model_validate({
        "name": "planar arm",
        "arm": {"links": links, **(arm or {})},
        "drive": [drive] if isinstance(drive, dict) else list(drive),
        "method": {"name": "fem", "resolution": 4, "integrator": "newmark", "tolerance": 1e-11, **method},
        "time": {"end": end, "step": step, "start": start},
        "output": {**({"every": every} if every else {}), **(output or {})},
    })  # fmt: skip


def case1(**changes: Any) -> Scenario:
    """Two rods, both joints by 60 deg, followed rigidly."""
    drives = changes.pop("drive", [moved(name, CYCLOID) for name in ("upper", "fore")])
    return scenario([beam("upper"), beam("fore")], drives, **{"end": 4.0, **changes})


def case2(**changes: Any) -> Scenario:
    """Two steel tubes that start in equilibrium with their weight; the first mode has 5 % damping."""
    tubes = [beam(n, length, section=TUBE, material=STEEL) for n, length in (("upper", 1.0), ("fore", 1.5))]
    arm = {"gravity": DOWN, "damping": {"ratio": 0.05, "mode": 1}}
    drives = [moved(name, TRAPEZOID) for name in ("upper", "fore")]
    return scenario(tubes, drives, arm=arm, **{"end": 3.0, "start": "equilibrium", **changes})


def case3(**changes: Any) -> Scenario:
    """Case 1 with compliant servos."""
    gains = {"upper": {"kp": 360.0, "kv": 60.0}, "fore": {"kp": 45.0, "kv": 7.5}}
    return case1(drive=[moved(name, CYCLOID, servo=servo) for name, servo in gains.items()], **changes)


def slender(joint: dict | None = None, **changes: Any) -> dict[str, Any]:
    """The slender bar of 0.96 m."""
    return merged({"name": "link", "length": 0.96, "joint": joint or {}, **SLENDER}, changes)


def tip_error(run: Any) -> np.ndarray:
    """Deformed tip minus that of the rigid arm on its command, mm, (nt, 2)."""
    return 1e3 * run.data["tip_error"].values[:, :2]


def model_of(one: Scenario) -> Any:
    """The model of a scenario, without running it."""
    from flexarm.simulation.build import prepare

    return prepare(one).model


def evaluated(model: Any, q: Any, v: Any, a: Any, frame: np.ndarray, speed: float, push: float) -> tuple:
    """Residual and dense tangent of the arm without its motors, for d velocity = speed, d acceleration = push."""
    from flexarm.methods.fem import assemble
    from flexarm.methods.fem.tangents import dense

    state = model.empty()
    state.x[model.layout["q"]], state.x[model.layout["v"]] = q, v
    state.x[model.layout["frame"]] = frame.ravel()
    state.x[model.layout["unrecorded"]][: model.size] = a
    assemble.evaluate(state.x, model.parts, model.work, speed, push)
    return model.work.residual.copy(), dense(model.work.band)
