"""Arms with reference figures, shared by the tests of linear models."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import flexarm as fa

REFERENCE: dict[str, Any] = json.loads((Path(__file__).parent / "control_reference.json").read_text(encoding="utf-8"))
MESH: dict[str, dict[str, Any]] = {
    "fd": {"resolution": 100},
    "fem": {"resolution": 6, "order": 3},
    "segments": {"resolution": 60},
    "modes": {"resolution": 10},
    "ancf": {"resolution": 12},
}
"""Meshes on which the first three poles of the single link are within a thousandth."""
TWO = """\
name: two links
arm:
  links:
    - name: upper
      length: 0.5 m
      section: {shape: rectangle, width: 30 mm, height: 4 mm}
      material: &metal {E: 70 GPa, density: 2700 kg/m^3, nu: 0.3}
      joint: {hub_inertia: 1e-3 kg*m^2}
    - name: fore
      length: 0.4 m
      section: {shape: rectangle, width: 25 mm, height: 3 mm}
      material: *metal
      joint: {hub_inertia: 2e-4 kg*m^2, motor_mass: 0.3 kg}
  payload: {mass: 0.1 kg}
drive:
  - {joint: upper, torque: {profile: constant, amplitude: 0 N*m}}
  - {joint: fore, torque: {profile: constant, amplitude: 0 N*m}}
method: {name: fem}
time: {end: 0.1 s, step: 0.5 ms}
output:
  gauges: [{link: upper, at: 0, name: upper-root, reads: bending}, {link: fore, at: 0, name: fore-root, reads: bending}]
"""


def link(method: str, payload: float = 0.0, **options: Any) -> fa.Scenario:
    """The single link by a method, with a gauge at its root."""
    return fa.load("tokhi-azad").with_({
        "method": {"name": method, **(MESH[method] | options)}, "arm.payload": {"mass": payload}, "time.step": "0.1 ms",
        "output.gauges": [{"link": "link", "at": 0.0, "name": "root", "reads": "bending"}],
    })  # fmt: skip


@cache
def link_model(method: str, payload: float = 0.0) -> fa.StateSpace:
    """Its linear model, torque as input."""
    return fa.state_space(link(method, payload))


def elastic(values: np.ndarray, positive: str = "imag") -> np.ndarray:
    """Upper (or right) ones of values in pairs, lowest first, as real numbers; those at zero left out."""
    part = getattr(values, positive)
    return part[part > 1e-3]
