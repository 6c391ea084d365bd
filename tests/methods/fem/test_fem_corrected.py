"""Corrected two-node elements: the mesh of the program itself is of fourth order, and links keep their inertia."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.methods.fem.corrected import nodal_masses

CLAMPED = np.array([1.8751040687, 4.6940911330, 7.8547574382, 10.995540735])
PINNED = np.array([3.9266023120, 7.0685827456, 10.210176123])
"""Roots of 1 + cos cosh = 0 and of tan = tanh: a beam with a free end, clamped or turning freely at the other."""
LINK = """
name: strip
arm:
  links: [{{name: link, length: 1 m, section: {section}, material: aluminium, joint: {{{joint}}}}}]
  payload: {{mass: {payload} kg}}
drive: [{{joint: link, motion: {{profile: quintic, by: 40 deg, duration: 0.4 s}}}}]
method: {{name: {method}}}
time: {{end: 0.6 s, step: 0.5 ms}}
output: {{every: 2 ms, gauges: [{{name: root, link: link, at: 0.02}}]}}
"""
STRIP = "{shape: rectangle, width: 20 mm, height: 3 mm}"
STEPPED = (
    "{stations: [{at: 0, shape: rectangle, width: 30 mm, height: 6 mm}, {at: 0.37, shape: rectangle, width: 30 mm, height: 6 mm},"
    " {at: 0.37, shape: rectangle, width: 20 mm, height: 3 mm}, {at: 1, shape: rectangle, width: 12 mm, height: 2 mm}]}"
)
IN_SPACE = "dh: {a: 1 m}"


def strip(
    method: str = "fem", section: str = STRIP, joint: str = "", payload: float = 0.0, **options: object
) -> fa.Scenario:
    changes = {f"method.{name}": value for name, value in options.items()}
    return fa.loads(LINK.format(method=method, section=section, joint=joint, payload=payload), overrides=changes)


def errors(scenario: fa.Scenario, joints: str, roots: np.ndarray) -> np.ndarray:
    link = scenario.arm.links[0].properties([0.5])
    exact = roots**2 * np.sqrt(link["EI"][0] / link["rhoA"][0]) / (2.0 * np.pi)
    found = fa.frequencies(scenario, n=len(roots), joints=joints).hz
    return np.abs(np.array(found[: len(roots)]) / exact[: len(found)] - 1.0)


@pytest.mark.parametrize(("joints", "roots"), [("locked", CLAMPED), ("free", PINNED)])
def test_the_own_mesh_is_far_better_than_the_plain_one(joints, roots):
    own, plain = errors(strip(), joints, roots), errors(strip(resolution=8), joints, roots)
    assert np.all(own[:3] < plain[:3] / 4.0)
    assert own[0] < (2e-4 if joints == "locked" else 2e-3)
    assert np.all(own[:3] < 0.045)
    assert plain[2] > 0.1


@pytest.mark.parametrize(("joints", "roots"), [("locked", CLAMPED), ("free", PINNED)])
def test_frequencies_converge_with_the_fourth_power(joints, roots):
    coarse, fine = (
        errors(strip(resolution=n, integration="corrected", beams="euler-bernoulli"), joints, roots)[1:3]
        for n in (8, 16)
    )
    assert coarse.max() / fine.max() > 13.0


def test_in_space_as_in_the_plane():
    flat, deep = (fa.frequencies(strip(joint=joint), n=6, joints="locked").hz for joint in ("", IN_SPACE))
    for hz in flat[:3]:
        assert np.min(np.abs(np.array(deep) / hz - 1.0)) < 1e-9


@pytest.mark.parametrize("section", [STRIP, STEPPED])
def test_a_run_is_nearer_to_fine_cables(section):
    truth = fa.simulate(strip("ancf", section, payload=0.05, resolution=24))
    own, plain = (fa.simulate(strip("fem", section, payload=0.05, **mesh)) for mesh in ({}, {"resolution": 8}))
    for name, share in {"tip_deflection": 1.0, "joint_torque": 0.5, "strain": 0.5}.items():
        true = truth.data[name].values
        off = [np.abs(run.data[name].values - true).max() / np.abs(true).max() for run in (own, plain)]
        assert off[0] < share * off[1], name


@pytest.mark.parametrize(
    "places", [[0.0, 1.0], [0.0, 0.4, 1.0], np.linspace(0.0, 1.0, 8), [0.0, 0.1, 0.25, 0.3, 0.9, 1.0]]
)
def test_links_keep_mass_centre_and_inertia(places):
    """The density is 1 + 2 x: its moments are 2, 7/6 and 5/6."""
    x = np.array(places)
    own, beside = nodal_masses(x, lambda s: 1.0 + 2.0 * s)
    mass = np.diag(own) + np.diag(beside, 1) + np.diag(beside, -1)
    one = np.ones(len(x))
    assert (one @ mass @ one, one @ mass @ x, x @ mass @ x) == pytest.approx((2.0, 7.0 / 6.0, 5.0 / 6.0), rel=1e-12)
    assert np.all(own > 0.0)


def test_weights_on_equal_elements():
    own, beside = nodal_masses(np.arange(9.0), np.ones_like)
    assert 24.0 * own == pytest.approx([9, 28, 23, 24, 24, 24, 23, 28, 9])
    assert not beside.any()


def test_who_gives_a_mesh_gets_the_elements_of_the_document():
    assert strip().method.options.integration == "corrected"
    assert strip(resolution=8).method.options.integration == "reduced"
    assert strip(order=2).method.options.integration == "reduced"
    assert strip(resolution=16, integration="corrected").method.options.mesh(4) == {
        "method.resolution": 4,
        "method.integration": "corrected",
    }
    with pytest.raises(FlexarmError, match="corrected is for elements of order 1"):
        strip(order=2, integration="corrected")


def test_a_finer_mesh_of_the_same_elements_is_what_studies_take():
    study = fa.convergence(strip(), levels=3)
    peaks = study.mesh.order
    assert max(value for value in peaks.values() if np.isfinite(value)) > 3.0


@pytest.mark.parametrize("joint", ["position: -90 deg", f"position: -90 deg, {IN_SPACE}"])
def test_slender_links_that_carry_much_keep_plain_elements_and_say_so(joint):
    light, heavy = (
        strip(joint=joint, payload=mass).with_(
            {"arm.gravity": [0.0, -9.81, 0.0], "drive.link.motion": {"profile": "constant"}}
        )
        for mass in (0.05, 8.0)
    )
    said = [[note for note in fa.simulate(each).notes if "its elements are plain" in note] for each in (light, heavy)]
    assert not said[0] and "resolution: " in said[1][0]
    plain = heavy.with_({"method.resolution": 8})
    assert fa.frequencies(heavy, n=2, joints="locked").hz == pytest.approx(
        fa.frequencies(plain, n=2, joints="locked").hz, rel=1e-9
    )


def test_a_swing_that_pulls_too_much_is_told():
    """At the bottom a pendulum from the horizontal is pulled with three times its weight, 140 N; 12 EI/h^2 of eight elements is 2420 N."""
    swinging = strip(payload=4.7).with_(
        {"arm.gravity": [0.0, -9.81, 0.0], "drive": [{"joint": "link", "torque": {"profile": "constant", "amplitude": 0.0}}],
         "time.end": 0.7}
    )  # fmt: skip
    note = next(note for note in fa.simulate(swinging, warn=False).notes if "is pulled with" in note)
    assert "resolution: " in note
