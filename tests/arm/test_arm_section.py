"""Cross sections: figures of the shapes, Cowper's coefficients, torsion, tapers and steps."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from flexarm.arm import Link, Profile, Section
from flexarm.arm.section_properties import cowper_rectangle, cowper_tube


def test_rectangle():
    v = Profile(shape="rectangle", width=0.03, height=0.01).values(0.3)
    assert v.area == pytest.approx(3e-4)
    assert v.inertia == pytest.approx(0.03 * 0.01**3 / 12) and v.inertia_y == pytest.approx(0.01 * 0.03**3 / 12)
    assert v.fibre == 0.005 and v.fibre_y == 0.015


def test_circle_and_tube():
    circle, tube = (Profile(**p).values(0.3) for p in (
        {"shape": "circle", "diameter": 0.02}, {"shape": "tube", "diameter": 0.02, "thickness": 0.002},
    ))  # fmt: skip
    assert circle.area == pytest.approx(np.pi * 1e-4) and circle.inertia == pytest.approx(np.pi * 0.02**4 / 64)
    assert tube.inertia == pytest.approx(np.pi * (0.02**4 - 0.016**4) / 64)
    assert tube.torsion == pytest.approx(2 * tube.inertia) and tube.fibre == 0.01
    inner = Profile(shape="tube", diameter=0.02, inner=0.016).values(0.3)
    assert inner == pytest.approx(tube)


@pytest.mark.parametrize(
    ("found", "known"),
    [
        (cowper_rectangle(0.25), 12.5 / 14.75),
        (cowper_rectangle(0.0), 5 / 6),
        (cowper_tube(0.3, 0.0), 39 / 44),
        (cowper_tube(0.0, 0.0), 6 / 7),
        (cowper_tube(0.3, 1 - 1e-9), 2 * 1.3 / (4 + 3 * 0.3)),
    ],
)
def test_cowper(found, known):
    """Rectangle 10 (1 + nu) / (12 + 11 nu), solid circle 6 (1 + nu) / (7 + 6 nu), thin tube 2 (1 + nu) / (4 + 3 nu)."""
    assert found == pytest.approx(known, rel=1e-6)


def test_cowper_reaches_the_link_with_its_own_poisson_ratio():
    link = Link.model_validate({"name": "a", "length": 1.0, "material": {"E": 70e9, "density": 2700.0, "nu": 0.25},
                                "section": {"shape": "rectangle", "width": 0.05, "height": 0.05}})  # fmt: skip
    figures = link.properties([0.5])
    assert figures["GA"][0] == pytest.approx(70e9 / 2.5 * 0.0025 * 0.84746, rel=1e-5)
    given = Profile(shape="circle", diameter=0.1, shear_factor=0.7)
    assert given.values(0.3).shear_factor == 0.7
    assert Profile(area=1e-4, inertia=1e-9).values(0.3).shear_factor == pytest.approx(5 / 6)


@pytest.mark.parametrize(("ratio", "beta"), [(1.0, 0.1406), (2.0, 0.2287), (5.0, 0.2913), (100.0, 1 / 3 - 0.0021)])
def test_torsion_of_rectangles(ratio, beta):
    """Saint-Venant: J = beta a b^3, handbook values of beta; width and height are alike."""
    b = 0.01
    wide = Profile(shape="rectangle", width=ratio * b, height=b).values(0.3).torsion
    high = Profile(shape="rectangle", width=b, height=ratio * b).values(0.3).torsion
    assert wide == pytest.approx(beta * ratio * b**4, rel=2e-3) and high == pytest.approx(wide, rel=1e-12)


def test_given_figures_and_their_defaults():
    v = Profile(area=6e-5, inertia=5e-11).values(0.3)
    assert v.inertia_y == 5e-11 and v.torsion == 1e-10
    assert v.fibre == pytest.approx(np.sqrt(3 * 5e-11 / 6e-5))  # half the height of the rectangle that has them
    assert Profile(area=6e-5, inertia=5e-11, fibre=0.004).values(0.3).fibre == 0.004


def test_taper_interpolates_dimensions_not_figures():
    """Half-way of a height that halves: I has fallen by 0.75^3."""
    bar = {"shape": "rectangle", "width": 0.02}
    section = Section.model_validate([{"at": 0, "height": 0.02, **bar}, {"at": 1, "height": 0.01, **bar}])
    v = section.values(0.3, [0.0, 0.5, 1.0])
    assert v.inertia / v.inertia[0] == pytest.approx([1.0, 0.75**3, 0.125]) and not section.uniform
    figures = Section.model_validate(
        [{"at": 0, "area": 4e-4, "inertia": 8e-9}, {"at": 1, "area": 2e-4, "inertia": 2e-9}]
    )
    v = figures.values(0.3, [0.25])
    assert v.area[0] == pytest.approx(3.5e-4) and v.inertia[0] == pytest.approx(6.5e-9)


def test_tube_of_constant_wall_tapers():
    tube = {"shape": "tube", "thickness": 0.001}
    section = Section.model_validate([{"at": 0, "diameter": 0.04, **tube}, {"at": 1, "diameter": 0.02, **tube}])
    assert section.values(0.3, [0.5]).area[0] == pytest.approx(np.pi / 4 * (0.03**2 - 0.028**2))


def test_steps_have_two_sides():
    def at(place, d):
        return {"at": place, "shape": "circle", "diameter": d}

    section = Section.model_validate([at(0, 0.02), at(0.4, 0.02), at(0.4, 0.01), at(1, 0.01)])
    left, right = (section.values(0.3, [0.4], side).fibre[0] for side in ("left", "right"))
    assert (left, right) == (0.01, 0.005) and section.breaks == (0.4,)
    assert section.values(0.3, [0.39, 0.41]).fibre == pytest.approx([0.01, 0.005])
    assert section.values(0.3, [0.0, 1.0], "left").fibre == pytest.approx([0.01, 0.005])
    mixed = [
        at(0, 0.02),
        at(0.5, 0.02),
        *({"at": p, "shape": "rectangle", "width": 0.01, "height": 0.01} for p in (0.5, 1)),
    ]
    assert Section.model_validate(mixed).values(0.3, [0.75]).area[0] == pytest.approx(1e-4)


def test_uniform_short_form():
    section = Section.model_validate({"shape": "circle", "diameter": 0.02})
    assert section.uniform and len(section.stations) == 2 and section.breaks == ()
    assert Section.model_validate(Profile(shape="circle", diameter=0.02)).uniform


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"shape": "rectangle", "width": 0.02}, "also needs height"),
        ({"shape": "circle"}, "also needs diameter"),
        ({"area": 1e-4}, "also needs inertia"),
        ({"shape": "circle", "diameter": 0.02, "width": 0.01}, "does not take width"),
        ({"shape": "tube", "diameter": 0.02}, "either inner or thickness"),
        ({"shape": "tube", "diameter": 0.02, "inner": 0.01, "thickness": 0.001}, "either inner or thickness"),
        ({"shape": "tube", "diameter": 0.02, "inner": 0.03}, "less than the outer"),
        ({"shape": "tube", "diameter": 0.02, "thickness": 0.01}, "must be positive"),
        ({"shape": "oval", "diameter": 0.02}, "rectangle"),
        ({"shape": "circle", "diameter": -0.02}, "greater than 0"),
        ([{"at": 0, "shape": "circle", "diameter": 0.02}], "begin at 0 and end at 1"),
        (
            [{"at": 0.1, "shape": "circle", "diameter": 0.02}, {"at": 1, "shape": "circle", "diameter": 0.02}],
            "begin at 0",
        ),
        ([{"at": p, "shape": "circle", "diameter": 0.02} for p in (0, 0.7, 0.3, 1)], "in order of 'at'"),
        ([{"at": 0, "shape": "circle", "diameter": 0.02}, {"at": 1, "area": 1e-4, "inertia": 1e-9}], "differ in kind"),
        (
            [{"at": 0, "shape": "circle", "diameter": 0.02}, {"at": 1.5, "shape": "circle", "diameter": 0.02}],
            "equal to 1",
        ),
    ],
)
def test_wrong_sections_are_refused_in_words(section, words):
    with pytest.raises(ValidationError, match=words):
        Section.model_validate(section)
