"""The exact link: published figures, limits with textbook roots, an independent finite-element model."""

import itertools
import json
from pathlib import Path

import hermite_link
import numpy as np
import pytest

from flexarm.analysis.exact_link import ExactLink
from flexarm.arm import Arm
from flexarm.errors import FlexarmError

FIGURES = json.loads((Path(__file__).parent / "data" / "single_link_exact.json").read_text())
BEAM = FIGURES["beam"]
BARE = ExactLink(**BEAM)
PARTS = [
    {"hub_inertia": hub, "payload_mass": mass, "payload_inertia": inertia, "payload_offset": offset}
    for hub, (mass, inertia, offset) in itertools.product(
        (0.0, 1e-9, 5.86e-4, 0.1),
        ((0.0, 0.0, 0.0), (1e-6, 0.0, 0.0), (0.02, 0.0, 0.1), (0.0, 1e-4, 0.0), (0.3, 2e-3, -0.05)),
    )
]


@pytest.mark.parametrize("name", FIGURES["links"])
def test_published_frequencies(name):
    case = FIGURES["links"][name]
    link = ExactLink(**BEAM, hub_inertia=case["hub_inertia"], payload_mass=case["payload_mass"])
    np.testing.assert_allclose(link.frequencies(6), case["hz"], rtol=1e-10)
    np.testing.assert_allclose(link.wave_numbers(6) * link.length, case["beta_length"], rtol=1e-10)
    assert link.total_inertia == pytest.approx(case["total_inertia"], rel=1e-12)


@pytest.mark.parametrize("case", FIGURES["payload_sweep_with_hub"], ids=lambda case: f"{case['grams']:g}g")
def test_published_payload_sweep(case):
    link = ExactLink(**BEAM, hub_inertia=5.86e-4, payload_mass=case["grams"] / 1000.0)
    np.testing.assert_allclose(link.frequencies(3), case["hz"], rtol=1e-10)


def test_textbook_limits():
    z = BARE.wave_numbers(60) * BARE.length
    np.testing.assert_allclose(np.sin(z) - np.cos(z) * np.tanh(z), 0.0, atol=1e-13)
    np.testing.assert_allclose(z[4:], (np.arange(5, 61) + 0.25) * np.pi, rtol=1e-12)

    cantilever = BARE.wave_numbers(60, "clamped") * BARE.length
    np.testing.assert_allclose(cantilever[:3], [1.875104068711961, 4.694091132974175, 7.854757438237613], rtol=1e-13)
    heavy_hub = ExactLink(**BEAM, hub_inertia=1e9).wave_numbers(60) * BARE.length
    np.testing.assert_allclose(heavy_hub, cantilever, rtol=1e-10)

    heavy_tip = ExactLink(**BEAM, payload_mass=1e9).wave_numbers(60) * BARE.length
    np.testing.assert_allclose(heavy_tip, np.arange(1, 61) * np.pi, rtol=1e-10)

    # everything held by its own inertia: two slow swings, then the beam clamped at both ends
    all_heavy = ExactLink(**BEAM, hub_inertia=1e9, payload_mass=1e9, payload_inertia=1e9)
    z = all_heavy.wave_numbers(62) * BARE.length
    assert np.all(z[:2] < 0.01)
    np.testing.assert_allclose(z[2:4], [4.730040744862704, 7.853204624095838], rtol=1e-9)
    np.testing.assert_allclose(z[10:], (np.arange(9, 61) + 0.5) * np.pi, rtol=1e-9)


@pytest.mark.parametrize("hub", ["pinned", "clamped"])
def test_zeros_do_not_depend_on_how_many_are_asked_for(hub):
    """Free and held ends have nearly the same high zeros; a search that steps on one must not slip."""
    for parts in ({}, {"payload_mass": 0.02}, {"payload_mass": 1e9, "payload_inertia": 1e9}):
        link = ExactLink(**BEAM, **parts)
        many, shapes = link.wave_numbers(80, hub), link.shapes(80, 0.4, hub)
        for n in (*range(1, 8), *range(8, 60, 5)):
            np.testing.assert_allclose(link.wave_numbers(n, hub), many[:n], rtol=1e-14)
            np.testing.assert_allclose(link.shape(n, 0.4, hub), shapes[n - 1], atol=1e-10)


