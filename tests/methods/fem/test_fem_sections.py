"""Nodes where the section steps and where masses hang; what is read between nodes of unequal elements."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import HOLD, beam, moved, scenario

import flexarm as fa
from flexarm.simulation.build import prepare

THICK, THIN = (
    {"shape": "rectangle", "width": 0.03, "height": 0.02},
    {"shape": "rectangle", "width": 0.03, "height": 0.01},
)
STEPPED = [{"at": 0.0, **THICK}, {"at": 0.37, **THICK}, {"at": 0.37, **THIN}, {"at": 1.0, **THIN}]
DOWN = [0.0, -9.81, 0.0]


def ends(one: fa.Scenario) -> list[float]:
    """Places of the ends of the first link's elements."""
    return prepare(one).model.mesh.ends_of(0).tolist()


def test_nodes_stand_at_steps_and_kinks():
    assert ends(scenario([beam("upper", section=STEPPED)], moved("upper", HOLD), resolution=5)) == pytest.approx(
        [0.0, 0.185, 0.37, 0.58, 0.79, 1.0]
    )
    kinked = [{"at": 0.0, **THICK}, {"at": 0.4, **THICK}, {"at": 1.0, **THIN}]
    for count, wanted in ((2, [0.0, 0.4, 1.0]), (1, [0.0, 1.0])):
        assert ends(scenario([beam("upper", section=kinked)], moved("upper", HOLD), resolution=count)) == wanted


def test_a_mesh_too_coarse_for_the_steps_is_refined_and_said_so():
    one = scenario(
        [beam("upper", section=STEPPED), beam("fore")], [moved("upper", HOLD), moved("fore", HOLD)], resolution=1
    )
    model = prepare(one).model
    assert model.mesh.counts == (2, 1)
    assert [note for note in model.notes if "'upper' has 2 elements instead of 1" in note]
    assert not [note for note in model.notes if "'fore'" in note]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_lumps_sit_on_nodes(order):
    """Mass and inertia between nodes would be spread; the frequencies then hang on where the nodes happen to be."""
    link = beam("upper", section=STEPPED, masses=[{"at": 0.53, "mass": 0.8, "inertia": 2e-3}])
    coarse, fine = (
        fa.frequencies(scenario([link], moved("upper", HOLD), resolution=n, order=o), n=2).hz
        for n, o in ((8, order), (60, 3))
    )
    assert coarse == pytest.approx(fine, rel={1: 0.04, 2: 4e-4, 3: 2e-6}[order])


def test_masses_beside_the_axis_hang_anywhere():
    """The section that carries one is the end of an element, whatever the resolution."""
    link = beam("upper", points={"beside": [0.53, 0.1]}, masses=[{"at": "beside", "mass": 0.5}])
    found = [
        fa.frequencies(scenario([link], moved("upper", HOLD), resolution=n, order=3), n=2).hz for n in (1, 2, 7, 8)
    ]
    assert found[0] == pytest.approx(found[1], rel=1e-12)
    assert found[2] == pytest.approx(found[3], rel=1e-5)


@pytest.mark.parametrize("order", [1, 2])
def test_forces_strain_and_shape_of_a_stepped_link_at_rest(order):
    """Against the statics of a clamped beam: moment from the weight beyond, strain at both sides of the step."""
    gauges = [{"link": "upper", "at": at, "side": "top", "name": name} for name, at in (("thick", 0.3), ("thin", 0.5))]
    one = scenario(
        [beam("upper", section=STEPPED)], moved("upper", HOLD), end=0.01, start="equilibrium", resolution=33, order=order,
        arm={"gravity": DOWN, "payload": {"mass": 0.2}}, output={"gauges": gauges, "stations": 11},
    )  # fmt: skip
    run, link = fa.simulate(one), one.arm.links[0]
    EI, line = link.properties([0.1, 0.9])["EI"], link.properties([0.1, 0.9])["rhoA"]

    def moment(x: float) -> float:
        parts = [(line[0], x, 0.37), (line[1], max(x, 0.37), 1.0)]
        return -9.81 * (sum(m * (b - a) * (0.5 * (a + b) - x) for m, a, b in parts if b > a) + 0.2 * (1.0 - x))

    places = np.linspace(0.0, 1.0, 20001)
    curve = np.array([moment(x) for x in places]) / np.where(places < 0.37, *EI)
    slope = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(places) * (curve[1:] + curve[:-1]))])
    bent = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(places) * (slope[1:] + slope[:-1]))])
    stations = run.data.s.values
    assert run.data.deflection[0, 0].values == pytest.approx(np.interp(stations, places, bent), rel=4e-3, abs=1e-6)
    wanted = [moment(x) for x in stations]
    assert run.data.bending_moment[0, 0].values == pytest.approx(wanted, rel=2e-3, abs=3e-3)
    fibre = [0.01, 0.005]
    strain = [-f * moment(x) / e for f, x, e in zip(fibre, (0.3, 0.5), EI, strict=True)]
    assert run.data.strain[0].values == pytest.approx(strain, rel=2e-3)


def test_energy_balances_on_unequal_elements():
    link = beam("upper", section=STEPPED, masses=[{"at": 0.9, "mass": 0.1}])
    motion = {"profile": "quintic", "by": 1.0, "duration": 0.3}
    one = scenario([link, beam("fore", 0.6, section=STEPPED)], [moved("upper", motion), moved("fore", HOLD)], end=0.4,
                   arm={"gravity": DOWN, "payload": {"mass": 0.1, "inertia": 1e-3, "offset": [0.1, 0.05]}}, resolution=5)  # fmt: skip
    energy = fa.simulate(one).data["energy"]
    assert float(np.abs(energy.sel(kind="residual")).max()) < 1e-6 * float(np.abs(energy).max())


def test_a_uniform_section_given_by_stations_is_meshed_equally():
    plain = [{"at": at, **THICK} for at in (0.0, 0.13, 0.13, 1.0)]
    found = ends(scenario([beam("upper", section=plain)], moved("upper", HOLD), resolution=4))
    assert found == pytest.approx(np.linspace(0.0, 1.0, 5).tolist())
