"""`flexarm bode` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_bode_prints_margins_and_writes_files(call):
    shown = call("bode", "ralf", "--out", "plots")
    assert "3.447 Hz" in shown.output and "12.16 dB" in shown.output and "65.19 deg" in shown.output
    found = json.loads(Path("plots/bode.json").read_text(encoding="utf-8"))
    assert [line["joint"] for line in found["actuators"]] == ["lower", "bellcrank"]
    assert Path("plots/bode.png").stat().st_size > 10_000


def test_a_sweep_from_the_command_line(call):
    shown = call(
        "bode", "ralf-lower-only", "--swept-sine", "--from", "0.5Hz", "--to", "3Hz", "--points", "5", "--joint", "lower", "--json",
        "--set", "method.resolution=1", "--set", "time.step=10ms", "--amplitude", "0.2deg", "--settle", "500ms",
    )  # fmt: skip
    found = json.loads(shown.output)["swept_sine"]
    assert found["fit"]["bandwidth_hz"] == pytest.approx(3.447, rel=5e-3)
    assert found["fit"]["misfit"] < 1e-3


def test_what_cannot_be_drawn(call):
    assert "no actuator with a transfer function" in call("bode", "tokhi-azad", code=2).output
