"""Whether the parts of a scenario fit each other; every problem with the path of its field."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.arm.quantity import Quantity
from flexarm.drive import check_events
from flexarm.errors import FlexarmError
from flexarm.methods.sensors import KINDS
from flexarm.scenario.node import Node, child_of
from flexarm.scenario.unit_words import unit_of
from flexarm.scenario.units import QuantityError, split, wanted_dimensions

if TYPE_CHECKING:
    from flexarm.scenario.model import Scenario

Path = tuple[str | int, ...]
Found = tuple[Path, str]

_TURNING = "rad|rad/s|N*m|N*m/rad|N*m*s/rad|N*m/rad/s"
_SLIDING = "m|m/s|N|N/m|N*s/m|N/m/s"


def check(scenario: Scenario) -> list[Found]:
    """Problems between the parts: path and sentence of each."""
    found = [*_start(scenario), *_drives(scenario), *_outputs(scenario), *_events(scenario)]
    if not found:
        try:
            _ = scenario.program
        except FlexarmError as error:
            found.append((_path(error.field), error.message))
    return found


def _path(field: str) -> Path:
    return tuple(int(step) if step.isdigit() else step for step in field.split(".") if step)


def _no_such(kind: str, name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name, known, 1, 0.5)
    hint = f"did you mean '{near[0]}'?" if near else f"the arm has {', '.join(known) or 'none'}"
    return f"there is no {kind} '{name}'; {hint}"


def _start(scenario: Scenario) -> Iterator[Found]:
    if scenario.time.start == "undeformed":
        return
    for i, link in enumerate(scenario.arm.links):
        if link.joint.velocity:
            yield (
                ("arm", "links", i, "joint", "velocity"),
                f"a run with start: {scenario.time.start} starts at rest: leave out velocity, or say time.start: undeformed",
            )


def _drives(scenario: Scenario) -> Iterator[Found]:
    arm = scenario.arm
    links = tuple(link.name for link in arm.links)
    for i, drive in enumerate(scenario.drive):
        for j, name in enumerate(drive.names):
            if name not in arm.joints:
                path: Path = ("drive", i, "joint") if drive.joint is not None else ("drive", i, "joints", j)
                if name in links:
                    yield (
                        path,
                        f"the joint '{name}' is fixed and cannot be driven; movable are {_list(arm.joints)}",
                    )
                else:
                    yield path, _no_such("joint", name, arm.joints)
        if drive.patch is not None and drive.patch.link not in links:
            yield ("drive", i, "patch", "link"), _no_such("link", drive.patch.link, links)


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"


def _outputs(scenario: Scenario) -> Iterator[Found]:
    arm, output = scenario.arm, scenario.output
    links = tuple(link.name for link in arm.links)
    flexible = tuple(link.name for link in arm.links if link.flexible)
    places = [("gauges", i, gauge.link, "strain", True) for i, gauge in enumerate(output.gauges)]
    places += [
        ("sensors", i, sensor.link, sensor.kind, KINDS[sensor.kind].of_flexible)
        for i, sensor in enumerate(output.sensors)
    ]
    for key, i, link, kind, bends in places:
        path = ("output", key, i, "link")
        if link not in links:
            yield path, _no_such("link", link, links)
        elif bends and link not in flexible:
            yield path, f"the link '{link}' is rigid and has no {kind}; flexible are {_list(flexible)}"
    for i, gauge in enumerate(output.gauges):
        if "z" in gauge.side and not arm.spatial:
            yield (
                ("output", "gauges", i, "side"),
                f"a planar arm does not bend towards {gauge.side} and has no strain there: use top or bottom",
            )
    if output.every is not None and output.every > scenario.time.end:
        yield (
            ("output", "every"),
            f"every is {output.every:g} s, but the run ends at {scenario.time.end:g} s: make it shorter",
        )


def _events(scenario: Scenario) -> Iterator[Found]:
    end, before = scenario.time.end, 0.0
    clean = True
    for i, event in enumerate(scenario.events):
        path, problem = ("events", i, "at"), ""
        if event.at >= end:
            problem = f"the event at {event.at:g} s comes when the run is over: it ends at {end:g} s"
        elif event.at < before:
            problem = f"the event at {event.at:g} s follows the one at {before:g} s: put events in order of time"
        if problem:
            clean = False
            yield path, problem
        before = event.at
    if clean:
        try:
            check_events(scenario.arm, scenario.events)
        except FlexarmError as error:
            yield _path(error.field), error.message


def check_units(arm: Arm, root: Node) -> list[Found]:
    """Texts of drives whose unit is that of the other kind of joint, such as a length for a revolute joint.

    Fields of drives take both kinds, so only here, where joint and text are known, can they be told apart.
    """
    found: list[Found] = []
    entries = child_of(root, "drive")
    for i, entry in enumerate(entries.value if entries is not None and isinstance(entries.value, list) else []):
        drive = entry.value if isinstance(entry.value, dict) else {}
        kinds = {arm.link(name).joint.type for name in _joint_names(drive) if name in arm.joints}
        targets = [(key, kind) for kind in kinds for key in ("motion", "torque", "servo", "control")]
        for key, kind in [*targets, ("force", "sliding"), ("moment", "turning")]:
            if key in drive:
                wrong = _SLIDING if kind in ("revolute", "turning") else _TURNING
                what = f"a {kind} joint" if kind in kinds else f"a {key}"
                found.extend(_misfits(drive[key], ("drive", i, key), wrong, what))
    return found


def _joint_names(drive: dict[str, Node]) -> list[str]:
    names = [drive["joint"]] if "joint" in drive else []
    if "joints" in drive and isinstance(drive["joints"].value, list):
        names += drive["joints"].value
    return [node.value for node in names if isinstance(node.value, str)]


def _misfits(node: Node, path: Path, wrong: str, what: str) -> Iterator[Found]:
    children = (
        node.value.items()
        if isinstance(node.value, dict)
        else enumerate(node.value)
        if isinstance(node.value, list)
        else ()
    )
    for key, child in children:
        if key not in ("phase", "file", "column", "profile"):
            yield from _misfits(child, (*path, key), wrong, what)
    if isinstance(node.value, str):
        text = f"1 {node.value}" if path[-1] == "unit" else node.value
        try:
            dimension = unit_of(split(text, Quantity("1"))[1]).dimension
        except (QuantityError, ValueError):
            return
        if dimension in wanted_dimensions(wrong):
            good = (_TURNING if wrong == _SLIDING else _SLIDING).split("|")
            unit = good[wanted_dimensions(wrong).index(dimension)]
            yield path, f"{path[-1]} of {what} wants {unit}, not '{node.value}'"
