"""Figures of Li and Zhang's arms beside those that the tests of the paper compare."""

from __future__ import annotations

import numpy as np
import pytest
from segments_arms import DATA, li_zhang, signals, single, step_notes

import flexarm as fa
from flexarm.analysis.ringdown import ringdown
from flexarm.methods.segments.prediction import predict


def test_single_beam_undamped():
    wanted, found = DATA["single converged"], signals(fa.simulate(single(end=3.0, step=2.5e-4)))
    bend, time = found["d1"], found["time"]
    assert [bend.max(), bend.min()] == pytest.approx([wanted["tip_max"], wanted["tip_min"]], rel=3e-3)
    assert [time[bend.argmax()], time[bend.argmin()]] == pytest.approx([wanted["t_max"], wanted["t_min"]], abs=2e-3)
    assert np.abs(bend[time >= 0.5]).max() == pytest.approx(wanted["resid"], rel=0.01)


def test_literal_reading_is_off_by_what_the_paper_does_not_say():
    rows = {(r["joints"], r["ends"]): r for r in DATA["paper steps"] if r["arms"] == "newton" and r["segments"] == 20}
    found = signals(fa.simulate(li_zhang(variant="paper", arms="newton", beta=0.7, gamma=0.51)))
    late = np.abs(found["ex"][found["time"] >= 0.4]).max()
    assert late / DATA["continuum rigid"]["ex"]["resid_absmax"] - 1.0 == pytest.approx(-0.12, abs=0.005)
    assert late == pytest.approx(rows["rigid", "literal"]["ex"]["resid_absmax"], rel=1e-3)


def test_the_user_sees_what_a_scheme_does():
    notes = " ".join(step_notes(single(variant="paper", ends="root")))
    assert "6.133 Hz" in notes and "decrement of 0.0726" in notes and "lambda L = 5.2" in notes
    assert "brakes" in notes and "decrement of 0.0484" in " ".join(step_notes(single(beta=0.8, gamma=0.7)))
    assert "weakly unstable" in " ".join(step_notes(single(variant="paper", beta=0.25, gamma=0.5)))


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
