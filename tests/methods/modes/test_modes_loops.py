"""Loops of any kind close, stay closed, carry forces; what is wrong with them is said before the run."""

from __future__ import annotations

import numpy as np
import pytest
from modes_arms import DOWN, HOLD, link, model_of, ralf, scenario

import flexarm as fa

BUNDLED = ["ralf-other-lengths", "four-bar", "five-bar"]


@pytest.mark.parametrize("name", BUNDLED)
def test_loops_stay_closed(name):
    result = fa.simulate(name)
    data = result.data
    assert result.success and float(data.loop_error.max()) < 1e-12
    energy = data.energy
    assert np.abs(energy.sel(kind="residual")).max() < 1e-6 * np.abs(energy.sel(kind="work")).max()
    assert np.abs(data.strain).max() > 1e-6


def test_twenty_seconds_of_an_unequal_loop():
    data = fa.simulate("ralf-other-lengths").data
    assert data.time.values[-1] == 20.0 and float(data.loop_error.max()) < 1e-12


def four_bar(flexible: bool = True, **more):
    """Crank, coupler, rocker between two ground pins 0.5 m apart; all of the same strip."""
    stiff = {} if flexible else {"flexible": False}
    links = [
        {"name": "base", "parent": "ground", "flexible": False, "length": 0.5, "joint": {"type": "fixed"}},
        link("crank", 0.2, parent="ground", joint={"position": 1.0}, **stiff),
        link("coupler", 0.5, parent="crank", **stiff),
        link("rocker", 0.4, parent="base", **stiff),
    ]
    loops = more.pop("loops", [{"name": "pin", "pin": ["coupler.tip", "rocker.tip"]}])
    drives = more.pop("drive", [{"joint": "crank", "motion": {"profile": "quintic", "by": 2.0, "duration": 0.3}}])
    return scenario(links, drives, arm={"gravity": DOWN, "loops": loops, **more.pop("arm", {})}, **more)


def test_rigid_loop_gives_the_torque_of_the_stiff_arm():
    """No coordinate is free: accelerations, torques and pin forces follow from the motion alone."""
    data = fa.simulate(four_bar(False)).data
    assert np.abs(data.joint_torque - data.rigid_torque).max() < 1e-9 * np.abs(data.rigid_torque).max()
    assert np.abs(data.tip_error).max() < 1e-12
    assert np.abs(data.energy.sel(kind="residual")).max() < 1e-6 * data.energy.sel(kind="work").max()


def test_stiff_links_tend_to_the_rigid_arm():
    sizes = []
    for factor in (10.0, 100.0):
        run = four_bar()
        changes = {f"arm.links.{n}.material.E": f"{70 * factor:g} GPa" for n in ("crank", "coupler", "rocker")}
        run = run.with_({**changes, "time.step": 5e-4, "time.start": "equilibrium", "arm.damping": {"ratio": 0.3}})
        data = fa.simulate(run).data
        sizes.append(float(np.abs(data.tip_error).max()))
    assert sizes[1] == pytest.approx(0.1 * sizes[0], rel=0.05)


def test_pin_force_balances_a_hanging_link():
    """Two equal links hang from two pins and meet: each pin carries by symmetry half of the weight."""
    links = [
        {"name": "base", "parent": "ground", "flexible": False, "length": 1.0, "joint": {"type": "fixed"}},
        link("a", 0.8, parent="ground", joint={"position": -float(np.arccos(0.5 / 0.8))}),
        link("b", 0.8, parent="base"),
    ]
    loops = [{"name": "pin", "pin": ["a.tip", "b.tip"]}]
    run = scenario(
        links, arm={"gravity": DOWN, "loops": loops}, axial_modes=1, time={"end": 0.01, "start": "equilibrium"}
    )
    data = fa.simulate(run).data
    weight = 9.81 * 2700 * 0.02 * 0.01 * 0.8
    force = data.loop_force.values[0, 0]
    angle = np.arccos(0.5 / 0.8)
    assert abs(force[1]) < 1e-6 * weight  # the pin carries nothing upright
    assert abs(force[0]) == pytest.approx(0.5 * weight / np.tan(angle), rel=1e-3)  # the strips sag a little


