"""Known figures of the link of 0.96 m on 19 sections: frequencies, tip at given times, payload that changes."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.spectrum import fit_modes
from single_link import BANG, CASES, HUB, at_times, figures, make

KNOWN = figures("tokhi_azad")
CLOSURES = {"centred": "sound", "one_sided": "paper"}


def of_case(case: str, **changes):
    hub, mass = CASES[case]
    return make(joint={"hub_inertia": hub}, payload={"mass": mass}, **changes)


@pytest.mark.parametrize("closure", CLOSURES)
@pytest.mark.parametrize("case", CASES)
def test_frequencies_of_both_closures(case, closure):
    found = fa.frequencies(of_case(case, variant=CLOSURES[closure]), n=4, joints="free")
    assert found.hz == pytest.approx(KNOWN["frequencies_hz"][case][closure], rel=1e-9)
    assert found.rigid_modes == 1


@pytest.mark.parametrize(("case", "rung"), [("nohub", [0, 2]), ("hub", [0, 1]), ("hub10g", [0]), ("hub20g", [0, 1])])
def test_frequencies_that_leapfrog_shows(case, rung):
    """The free motion after the torque rings at the frequencies of the scheme, above those of the grid."""
    run = fa.simulate(of_case(case, scheme="leapfrog", step=2.4e-4, end=4.2, every=1.2e-3))
    time, tip = run.data["time"].values, run.data["travel"].values
    fit = fit_modes(time[time > 0.7], tip[time > 0.7], n=6)
    for k in rung:
        known = KNOWN["frequencies_hz"][case]["leapfrog_0p24ms"][k]
        assert np.abs(fit.frequency / known - 1.0).min() < 1e-7
        assert known > KNOWN["frequencies_hz"][case]["centred"][k] * (1 + 1e-6)


@pytest.mark.parametrize("duration", ["0.3+0.3", "0.6+0.6"])
@pytest.mark.parametrize("case", CASES)
def test_tip_under_bang_bang_torque(case, duration):
    known = KNOWN["bang_bang"][duration]
    torque = {"joint": "link", "torque": {**BANG["torque"], "duration": 2 * float(duration[:3])}}

    def tip(**changes):
        run = fa.simulate(of_case(case, drive=torque, every=0.3, **changes))
        assert run.success
        return at_times(run, "travel", known["times"])

    assert tip(scheme="leapfrog", step=2.4e-4) == pytest.approx(known[case]["leapfrog_0p24ms"], abs=1e-7)
    assert tip(scheme="exact") == pytest.approx(known[case]["centred"], abs=1e-9)
    assert tip(scheme="newmark", step=2.4e-4) == pytest.approx(known[case]["centred"], abs=3e-4)
    assert tip(scheme="exact", variant="paper") == pytest.approx(known[case]["one_sided"], abs=1e-9)


@pytest.mark.parametrize("rule", ["at-rest", "matched", "released"])
def test_payload_that_changes(rule):
    known = KNOWN["payload_change"]
    before, after = (0.02, 0.0) if rule == "released" else (0.0, 0.02)
    event = {"at": known["at"], "payload": {"mass": after}, "rule": rule}

    def run(**changes):
        return fa.simulate(make(payload={"mass": before}, events=[event], every=0.1, **changes))

    leapfrog = run(scheme="leapfrog", step=2e-4)
    tips = at_times(leapfrog, "travel", known["times"])
    assert tips == pytest.approx(known[rule]["leapfrog_0p2ms"], abs=1e-7)
    exact = run(scheme="exact")
    assert at_times(exact, "travel", known["times"]) == pytest.approx(known[rule]["centred"], abs=1e-9)
    newmark = run(scheme="newmark", step=2e-5)
    assert at_times(newmark, "travel", known["times"]) == pytest.approx(known[rule]["centred"], abs=1e-4)


@pytest.mark.parametrize("rule", ["at-rest", "matched", "released"])
def test_energy_of_a_payload_change(rule):
    known = KNOWN["payload_change"][rule]
    before, after = (0.02, 0.0) if rule == "released" else (0.0, 0.02)
    event = {"at": 0.4, "payload": {"mass": after}, "rule": rule}
    run = fa.simulate(make(payload={"mass": before}, events=[event], scheme="exact", step=1e-3, end=0.41))
    energy = run.data["energy"]
    stored = energy.sel(kind=["kinetic", "elastic"]).sum("kind").values
    place = int(np.abs(run.data["time"].values - 0.4).argmin())
    assert stored[place] == pytest.approx(known["energy"][0], rel=1e-9)
    jump = energy.sel(kind="work").values - energy.sel(kind="dissipated").values
    drive = -0.1 * (at_times(run, "joint_position", 0.401) - at_times(run, "joint_position", 0.4))[0, 0]
    assert jump[place + 1] - jump[place] - drive == pytest.approx(known["energy"][1] - known["energy"][0], rel=1e-8)
    dissipated = energy.sel(kind="dissipated").values
    assert np.all(np.diff(dissipated) > -1e-15)
    assert (dissipated[-1] > 1e-5) == (rule == "at-rest")
    assert np.abs(energy.sel(kind="residual").values).max() < 1e-11 * stored.max()


def test_paper_variant_has_no_states_at_the_ends():
    """The one-sided closure is the document's: hub inertia on node 1, payload inertia between the last two nodes."""
    from flexarm.methods.fd.layout import NODE
    from single_link import LENGTH, RHO_A, model_of

    dx = LENGTH / 19
    system = model_of(make(variant="paper", payload={"mass": 0.02, "inertia": 1e-5})).system
    assert not system.hub_state and not system.tip_state
    assert system.M[NODE + 1, NODE + 1] == pytest.approx(RHO_A * dx + HUB / dx**2, rel=1e-12)
    tip = slice(NODE + 18, NODE + 20)
    expected = np.diag([RHO_A * dx, RHO_A * dx / 2 + 0.02]) + 1e-5 / dx**2 * np.array([[1, -1], [-1, 1]])
    assert system.M[tip, tip] == pytest.approx(expected, rel=1e-12)
