"""`flexarm linear` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import flexarm as fa


def test_poles_zeros_and_files(call):
    shown = call(
        "linear",
        "tokhi-azad",
        "--set",
        "method.resolution=40",
        "--outputs",
        "tip.travel",
        "--reduce",
        "4",
        "--out",
        "model",
    )
    assert "57.18" in shown.output and "no error bound" in shown.output and "s^-2" in shown.output
    back = fa.load_state_space("model/linear.json")
    assert len(back.states) == 10 and back.outputs == ("tip.travel",)
    assert fa.load_state_space("model/linear.mat").states == back.states
    for name in ("bode.png", "poles.png"):
        assert Path("model", name).stat().st_size > 10_000
    found = json.loads(Path("model/linear-summary.json").read_text(encoding="utf-8"))
    assert found["low_frequencies"]["tip.travel / link.torque"][0] == pytest.approx(19.29, rel=1e-3)
    assert "already" in call("linear", "tokhi-azad", "--out", "model", code=2).output


def test_margins_of_a_closed_loop_and_a_sampled_model(call):
    shown = call(
        "linear",
        "pd-hub",
        "--joints",
        "held",
        "--discrete",
        "1ms",
        "--reduce",
        "1%",
        "--json",
        "--outputs",
        "link.position",
        "--along",
        "--step",
        "1deg",
        "--out",
        "loops",
    )
    found = json.loads(shown.output)
    for name in ("nyquist.png", "poles-along.png", "step.png"):
        assert Path("loops", name).stat().st_size > 10_000
    assert found["period_s"] == 1e-3 and found["states"] < found["states_of_the_mesh"]
    assert found["margins"][0]["phase_margin_deg"] == pytest.approx(62.7, abs=1.0)


@pytest.mark.parametrize("words, said", [
    (["--reduce", "few"], "no number of modes"), (["--outputs", "tip.trvel"], "did you mean 'tip.travel'"), (["--pose", "1,2"], "--pose"),
    (["--joints", "led", "--step", "1deg"], "--step"),
])  # fmt: skip
def test_what_is_refused(call, words, said):
    assert said in call("linear", "tokhi-azad", *words, code=2).output
