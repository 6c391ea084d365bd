"""Payloads with mass, inertia and offset that arrive and leave: momentum, energy, agreement of the schemes."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from single_link import LENGTH, SCHEMES, at_times, balance, make

BODY = {"mass": 0.03, "inertia": 2e-5, "offset": 0.02}
MORE = {"mass": 0.06, "inertia": 5e-5, "offset": [0.03, 0.01]}
CHANGES = {
    "onto a bare tip, at rest": ({}, BODY, "at-rest"),
    "onto a bare tip, matched": ({}, BODY, "matched"),
    "off to a bare tip": (BODY, {}, "released"),
    "more, at rest": (BODY, MORE, "at-rest"),
    "more, matched": (BODY, MORE, "matched"),
    "less": (MORE, BODY, "released"),
    "less, and no inertia": (MORE, {"mass": 0.01}, "released"),
}


def run(name: str, scheme: str, step: float = 5e-5, **changes):
    before, after, rule = CHANGES[name]
    event = {"at": 0.12, "payload": after, "rule": rule}
    torque = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.1, "duration": 0.2}}
    options = {"drive": torque, "resolution": 10, **changes}
    return fa.simulate(make(payload=before, events=[event], scheme=scheme, step=step, end=0.3, every=0.02, **options))


@pytest.mark.parametrize("name", CHANGES)
def test_schemes_agree_and_energy_is_accounted_for(name):
    reference = run(name, "exact").data["travel"].values
    for scheme in SCHEMES:
        found = run(name, scheme)
        assert np.abs(found.data["travel"].values - reference).max() < 3e-4 * np.abs(reference).max()
        assert balance(found) < (1e-10 if scheme == "exact" else 2e-12)


def test_inertia_may_vanish_as_a_payload_arrives_at_rest(monkeypatch):
    """What had inertia takes its spin along; the books of energy and momentum know of it."""
    monkeypatch.setitem(CHANGES, "inertia vanishes", (BODY, {"mass": 0.06}, "at-rest"))
    reference = run("inertia vanishes", "exact").data["travel"].values
    for scheme in SCHEMES:
        found = run("inertia vanishes", scheme)
        assert np.abs(found.data["travel"].values - reference).max() < 3e-4 * np.abs(reference).max()
        assert balance(found) < (1e-10 if scheme == "exact" else 2e-12)
        momentum, impulse = (found.data[name].values for name in ("angular_momentum", "torque_impulse"))
        assert momentum == pytest.approx(impulse[:, 0] if impulse.ndim > 1 else impulse, abs=1e-9)


@pytest.mark.parametrize("name", CHANGES)
def test_paper_closure_accounts_for_energy(name):
    for scheme in SCHEMES:
        assert balance(run(name, scheme, variant="paper")) < (1e-10 if scheme == "exact" else 2e-12)


@pytest.mark.parametrize("name", CHANGES)
def test_under_gravity_and_given_motion(name):
    """The weight changes with the payload; its potential goes into the work of the change."""
    move = {"joint": "link", "motion": {"profile": "quintic", "by": 0.2, "duration": 0.2}}
    for scheme in SCHEMES:
        found = run(name, scheme, drive=move, gravity=[3.0, -9.81, 0.0], joint={"position": -0.4}, start="equilibrium")
        assert balance(found) < (1e-10 if scheme == "exact" else 2e-12)


@pytest.mark.parametrize("name", [n for n in CHANGES if "at rest" in n])
def test_momentum_is_kept_by_a_payload_at_rest_and_energy_never_gained(name):
    data = run(name, "newmark").data
    t = data["time"].values
    assert data["angular_momentum"].values == pytest.approx(0.1 * np.minimum(t, 0.2), rel=1e-9, abs=1e-13)
    dissipated = data["energy"].sel(kind="dissipated").values
    assert dissipated[-1] > 1e-6 and np.all(dissipated >= 0)
    assert np.diff(dissipated)[np.diff(dissipated) > 0].size == 1


@pytest.mark.parametrize("name", [n for n in CHANGES if "at rest" not in n])
def test_payload_takes_momentum_along_and_leaves_the_velocity(name):
    before, after, _ = CHANGES[name]
    scenario = make(payload=before, drive=(), joint={"velocity": 0.5}, end=0.2, every=0.05, scheme="exact",
                    events=[{"at": 0.1, "payload": after, "rule": CHANGES[name][2]}])  # fmt: skip
    data = fa.simulate(scenario).data
    assert data["joint_velocity"].values[:, 0] == pytest.approx(0.5, rel=1e-9)
    assert np.abs(data["deflection"].values).max() < 1e-10

    def inertia(payload):
        x, y = (payload.get("offset", 0.0), 0.0) if np.ndim(payload.get("offset", 0.0)) == 0 else payload["offset"]
        return payload.get("inertia", 0.0) + payload.get("mass", 0.0) * ((LENGTH + x) ** 2 + y * y)

    jump = data["angular_momentum"].values[-1] - data["angular_momentum"].values[0]
    assert jump == pytest.approx(0.5 * (inertia(after) - inertia(before)), rel=1e-9)


def test_several_events_and_one_at_a_jump_of_the_torque():
    events = [
        {"at": 0.05, "payload": {"mass": 0.01}, "rule": "matched"},
        {"at": 0.2, "payload": {"mass": 0.03}, "rule": "at-rest"},
        {"at": 0.25, "payload": {}, "rule": "released"},
    ]
    torque = {"joint": "link", "torque": {"profile": "constant", "amplitude": 0.1, "duration": 0.2}}
    tips = []
    for scheme in SCHEMES:
        found = fa.simulate(make(drive=torque, events=events, scheme=scheme, end=0.3, every=0.1, step=2e-5))
        tips.append(at_times(found, "travel", [0.1, 0.2, 0.3]))
        assert balance(found) < 1e-10
    assert tips[1] == pytest.approx(tips[0], abs=2e-5) and tips[2] == pytest.approx(tips[0], abs=2e-5)