def test_slow_swing_of_two_great_inertias():
    """Hub and tip mass so great that the beam is a massless spring 3 EI/L between them."""
    hub, mass = 4e4, 3e4
    link = ExactLink(**BEAM, hub_inertia=hub, payload_mass=mass)
    spring = 3.0 * link.EI / link.length
    omega = np.sqrt(spring * (1.0 / hub + 1.0 / (mass * link.length**2)))
    # the beam's own inertia changes it by about one part in a million
    assert link.frequencies(1)[0] == pytest.approx(omega / (2 * np.pi), rel=5e-6)


@pytest.mark.parametrize("parts", PARTS, ids=str)
@pytest.mark.parametrize("hub", ["pinned", "clamped"])
def test_no_frequency_is_missed_and_all_agree_with_elements(parts, hub):
    link = ExactLink(**BEAM, **parts)
    exact, elements = link.frequencies(60, hub), hermite_link.frequencies(link, 90, hub)[:60]
    # elements err by (beta h)^4/720, always upwards
    error = elements / exact - 1.0
    beta_h = link.wave_numbers(60, hub) * link.length / 90
    assert np.all(error > -1e-7)
    assert np.all(error < 1e-7 + 2.0 * beta_h**4 / 720)


@pytest.mark.parametrize("parts", PARTS[::3], ids=str)
@pytest.mark.parametrize("hub", ["pinned", "clamped"])
def test_shapes_are_orthonormal_with_hub_and_payload(parts, hub):
    link, n = ExactLink(**BEAM, **parts), 60
    nodes, weights = np.polynomial.legendre.leggauss(400)
    x, w = 0.5 * link.length * (nodes + 1.0), 0.5 * link.length * weights
    at = [link.shapes(n, place, hub, d) for place, d in ((x, 0), (0.0, 1), (link.length, 0), (link.length, 1))]
    if hub == "pinned":
        rigid = [link.shape(0, place, derivative=d) for place, d in ((x, 0), (0.0, 1), (link.length, 0), (0.0, 1))]
        at = [np.concatenate([np.asarray(first)[None], rest]) for first, rest in zip(rigid, at, strict=True)]
    tip = np.stack(at[2:])
    gram = link.rhoA * (at[0] * w) @ at[0].T + np.einsum("in,ij,jm->nm", tip, link.tip_mass, tip)
    if hub == "pinned":
        gram += link.hub_inertia * np.outer(at[1], at[1])
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-9)


def test_shapes_satisfy_equation_and_boundary_conditions():
    link = ExactLink(**BEAM, hub_inertia=5.86e-4, payload_mass=0.05, payload_inertia=1e-4, payload_offset=0.03)
    x = np.linspace(0.0, link.length, 50)
    for k in (1, 2, 7, 30):
        omega = 2 * np.pi * link.frequencies(k)[-1]
        root = [float(link.shape(k, 0.0, derivative=d)) for d in range(4)]
        tip = np.array([link.shape(k, link.length, derivative=d) for d in range(4)])
        load = omega**2 * link.tip_mass @ tip[:2]
        assert root[0] == pytest.approx(0.0, abs=1e-12)
        assert root[1] > 0.0
        assert link.EI * root[2] == pytest.approx(-link.hub_inertia * omega**2 * root[1], rel=1e-8)
        np.testing.assert_allclose(link.EI * tip[[3, 2]], [-load[0], load[1]], rtol=1e-7)
        bending = link.EI * link.shape(k, x, derivative=4)
        np.testing.assert_allclose(bending, link.rhoA * omega**2 * link.shape(k, x), atol=1e-9 * np.abs(bending).max())


