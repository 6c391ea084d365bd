"""Section forces beside lumps: on both sides of each the forces are those of what is beyond the cut, at rest and in motion."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from generic_arms import METHODS

import flexarm as fa

BAR = {"shape": "rectangle", "width": 0.02, "height": 0.01}
METAL = {"E": 70e9, "density": 2700.0, "nu": 0.33}
LINE, LENGTH, DOWN = 2700.0 * 0.02 * 0.01, 0.9, 9.81
LUMPS = {
    "on a station": [{"at": 0.6, "mass": 0.4}],
    "with inertia": [{"at": 0.33, "mass": 0.3, "inertia": 2e-3}, {"at": 0.71, "mass": 0.2}],
    "near the root": [{"at": 0.08, "mass": 0.5, "inertia": 1e-3}],
    "at both ends": [{"at": 0.0, "mass": 0.4}, {"at": 1.0, "mass": 0.3}],
}
OPTIONS: dict[str, dict[str, Any]] = {
    "fd": {"resolution": 40, "scheme": "newmark"}, "fem": {"order": 2}, "fem, order 1": {"resolution": 20},
    "segments": {"resolution": 40}, "modes": {}, "ancf": {"element": "cable"}, "ancf, shear": {"element": "shear"},
}  # fmt: skip
NAMES = ("axial_force", "shear_force", "bending_moment")
MOVE = {"profile": "cycloid", "by": 0.05, "duration": 0.2}


def run(method: str, lumps: str, **more: Any) -> Any:
    """One link with lumps: held under its weight, or moved without it."""
    name = method.split(",")[0]
    link = {"name": "link", "length": LENGTH, "section": BAR, "material": METAL, "masses": LUMPS[lumps]}
    arm = {"links": [link], "payload": {"mass": 0.1}}
    held = {
        "arm": {**arm, "gravity": [0.0, -DOWN, 0.0]},
        "drive": [{"joint": "link", "motion": {"profile": "constant"}}],
    }
    moved = {"arm": arm, "drive": [{"joint": "link", "motion": MOVE}]}
    return fa.simulate(fa.Scenario.model_validate({
        "name": lumps, **(moved if more else held), "method": {"name": name, **OPTIONS.get(method, {}), **more},
        "time": {"end": 0.2 if more else 1e-3, "step": 5e-4, "start": "undeformed" if more else "locked"},
        "output": {"stations": 21, "every": 2e-3 if more else 5e-4},
    })).data  # fmt: skip


def test_every_method_is_tested():
    assert {name.split(",")[0] for name in OPTIONS} == {*METHODS}


@pytest.mark.parametrize("lumps", LUMPS)
@pytest.mark.parametrize("method", OPTIONS)
def test_at_rest_forces_carry_the_weight_beyond(method, lumps):
    """On a lump the cut is before it; a lump at the very root is not beyond any cut."""
    data = run(method, lumps)
    s = data.s.values
    beyond = LENGTH * (1.0 - s)
    shear, moment = LINE * beyond + 0.1, 0.5 * LINE * beyond**2 + 0.1 * beyond
    for lump in LUMPS[lumps]:
        felt = (s <= lump["at"] + 1e-9) & (lump["at"] > 0.0)
        shear, moment = shear + felt * lump["mass"], moment + felt * lump["mass"] * (lump["at"] - s) * LENGTH
    for name, wanted in (("shear_force", -DOWN * shear), ("bending_moment", -DOWN * moment)):
        assert np.abs(data[name].values[0, 0] - wanted).max() < 3e-3 * np.abs(wanted).max(), name


@cache
def reference(lumps: str) -> Any:
    """Many elements of third order, with nodes on the lumps."""
    return run("fem", lumps, order=3, resolution=24)


@pytest.mark.parametrize("lumps", ["with inertia", "near the root"])
@pytest.mark.parametrize("method", OPTIONS)
def test_in_motion_forces_move_what_is_beyond(method, lumps):
    """A lump with inertia makes the moment jump, too."""
    data, wanted = run(method, lumps, resolution=OPTIONS[method].get("resolution", 8)), reference(lumps)
    for name in NAMES[1:] if method == "fd" else NAMES:  # which has no axial force by spinning
        a, b = data[name].values, wanted[name].values
        assert np.abs(a - b).max() < 5e-3 * np.abs(b).max(), name
