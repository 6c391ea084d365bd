"""Observed orders of convergence in space and time, uniform, tapered and stepped links."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink
from single_link import EI, HUB, LENGTH, RHO_A, at_times, figures, make

KNOWN = figures("tokhi_azad")
SECTIONS = (19, 38, 76, 152)


def orders(errors: np.ndarray) -> np.ndarray:
    """Observed order between successive halvings, along the first axis."""
    errors = np.abs(np.asarray(errors))
    return np.log2(errors[:-1] / errors[1:])


def errors_hz(variant: str) -> np.ndarray:
    exact = ExactLink.from_arm(make(payload={"mass": 0.02}).arm).frequencies(2)
    return np.array(
        [
            fa.frequencies(make(payload={"mass": 0.02}, variant=variant, resolution=n), n=2, joints="free").hz - exact
            for n in SECTIONS
        ]
    )


def test_centred_closure_is_of_second_order():
    errors = errors_hz("sound")
    known = [KNOWN["frequency_error_hub20g_hz"][str(n)]["centred"] for n in SECTIONS]
    assert errors == pytest.approx(np.array(known), rel=1e-4)
    assert np.abs(orders(errors) - 2.0).max() < 0.1


def test_one_sided_closure_is_of_first_order():
    errors = errors_hz("paper")
    known = [KNOWN["frequency_error_hub20g_hz"][str(n)]["one_sided"] for n in SECTIONS]
    assert errors == pytest.approx(np.array(known), rel=1e-3)
    rates = orders(errors[:, 1])
    assert np.all(np.diff(rates) > 0) and abs(rates[-1] - 1.0) < 0.15


@pytest.mark.parametrize("joint", ["locked", "free"])
@pytest.mark.parametrize("inertia", [0.0, 2e-5])
def test_payload_inertia_and_offset_against_the_exact_link(joint, inertia):
    payload = {"mass": 0.05, "inertia": inertia, "offset": 0.04}
    one = make(payload=payload)
    exact = ExactLink.from_arm(one.arm).frequencies(3, "clamped" if joint == "locked" else "pinned")
    errors = [
        fa.frequencies(make(payload=payload, resolution=n), n=3, joints=joint).hz / exact - 1.0 for n in (20, 40, 80)
    ]
    assert np.abs(errors[-1]).max() < 2e-3
    assert np.abs(orders(np.array(errors)) - 2.0).max() < 0.1


@pytest.mark.parametrize("scheme", ["leapfrog", "newmark"])
def test_time_schemes_are_of_second_order(scheme):
    torque = {"joint": "link", "torque": {"profile": "versine", "amplitude": 0.1, "duration": 0.2}}
    times = [0.1, 0.2, 0.3]

    def tip(**changes):
        one = make(drive=torque, end=0.3, every=0.1, resolution=10, payload={"mass": 0.02}, **changes)
        return at_times(fa.simulate(one), "travel", times)

    exact = tip(scheme="exact", step=1e-5)
    errors = np.array([tip(scheme=scheme, step=h) - exact for h in (6e-4, 3e-4, 1.5e-4)])
    assert np.abs(orders(np.linalg.norm(errors, axis=1)) - 2.0).max() < 0.1


ENDS = {
    "clamped, free": ({}, "locked", [1.8751040687, 4.6940911330, 7.8547574382]),
    "clamped, pinned": ({"tip": "pinned"}, "locked", [3.9266023120, 7.0685827456, 10.2101761228]),
    "pinned, pinned": ({"tip": "pinned", "joint": {"hub_inertia": 0.0}}, "free", [np.pi, 2 * np.pi, 3 * np.pi]),
    "pinned, free": ({"joint": {"hub_inertia": 0.0}}, "free", [3.9266023120, 7.0685827456, 10.2101761228]),
}
"""Wave numbers beta L of uniform beams with these ends."""


@pytest.mark.parametrize("ends", ENDS)
def test_uniform_beams_with_classical_ends(ends):
    changes, joints, known = ENDS[ends]
    exact = (np.array(known) / LENGTH) ** 2 * np.sqrt(EI / RHO_A) / (2 * np.pi)
    errors = [fa.frequencies(make(resolution=n, **changes), n=3, joints=joints).hz / exact - 1.0 for n in (20, 40, 80)]
    assert np.abs(errors[-1]).max() < 3e-3
    assert np.abs(orders(np.array(errors)) - 2.0).max() < 0.1


BESSEL = {
    "wedge": [3.82378, 18.31726, 47.26483],
    "cone": [4.62515, 19.54761, 48.57890],
}
"""omega L^2 sqrt(rho A0 / E I0) of clamped bars whose height (wedge) or diameter (cone) halves towards the tip."""


def tapered(kind: str) -> dict:
    def at(place: float, size: float) -> dict:
        if kind == "cone":
            return {"at": place, "shape": "circle", "diameter": size}
        return {"at": place, "shape": "rectangle", "width": 0.03, "height": size}

    return {"length": 1.3, "section": [at(0.0, 0.02), at(1.0, 0.01)], "material": {"E": 70e9, "density": 2700.0}}


@pytest.mark.parametrize("kind", BESSEL)
def test_tapered_links_converge_to_the_bessel_values(kind):
    root = make(link=tapered(kind)).arm.links[0].properties([0.0])
    unit = 1.3**2 * np.sqrt(root["rhoA"][0] / root["EI"][0])
    found = [
        2 * np.pi * unit * fa.frequencies(make(link=tapered(kind), resolution=n), n=3, joints="locked").hz
        for n in (20, 40, 80, 160)
    ]
    errors = np.array(found) / BESSEL[kind] - 1.0
    assert np.abs(errors[-1]).max() < 4e-4
    assert np.abs(orders(errors)[:2] - 2.0).max() < 0.1


def hermite_hz(EI: np.ndarray, rhoA: np.ndarray, length: float, hub: float, tip: float) -> np.ndarray:
    """Pinned link of equal Hermite elements with one stiffness and mass each."""
    h, size = length / len(EI), 2 * (len(EI) + 1)
    k = np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
         [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]
    ) / h**3  # fmt: skip
    m = h / 420 * np.array(
        [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
         [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]
    )  # fmt: skip
    M, K = np.zeros((size, size)), np.zeros((size, size))
    for e in range(len(EI)):
        part = slice(2 * e, 2 * e + 4)
        K[part, part] += EI[e] * k
        M[part, part] += rhoA[e] * m
    M[1, 1] += hub
    M[-2, -2] += tip
    return np.sqrt(eigh(K[1:, 1:], M[1:, 1:], eigvals_only=True)[1:]) / (2 * np.pi)


def test_a_stepped_link_is_of_second_order_wherever_the_step_lies():
    """The step lies at 0.4, 0.8, 0.6, 0.2 of a section: the error must not depend on that."""
    bar = {"shape": "rectangle", "width": 0.03}
    section = [
        {"at": 0.0, "height": 0.012, **bar}, {"at": 0.37, "height": 0.012, **bar},
        {"at": 0.37, "height": 0.006, **bar}, {"at": 1.0, "height": 0.006, **bar},
    ]  # fmt: skip
    link = {"section": section, "material": {"E": 70e9, "density": 2700.0}}
    figures_of = make(link=link).arm.links[0].properties((np.arange(100) + 0.5) / 100)
    exact = hermite_hz(figures_of["EI"], figures_of["rhoA"], 0.96, HUB, 0.1)[:3]
    errors = [
        fa.frequencies(make(link=link, payload={"mass": 0.1}, resolution=n), n=3, joints="free").hz / exact - 1.0
        for n in (20, 40, 80, 160)
    ]
    assert np.abs(errors[-1]).max() < 1e-3
    assert np.abs(orders(np.array(errors)) - 2.0).max() < 0.1
