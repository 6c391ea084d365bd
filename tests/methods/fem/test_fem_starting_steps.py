"""What follows a jump: L-stable starting steps, energies after an event, sharp corners of a path; and the chord as a sensor."""

from __future__ import annotations

import numpy as np
import pytest
from fem_arms import CYCLOID, HOLD, beam, moved, scenario
from test_fem_rigid_links import stiff

import flexarm as fa

PICK_UP = [{"at": 0.8, "payload": {"mass": 0.5, "inertia": 0.01}, "rule": "at-rest"}]


def picked_up(damping: dict, step: float, n: int = 4):
    """Two rods on the move that pick up a mass at rest."""
    drives = [moved(name, CYCLOID) for name in ("upper", "fore")]
    run = scenario(
        [beam("upper"), beam("fore")], drives, arm={"damping": damping}, end=1.2, step=step, resolution=n,
        integrator="generalised-alpha", tolerance=1e-10,
    )  # fmt: skip
    return fa.simulate(run.with_({"events": PICK_UP}))


def test_energies_after_a_mass_is_picked_up_at_rest():
    """The impulse goes into modes that damp away at once; work and losses hardly depend on the step."""
    kinds = {step: picked_up({"time": 1e-3}, step).data.energy.isel(time=-1) for step in (2e-3, 5e-4)}
    coarse, fine = ({k: float(e.sel(kind=k)) for k in ("work", "dissipated", "numerical")} for e in kinds.values())
    assert coarse["work"] == pytest.approx(fine["work"], rel=2e-3)
    assert 0.0 < coarse["numerical"] < 0.1 * coarse["dissipated"] and abs(fine["numerical"]) < coarse["numerical"]
    both = [e["dissipated"] + e["numerical"] for e in (coarse, fine)]
    assert both[0] == pytest.approx(both[1], rel=1e-2)


@pytest.mark.parametrize(("n", "step"), [(4, 5e-3), (30, 5e-3), (30, 1e-3)])
def test_an_event_at_rest_with_a_damping_ratio_goes_on(n, step):
    result = picked_up({"ratio": 0.05, "mode": 1}, step, n)
    energy = result.data.energy.isel(time=-1)
    assert result.success
    assert 0.0 < float(energy.sel(kind="dissipated")) < 0.5 * float(energy.sel(kind="work"))


def test_sharp_corners_need_no_short_steps():
    run = fa.load("tian-square").with_({"method": {"name": "fem", "resolution": [2, 4]}, "time.end": 8.0})
    figures = []
    for step in (2e-3, 5e-4):
        result = fa.simulate(run.with_({"time.step": step}))
        error = 1e3 * result.data.path_error.values[:, :2]
        figures.append([*np.sqrt((error**2).mean(axis=0)), *np.abs(error).max(axis=0)])
        energy = result.data.energy.isel(time=-1)
        assert abs(float(energy.sel(kind="numerical"))) < 0.2 * float(energy.sel(kind="work"))
    assert figures[0] == pytest.approx(figures[1], rel=1e-3)


def chord_run(links: list, sensor: str, **control):
    law = {"type": "pd", "kp": 40.0, "kv": 4.0, "sensor": sensor, **control}
    turn = {"profile": "cycloid", "by": 0.6, "duration": 0.4}
    drives = [moved(name, motion, control=law) for name, motion in (("a", turn), ("b", HOLD))]
    return scenario(links, drives, end=0.6, step=1e-3, integrator="generalised-alpha", resolution=3)


def test_chord_of_stiff_links_is_the_hub():
    hub, chord = (fa.simulate(chord_run([stiff("a", 0.8), stiff("b", 0.6)], s)).data for s in ("hub", "chord"))
    assert np.abs(hub.joint_position - chord.joint_position).max() < 1e-9


def test_chord_law_agrees_with_absolute_nodal_coordinates():
    """It holds the chords, which the hub law does not; sampled fast it is nearly the same."""
    base = fa.load("tian-circle").with_({"time.end": 2.0})
    drive = base.tree["drive"][0]

    def run(sensor: str, method: str = "fem", **more) -> np.ndarray:
        changed = [{**drive, "control": {**drive["control"], "sensor": sensor, **more}}]
        chosen = {"drive": changed, "method": {"name": method, "resolution": [2, 4]}}
        return fa.simulate(base.with_(chosen)).data.path_error.values[:, :2]

    ours, peak = run("chord"), np.abs(run("chord")).max()
    assert np.abs(ours - run("chord", "ancf")).max() < 2e-3 * peak
    assert np.abs(ours - run("hub")).max() > 2e-2 * peak
    assert np.abs(ours - run("chord", period=1e-3)).max() < 5e-2 * peak
