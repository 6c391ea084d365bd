"""Materials, links, joints, payloads, damping, loops and the arm itself: figures and refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import ValidationError

from flexarm.arm import MATERIALS, Arm, Damping, Joint, Link, Loop, Material, Payload
from flexarm.errors import FlexarmError

ROD = {"section": {"shape": "circle", "diameter": 0.02}, "material": "steel", "length": 2.0}


def arm(*links: dict, **fields) -> Arm:
    return Arm.model_validate({"links": [{**ROD, "name": f"l{i}", **link} for i, link in enumerate(links)], **fields})


def test_every_library_material_is_complete_and_plausible():
    for name in MATERIALS:
        material = Material.named(name)
        assert material.name == name and 1e9 < material.E < 3e11 and 300 < material.density < 9000
        assert 0.3e9 < material.shear_modulus < material.E / 2


def test_material_by_name_by_figures_and_in_between():
    assert Material.named("steel").shear_modulus == pytest.approx(207e9 / 2.6)
    own = Material.model_validate({"name": "steel", "density": 7700.0})
    assert (own.E, own.density) == (207e9, 7700.0)
    assert Material(E=1e9, density=1000.0, G=2e8).shear_modulus == 2e8
    assert Material(E=1e9, density=1000.0).nu == 0.3
    with pytest.raises(ValidationError, match=r"unknown material 'unobtainium'; known are .*steel"):
        Material.named("unobtainium")
    with pytest.raises(ValidationError, match="nu"):
        Material(E=1e9, density=1000.0, nu=0.7)


def test_link_integrals_are_exact_for_any_taper():
    """Cone: mass rho A0 L (1 + c + c^2) / 3 with c the ratio of diameters."""
    cone = Link.model_validate({"name": "a", "length": 2.0, "material": "steel", "section": [
        {"at": 0, "shape": "circle", "diameter": 0.04}, {"at": 1, "shape": "circle", "diameter": 0.02}]})  # fmt: skip
    assert cone.mass == pytest.approx(7850 * np.pi * 4e-4 * 2 * (1 + 0.5 + 0.25) / 3, rel=1e-12)
    x = np.linspace(0, 2, 20001)
    second = np.trapezoid(7850 * np.pi / 4 * (0.04 - 0.01 * x) ** 2 * x**2, x)
    assert cone.integrate(("rhoA",), 2)[0] == pytest.approx(second, rel=1e-6)


def test_figures_of_a_link():
    figures = Link.model_validate({"name": "a", **ROD}).properties([0.0, 1.0])
    I = np.pi * 0.02**4 / 64
    assert figures["EI"] == pytest.approx([207e9 * I] * 2) and figures["rhoI"] == pytest.approx([7850 * I] * 2)
    assert figures["EA"][0] == pytest.approx(207e9 * np.pi * 1e-4) and figures["GJ"][0] == pytest.approx(
        207e9 / 2.6 * 2 * I
    )
    assert figures["rhoJ"] == pytest.approx(figures["rhoI"] + figures["rhoI_y"])


def test_places_on_a_link():
    link = Link.model_validate({"name": "a", **ROD, "points": {"rear": [-0.3, 0.0], "high": [0.5, 0.1, 0.2]}})
    assert link.place("tip") == (2.0, 0.0, 0.0) and link.place("root") == (0.0, 0.0, 0.0)
    assert link.place(0.25) == (0.5, 0.0, 0.0) and link.place("rear") == (-0.3, 0.0, 0.0)
    assert link.place("high") == (0.5, 0.1, 0.2)
    with pytest.raises(ValueError, match=r"has no point 'middle'; it has tip, root, rear, high, or give a fraction"):
        link.place("middle")


def test_length_from_dh():
    dh = {"a": 0.4, "d": -0.3}
    assert Link.model_validate({"name": "a", **ROD, "length": None, "joint": {"dh": dh}}).span == pytest.approx(0.7)
    with pytest.raises(ValidationError, match="contradicts its dh"):
        Link.model_validate({"name": "a", **ROD, "joint": {"dh": dh}})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"section": None}, "flexible link 'a' needs section"),
        ({"section": None, "material": None}, "needs section and material"),
        ({"length": None}, "needs a length"),
        ({"length": 0.0}, "greater than 0"),
        ({"body": {"mass": 1.0}}, "'body' is for rigid links"),
        ({"flexible": False, "body": {"mass": 1.0}}, "either body, or section and material"),
        ({"flexible": False, "section": None}, "belong together"),
        ({"name": "tip"}, "a meaning of its own"),
        ({"name": "two words"}, "is not a name"),
        ({"name": ""}, "is not a name"),
        ({"masses": [{"at": "nose", "mass": 1.0}]}, "has no point 'nose'"),
        ({"masses": [{"mass": -1.0}]}, "greater than or equal to 0"),
        ({"lenght": 1.0}, "Extra inputs"),
        ({"length": "960 mm"}, "write a plain number in m"),
        ({"length": True}, "write a plain number in m"),
        ({"length": math.nan}, "finite"),
    ],
)
def test_wrong_links_are_refused_in_words(change, words):
    with pytest.raises(ValidationError, match=words):
        Link.model_validate({"name": "a", **ROD, **change})


@pytest.mark.parametrize(
    ("joint", "words"),
    [
        ({"damping": 1.0}, "give 'stiffness' as well"),
        ({"backlash": 0.1}, "backlash needs the series spring"),
        ({"stiffness": 0.0}, "greater than 0"),
        ({"type": "fixed", "friction": 0.1}, "a fixed joint has no friction"),
        ({"type": "fixed", "hub_inertia": 0.1, "stiffness": 1.0}, "no hub_inertia or stiffness"),
        ({"type": "prismatic", "position": -0.1}, "cannot be negative"),
        ({"retracted": "rigid"}, "for prismatic joints"),
        ({"hub_inertia": -1e-3}, "greater than or equal to 0"),
        ({"type": "ball"}, "revolute"),
    ],
)
def test_wrong_joints_are_refused_in_words(joint, words):
    with pytest.raises(ValidationError, match=words):
        Joint.model_validate(joint)


def test_start_of_a_joint():
    assert Joint().start == 0.0 and Joint(position=0.3).start == 0.3 and Joint().position is None
    assert Joint.model_validate({"type": "fixed", "position": 0.5}).start == 0.5


def test_damping():
    assert Damping(time=1e-3).time_constant([5.0]) == 1e-3
    assert Damping(ratio=0.02).time_constant([5.0, 30.0]) == pytest.approx(0.04 / (2 * np.pi * 5.0))
    assert Damping(ratio=0.02, mode=2).time_constant([5.0, 30.0]) == pytest.approx(0.04 / (2 * np.pi * 30.0))
    with pytest.raises(FlexarmError, match=r"damping.mode is 3, but the model has 2 elastic modes"):
        Damping(ratio=0.02, mode=3).time_constant([5.0, 30.0])
    for wrong in (
        {},
        {"time": 1e-3, "ratio": 0.1},
        {"time": 1e-3, "mode": 2},
        {"ratio": 1.0},
        {"ratio": 0.1, "mode": 0},
    ):
        with pytest.raises(ValidationError):
            Damping.model_validate(wrong)


def test_damping_of_a_link_or_of_the_arm():
    one = arm({}, {"damping": {"time": 2e-3}}, damping={"time": 1e-3})
    assert [one.damping_of(link).time for link in one.links] == [1e-3, 2e-3]
    assert arm({}).damping_of(arm({}).links[0]) is None


def test_payload():
    assert Payload(offset=0.1).offset_vector == (0.1, 0.0, 0.0)
    assert Payload(offset=(0.1, 0.2)).offset_vector == (0.1, 0.2, 0.0)
    assert Payload(inertia=(1.0, 2.0, 3.0)).inertia_z == 3.0 and Payload(inertia=0.5).inertia_z == 0.5
    with pytest.raises(ValidationError):
        Payload(offset=(0.1,))


def test_tree_pose_and_names():
    one = arm({"joint": {"position": 0.3, "velocity": 1.0}}, {"joint": {"type": "fixed"}}, {"parent": "l0", "at": 0.5})
    assert one.joints == ("l0", "l2") and one.pose == (0.3, 0.0) and one.rates == (1.0, 0.0)
    assert [one.parent(name) for name in ("l0", "l1", "l2")] == ["ground", "l0", "l0"]
    assert not one.serial and arm({}, {}).serial and not one.spatial
    assert one.payload_link.name == "l2" and arm({}, {}, payload={"link": "l0"}).payload_link.name == "l0"
    with pytest.raises(ValueError, match="there is no link 'x'; the arm has l0, l1, l2"):
        one.link("x")


@pytest.mark.parametrize(
    ("links", "fields", "words"),
    [
        (({"name": "a"}, {"name": "a"}), {}, "two links are called 'a'"),
        (({}, {"parent": "x"}), {}, "unknown parent 'x'"),
        (({"parent": "l1"}, {}), {}, "must come after its parent"),
        (({"at": 0.5},), {}, "'at' has no meaning there"),
        (({}, {"at": "nose"}), {}, "has no point 'nose'"),
        (({},), {"payload": {"link": "x"}}, "unknown link 'x'"),
        (({},), {"loops": [{"pin": ["x.tip", "l0.tip"]}]}, "names the unknown link 'x'"),
        (({}, {}), {"loops": [{"pin": ["l0.nose", "l1.tip"]}]}, "has no point 'nose'"),
        (({},), {"gravity": [0, 0, -9.81]}, "gravity along z does nothing"),
        (({"joint": {"dh": {"a": 2.0}}}, {}), {"loops": [{"pin": ["l0.tip", "l1.tip"]}]}, "loops are for planar arms"),
        ((), {}, "at least 1 item"),
    ],
)
def test_wrong_arms_are_refused_in_words(links, fields, words):
    with pytest.raises(ValidationError, match=words):
        arm(*links, **fields)


def test_loops():
    assert Loop(pin=("a.tip", "b.rear")).places == (("a", "tip"), ("b", "rear"))
    for pin in (("a", "b.tip"), ("a.b.c", "d.tip")):
        with pytest.raises(ValidationError, match=r"not of the form link\.place"):
            Loop(pin=pin)


def test_parts_are_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        Payload().mass = 1.0
