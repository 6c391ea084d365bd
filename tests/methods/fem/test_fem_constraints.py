"""Branches and loops in `fem`: links held by constraints move as shared ones do; tangents, frames, mechanisms, energy."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import DOWN, HOLD, beam, model_of, moved, scenario
from test_fem_rigid_links import PAYLOAD, stiff
from test_fem_tangent import PUSH, SOFT, SPEED, agree, differences, random_state

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.methods.fem import assemble
from flexarm.methods.fem.tangents import dense, free_unknowns
from interrupting import interrupted_after

TURN = {"profile": "cycloid", "by": 0.8, "duration": 0.4}
DRIVES = {"free": (), "root": [moved("a", TURN)], "both": [moved("a", TURN), moved("b", TURN)]}
ALPHA = {"integrator": "generalised-alpha"}


def pair(kinds: str, held: bool, drives=(), **more):
    """Two links, the second on the tip of the first: by shared unknowns, or held to a point that lies there."""
    place = {"points": {"end": [0.8, 0.0]}}
    first = stiff("a", 0.8, **place) if kinds[0] == "r" else beam("a", 0.8, **place)
    second = stiff("b", 0.6) if kinds[1] == "r" else beam("b", 0.6)
    second |= {"at": "end"} if held else {}
    second["joint"] = {"position": 0.7, "motor_mass": 0.3, "hub_inertia": 0.02}
    parts = {"gravity": DOWN, "payload": PAYLOAD, "damping": {"time": 1e-4}}
    return scenario([first, second], drives, arm=parts, **{"end": 0.4, "resolution": 3, **ALPHA, **more})


@pytest.mark.parametrize("drives", list(DRIVES))
@pytest.mark.parametrize(("kinds", "theory", "same"), [
    ("ff", "exact", True), ("ff", "link", True), ("fr", "exact", True), ("rf", "exact", False), ("rr", "link", False),
])  # fmt: skip
def test_constrained_link_moves_like_one_that_shares_the_tip(kinds, theory, same, drives):
    """A constraint on a node is linear, and then exact; on a rigid link it is kept by the step, with its error."""
    shared, held = (fa.simulate(pair(kinds, one, DRIVES[drives], theory=theory)) for one in (False, True))
    assert shared.success and held.success
    for name in ("tip_position", "joint_position", "joint_torque"):
        peak = float(np.abs(shared.data[name]).max())
        assert np.abs(shared.data[name] - held.data[name]).max() <= (1e-10 if same else 1e-2) * peak + 1e-13, name
    energy = held.data["energy"]
    assert np.abs(energy.sel(kind="residual")).max() < 1e-10 * float(energy.sel(kind="kinetic").max())


def test_constraints_on_rigid_links_are_of_second_order():
    exact = fa.simulate(pair("rr", False, step=1e-4)).data.tip_position.values[-1]
    errors = [
        np.abs(fa.simulate(pair("rr", True, step=h)).data.tip_position.values[-1] - exact).max() for h in (4e-3, 2e-3)
    ]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def soft_loop(theory: str, order: int):
    """A branch from the middle of a beam, and a loop from beside a beam to beside a rigid link, all soft and moving."""
    links = [
        beam("a", 0.8, **SOFT, points={"rear": [-0.2, 0.1]}, masses=[{"at": "rear", "mass": 0.2, "inertia": 0.01}]),
        stiff("b", 0.5, points={"side": [0.3, 0.2]}),
        beam("c", 0.6, **SOFT, parent="a", at=0.37, points={"over": [0.8, -0.1]}),
    ]
    loops = [{"name": "pin", "pin": ["c.over", "b.side"], "type": "fixed"}]
    parts = {
        "gravity": [1.0, -9.81, 0.0],
        "damping": {"time": 0.02},
        "payload": {**PAYLOAD, "link": "b"},
        "loops": loops,
    }
    return model_of(scenario(links, (), arm=parts, resolution=2, theory=theory, order=order, step=1e-2))


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("theory", ["exact", "link"])
def test_tangent_and_rates(theory, order):
    model = soft_loop(theory, order)
    q, v, a, frame, _, _ = random_state(model, 5)
    lam, free, work = np.random.default_rng(1).normal(size=model.constraints.rows), free_unknowns(model), model.work

    def evaluate(step):
        change, state = np.zeros(model.size), model.empty()
        change[free] = step
        state.x[model.layout["q"]], state.x[model.layout["v"]] = q + change, v + SPEED * change
        state.x[model.layout["frame"]], state.x[model.layout["lam"]] = frame.ravel(), lam
        state.x[model.layout["unrecorded"]][: model.size] = a + PUSH * change
        assemble.evaluate(state.x, model.parts, work, SPEED, PUSH)
        return np.concatenate([work.residual[free], work.gap, work.gap_rate])

    evaluate(np.zeros(len(free)))
    K, border = dense(work.band)[np.ix_(free, free)], np.concatenate([work.G, work.D])[:, free]
    found = differences(evaluate, q[free])
    agree(K, found[: len(free)])
    agree(border, found[len(free) :])


def test_two_cantilevers_welded_at_their_tips_are_a_clamped_beam():
    """Frequencies of a clamped-clamped beam by closed form, and the load of its weight on the pin."""
    section = {"shape": "rectangle", "width": 0.02, "height": 0.01}
    links = [
        {"name": "base", "parent": "ground", "flexible": False, "length": 2.0, "joint": {"type": "fixed"}},
        beam("a", 1.2, parent="ground", section=section, joint={"type": "fixed"}),
        beam("b", 0.8, parent="base", section=section, joint={"type": "fixed", "position": float(np.pi)}),
    ]
    loops = [{"name": "weld", "pin": ["a.tip", "b.tip"], "type": "fixed"}]
    run = scenario(
        links, (), arm={"loops": loops}, beams="euler-bernoulli", order=3, resolution=6, end=0.01, start="equilibrium"
    )
    hz = fa.frequencies(run, n=3).hz
    wave = np.array([4.7300407, 7.8532046, 10.9956078]) / 2.0
    EI, line = 70e9 * 0.02 * 0.01**3 / 12, 2700 * 0.02 * 0.01
    assert hz == pytest.approx(wave**2 * np.sqrt(EI / line) / (2 * np.pi), rel=1e-4)
    data = fa.simulate(run.with_({"arm.gravity": [0.0, -0.1, 0.0]})).data
    x, L, q = 1.2, 2.0, line * 0.1
    assert abs(data.loop_force.values[0, 0, 1]) == pytest.approx(abs(q * (0.5 * L - x)), rel=2e-3)
    moment = q / 12 * (6 * L * x - L**2 - 6 * x**2)
    assert abs(data.loop_moment.values[0, 0]) == pytest.approx(abs(moment), rel=5e-3)


def four_bar(flexible: bool, **more):
    """Crank, coupler and rocker between two pins 0.5 m apart."""
    kind = {} if flexible else {"flexible": False}
    links = [
        {"name": "base", "parent": "ground", "flexible": False, "length": 0.5, "joint": {"type": "fixed"}},
        beam("crank", 0.2, parent="ground", joint={"position": 1.0, **more.pop("crank", {})}, **kind),
        beam("coupler", 0.5, parent="crank", **kind),
        beam("rocker", 0.4, parent="base", **kind),
    ]
    loops = more.pop("loops", [{"name": "pin", "pin": ["coupler.tip", "rocker.tip"]}])
    drives = more.pop("drive", [moved("crank", {"profile": "quintic", "by": 2.0, "duration": 0.3})])
    parts = {"gravity": DOWN, "loops": loops, **more.pop("arm", {})}
    return scenario(links, drives, arm=parts, **{"end": 0.3, **ALPHA, **more})


def test_rigid_loop_gives_the_torque_of_the_stiff_arm():
    data = fa.simulate(four_bar(False, step=5e-4)).data
    peak = float(np.abs(data.rigid_torque).max())
    assert np.abs(data.joint_torque - data.rigid_torque).sel(joint="crank").max() < 2e-3 * peak
    assert data.loop_error.max() < 1e-10 and np.abs(data.tip_error).max() < 1e-9
    assert np.abs(data.energy.sel(kind="residual")).max() < 1e-9 * float(data.energy.sel(kind="kinetic").max())


@pytest.mark.parametrize("integrator", ["generalised-alpha", "newmark"])
def test_free_mechanism_keeps_its_energy_and_stays_closed(integrator):
    run = four_bar(True, drive=(), integrator=integrator, step=2e-4, crank={"velocity": 8.0})
    data = fa.simulate(run).data
    energy, moving = data.energy, float(data.energy.sel(kind="kinetic").max())
    total = energy.sel(kind="kinetic") + energy.sel(kind="elastic") + energy.sel(kind="gravity")
    assert data.loop_error.max() < 1e-12
    assert np.ptp(total.values) < 2e-3 * moving
    assert np.abs(energy.sel(kind="residual")).max() < 1e-10 * moving


def test_laws_limits_and_chunks_in_a_loop(tmp_path):
    run = fa.load("five-bar").with_({"method": {"name": "fem", "resolution": 3}, "time.end": 0.1, "time.step": 5e-4})
    whole = fa.simulate(run)
    other = fa.simulate(run.with_({"method": "modes"}))
    assert whole.success and whole.data.loop_error.max() < 1e-12
    for chunk in (1, 7):
        assert fa.simulate(run, chunk=chunk).data.equals(whole.data)
    fa.simulate(run, checkpoint=tmp_path / "run.npz", chunk=20, **interrupted_after(2))
    assert fa.simulate(run, resume=tmp_path / "run.npz").data.equals(whole.data)
    for name in ("drive_torque", "tip_position", "loop_force"):
        peak = float(np.abs(other.data[name]).max())
        assert np.abs(whole.data[name].values - other.data[name].values).max() < 0.02 * peak, name


def test_friction_in_a_loop_costs_what_it_takes():
    rubbing = {"crank": {"friction": 0.4, "velocity": 6.0}, "drive": (), "arm": {"gravity": [0, 0, 0]}, "step": 5e-4}
    data = fa.simulate(four_bar(False, **rubbing, end=0.15)).data
    turned = float(data.joint_position.sel(joint="crank")[-1] - data.joint_position.sel(joint="crank")[0])
    lost = float(data.energy.sel(kind="dissipated")[-1])
    assert lost == pytest.approx(0.4 * turned, rel=1e-3)
    assert float(data.energy.sel(kind="kinetic")[0] - data.energy.sel(kind="kinetic")[-1]) == pytest.approx(
        lost, rel=2e-3
    )


WELD = [{"name": "pin", "pin": ["coupler.tip", "rocker.tip"]}, {"name": "again", "pin": ["rocker.tip", "coupler.tip"]}]


@pytest.mark.parametrize(("change", "words"), [
    ({"loops": WELD}, "'again', 'pin' repeat"),
    ({"drive": [moved("coupler", HOLD), moved("crank", HOLD), moved("rocker", HOLD)]}, "no joint was free|only 0"),
    ({"theory": "linear"}, "for serial arms"),
    ({"crank": {"position": 0.0}, "loops": [{"name": "far", "pin": ["coupler.tip", "rocker.root"]}]}, "apart|singular"),
])  # fmt: skip
def test_loops_that_cannot_work_are_refused(change, words):
    with pytest.raises((FlexarmError, ValueError), match=words):
        fa.simulate(four_bar(False, **change))


def test_spring_on_a_branch_is_not_supported():
    links = [beam("a", 1.0), beam("b", 0.5, parent="a", at=0.5, joint={"stiffness": 50.0})]
    with pytest.raises(FlexarmError, match="a series spring only at joints on the ground"):
        fa.simulate(scenario(links, [moved("a", HOLD), moved("b", HOLD)]))


@pytest.mark.parametrize("kinds", ["ff", "rf"])
def test_law_on_a_constrained_joint_is_that_of_a_shared_one(kinds):
    """Its slope lies outside the band; friction and limit act as well."""
    law = {"type": "pd", "kp": 60.0, "kv": 6.0, "limit": 8.0}
    drives = [moved("a", TURN), moved("b", TURN, control=law)]
    shared, held = (fa.simulate(pair(kinds, one, drives)) for one in (False, True))
    for name in ("tip_position", "joint_position", "drive_torque"):
        peak = float(np.abs(shared.data[name]).max())
        assert np.abs(shared.data[name] - held.data[name]).max() <= (1e-10 if kinds == "ff" else 1e-2) * peak, name


@pytest.mark.parametrize(("name", "peaks"), [
    ("ralf-lower-only", [123.828, 16.4288, 14.6038]), ("ralf", [163.266, 50.0478, 13.3429]),
])  # fmt: skip
def test_bending_strains_of_ralf_agree_with_another_code(name, peaks):
    """Peaks of the mid-link bending strain, 1e-6, without the static part; Exudyn, eight cable elements per link, 4 s."""
    links = ("lower", "upper", "actuating")
    sides = [{"link": n, "at": 0.5, "side": s, "name": f"{n} {s}"} for n in links for s in ("bottom", "top")]
    method = {"name": "fem", "resolution": 8, "order": 2, "beams": "euler-bernoulli"}
    data = fa.simulate(fa.load(name).with_({"method": method, "output.gauges": sides, "time.end": 4.0})).data
    strain = 1e6 * (data.strain.values[:, ::2] - data.strain.values[:, 1::2]) / 2
    assert np.abs(strain - strain[0]).max(axis=0) == pytest.approx(peaks, rel=0.015)
    assert float(data.loop_error.max()) < 1e-9
    assert np.abs(data.energy.sel(kind="residual")).max() < 1e-4 * float(data.energy.sel(kind="work").max())


def test_a_parallelogram_that_is_driven_flat_is_singular():
    """At its dead centre rigid links lock or can go two ways; steps of 1 ms meet it as they do in `modes`."""
    bar = {"section": {"shape": "rectangle", "width": 0.02, "height": 0.01}, "material": "aluminium", "flexible": False}
    links = [
        {"name": "base", "length": 1.0, "parent": "ground", "flexible": False, "joint": {"type": "fixed"}},
        {"name": "crank", "parent": "ground", "length": 0.5, "joint": {"position": 1.0}, **bar},
        {"name": "coupler", "length": 1.0, "joint": {"position": -1.0}, **bar},
        {"name": "rocker", "length": 0.5, "parent": "base", "joint": {"position": 1.0}, **bar},
    ]
    arm = {
        "links": links,
        "loops": [{"name": "flat", "pin": ["coupler.tip", "rocker.tip"]}],
        "payload": {"link": "coupler"},
    }
    drive = [{"joint": "crank", "motion": {"profile": "quintic", "by": -1.3, "duration": 0.5}}]
    parts = {"name": "flat", "arm": arm, "drive": drive, "time": {"end": 0.6, "step": 1e-3}, "method": "fem"}
    scenario = fa.Scenario.model_validate(parts)
    run = fa.simulate(scenario, warn=False)
    assert run.outcome is fa.Outcome.SINGULAR
    assert abs(float(run.data.joint_position.sel(joint="crank")[-1])) < 0.01
    note = next(note for note in run.notes if "singular" in note)
    assert "'flat'" in note and "rocker" in note
    by = fa.simulate(scenario.with_({"time.step": 1e-4, "output.every": 2e-3}), warn=False)
    assert not by.success or any("passed a singular pose" in note for note in by.notes)
    short = {"profile": "quintic", "by": -0.9, "duration": 0.5}
    there = fa.simulate(scenario.with_({"drive.0.motion": short}), warn=False)
    assert there.success and not any("singular" in note for note in there.notes)
