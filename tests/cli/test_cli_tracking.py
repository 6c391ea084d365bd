"""What the command line says about paths and control laws, before and after a run."""

from __future__ import annotations

import json

LAW = "drive.0.control={type: pid, kp: 3, kv: 0.6, ki: 200}"


def test_check_tells_the_path_and_how_the_loop_dies_out(call):
    page = call("check", "tian-circle").stdout
    assert "path circle with pd on the chord" in page
    assert "the slowest motion dies out with 2.44 1/s" in page


def test_gains_that_destabilise_are_named_before_the_run(call):
    page = " ".join(call("check", "pd-hub", "--set", LAW).stdout.split())
    assert "these gains destabilise the arm" in page and "doubling every" in page
    told = call("run", "pd-hub", "--set", LAW, "--set", "time.end=1s", "--json")
    assert "warning: these gains destabilise the arm" in told.stderr
    assert any("destabilise" in note for note in json.loads(told.stdout)["notes"])
    assert "warning" not in call("run", "pd-hub", "--json").stderr


def test_a_chord_sensor_is_warned_of(call):
    told = call("run", "pd-hub", "--set", "drive.0.control.sensor=chord", "--json", code=1)
    assert "non-collocated" in told.stderr and "these gains destabilise the arm" in told.stderr
    assert "a link bends further than the whole arm is long" in told.stderr  # as was told before


def test_a_run_on_a_path_reports_its_error_and_draws_it(call, folder):
    page = call("run", "tian-circle", "--set", "time.end=2s", "--figures", "path", "--out", "out").stdout
    assert "path error" in page and "rms" in page
    assert (folder / "out" / "path.png").stat().st_size > 10_000
    assert json.loads((folder / "out" / "summary.json").read_text())["path_error_rms"] > 0


def test_a_controller_may_not_take_for_ever(call, laws):
    laws.write_text(
        "import time\n\ndef sleepy(t, reading):\n    time.sleep(5.0 if t > 0.01 else 0.0)\n    return 0.0\n"
    )
    told = call("run", "external.yaml", "--controller", "laws.py:sleepy", "--controller-limit", "100 ms", "--figures",
                "none", "--out", "out", code=1)  # fmt: skip
    assert "took longer than 0.1 s of real time" in told.stderr
    assert (laws.parent / "out" / "run.nc").exists()


def test_a_path_out_of_reach_is_refused_with_point_and_time(call):
    told = call("run", "tian-circle", "--set", "drive.0.path.radius=0.5", code=2).stderr
    assert "at t = 0 s it is at (2.1, 0) m" in told and "reaches from 1.2 m to 2 m" in told
