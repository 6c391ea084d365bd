"""Tables of signals (results.md) and of readings (control.md) against what every method gives, in both directions."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.answers import COURSE, answers
from flexarm.commands.outputs import wanted_files
from flexarm.commands.run import finish
from flexarm.errors import CapabilityError
from flexarm.methods.sensors import KINDS
from flexarm.result import LABELS
from flexarm.simulation.build import Setup, prepare
from flexarm.view.registry import FIGURES

DOCS = Path(__file__).parents[2] / "docs"
ARMS = {
    "pd-hub": {"arm.links.link.joint.gear": {"ratio": 20.0}}, "tokhi-azad": {"arm.gravity": [0.0, -9.81, 0.0]},
    "shaped-link": {"drive.link.disturbance": {"profile": "constant", "amplitude": 0.01}},
    "li-zhang-three-link": {"arm.links.link1.material.strength": "50 MPa"}, "tian-circle": {},
    "four-bar": {}, "ralf-hydraulic": {}, "naganathan-3r": {}, "naganathan-rp": {},
}  # fmt: skip
"""Scenarios that together show every signal and every reading."""
CASES = [(arm, method) for arm in ARMS for method in fa.method_names()]


def commanded(plan: fa.Scenario) -> bool:
    """True if every joint has a command, or follows from loops."""
    given = {name for drive in plan.drive if drive.motion or drive.path for name in drive.names}
    return bool(plan.arm.loops) or given == set(plan.arm.joints)


GIVEN: dict[str, Callable[[fa.Scenario], bool]] = {
    "always": lambda plan: True,
    "in the plane": lambda plan: not plan.arm.spatial,
    "in space": lambda plan: plan.arm.spatial,
    "one planar link": lambda plan: len(plan.arm.links) == 1 and not plan.arm.spatial,
    "loops": lambda plan: bool(plan.arm.loops),
    "path": lambda plan: any(drive.path for drive in plan.drive),
    "cylinders": lambda plan: any(drive.cylinder for drive in plan.drive),
    "cylinders with oil": lambda plan: any(getattr(drive.actuator, "oil", None) for drive in plan.drive),
    "gears": lambda plan: any(link.joint.gear for link in plan.arm.links),
    "commands": commanded,
    "commands, planar serial arm": lambda plan: commanded(plan) and plan.arm.serial and not plan.arm.spatial,
    "gauges": lambda plan: bool(plan.output.gauges),
    "flexible links": lambda plan: any(link.flexible for link in plan.arm.links),
    "disturbances": lambda plan: any(drive.disturbance for drive in plan.drive),
    "`material.strength`": lambda plan: any(link.material and link.material.strength for link in plan.arm.links),
    "`flexarm run`": lambda plan: True,
    "`fd`": lambda plan: plan.method.name == "fd",
    "`fd` without gravity": lambda plan: plan.method.name == "fd" and not any(plan.arm.gravity),
}
"""When a signal or reading is there, as the pages say it."""


@cache
def rows(page: str, first: str) -> dict[str, list[str]]:
    """Cells of the table whose first column is called `first`, by the name in that column."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.search(rf"^\| {first} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found is not None, f"{page} has no table of {first}s"
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in found[1].splitlines()]
    assert all(all(row) for row in cells), f"{page}: an empty cell in the table of {first}s"
    names = [row[0].strip("`") for row in cells]
    assert len(set(names)) == len(names)
    return {name: row[1:] for name, row in zip(names, cells, strict=True)}


@cache
def plan_of(arm: str, method: str) -> fa.Scenario:
    """A scenario by a method, cut short, with gauges and sensors of each kind on a flexible link."""
    plan = fa.load(arm, {**ARMS[arm], "time.end": 0.02, "output.every": 0.01})
    link = next(link.name for link in plan.arm.links if link.flexible)
    gauges = [{"link": link, "at": 0.25}, {"link": link, "at": 0.5, "side": "bottom", "name": "below"}]
    sensors = [{"name": f"own {kind}", "link": link, "at": 0.5, "kind": kind} for kind in KINDS]
    own = {} if plan.method.name == method else {"method": {"name": method}, "time.step": 1e-3}
    return plan.with_({**own, "output.gauges": gauges, "output.sensors": sensors})


@cache
def setup_of(arm: str, method: str) -> Setup | None:
    """Its set-up, or None if the method does not support the arm."""
    try:
        return prepare(plan_of(arm, method))
    except CapabilityError:
        return None


@pytest.mark.parametrize("arm, method", CASES)
def test_readings_are_those_of_the_page(arm, method):
    plan, setup, named = plan_of(arm, method), setup_of(arm, method), []
    if setup is None:
        return
    for name, (_, given, _) in rows("control.md", "reading").items():
        if GIVEN[given](plan):
            whose = {
                "JOINT": plan.arm.joints,
                "GAUGE": [gauge.label for gauge in plan.output.gauges],
                "SENSOR": [sensor.name for sensor in plan.output.sensors],
            }.get(name.partition(".")[0], [name])
            named += [re.sub("JOINT|GAUGE|SENSOR", each, name) for each in whose]
    assert sorted(named) == sorted(setup.model.sensors)


