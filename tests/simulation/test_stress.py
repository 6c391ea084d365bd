"""Stress at the outer fibre: closed forms of a cantilever under its weight, in the plane and in space; margin to a strength."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import flexarm as fa
from flexarm.view.stress import stress

RHO, G, L = 2700.0, 9.81, 1.0
SHAPES: dict[str, tuple[dict[str, Any], float, float, float, float]] = {
    # area, inertia / fibre in the plane, across it
    "rectangle": ({"width": 0.03, "height": 0.01}, 3e-4, 0.03 * 0.01**2 / 6.0, 0.01 * 0.03**2 / 6.0, 1.0),
    "circle": ({"diameter": 0.02}, math.pi * 1e-4, math.pi * 0.02**3 / 32.0, math.pi * 0.02**3 / 32.0, 2.0),
}


def resting(shape: str, method: str, gravity: list[float], **own: Any) -> fa.Result:
    link = {"name": "a", "section": {"shape": shape, **SHAPES[shape][0]},
            "material": {"E": 70e9, "density": RHO, "nu": 0.3, "strength": 200e6}, **own}  # fmt: skip
    return fa.simulate(fa.Scenario.model_validate({
        "name": "resting", "arm": {"links": [link], "gravity": gravity},
        "drive": [{"joint": "a", "motion": {"profile": "constant"}}],
        "method": {"name": method, **({"resolution": 32} if method == "fem" else {})},
        "time": {"end": 2e-3, "step": 1e-3, "start": "equilibrium"},
    }))  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("method", fa.method_names())
def test_bending_stress_of_a_cantilever(method, shape):
    """rho A g (L - x)^2 / 2 over the section modulus."""
    _, area, modulus, _, _ = SHAPES[shape]
    run = resting(shape, method, [0.0, -G, 0.0], length=L)
    expected = 0.5 * RHO * area * G * (L - run.data["s"].values) ** 2 / modulus
    found = run.data["stress"].values[0, 0]
    assert found == pytest.approx(expected, abs=0.02 * expected[0])
    assert found[0] == pytest.approx(expected[0], rel=5e-3)
    summary = run.summary()
    assert summary["stress_peak"]["a"] == pytest.approx(found.max(), rel=1e-6)
    assert summary["stress_margin"] == pytest.approx(200e6 / summary["stress_peak"]["a"])


@pytest.mark.parametrize("shape", SHAPES)
def test_both_planes_and_the_axial_force_in_space(shape):
    """At a corner the stresses of both planes add up, on a round section they meet between them."""
    _, area, modulus, across, power = SHAPES[shape]
    run = resting(shape, "fem", [-0.2 * G, -G, 0.5 * G], joint={"dh": {"a": L}})
    weight = RHO * area * G * L
    both = (0.5 * weight * L / modulus) ** power + (0.25 * weight * L / across) ** power
    assert run.data["stress"].values[0, 0, 0] == pytest.approx(0.2 * weight / area + both ** (1.0 / power), rel=5e-3)


def test_rigid_links_have_none_and_the_figure_leaves_them_out():
    bar = {"length": 0.5, "section": {"shape": "rectangle", "width": 0.03, "height": 0.01}, "material": "aluminium"}
    rigid = {"name": "b", "length": 0.3, "flexible": False, "body": {"mass": 0.5, "center": [0.15, 0.0]}}
    run = fa.simulate(fa.Scenario.model_validate({
        "name": "two", "arm": {"links": [{"name": "a", **bar}, rigid]}, "method": {"name": "fem"},
        "drive": [{"joint": j, "motion": {"profile": "quintic", "by": 0.3, "duration": 0.1}} for j in "ab"],
        "time": {"end": 0.02, "step": 1e-3},
    }))  # fmt: skip
    assert np.all(np.isnan(run.data["stress"].sel(link="b")))
    assert set(run.summary()["stress_peak"]) == {"a"}
    assert "stress_margin" not in run.summary()
    assert [line.get_label() for line in stress(run).axes[0].lines] == ["a"]