def test_welded_loop_carries_a_moment():
    """A frame of three strips clamped at both ends: stiffer than the hinged one, and the weld carries a moment."""
    weld = [{"name": "weld", "pin": ["coupler.tip", "rocker.tip"], "type": "fixed"}]
    held = [{"joint": n, "motion": HOLD} for n in ("crank", "coupler", "rocker")]
    hinged = four_bar(drive=held, resolution=3, time={"end": 0.01, "start": "equilibrium"}, axial_modes=1)
    pose = dict(zip(hinged.arm.joints, fa.rigid.close_loops(hinged.arm, hinged.arm.pose), strict=True))
    places = {f"arm.links.{name}.joint.position": float(value) for name, value in pose.items()}
    hinged = hinged.with_(places)
    welded = four_bar(
        loops=weld, drive=held, resolution=3, time={"end": 0.01, "start": "equilibrium"}, axial_modes=1
    ).with_(places)
    soft, stiff = fa.frequencies(hinged, n=2).hz, fa.frequencies(welded, n=2).hz
    assert stiff[0] > 1.05 * soft[0]
    data = fa.simulate(welded).data
    assert abs(float(data.loop_moment[0, 0])) > 1e-4 and float(data.loop_error.max()) < 1e-13


def test_singular_pose_on_the_way_ends_the_run_with_words():
    """The bellcrank comes into line with the lower link."""
    drives = [
        {"joint": "lower", "motion": {"profile": "constant"}},
        {"joint": "bellcrank", "motion": {"profile": "quintic", "by": "44.3 deg", "duration": "1 s"}},
    ]
    result = fa.simulate(ralf(**{"drive": drives, "time.end": 1.2}))
    assert result.outcome is fa.Outcome.SINGULAR and 0.5 < float(result.data.time[-1]) < 1.0
    note = next(note for note in result.notes if "singular" in note)
    assert "parallelogram" in note and "actuating" in note and "t = " in note
    kept = fa.simulate(ralf(**{"drive": drives, "time.end": 0.8, "method.singular": 0.0}))
    assert kept.outcome is not fa.Outcome.SINGULAR


def refused(run, *words):
    with pytest.raises(fa.FlexarmError) as caught:
        fa.simulate(run)
    for word in words:
        assert word in str(caught.value), str(caught.value)


def test_refusals():
    with pytest.raises((fa.FlexarmError, ValueError), match="m apart"):
        four_bar(loops=[{"name": "far", "pin": ["coupler.tip", "base.root"]}])
    twice = [{"name": n, "pin": ["coupler.tip", "rocker.tip"]} for n in ("one", "two")]
    refused(four_bar(loops=twice), "'one'", "'two'", "independent")
    refused(four_bar(False, loops=[{"name": "one", "pin": ["coupler.tip", "rocker.tip"]},
                                   {"name": "two", "pin": ["crank.tip", "coupler.root"]}]), "independent")  # fmt: skip
    line = ralf(**{"arm.links.bellcrank.joint.position": "59.99 deg", "drive": []})
    refused(line, "singular", "parallelogram")
    refused(ralf(**{"method.loops": "cut-absolute"}), "method.loops")


def test_no_freedom_left():
    """A triangle of rigid links, nothing prescribed."""
    links = [
        {"name": "base", "parent": "ground", "flexible": False, "length": 0.5, "joint": {"type": "fixed"}},
        link("a", 0.4, parent="ground", flexible=False),
        link("b", 0.4, parent="base", flexible=False),
    ]
    refused(scenario(links, arm={"loops": [{"name": "pin", "pin": ["a.tip", "b.tip"]}]}), "freedom")


def test_watched_ratio_is_that_of_the_singular_values():
    model = model_of(ralf(), {"lower": "motion", "bellcrank": "motion", "actuating": "free", "upper": "free"},
                     **ralf().method.options.model_dump(exclude={"accuracy"}))  # fmt: skip
    row = np.zeros((4, 7))
    row[:2, 0] = model.pose[:2]
    state = model.restart(model.start(model.pose, np.zeros(4), row), row)
    from flexarm.methods.modes import layout as at

    values = np.linalg.svd(model.work.jac[:, : model.parts.moving], compute_uv=False)
    assert state.x[model.layout["sums"]][at.SIGMA] == pytest.approx(values[-1] / values[0], rel=1e-9)


def test_slider_crank():
    """Three turns of a crank through both dead centres: the block goes where the closed form says, but for the arc of
    its guide and the bending of the rod."""
    data = fa.simulate("slider-crank").data
    turned = data.joint_position.sel(joint="crank").values
    wanted = 0.3 * np.cos(turned) + np.sqrt(1.2**2 - (0.3 * np.sin(turned)) ** 2)
    assert np.abs(data.tip_position.values[:, 0] - wanted).max() < 2e-3
    assert np.ptp(data.tip_position.values[:, 1]) < 0.3**2 / (2 * 3.0) * 1.01
    assert float(data.loop_error.max()) < 1e-12
    assert np.abs(data.energy.sel(kind="residual").values).max() < 1e-8 * float(data.energy.sel(kind="kinetic").max())