@pytest.mark.parametrize("arm, method", CASES)
def test_signals_are_those_of_the_page(arm, method):
    plan, setup = plan_of(arm, method), setup_of(arm, method)
    if setup is None:
        return
    data = fa.simulate(setup).data
    table = rows("results.md", "signal")
    assert {name for name, (_, _, given, _) in table.items() if GIVEN[given](plan)} == set(data.data_vars)
    turning = all(link.joint.type != "prismatic" for link in plan.arm.links)
    for name, signal in data.data_vars.items():
        dims, unit, _, meaning = table[name]
        assert dims == ", ".join(signal.dims), name
        if turning or LABELS[name][1] not in ("joint", "joint/s", "torque"):
            assert unit == signal.units or "kind" in unit, name
        if name == "energy":
            assert all(f"`{kind}`" in meaning for kind in data.kind.values)
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in data.coords)


def test_pages_name_nothing_else():
    """Every signal with a label is on the page; every row is there in one of the runs; every method runs."""
    taken = [case for case in CASES if setup_of(*case) is not None]
    assert {method for _, method in taken} == set(fa.method_names())
    assert set(rows("results.md", "signal")) == set(LABELS) - {"time", "s"}
    shown = {words for words, there in GIVEN.items() for case in taken if there(plan_of(*case))}
    for page, first in (("results.md", "signal"), ("results.md", "answer"), ("control.md", "reading")):
        assert {cells[-2] for cells in rows(page, first).values()} <= shown


def lengths(vectors):
    return np.sqrt((np.asarray(vectors) ** 2).sum(axis=1))


TAKEN = {
    "peak": lambda values: max(values.tolist()),
    "rms": lambda values: float(np.mean(values**2)) ** 0.5,
    "end": lambda values: values.tolist()[-1],
}


def at_rest(data):
    """Tip positions after the drives have come to rest, and their mean over the last quarter; None if there are too few."""
    time, since = data.time.values, data.attrs["drives_rest_from"]
    after, last = (
        data.tip_position.values[time >= since],
        data.tip_position.values[time >= 0.75 * time[-1] + 0.25 * since],
    )
    return (after, last.mean(axis=0)) if since < time[-1] and len(last) >= 4 else None


OWN = {
    "end_time": lambda data: data.time.values[-1],
    "records": lambda data: data.sizes["time"],
    "tip_position_end": lambda data: data.tip_position.values[-1],
    "path_error_peak_xyz": lambda data: [max(abs(part)) for part in data.path_error.values.T],
    "path_error_rms_xyz": lambda data: [np.mean(part**2) ** 0.5 for part in data.path_error.values.T],
    "travel_end": lambda data: data.travel.values[-1],
    "travel_peak": lambda data: max(abs(data.travel.values)),
    "stress_peak": lambda data: [
        max(link.ravel()) for link in np.moveaxis(data.stress.values, 1, 0) if link[0, 0] >= 0.0
    ],
    "residual_vibration": lambda data: None if (rest := at_rest(data)) is None else max(lengths(rest[0] - rest[1])),
    "energy_residual": lambda data: (
        abs(data.energy.sel(kind="residual")).max() / abs(data.energy.sel(kind=data.kind != "residual")).max()
    ),
}
"""Answers as the page defines them, apart from those that follow from a signal's name by one of TAKEN."""


def as_defined(name: str, data):
    """An answer worked out from the signals by the words of the page; None for texts and counts of the program."""
    if name in OWN:
        return OWN[name](data)
    signal, _, taken = name.rpartition("_")
    if signal not in data or taken not in TAKEN:
        return None
    if data[signal].dims == ("time", "axis"):
        return TAKEN[taken](lengths(data[signal].values))
    assert taken == "peak"
    return [max(abs(column)) for column in data[signal].values.T]


@pytest.mark.parametrize("arm, method", [(arm, fa.load(arm).method.name) for arm in ARMS])
def test_answers_are_those_of_the_page(arm, method):
    plan, setup = plan_of(arm, method), setup_of(arm, method)
    result = fa.simulate(setup)
    plain, table = result.summary(), rows("results.md", "answer")
    whole, _ = finish(result, setup, wanted_files(None, "none", "png"), lambda stage, done, total: None)
    for given, found in (("", plain), ("`flexarm run`", whole)):
        assert {name for name, (_, when, _) in table.items()
                if GIVEN[when](plan) and (given or when != "`flexarm run`")} == set(found)  # fmt: skip
    checked = 0
    for name, value in plain.items():
        own = as_defined(name, result.data)
        if own is not None:
            listed = list(value.values()) if isinstance(value, dict) else value
            assert np.asarray(listed) == pytest.approx(np.asarray(own), rel=1e-12, abs=1e-300), name
            checked += 1
    assert checked >= 8
    for name, value in answers(result).numbers.items():  # what `compare` tells
        first, _, part = name.partition(":")
        assert value == (plain[first][part] if part else plain[first]), name
    assert COURSE in (DOCS / "comparing.md").read_text(encoding="utf-8")


def test_a_deflection_in_two_directions_counts_by_its_length():
    run = fa.simulate(plan_of("tian-circle", "ancf"))
    parts = np.abs(run.data.tip_deflection.values).max()
    assert run.summary()["tip_deflection_peak"] > 1.005 * parts
    assert run.summary()["tip_deflection_peak"] == answers(run).numbers["tip_deflection_peak"]


def test_figures_are_those_of_the_page():
    table = rows("results.md", "figure")
    assert list(table) == list(FIGURES)
    for name, entry in FIGURES.items():
        for signal in "|".join(entry.needs).split("|") if entry.needs else ():
            assert f"`{signal}`" in table[name][0], f"the row of {name} does not name {signal}"
