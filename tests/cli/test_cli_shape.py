"""`flexarm shape` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_it_prints_impulses_modes_and_widths_and_writes_files(call):
    shown = call("shape", "tokhi-azad", "--type", "zvd", "--out", "plots")
    assert "shaper zvd" in shown.output and "0.500000" in shown.output and "11.7" in shown.output
    found = json.loads(Path("plots/shaper.json").read_text(encoding="utf-8"))
    assert found["amplitudes"] == pytest.approx([0.25, 0.5, 0.25])
    assert found["modes"][0]["width"] == pytest.approx([0.8564, 1.1436], abs=1e-4)
    assert found["modes"][0]["residual_low"] == pytest.approx(0.0955, abs=1e-4)
    assert Path("plots/sensitivity.png").stat().st_size > 10_000


def test_options(call):
    found = json.loads(
        call(
            "shape", "shaped-link", "--type", "ei", "--tolerance", "10%", "--modes", "1,2", "--at", "0.3", "--json"
        ).output
    )
    assert len(found["amplitudes"]) == 9 and [mode["mode"] for mode in found["modes"]] == [1, 2]
    assert "no number" in call("shape", "shaped-link", "--modes", "one", "--force", code=2).output
    assert "zvx" in call("shape", "shaped-link", "--type", "zvx", "--force", code=2).output
