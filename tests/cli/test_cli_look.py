"""Commands that show: frequencies, methods, scenarios, check, schema; and those that write beginnings."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.exact_link import ExactLink
from flexarm.arm.material import LIBRARY, SOURCES
from flexarm.scenario import KINDS, json_schema


@pytest.mark.parametrize(("joints", "hub"), [("free", "pinned"), ("locked", "clamped")])
def test_frequencies_stand_beside_the_exact_ones(call, joints, hub):
    answer = call(
        "frequencies", "tokhi-azad", "-n", "3", "--joints", joints, "--json", "--set", "method.resolution=100"
    )
    found = json.loads(answer.stdout)
    exact = ExactLink.from_arm(fa.load("tokhi-azad").arm).frequencies(3, hub)
    np.testing.assert_allclose(found["exact_hz"], exact, rtol=1e-12)
    np.testing.assert_allclose(found["hz"], exact, rtol=2e-3)
    np.testing.assert_allclose(found["relative_difference"], np.array(found["hz"]) / exact - 1, rtol=1e-9)
    assert found["rigid_modes"] == (1 if joints == "free" else 0)
    shown = call("frequencies", "tokhi-azad", "-n", "1", "--joints", joints).stdout
    assert f"{exact[0]:.4f}" in shown and "difference" in shown


def test_frequencies_without_an_exact_counterpart_say_why(call):
    answer = call("frequencies", "tapered-link", "-n", "2")
    assert "no exact values: the section must be the same all along the link" in answer.stdout
    held = json.loads(call("frequencies", "pd-hub", "--joints", "held", "-n", "2", "--json").stdout)
    assert held["exact_hz"] is None
    assert held["damping_ratio"][0] > 0.5, "the law damps the first mode"


def test_a_pose_may_have_units(call):
    found = json.loads(call("frequencies", "tokhi-azad", "--pose", "90deg", "--json", "-n", "1").stdout)
    assert found["pose"] == [pytest.approx(np.pi / 2)]


def test_mode_shapes_are_drawn_on_request(call, folder):
    call("frequencies", "tokhi-azad", "--figures", "modes", "--format", "png,svg")
    names = sorted(path.name for path in (folder / "results" / "tokhi-azad-frequencies").iterdir())
    assert names == ["frequencies.json", "modes.png", "modes.svg"]
    refused = call("frequencies", "tokhi-azad", "--figures", "modes", code=2)
    assert "--force" in refused.stderr


def test_methods_are_compared_in_a_table_and_described_on_cards(call):
    table = call("methods").stdout
    for name in fa.method_names():
        method = fa.get_method(name)
        assert method.title in table
        card = " ".join(call("methods", name).stdout.split())
        assert method.reference in card
        for option, field in method.Options.model_fields.items():
            assert option in card
            assert field.description.split()[0] in card
    rows = {
        line[:14].strip(): line.split()[2:] for line in table.splitlines() if line.startswith(("large rot", "most l"))
    }
    wanted = {name: fa.get_method(name).capabilities.table() for name in fa.method_names()}
    assert rows == {row: [wanted[name][row] for name in fa.method_names()] for row in ("large rotation", "most links")}


def test_scenarios_are_listed_and_printed(call, folder):
    listed = call("scenarios").stdout
    for entry in fa.bundled():
        assert entry.name in listed
        text = call("scenarios", entry.name).stdout
        assert fa.loads(text) == fa.load(entry.name)
    (folder / "mine.yaml").write_text("extends: pd-hub\nname: mine\n", encoding="utf-8")
    assert call("scenarios", "mine").stdout == call("scenarios", "mine.yaml").stdout == "extends: pd-hub\nname: mine\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_file_runs_as_it_is_and_is_not_overwritten(call, folder, kind):
    answer = call("new", "my-arm", "--kind", kind)
    assert "my-arm.yaml" in answer.stdout
    _, *command = shlex.split(answer.stdout.partition("run it with: ")[2])
    summary = json.loads(call(*command, "--json").stdout)
    assert summary["success"] and summary["tip_deflection_peak"] > 0.0
    (folder / "my-arm.yaml").write_text("mine", encoding="utf-8")
    refused = call("new", "my-arm.yaml", code=2)
    assert "'my-arm.yaml' already exists" in refused.stderr and "--force" in refused.stderr
    assert (folder / "my-arm.yaml").read_text(encoding="utf-8") == "mine"
    call("new", "my-arm", "--kind", kind, "--force")
    assert fa.load(folder / "my-arm.yaml").name == "my-arm"


def test_help_lists_every_kind_of_new_file(call):
    page = call("new", "--help").stdout
    assert [line.split()[0] for line in page.partition("Kinds:\n")[2].splitlines() if line.strip()] == list(KINDS)
    assert all(words in page for words in KINDS.values())


def test_a_second_file_is_not_overwritten_either(call, folder):
    (folder / "my-arm.csv").write_text("mine", encoding="utf-8")
    assert "'my-arm.csv' already exists" in call("new", "my-arm", "--kind", "measured-log", code=2).stderr
    assert not (folder / "my-arm.yaml").exists()


def test_the_example_log_differs_from_its_model_as_its_maker_says(call):
    """3 % more stiffness is 1.5 % more frequency (its square root, with the same mass); 0.9 % of damping."""
    call("new", "my-arm", "--kind", "measured-log")
    words = ("--column", "strain", "--signal", "strain:root")
    found = json.loads(call("rig", "compare", "my-arm.yaml", "my-arm.csv", *words, "--json").stdout)
    log, run = found["ring_measured"], found["ring_simulated"]
    assert log["frequency"] / run["frequency"] == pytest.approx(np.sqrt(72.1 / 70.0), abs=1e-3)
    assert log["damping_ratio"] == pytest.approx(0.009, abs=2e-4)


def test_check_shows_the_arm_the_drives_and_the_computation(call, folder):
    text = " ".join(call("check", "pd-hub").stdout.split())
    for words in ("960 mm", "160.1 g", "3.692 N·m²", "motion quintic with pd on the hub", "Kelvin-Voigt with 100 µs",
                  "fd: resolution", "joints locked", "joints free", "pd-hub is in order", "scheme"):  # fmt: skip
        assert words in text.replace("0.96 m", "960 mm"), words
    assert list(folder.iterdir()) == []


def test_check_counts_steps_and_warns(call):
    text = call("check", "tokhi-azad", "--set", "time.step=0.2ms", "--set", "method.scheme=newmark").stdout
    assert "1.2 s in 6000 steps of 200 µs" in text
    sine = "[{joint: link, torque: {profile: sine, amplitude: 0.1, frequency: 100 Hz}}]"
    changes = (f"drive={sine}", "time.step=2ms", "output.every=2ms", "method.scheme=newmark")
    coarse = call("check", "tokhi-azad", *(word for change in changes for word in ("--set", change))).stdout
    assert "Warnings" in coarse and "too long for the drives" in " ".join(coarse.split())


def test_check_describes_taper_payload_events_and_external_control(call, laws):
    assert " to " in next(line for line in call("check", "tapered-link").stdout.splitlines() if "N·m²" in line)
    assert "at 0.4 s the payload becomes 20 g (at-rest)" in call("check", "tokhi-azad-pick-up").stdout
    assert "a controller from --controller, every 1 ms" in call("check", "external.yaml").stdout


def test_the_schema_is_printed_or_written(call, folder):
    assert json.loads(call("schema").stdout) == json_schema()
    call("schema", "--out", "schema.json")
    assert json.loads((folder / "schema.json").read_text(encoding="utf-8")) == json_schema()
    assert "exists" in call("schema", "--out", "schema.json", code=2).stderr


def test_warmup_compiles_what_bundled_scenarios_use_and_says_where_it_is(call, monkeypatch):
    from flexarm.commands import warmup
    from flexarm.numerics.kernel_cache import cache_root

    jobs = dict(warmup._jobs())
    assert sorted(name for names in jobs.values() for name in names) == sorted(entry.name for entry in fa.bundled())
    assert jobs["fem in space"] == ("naganathan-3r", "naganathan-rp", "six-axis") and "tokhi-azad" in jobs["fd"]
    monkeypatch.setattr(warmup, "_jobs", lambda: [("fd", ("tokhi-azad", "pd-hub")), ("segments", jobs["segments"][:1])])
    answer = call("warmup")
    assert "fd: done" in answer.stderr and "segments: done" in answer.stderr
    said = " ".join(answer.stdout.split())
    assert str(cache_root()) in said.replace(" ", "") and "of at most 500 MB (FLEXARM_CACHE_SIZE)" in said


def test_materials_are_listed_with_their_figures_and_source(call, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    lines = call("materials").stdout.splitlines()
    for name, figures in LIBRARY.items():
        (row,) = [line for line in lines if line.split()[:1] == [name]]
        assert f"{figures['E'] / 1e9:.4g}" in row.split() and f"{figures['density']:.4g}" in row.split()
        assert SOURCES[name][:40] in row
    assert SOURCES.keys() == LIBRARY.keys()


def test_show_draws_the_arm_and_says_where_it_is(call, folder):
    said = " ".join(call("show", "naganathan-3r").stdout.split())
    x = 2.0 * np.cos(np.radians(30.0))
    assert f"tip at x {x:.4f}, y 0.0000, z 0.5000 m" in said
    assert "fore revolute 0.866, 0, 1 0, -1, 0 motion trapezoid-velocity" in said, (
        "an axis across the plane of the links"
    )
    assert (folder / "results/naganathan-3r-show/show.png").read_bytes().startswith(b"\x89PNG")
    assert "already exists" in call("show", "naganathan-3r", code=2).stderr
    call("show", "naganathan-3r", "--force", "--format", "svg", "--set", "arm.payload.mass=1kg", "--out", "here")
    assert (folder / "here/show.svg").exists()


@pytest.mark.parametrize(
    ("name", "place"), [("tokhi-azad", "x 0.9600, y 0.0000 m"), ("tian-circle", "x 1.9000, y 0.0000 m")]
)
def test_check_prints_where_the_tip_is(call, name, place):
    """The arm of the paper of Tian and others starts at the rightmost point of its circle, (1.6 + 0.3, 0)."""
    assert f"tip {place} in the start pose" in " ".join(call("check", name).stdout.split())
