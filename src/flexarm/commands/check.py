"""`flexarm check`: read a scenario, build its model, and say what was found, without running it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from flexarm.commands import options
from flexarm.commands.console import facts, heading, out, points, table
from flexarm.commands.numbers import joined, say, text_of, tip_words
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.arm import Arm, Link
    from flexarm.drive import Drive
    from flexarm.simulation.build import Setup

EXAMPLES = """\
\b
Examples:
  flexarm check my-arm.yaml
  flexarm check my-arm.yaml --set time.step=0.1ms
"""


def check(scenario: options.Scenario, sets: options.Set = None) -> None:
    """Check a scenario without running it, and say what it holds.

    Arm, drives, method, step, first frequencies, warnings.
    """
    import flexarm as fa
    from flexarm.commands.kernels import announce_compiling
    from flexarm.simulation.build import check_memory, prepare
    from flexarm.simulation.control_loops import law_warnings
    from flexarm.simulation.records import limit_records
    from flexarm.simulation.time_loop import TimeLoop

    loaded = fa.load(scenario, sets or ())
    announce_compiling(loaded.method.name)
    setup = limit_records(prepare(loaded))
    check_memory(setup)
    TimeLoop(setup).load()
    heading(loaded.name)
    out().print(facts(_arm(loaded.arm)))
    heading("Links")
    out().print(
        table(
            ["link", "length", "mass", "bending stiffness"],
            [_link(link) for link in loaded.arm.links],
            (1, 2, 3),
        )
    )
    heading("Joints and drives")
    out().print(table(["joint", "type", "driven by"], _joints(setup)))
    heading("Computation")
    out().print(facts(_computation(setup)))
    notes = [*setup.model.notes, *setup.model.step_notes(setup.step), *setup.model.left_out]
    if notes:
        heading("Notes")
        points(notes)
    warnings = [*setup.warnings, *law_warnings(setup)]
    if warnings:
        heading("Warnings")
        points(warnings)
    out().print()
    out().print(f"{loaded.source or loaded.name} is in order.")


def _arm(arm: Arm) -> Iterator[tuple[str, str]]:
    kind = "spatial" if arm.spatial else "planar"
    counts = {"link": len(arm.links), "loop": len(arm.loops)}
    yield "arm", ", ".join([kind, *(f"{n} {word}{'s' if n > 1 else ''}" for word, n in counts.items() if n)])
    yield "tip", f"{tip_words(arm)} in the start pose, without bending"
    payload = arm.payload
    yield "payload", f"{_mass(payload.mass)} on {arm.payload_link.name}" if payload.mass else "none"
    yield "gravity", ", ".join(f"{g:g}" for g in arm.gravity) + " m/s²" if any(arm.gravity) else "none"
    damping = arm.damping
    if damping is not None and damping.time is not None:
        yield "damping", f"Kelvin-Voigt with {say(damping.time, 's')}"
    elif damping is not None:
        yield "damping", f"{100 * (damping.ratio or 0):g} % of mode {damping.mode}"
    elif not any(link.damping for link in arm.links):
        yield "damping", "none"


def _mass(value: float) -> str:
    return f"{value:.4g} kg" if value >= 1.0 else f"{1e3 * value:.4g} g"


def _link(link: Link) -> list[str]:
    length = say(link.span, "m") if link.span else "-"
    if not link.flexible:
        return [link.name, length, _mass(link.mass), "rigid"]
    stiffness = [float(value) for value in link.properties([0.0, 1.0], side="right")["EI"]]
    ends = stiffness[:1] if link.section is not None and link.section.uniform else stiffness
    return [link.name, length, _mass(link.mass), " to ".join(f"{value:.4g}" for value in ends) + " N·m²"]


def _joints(setup: Setup) -> list[list[str]]:
    rows, scenario = [], setup.scenario
    for wired in setup.program.wiring.joints:
        joint = scenario.arm.link(wired.name).joint
        kind = joint.type + (", with spring" if wired.spring else "")
        drives = [drive for drive in scenario.drive if wired.name in drive.names]
        rows.append([wired.name, kind, "; ".join(drive_words(drive) for drive in drives) or "nothing, it is free"])
    for drive in scenario.drive:
        if drive.patch is not None:
            rows.append([drive.patch.name or "patch", f"on link {drive.patch.link}", drive_words(drive)])
    return rows


def drive_words(drive: Drive) -> str:
    """A drive in words: kinds of profiles, law, actuator."""
    parts = []
    if drive.path is not None:
        parts.append(f"path {drive.path.shape}")
    for name in ("motion", "torque", "force", "moment"):
        items = getattr(drive, name)
        if items:
            parts.append(f"{name} {', '.join(item.profile for item in items)}")
    if drive.shaper is not None:
        parts.append(f"shaper {drive.shaper.type}")
    if drive.servo is not None:
        parts.append("servo " + ("auto" if drive.servo.auto else f"kp {drive.servo.kp:g}, kv {drive.servo.kv:g}"))
    if drive.control is not None:
        law = drive.control
        period = f", every {say(law.period, 's')}" if law.period else ""
        words = {"external": "a controller from --controller", "state-space": f"the law of {Path(law.file or '').name}"}
        parts.append(words.get(law.type, f"{law.type} on the {law.sensor}") + period)
    if drive.added is not None:
        parts.append(f"feed-forward {drive.added}")
    if drive.actuator is not None:
        parts.append(f"actuator {drive.actuator.type}")
    return " with ".join(parts)


def _computation(setup: Setup) -> Iterator[tuple[str, str]]:
    scenario = setup.scenario
    chosen = scenario.method.options.model_dump(exclude_none=True)
    yield (
        "method",
        f"{scenario.method.name}: " + ", ".join(f"{name} {text_of(value)}" for name, value in chosen.items()),
    )
    steps = [interval.h for interval in setup.intervals]
    lengths = " to ".join(dict.fromkeys(say(h, "s") for h in (min(steps), max(steps))))
    yield "time", f"{scenario.time.end:g} s in {setup.steps} steps of {lengths}"
    if scenario.output.every is not None:
        yield "output", f"every {say(scenario.output.every, 's')}"
    if setup.period is not None:
        yield "control", f"every {say(setup.period, 's')}"
    for event in setup.events:
        yield "event", f"at {event.at:g} s the payload becomes {_mass(event.payload.mass)} ({event.rule})"
    yield from _frequencies(setup)
    from flexarm.simulation.control_loops import loop_facts

    yield from loop_facts(setup)


def _frequencies(setup: Setup) -> Iterator[tuple[str, str]]:
    import flexarm as fa

    for joints, words in (("locked", "joints locked"), ("free", "joints free")):
        try:
            found = fa.frequencies(setup, n=4, joints=joints)  # type: ignore[arg-type]
        except FlexarmError:
            continue
        yield words, joined(found.hz, "Hz")
