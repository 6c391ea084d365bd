"""The test bench on the command line."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import flexarm as fa

DOCS = Path(__file__).parents[2] / "docs"
QUICK = ("--set", "method.resolution=3", "--set", "time.end=2")
MOVE = "{profile: trapezoid-acceleration, by: 90 deg, duration: 1.2 s, rise: 0.2 s}"


@pytest.fixture(scope="module")
def quick_log():
    """A log made of a coarse run: rows of time in ms and strain in um/m."""
    plan = fa.load("stepper-rig").with_({"method.resolution": 3, "time.end": 2})
    result = fa.simulate(plan)
    rows = zip(1e3 * result.data["time"].values[::3] + 10.0, 1.2e6 * result.data["strain"].values[::3, 0], strict=True)
    return "\n".join(["time [ms],strain [um/m]", *(f"{t:.3f},{e:.4f}" for t, e in rows)]) + "\n"


def test_steps_of_a_scenario_and_of_a_motion(call, folder):
    text = call("rig", "steps", "stepper-rig", "--out", "steps").stdout
    assert "900 half steps of 0.1 deg" in text and "1500 steps per second" in text and "0x0C 0x08" in text
    assert {p.name for p in (folder / "steps").iterdir()} == {"steps.csv", "steps.h", "steps.png"}
    assert "already holds files" in call("rig", "steps", "stepper-rig", "--out", "steps", code=2).stderr
    call("rig", "steps", "stepper-rig", "--out", "steps", "--full", "--force")
    assert len((folder / "steps/steps.csv").read_text().splitlines()) == 451
    motor = ("--steps-per-turn", "200", "--half", "--ratio", "9")
    own = json.loads(call("rig", "steps", MOVE, *motor, "--byte", "--no-carry", "--sweeps", "1", "--json").stdout)
    assert own["steps"] == 1800 == len(own["bytes"]) and own["landing_deg"] == 0.0
    assert own["bytes"] == own["bytes"][::-1]  # back through the same table


def test_limits_of_the_delay_byte_are_told(call):
    motor = ("--steps-per-turn", "200", "--ratio", "9")
    slow = json.loads(call("rig", "steps", MOVE.replace("1.2 s", "60 s"), *motor, "--byte", "--json").stdout)
    assert "cut to byte 255" in slow["notes"][0] and "longer than the loop can wait" in slow["delay_byte"]
    fast = MOVE.replace("1.2 s", "20 ms").replace("0.2 s", "4 ms")
    assert "too fast for the delay byte: step" in call("rig", "steps", fast, *motor, "--byte", code=2).stderr
    assert "too fast for the delay byte" in " ".join(call("rig", "steps", fast, *motor).stdout.split())
    many = json.loads(call("rig", "steps", MOVE, *motor, "--ratio", "50", "--byte", "--sweeps", "2", "--json").stdout)
    assert len(many["notes"]) == 2 and "3838 bytes" in many["notes"][0] and "8192" in many["notes"][1]


@pytest.mark.parametrize(
    "words, said",
    [
        (("rig", "steps", MOVE), "a motion on its own has no motor: give --steps-per-turn"),
        (
            ("rig", "steps", "{profile: quintik, by: 1, duration: 1}", "--steps-per-turn", "200"),
            "did you mean 'quintic'",
        ),
        (("rig", "steps", "tokhi-azad"), "none has a motion"),
        (("rig", "steps", "stepper-rig", "--overhead", "3 mm"), "--overhead wants s"),
        (("rig", "gauge", "stepper-rig", "--range", "5"), "'5' is no range"),
        (("rig", "gauge", "stepper-rig", "--bridge", "third"), "one of quarter, half, full"),
        (("rig", "compare", "stepper-rig", "x.csv", "--unit", "mm"), "--unit is V or counts"),
        (("rig", "compare", "stepper-rig", "x.csv", "--unit", "V"), "there is no file 'x.csv'"),
    ],
)
def test_refusals(call, words, said):
    assert said in call(*words, code=2).stderr


def test_gauge_writes_readings_and_tells_saturation(call, folder):
    answer = json.loads(
        call(
            "rig", "gauge", "stepper-rig", *QUICK, "--bridge", "half", "--gain", "1e5", "--out", "g.csv", "--json"
        ).stdout
    )
    assert answer["saturated"] > 0 and "lower the gain" in answer["notes"][0] and answer["counts_max"] == 4095
    assert (folder / "g.csv").read_text().startswith("time [s],strain [um/m],output [V],reading [counts]\n")
    assert "already exists" in call("rig", "gauge", "stepper-rig", *QUICK, "--out", "g.csv", code=2).stderr
    text = call(
        "rig", "gauge", "stepper-rig", *QUICK, "--link", "link", "--at", "0.5", "--bridge", "full", "--at-steps"
    ).stdout
    assert "Gauge link-top" in text and "900 readings" in text


def test_a_dump_becomes_a_log_and_is_compared(call, folder):
    plan = fa.load("stepper-rig").with_({"method.resolution": 3, "time.end": 2})
    times = fa.motor_steps(plan).times
    later = times[-1] + 9.6e-3 * np.arange(1, 70)
    chain = fa.GaugeChain(gain=2000.0)
    reading = fa.read_gauge(fa.simulate(plan), "root", chain, np.concatenate([times, later]))
    (folder / "dump.bin").write_bytes(reading.counts.astype("<u2").tobytes())
    text = call("rig", "convert", "dump.bin", "stepper-rig", "--out", "log.csv").stdout
    assert "900 readings at the steps and 69 after them" in text
    assert "already exists" in call("rig", "convert", "dump.bin", "stepper-rig", "--out", "log.csv", code=2).stderr
    options = ("--unit", "counts", "--gain", "2000", "--json")
    found = json.loads(call("rig", "compare", "stepper-rig", "log.csv", *QUICK, *options).stdout)
    assert abs(found["lag"]) < 2e-4 and found["scale"] == pytest.approx(1.0, abs=0.02) and found["nrmse"] < 0.05


def test_compare_writes_a_report(call, folder, quick_log):
    (folder / "log.csv").write_text(quick_log)
    text = " ".join(call("rig", "compare", "stepper-rig", "log.csv", *QUICK, "--out", "report").stdout.split())
    assert "the log is late" in text and "ring-down, measured" in text
    names = {p.name for p in (folder / "report").iterdir()}
    assert names == {"report.txt", "report.json", "report.html", "overlay.png", "spectra.png", "ringdown.png"}
    page = (folder / "report/report.html").read_text()
    assert page.count("data:image/png;base64,") == 3 and "://" not in page
    whole = json.loads((folder / "report/report.json").read_text())
    assert whole["lag"] == pytest.approx(0.01, abs=5e-5) and whole["scale"] == pytest.approx(1.2, rel=1e-2)
    assert whole["peak_ratio"] == pytest.approx(1.2, rel=0.01) and whole["nrmse_scaled"] < 0.02 < whole["nrmse"]
    assert "already holds files" in call("rig", "compare", "stepper-rig", "log.csv", "--out", "report", code=2).stderr


def test_several_columns_at_once(call, folder, monkeypatch):
    monkeypatch.setattr("flexarm.view.log_figures.log_figures", lambda found: {"overlay": Figure(figsize=(1.0, 1.0))})
    result = fa.simulate(fa.load("stepper-rig").with_({"method.resolution": 3, "time.end": 2}))
    time, strain = 1e3 * result.data["time"].values[::3] + 10.0, 1e6 * result.data["strain"].values[::3, 0]
    angle = np.degrees(result.data["joint_position"].values[::3, 0])
    rows = (f"{t:.3f},{e:.4f},{q:.5f}" for t, e, q in zip(time, strain, angle, strict=True))
    (folder / "log.csv").write_text("\n".join(["time [ms],strain [um/m],angle [deg]", *rows]) + "\n")
    pairs = ("--column", "strain", "--signal", "strain:root", "--column", "angle", "--signal", "joint_position:link")
    both = json.loads(call("rig", "compare", "stepper-rig", "log.csv", *QUICK, *pairs, "--out", "two", "--json").stdout)
    assert both["lag"] == pytest.approx(0.01, abs=1e-4)
    assert [(item["signal"], item["unit"]) for item in both["columns"]] == [
        ("strain:root", "1"), ("joint_position:link", "rad")
    ]  # fmt: skip
    assert all(item["nrmse"] < 0.02 for item in both["columns"])
    names = {p.name for p in (folder / "two").iterdir()}
    assert names == {"report.txt", "report.json", "report.html", "overlay-1.png", "overlay-2.png"}
    assert (folder / "two/report.html").read_text().count("compared with") == 2
    assert (folder / "two/report.txt").read_text().count("compared with") == 2
    said = call("rig", "compare", "stepper-rig", "log.csv", *QUICK, *pairs[:6], code=2).stderr
    assert "2 columns and 1 signals were given; give one --signal for each --column" in " ".join(said.split())


def test_wrong_logs_are_refused_with_their_place(call, folder, quick_log):
    (folder / "log.csv").write_text(quick_log.replace("strain [um/m]", "strain [mm]"))
    said = call("rig", "compare", "stepper-rig", "log.csv", *QUICK, code=2).stderr
    assert "log.csv, column 'strain [mm]': the unit 'mm' does not fit" in said


def test_the_example_logs_are_what_their_maker_says():
    place = importlib.util.spec_from_file_location("make_log", DOCS / "make_log.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    logs = (
        (module.PLACE, module.synthetic_log()),
        (module.TEMPLATE, module.template_log()),
        (module.RIG, module.rig_log()),
    )
    for file, text in logs:
        kept, made = (
            np.genfromtxt(each.splitlines(), delimiter=",", skip_header=2) for each in (file.read_text(), text)
        )
        np.testing.assert_allclose(kept, made, atol=0.05)


@pytest.mark.parametrize("name", ["steps", "gauge", "convert", "compare"])
def test_help_within_80_columns(call, name):
    page = call("rig", name, "--help").stdout
    assert max(len(line) for line in page.splitlines()) <= 80 and name in call("rig", "--help").stdout


def test_asking_for_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom flexarm.cli import app\ntry:\n    app(['rig', 'compare', '--help'])\nexcept SystemExit:\n    pass\n"
        "sys.exit(int(any(name in sys.modules for name in ('numpy', 'pydantic', 'scipy', 'matplotlib', 'xarray'))))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False).returncode == 0
