"""Section forces against statics, patches included, and against finite elements in motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexarm as fa

METAL = {"E": 70e9, "density": 2700.0, "nu": 0.33}
BAR = {"shape": "rectangle", "width": 0.02, "height": 0.01}
STRIP = {"shape": "rectangle", "width": 0.03, "height": 0.0015}
HOLD = {"profile": "constant"}
MOVE = {"profile": "cycloid", "by": 0.8, "duration": 0.3}
DOWN = [0.0, -9.81, 0.0]


def run(
    links: list[dict[str, Any]], drive: list[dict[str, Any]], method: dict[str, Any], arm: dict[str, Any], **time: Any
) -> Any:
    return fa.simulate(fa.Scenario.model_validate({
        "name": "sections", "arm": {"links": links, **arm}, "drive": drive, "method": {"name": "ancf", **method},
        "time": {"end": 2e-3, "step": 1e-3, "start": "locked", **time}, "output": {"stations": 21, "every": 2e-3},
    })).data  # fmt: skip


def link(name: str, section: Any = BAR, length: float = 1.0, **joint: Any) -> dict[str, Any]:
    return {"name": name, "length": length, "section": section, "material": METAL, "joint": joint}


@pytest.mark.parametrize("elements", [1, 3, 8])
@pytest.mark.parametrize("element", ["cable", "shear"])
def test_a_link_carries_its_weight_and_its_payload_on_any_mesh(element, elements):
    """Cantilever: q (L - x) + P. The link is stiff enough for its deflection not to count."""
    data = run([link("a")], [{"joint": "a", "motion": HOLD}], {"element": element, "resolution": elements},
               {"gravity": [0.0, -0.01, 0.0], "payload": {"mass": 0.2}})  # fmt: skip
    x, q, P = 1.0 - data.s.values, 2700.0 * 2e-4 * 0.01, 0.2 * 0.01
    assert data.shear_force.values[0, 0] == pytest.approx(-(q * x + P), rel=1e-5)
    assert data.bending_moment.values[0, 0] == pytest.approx(-(0.5 * q * x**2 + P * x), rel=1e-5, abs=1e-5 * P)


@pytest.mark.parametrize("element", ["cable", "shear"])
def test_bent_far_a_link_still_carries_the_weight_beyond(element):
    """Axial and shear force together are the weight beyond; the moment is that of the weights at the places where they are."""
    data = run([link("a", STRIP, position=0.4)], [{"joint": "a", "motion": HOLD}], {"element": element, "resolution": 10},
               {"gravity": DOWN, "payload": {"mass": 0.25}})  # fmt: skip
    s, (x, y) = data.s.values, data["shape"].values[0, 0, :, :2].T
    assert x[-1] < 0.9 and y[-1] < 0.0  # of 1 m, lifted by 0.39 m when straight
    line, weight = 2700.0 * 0.03 * 0.0015 * 9.81, 0.25 * 9.81
    beyond = line * (1.0 - s) + weight
    axial, shear, moment = (data[name].values[0, 0] for name in ("axial_force", "shear_force", "bending_moment"))
    assert np.hypot(axial, shear) == pytest.approx(beyond, rel=1e-6)
    from scipy.integrate import cumulative_simpson

    far = cumulative_simpson(x[::-1], x=1.0 - s[::-1], initial=0.0)[::-1]  # integral of x beyond
    wanted = -(line * (far - x * (1.0 - s)) + weight * (x[-1] - x))
    assert moment == pytest.approx(wanted, abs=1e-3 * np.abs(wanted).max())


@pytest.mark.parametrize("time", [0.0, 2e-3])
@pytest.mark.parametrize("element", ["cable", "shear"])
def test_a_moving_arm_has_those_of_finite_elements(element, time):
    links = [link("a", position=0.3, hub_inertia=0.01), link("b", length=0.8, position=-0.5, motor_mass=0.2)]
    drive = [{"joint": "a", "motion": MOVE}, {"joint": "b", "motion": {**MOVE, "by": -0.6}}]
    arm = {"gravity": DOWN, "payload": {"mass": 0.1}, **({"damping": {"time": time}} if time else {})}
    fem = {"name": "fem", "order": 3, "resolution": 10}
    found, wanted = (run(links, drive, method, arm, end=0.3, step=5e-4) for method in ({"element": element}, fem))
    for name in ("axial_force", "shear_force", "bending_moment"):
        a, b = found[name].values, wanted[name].values
        assert np.all(np.abs(a - b).max(axis=(0, 2)) < 2e-3 * np.abs(b).max(axis=(0, 2))), name


@pytest.mark.parametrize("element", ["cable", "shear"])
@pytest.mark.parametrize("kind", ["force", "moment"])
def test_patches_are_felt_before_them(kind, element):
    """At rest: a force of 2 N spread over a part of the link, or a pair of moments, which no force balances."""
    patch = {"link": "a", "from": 0.25, "to": 0.5}
    drive = [{"joint": "a", "motion": HOLD}, {"patch": patch, kind: {"profile": "constant", "amplitude": 2.0}}]
    data = run([link("a")], drive, {"element": element}, {})
    s = data.s.values
    wanted = 2.0 * np.clip((0.5 - s) / 0.25, 0.0, 1.0) if kind == "force" else 0.0 * s
    assert data.shear_force.values[0, 0] == pytest.approx(wanted, abs=0.04)  # the force acts at 32 points