def test_shapes_have_one_more_node_with_each_mode_and_stay_finite():
    x = np.linspace(0.0, BARE.length, 4001)[1:]
    shapes = BARE.shapes(120, x)
    assert np.all(np.isfinite(shapes))
    changes = np.sum(np.diff(np.sign(shapes), axis=1) != 0, axis=1)
    np.testing.assert_array_equal(changes, np.arange(1, 121))
    assert np.all(BARE.shapes(3, 1e-3, "clamped") > 0.0)
    assert np.all(np.isfinite(BARE.shapes(600, np.linspace(0, BARE.length, 7), derivative=2)))


ROD = {
    "length": 0.96,
    "section": {"area": 61.544e-6, "inertia": 51.924e-12},
    "material": {"E": 71.1e9, "density": 2710, "nu": 0.33},
}


def single(payload=None, joint=None, gravity=(0, 0, 0), **changes):
    link = {"name": "link", **ROD, "joint": joint or {}, **changes}
    return Arm.model_validate({"links": [link], "payload": payload or {}, "gravity": gravity})


def test_from_arm_takes_all_figures():
    joint = {"hub_inertia": 5e-4, "rotor_inertia": 0.86e-4}
    link = ExactLink.from_arm(single({"mass": 0.01, "inertia": 1e-5, "offset": 0.02}, joint))
    assert pytest.approx(BEAM["EI"], rel=1e-12) == link.EI
    assert link.rhoA == pytest.approx(BEAM["rhoA"], rel=1e-12)
    assert (link.length, link.hub_inertia) == (0.96, pytest.approx(5.86e-4))
    assert (link.payload_mass, link.payload_inertia, link.payload_offset) == (0.01, 1e-5, 0.02)
    hub = ExactLink.from_arm(single(joint={"hub_inertia": 5.86e-4}))
    np.testing.assert_allclose(hub.frequencies(6), FIGURES["links"]["hub"]["hz"], rtol=1e-9)


def test_from_arm_joins_lumps_with_hub_and_payload():
    lumps = [
        {"at": "root", "mass": 3.0, "inertia": 1e-4},
        {"at": 1.0, "mass": 0.03, "inertia": 2e-5},
        {"at": "tip", "mass": 0.01},
    ]
    link = ExactLink.from_arm(single({"mass": 0.02, "inertia": 1e-5, "offset": 0.1}, masses=lumps))
    assert link.hub_inertia == pytest.approx(1e-4)
    np.testing.assert_allclose(
        link.tip_mass, [[0.06, 0.02 * 0.1], [0.02 * 0.1, 1e-5 + 2e-5 + 0.02 * 0.1**2]], rtol=1e-12
    )


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        (Arm.model_validate({"links": [{"name": "a", **ROD}, {"name": "b", **ROD}]}), "has 2"),
        (single(flexible=False), "rigid"),
        (single(joint={"stiffness": 100.0}), "series spring"),
        (single(gravity=(0, -9.81, 0)), "gravity"),
        (single({"mass": 0.1, "offset": [0.0, 0.1]}), "along the link"),
        (single(masses=[{"at": 0.5, "mass": 0.1}]), "root or tip"),
        (single(joint={"dh": {"a": 0.96}}, length=None), "plane hinge"),
        (
            single(section=[{"at": 0, **ROD["section"]}, {"at": 1, "area": 5e-5, "inertia": 5e-11}]),
            "same all along",
        ),
    ],
)
def test_from_arm_says_why_not(arm, words):
    with pytest.raises(FlexarmError, match=words):
        ExactLink.from_arm(arm)


def test_wrong_input_is_refused_in_words():
    for change in ({"EI": 0.0}, {"length": -1.0}, {"hub_inertia": -1e-3}, {"payload_offset": np.nan}):
        with pytest.raises(FlexarmError, match=next(iter(change))):
            ExactLink(**{**BEAM, **change})
    with pytest.raises(FlexarmError, match="counted 1, 2, 3"):
        BARE.frequencies(0)
    with pytest.raises(FlexarmError, match="counted 1, 2, 3"):
        BARE.shape(0, 0.1, "clamped")
    with pytest.raises(FlexarmError, match="pinned"):
        BARE.frequencies(3, "free")
