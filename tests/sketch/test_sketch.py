"""What scenarios, runs and modes show of themselves in a notebook: valid, to scale, with the numbers of the run."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import flexarm as fa
from flexarm.scenario import bundled
from flexarm.sketch.svg import Mark, Stroke, svg

SVG = "{http://www.w3.org/2000/svg}"


def pictures(page: str) -> list[xml.Element]:
    return [xml.fromstring(each) for each in re.findall(r"<svg.*?</svg>", page)]


def metres_per_pixel(picture: xml.Element) -> float:
    """From the line that tells the scale, and the words above it."""
    begin, end = re.search(r"M([\d.]+) .*H([\d.]+)V", picture.find(f"{SVG}path").get("d")).groups()
    number, unit = picture.find(f"{SVG}text").text.split()
    return float(number) * {"m": 1.0, "mm": 1e-3}[unit] / (float(end) - float(begin))


def lines(picture: xml.Element) -> list[np.ndarray]:
    """Places of the lines in m, y upwards, from an unknown origin."""
    found = [[pair.split(",") for pair in each.get("points").split()] for each in picture.iter(f"{SVG}polyline")]
    return [metres_per_pixel(picture) * np.array(each, dtype=float) * [1.0, -1.0] for each in found]


def test_a_picture_in_the_plane_is_to_scale():
    places = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0]])
    (picture,) = pictures(svg([Stroke(places)], [Mark(places[0], square=True), Mark(places[2])]))
    (line,) = lines(picture)
    np.testing.assert_allclose(line - line[0], places[:, :2], atol=0.02)
    assert picture.find(f"{SVG}rect") is not None and picture.find(f"{SVG}circle") is not None


def test_upright_stays_upright_in_space_and_nothing_is_no_picture():
    (picture,) = pictures(svg([Stroke(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]]))]))
    (line,) = lines(picture)
    assert line[1, 0] == pytest.approx(line[0, 0], abs=1e-2) and line[1, 1] > line[0, 1] + 0.8
    assert svg([Stroke(np.full((2, 3), np.nan))]) == ""


@pytest.mark.parametrize("name", [entry.name for entry in bundled()])
def test_every_scenario_shows_its_arm(name):
    scenario = fa.load(name)
    page = scenario._repr_html_()
    (picture,) = pictures(page)
    assert len(lines(picture)) >= len(scenario.arm.links) and scenario.method.name in page
    xml.fromstring(page)  # well-formed as a whole


def test_links_have_their_lengths_and_angles():
    scenario = fa.load("four-bar")
    crank = lines(pictures(scenario._repr_html_())[0])[1]
    assert crank[-1] - crank[0] == pytest.approx(0.12 * np.array([0.5, np.sqrt(0.75)]), abs=2e-3)


def test_a_run_shows_its_numbers_and_itself():
    result = fa.simulate("tokhi-azad")
    page = result._repr_html_()
    assert f"{1e3 * result.summary()['tip_deflection_peak']:.4g} mm at most" in page and "SUCCESS" in page
    drawn = lines(pictures(page)[0])
    moved = drawn[-1][-1] - drawn[1][-1]  # tip of the last and of the first instant
    tip = result.data.tip_position.values
    assert moved == pytest.approx((tip[-1] - tip[0])[:2], abs=5e-3)


def test_modes_are_drawn_on_the_arm_in_its_pose():
    found = fa.frequencies("tokhi-azad", n=3, pose=[np.pi / 2], joints="locked")
    page = found._repr_html_()
    assert all(f"{hz:.5g} Hz" in page for hz in found.hz)
    ghost, bent = lines(pictures(page)[0])
    assert ghost[-1] - ghost[0] == pytest.approx([0.0, 0.96], abs=0.01), "the arm stands upright"
    assert abs(bent[-1, 0] - ghost[-1, 0]) == pytest.approx(0.12 * 0.96, rel=0.05)
    held = fa.frequencies("pd-hub", n=1, joints="held")
    assert held.arm is not None and "held" in held._repr_html_()
