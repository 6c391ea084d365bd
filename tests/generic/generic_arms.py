"""One link that every method can do, driven in three ways, and the bundled scenarios cut short."""

from __future__ import annotations

from functools import cache
from typing import Any

import flexarm as fa
from flexarm.simulation.build import prepare

METHODS = fa.method_names()
BUNDLED = [entry.name for entry in fa.bundled()]
STEPS = 200
"""Steps of a bundled scenario that is cut short."""
TEXT = """\
name: any method
arm:
  links:
    - name: link
      length: 0.8 m
      section: {shape: rectangle, width: 30 mm, height: 5 mm}
      material: {E: 70 GPa, density: 2700 kg/m^3, nu: 0.3}
      joint: {hub_inertia: 2e-3 kg*m^2}
  payload: {mass: 0.1 kg, inertia: 1e-4 kg*m^2}
drive: [{joint: link, motion: {profile: quintic, by: 0.04 rad, duration: 0.3 s}}]
method: {name: fd}
time: {end: 0.4 s, step: 0.5 ms}
output: {every: 2 ms}
"""
MOTION = {"profile": "quintic", "by": 0.04, "duration": 0.3}
DRIVES: dict[str, dict[str, Any]] = {
    "motion": {"joint": "link", "motion": MOTION},
    "torque": {"joint": "link", "torque": {"profile": "sine", "amplitude": 0.1, "frequency": 3.0}},
    "control": {"joint": "link", "motion": MOTION, "control": {"type": "pd", "kp": 20.0, "kv": 1.0}},
}
RESOLUTION = {"fd": 40, "fem": 8, "segments": 24, "modes": 6, "ancf": 12}
"""Meshes that agree within about a tenth of a per cent."""
SCHEME: dict[str, dict[str, Any]] = {"fd": {"scheme": "newmark"}, "fem": {"order": 2}}
"""Options that make a method step as the others do."""


def one_link(method: str, drive: str = "motion", **changes: Any) -> fa.Scenario:
    """The link by a method; `changes` are paths with dots written as `__`."""
    own = {"name": method, "resolution": RESOLUTION.get(method, 8), **SCHEME.get(method, {})}
    more = {key.replace("__", "."): value for key, value in changes.items()}
    return fa.loads(TEXT).with_({"method": own, "drive": [DRIVES[drive]], **more})


@cache
def short(name: str) -> fa.Scenario:
    """A bundled scenario with its own method, ended after some 200 steps; an event comes half way."""
    plan = fa.load(name)
    if plan.time.step == "auto":
        plan = plan.with_({"time.step": prepare(plan).step})
    end = min(plan.time.end, STEPS * float(plan.time.step))
    events = [{**event, "at": 0.5 * end} for event in plan.tree.get("events", ())]
    return plan.with_({"events": events, "time.end": end} if events else {"time.end": end})


@cache
def short_run(name: str) -> fa.Result:
    """Its run."""
    return fa.simulate(short(name))
