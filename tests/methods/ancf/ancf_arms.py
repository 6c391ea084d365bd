"""Arms and runs that the tests of `ancf` share."""

import json
from pathlib import Path
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.drive import JointWiring, Wiring
from flexarm.methods import get_method
from flexarm.scenario import Scenario

FIGURES = json.loads((Path(__file__).parents[2] / "data" / "ancf.json").read_text())
SQUARE = {"shape": "rectangle", "width": 0.05, "height": 0.05, "shear_factor": 5 / 6}
CIRCLE_MATERIAL = {"E": 30e9, "nu": 0.25, "density": 6000}
GRAVITY = [0.0, -9.81, 0.0]


def bar(length, material, section=SQUARE, **more):
    """An arm of one link."""
    return fa.Arm.model_validate(
        {"links": [{"name": "bar", "length": length, "section": section, "material": material}], **more}
    )


def two_links(upper=None, fore=None, **more) -> dict[str, Any]:
    """The arm of the tracking cases as a dict; joints may be given more."""
    links = [
        {"name": "upper", "length": 0.4, "section": SQUARE, "material": CIRCLE_MATERIAL, "joint": {"position": 0.3}},
        {"name": "fore", "length": 1.6, "section": SQUARE, "material": CIRCLE_MATERIAL, "joint": {"position": 0.8}},
    ]
    for link, joint in zip(links, (upper, fore), strict=True):
        link["joint"].update(joint or {})
    return {"links": links, **more}


def build(arm, mode="motion", **options):
    """A model with all joints in one mode."""
    joints = tuple(JointWiring(j, mode, arm.link(j).joint.stiffness is not None) for j in arm.joints)
    method = get_method("ancf")
    return method.build(arm, Wiring(joints), method.options_from(options))


def tip_of(model) -> slice:
    """Where the tip stands in the state."""
    return slice(model.parts.tip[-1], model.parts.tip[-1] + 2)


def scenario(arm, drive=(), end=0.3, step=1e-3, method=None, events=(), start="undeformed", every=0.01) -> Scenario:
    """A scenario for the method, from plain data."""
    return Scenario.model_validate(
        {
            "name": "test", "arm": arm, "drive": list(drive), "events": list(events),
            "method": {"name": "ancf", "resolution": [2, 4], **(method or {})},
            "time": {"end": end, "step": step, "start": start}, "output": {"every": every},
        }
    )  # fmt: skip


def moving(joint, by, duration=0.25, **more):
    """A smooth move."""
    return {"joint": joint, "motion": {"profile": "cycloid", "by": by, "duration": duration}, **more}


def held(joint, by, sensor="hub", kp=2000.0, kv=100.0, duration=0.25, **more):
    """A smooth move under a PD law."""
    law = {"type": "pd", "kp": kp, "kv": kv, "sensor": sensor, **more}
    return moving(joint, by, duration, control=law)


def swing(joint, torque, frequency=3.0):
    """A sine of torque."""
    return {"joint": joint, "torque": {"profile": "sine", "amplitude": torque, "frequency": frequency}}


def share(result, kind):
    """Largest value of an energy kind, as a share of the largest of all."""
    energy = result.data.energy
    return float(np.abs(energy.sel(kind=kind)).max() / np.abs(energy).max())
