"""Arms and readers that the tests of the drive room share."""

from __future__ import annotations

import math

import pytest

from flexarm.arm import Arm

ROD = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
UNITS = {
    "deg": math.pi / 180.0,
    "rad": 1.0,
    "mm": 1e-3,
    "m": 1.0,
    "s": 1.0,
    "ms": 1e-3,
    "N*m": 1.0,
    "Hz": 1.0,
}


def read_quantity(value, quantity):
    """A stand-in for the reader of scenario files: a number and a unit."""
    if isinstance(value, str):
        number, unit = value.split()
        if unit not in UNITS:
            raise ValueError(f"unknown unit '{unit}'")
        return float(number) * UNITS[unit]
    return value


@pytest.fixture
def units():
    return {"quantity": read_quantity}


@pytest.fixture
def make_arm():
    """An arm of rods; joint fields by name, for example ``make_arm(upper={"position": 0.2}, fore={})``."""

    def make(**joints) -> Arm:
        joints = joints or {"upper": {}, "fore": {}}
        return Arm(links=[{"name": name, "joint": joint, **ROD} for name, joint in joints.items()])

    return make
