"""The largest stable step of leapfrog: computed, refused beyond, and true in time runs on both sides of it."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.errors import StepError
from flexarm.methods.base import Steps
from single_link import CASES, EI, HUB, LENGTH, RHO_A, bare_model, figures, make

KNOWN = figures("tokhi_azad")["stability"]


def largest_c(scenario) -> float:
    """c = EI h^2 / (rho dx^4) at the largest step that the scheme allows."""
    n = scenario.method.options.resolution
    return EI * bare_model(scenario).scheme.limit ** 2 / (RHO_A * (LENGTH / n) ** 4)


def variant_values(known: list[float]):
    return zip(("sound", "paper"), known, strict=True)


@pytest.mark.parametrize("case", CASES)
def test_limit_of_the_four_cases(case):
    hub, mass = CASES[case]
    for variant, known in variant_values(KNOWN["cases"][case]):
        one = make(joint={"hub_inertia": hub}, payload={"mass": mass}, scheme="leapfrog", variant=variant)
        assert largest_c(one) == pytest.approx(known, rel=1e-4)


@pytest.mark.parametrize("n", KNOWN["sections_no_hub"])
def test_limit_over_the_number_of_sections(n):
    one = make(joint={"hub_inertia": 0.0}, scheme="leapfrog", resolution=int(n))
    assert largest_c(one) == pytest.approx(KNOWN["sections_no_hub"][n], rel=1e-4)


@pytest.mark.parametrize("ratio", KNOWN["hub_inertia_over_rho_dx3"])
def test_small_hub_inertia_lowers_the_limit(ratio):
    inertia = float(ratio) * RHO_A * (LENGTH / 19) ** 3
    for variant, known in variant_values(KNOWN["hub_inertia_over_rho_dx3"][ratio]):
        one = make(joint={"hub_inertia": inertia}, scheme="leapfrog", variant=variant)
        assert largest_c(one) == pytest.approx(known, rel=1e-4)


@pytest.mark.parametrize("ratio", KNOWN["payload_inertia_over_rho_dx3"])
def test_small_payload_inertia_lowers_the_limit(ratio):
    payload = {"inertia": float(ratio) * RHO_A * (LENGTH / 19) ** 3}
    for variant, known in variant_values(KNOWN["payload_inertia_over_rho_dx3"][ratio]):
        one = make(joint={"hub_inertia": 0.0}, payload=payload, scheme="leapfrog", variant=variant)
        assert largest_c(one) == pytest.approx(known, rel=1e-4)


def test_inertias_above_which_a_quarter_is_safe():
    unit, known = RHO_A * (LENGTH / 19) ** 3, KNOWN["quarter"]
    hub = make(joint={"hub_inertia": known["hub_inertia"] * unit}, scheme="leapfrog")
    assert largest_c(hub) == pytest.approx(0.25, rel=1e-4)
    for mass, name in ((0.0, "payload_inertia"), (0.02, "payload_inertia_20g")):
        payload = {"mass": mass, "inertia": known[name] * unit}
        one = make(joint={"hub_inertia": 0.0}, payload=payload, scheme="leapfrog")
        assert largest_c(one) == pytest.approx(0.25, rel=1e-4)


def kicked(model, ratio: float, steps: int = 60_000) -> float:
    """Largest tip travel of a free arm that was kicked at random, at `ratio` of the largest step."""
    h = ratio * model.scheme.limit
    model.scheme.h = h  # past the check
    state = model.start([0.0], [0.0], np.zeros((1, 7)))
    rng = np.random.default_rng(3)
    free = model.system.free
    state.x[model.layout["v"]][free] = 1e-3 * rng.standard_normal(len(free))
    table = np.zeros((steps + 1, 1, 7))
    model.restart(state, table[0])
    done = model.march(state, Steps(h, table, 0))
    sums = done.state.x[model.layout["sums"]]
    return max(-sums[4], sums[5]) if done.steps_done == steps else np.inf


VARIANTS = {
    "hub": {},
    "no hub": {"joint": {"hub_inertia": 0.0}},
    "small hub": {"joint": {"hub_inertia": 0.05 * RHO_A * (LENGTH / 19) ** 3}},
    "offset payload": {"payload": {"mass": 0.02, "inertia": 1e-6, "offset": 0.03}},
    "paper": {"variant": "paper", "payload": {"mass": 0.02, "inertia": 1e-6}},
    "damped": {"damping": {"time": 1e-4}},
    "flexible joint": {"joint": {"stiffness": 500.0, "rotor_inertia": 1e-5, "damping": 0.02}},
    "gravity": {"gravity": [9.81, 0.0, 0.0]},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_time_runs_on_both_sides_of_the_limit(name):
    model = bare_model(make(scheme="leapfrog", drive=(), **VARIANTS[name]))
    bounded = kicked(model, 0.999)
    assert bounded < 2.0
    assert kicked(model, 1.001) > 1e6 * bounded


def test_a_step_beyond_the_limit_is_refused_with_the_largest_one():
    limit = bare_model(make(scheme="leapfrog")).scheme.limit
    assert fa.simulate(make(scheme="leapfrog", step=0.999 * limit, end=0.01)).success
    h = 1.001 * limit
    with pytest.raises(StepError, match=rf"largest allowed is {limit:.6g} s.*newmark") as caught:
        fa.simulate(make(scheme="leapfrog", step=h, end=40 * h))
    assert caught.value.field == "time.step"


@pytest.mark.parametrize("kp", [1.0, 1e6])
def test_a_stiff_law_lowers_the_limit(kp):
    """The gain acts as a spring on the hub; the limit follows from the true highest frequency."""
    pd = {"joint": "link", "control": {"type": "pd", "kp": kp, "kv": 0.01}}
    model = bare_model(make(scheme="leapfrog", drive=pd), gains=((kp, 0.01, 0.0),))
    free = bare_model(make(scheme="leapfrog")).scheme.limit
    assert model.scheme.limit <= free
    if kp > 1e5:
        assert model.scheme.limit == pytest.approx(2.0 / np.sqrt(kp / HUB), rel=0.05)


def test_refused_step_of_a_payload_that_arrives():
    """The model after the event has a limit of its own."""
    tiny = 0.02 * RHO_A * (LENGTH / 19) ** 3
    event = {"at": 0.1, "payload": {"mass": 1e-6, "inertia": tiny}, "rule": "matched"}
    with pytest.raises(StepError, match="largest allowed"):
        fa.simulate(make(scheme="leapfrog", step=2e-4, events=[event], end=0.2))


def test_march_reports_what_is_not_finite():
    model = bare_model(make(scheme="leapfrog", drive=()))
    h = 1.2 * model.scheme.limit
    model.scheme.h = h
    state = model.start([0.0], [1.0], np.zeros((1, 7)))
    state.x[model.layout["v"]][5] += 1e-3
    table = np.zeros((20_001, 1, 7))
    model.restart(state, table[0])
    done = model.march(state, Steps(h, table, 10))
    assert done.outcome.name == "NOT_FINITE"
    assert done.steps_done < 20_000
    assert np.all(np.isfinite(done.records)) and np.all(np.isfinite(done.state.x[model.layout["q"]]))
    assert len(done.records) == done.steps_done // 10
