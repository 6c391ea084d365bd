"""Reference figures of Li and Zhang's arms, of tapers and of Newmark's rule."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import DATA, li_zhang, model_of, signals, single

import flexarm as fa
from flexarm.analysis.ringdown import ringdown
from flexarm.methods.segments.prediction import predict

FINAL = [np.pi / 6] * 3


@pytest.mark.parametrize("ends", DATA["modes"])
def test_frequencies_of_the_single_beam(ends):
    one = single(ends=ends)
    assert fa.frequencies(one, n=3).hz == pytest.approx(DATA["modes"][ends], rel=1e-6)
    if ends != "literal":
        assert fa.frequencies(one, n=3).hz == pytest.approx(DATA["clamped"]["70 GPa"][:3], rel=2e-3)


@pytest.mark.parametrize("row", DATA["single"], ids=lambda r: f"{r['ends']} {r['beta']} {r['gamma']}")
def test_single_beam_by_the_scheme_of_the_paper(row):
    one = single(variant="paper", arms="newton", ends=row["ends"], beta=row["beta"], gamma=row["gamma"])
    found = signals(fa.simulate(one))
    bend, time = found["d1"], found["time"]
    assert [bend.max(), bend.min()] == pytest.approx([row["max"], row["min"]], rel=5e-3)
    assert [time[bend.argmax()], time[bend.argmin()]] == pytest.approx([row["t_max"], row["t_min"]], abs=4e-3)
    assert np.abs(bend[time >= 0.5]).max() == pytest.approx(row["residual"], rel=0.02)
    ring = ringdown(time[time > 1.0], bend[time > 1.0])
    assert ring.frequency == pytest.approx(row["hz"], rel=3e-4)
    assert ring.log_decrement == pytest.approx(row["log_decrement"], rel=5e-3)


def test_single_beam_undamped():
    wanted, found = DATA["single converged"], signals(fa.simulate(single(end=3.0, step=2.5e-4)))
    bend, time = found["d1"], found["time"]
    assert [bend.max(), bend.min()] == pytest.approx([wanted["tip_max"], wanted["tip_min"]], rel=3e-3)
    assert [time[bend.argmax()], time[bend.argmin()]] == pytest.approx([wanted["t_max"], wanted["t_min"]], abs=2e-3)
    assert np.abs(bend[time >= 0.5]).max() == pytest.approx(wanted["resid"], rel=0.01)


def peaks_agree(found, wanted, rel, tiny):
    for name, row in wanted.items():
        if not isinstance(row, dict):
            continue
        values, late = found[name], found[name][found["time"] >= 0.4]
        close = tiny if name in ("d3", "j3") else rel
        assert [values.max(), values.min()] == pytest.approx([row["max"], row["min"]], rel=close), name
        assert np.abs(late).max() == pytest.approx(row["resid_absmax"], rel=close), name
        if "resid_rms" in row:
            assert np.sqrt(np.mean(late**2)) == pytest.approx(row["resid_rms"], rel=close), name


@pytest.mark.parametrize("joints", ["rigid", "flexible"])
def test_three_links_of_the_continuum(joints):
    """The sound form with 20 segments and 0.5 ms against converged figures."""
    peaks_agree(signals(fa.simulate(li_zhang(joints, step=5e-4))), DATA[f"continuum {joints}"], 5e-3, 0.02)


@pytest.mark.parametrize(
    "row", DATA["paper steps"], ids=lambda r: f"{r['joints']} {r['arms']} {r['ends']} {r['segments']}"
)
def test_three_links_by_the_scheme_of_the_paper(row):
    one = li_zhang(
        row["joints"],
        variant="paper",
        arms=row["arms"],
        ends=row["ends"],
        resolution=row["segments"],
        beta=0.7,
        gamma=0.51,
    )
    peaks_agree(signals(fa.simulate(one)), row, 3e-3, 3e-3)


def test_literal_reading_is_off_by_what_the_paper_does_not_say():
    rows = {(r["joints"], r["ends"]): r for r in DATA["paper steps"] if r["arms"] == "newton" and r["segments"] == 20}
    found = signals(fa.simulate(li_zhang(variant="paper", arms="newton", beta=0.7, gamma=0.51)))
    late = np.abs(found["ex"][found["time"] >= 0.4]).max()
    assert late / DATA["continuum rigid"]["ex"]["resid_absmax"] - 1.0 == pytest.approx(-0.12, abs=0.005)
    assert late == pytest.approx(rows["rigid", "literal"]["ex"]["resid_absmax"], rel=1e-3)


@pytest.mark.parametrize(("joints", "short"), [("rigid", "rigid"), ("flexible", "flex")])
def test_frequencies_of_the_three_links(joints, short):
    for ends, key, rel in (
        ("half", "FSM_halfends_N20", 1e-6),
        ("both", "FSM_bothends_N20", 1e-6),
        ("literal", "literal_N20", 1e-6),
    ):
        assert fa.frequencies(li_zhang(joints, ends=ends), n=3, pose=FINAL).hz == pytest.approx(
            DATA["final pose"][f"{key}_{short}"], rel=rel
        )
    fine = li_zhang(joints, resolution=80)
    assert fa.frequencies(fine, n=5, pose=FINAL).hz == pytest.approx(
        DATA["final pose"][f"FE_{joints}_joints"], rel=1e-3
    )
    assert fa.frequencies(fine, n=3).hz == pytest.approx(DATA["straight pose"][f"FE_{short}"], rel=1e-3)


def tapered(shape, c):
    """A cantilever with a linear taper; its height alone, or both sides."""
    width = [1.0, 1.0] if shape == "wedge" else [1.0, 1.0 - c]
    stations = [
        {"at": k, "shape": "rectangle", "width": 0.02 * width[k], "height": 0.01 * (1.0 - c * k)} for k in (0, 1)
    ]
    return [{"name": "link", "length": 1.0, "section": stations, "material": {"E": 70e9, "density": 2700.0}}]


@pytest.mark.parametrize(
    "row", DATA["taper"], ids=lambda r: f"{r['shape']} {r['c']} {r['ends']} {r['segments']} {r['springs']}"
)
def test_tapered_cantilevers(row):
    """Against figures of the segments to rounding, against Bessel functions to 0.1 % with 60 segments."""
    arm = fa.Arm(links=tapered(row["shape"], row["c"]))
    options = {"resolution": row["segments"], "ends": row["ends"], "springs": row["springs"]}
    figures = arm.links[0].figures([0.0])
    scale = 2.0 * np.pi * np.sqrt(figures["rhoA"][0] / figures["EI"][0])
    found = scale * fa.frequencies(arm, method="segments", n=3, options=options).hz
    assert found == pytest.approx(row["values"], rel=2e-6)
    if row["segments"] >= 60:
        assert found == pytest.approx(row["analytic"], rel=1e-3)


@pytest.mark.parametrize("row", DATA["newmark"], ids=lambda r: f"{r['f']} {r['beta']} {r['gamma']}")
def test_predicted_numerical_damping(row):
    found = predict((row["beta"], row["gamma"], 0.0, 0.0), row["f"], row["dt"])
    assert found.hz == pytest.approx(row["f_num"], rel=1e-9)
    assert [found.log_decrement, found.ratio] == pytest.approx([row["logdec"], row["zeta"]], rel=1e-6)


def test_the_user_sees_what_a_scheme_does():
    notes = " ".join(model_of(single(variant="paper", ends="root")).notes)
    assert "6.133 Hz" in notes and "decrement of 0.0726" in notes and "lambda L = 5.2" in notes
    assert "brakes" in notes and "decrement of 0.0484" in " ".join(model_of(single(beta=0.8, gamma=0.7)).notes)
    assert "weakly unstable" in " ".join(model_of(single(variant="paper", beta=0.25, gamma=0.5)).notes)


@pytest.mark.parametrize(("radius", "kept"), [(1.0, True), (0.5, False)])
def test_prediction_of_generalised_alpha_is_what_runs_show(radius, kept):
    one = single(integrator="generalised-alpha", spectral_radius=radius, step=5e-3, end=4.0, every=5e-3)
    found = signals(fa.simulate(one))
    late = found["time"] > 1.0
    ring = ringdown(found["time"][late], found["d1"][late])
    seen = predict(one.method.options.scheme, fa.frequencies(one, n=1).hz[0], 5e-3)
    assert ring.frequency == pytest.approx(seen.hz, rel=1e-3)
    assert ring.damping_ratio == pytest.approx(seen.ratio, rel=0.03, abs=1e-5)
    assert (seen.log_decrement < 1e-9) is kept
