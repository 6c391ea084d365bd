"""Arms in SI units that the tests of `modes` share."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.arm import Arm
from flexarm.drive import JointWiring, Wiring
from flexarm.methods import get_method
from flexarm.scenario import Scenario

NUMBERS = json.loads(files("flexarm.papers.lee_huggins_book").joinpath("numbers.json").read_text(encoding="utf-8"))
DOWN = [0.0, -9.81, 0.0]
STRIP = {"section": {"shape": "rectangle", "width": 0.02, "height": 0.01}, "material": {"E": 70e9, "density": 2700.0}}
HOLD = {"profile": "constant"}


def link(name: str, length: float = 1.0, **more: Any) -> dict[str, Any]:
    """A flexible strip."""
    return {"name": name, "length": length, **STRIP, "joint": {}, **more}


def scenario(links: list[dict], drive: Any = (), **more: Any) -> Scenario:
    """Any arm; `arm`, `time` and `output` are merged, what is left over are options of the method."""
    return Scenario.model_validate({
        "name": "arm",
        "arm": {"links": links, **more.pop("arm", {})},
        "drive": list(drive),
        "events": more.pop("events", ()),
        "time": {"end": 0.3, "step": 1e-3, **more.pop("time", {})},
        "output": more.pop("output", {}),
        "method": {"name": "modes", **more},
    })  # fmt: skip


def model_of(arm: Arm | Scenario, modes: dict[str, str] | str = "free", **options: Any):
    """Model with joints moved, driven or free."""
    arm = arm if isinstance(arm, Arm) else arm.arm
    wired = [
        JointWiring(j, modes if isinstance(modes, str) else modes[j], arm.link(j).joint.stiffness is not None)
        for j in arm.joints
    ]
    method = get_method("modes")
    return method.build(arm, Wiring(tuple(wired)), method.options_from(options))


def ralf(gravity: bool = True, **changes: Any) -> Scenario:
    """The bundled arm."""
    weight = {} if gravity else {"arm.gravity": [0, 0, 0]}
    return fa.load("ralf").with_({**weight, **changes})


def random_tree(seed: int) -> Arm:
    """A tree with everything: taper, offsets, rigid and welded links, sprung joint, payload, motors."""
    rng = np.random.default_rng(seed)
    u = lambda low, high: float(rng.uniform(low, high))  # noqa: E731
    taper = [{"at": 0.0, "shape": "rectangle", "width": 0.02, "height": u(0.01, 0.02)},
             {"at": 1.0, "shape": "rectangle", "width": 0.02, "height": u(0.005, 0.01)}]  # fmt: skip
    links = [
        link("a", u(0.5, 1.5), section=taper, points={"side": [u(0.1, 0.4), u(0.05, 0.2)], "rear": [-u(0.1, 0.3), 0.05]},
             masses=[{"at": "side", "mass": u(0.1, 1.0), "inertia": u(0.001, 0.01)}, {"at": 0.6, "mass": u(0.1, 0.5)}],
             joint={"hub_inertia": u(0.01, 0.1), "position": u(-1, 1)}),
        {"name": "b", "parent": "a", "at": 0.7, "flexible": False, "body": {"mass": u(0.2, 1), "center": [u(0, 0.2), u(-0.1, 0.1)],
         "inertia": u(0.001, 0.01)}, "points": {"end": [u(0.1, 0.3), u(-0.1, 0.1)]}, "joint": {"position": u(-1, 1)}},
        link("c", u(0.3, 0.8), parent="b", at="end", joint={"stiffness": 100.0, "rotor_inertia": u(0.01, 0.1), "damping": 0.1}),
        link("d", u(0.3, 0.8), parent="a", joint={"type": "fixed", "position": u(-1, 1), "motor_mass": u(0.1, 0.5)}),
        link("e", u(0.3, 0.8), parent="a", at="side", joint={"motor_mass": u(0.1, 0.5), "rotor_inertia": u(0.01, 0.1)}),
    ]  # fmt: skip
    payload = {"link": "d", "mass": u(0.1, 1), "inertia": u(0.001, 0.01), "offset": [u(-0.1, 0.1), u(-0.1, 0.1)]}
    return Arm(links=links, payload=payload, gravity=(u(-5, 5), u(-10, 10), 0.0))
