"""Scenarios that differ from one another in some numbers, made without reading the whole scenario again.

A field is found once in the tree of parts. For a variant, the part that holds it is checked again with the new number, then
every part that contains it; parts that nothing changes in are the very same objects, so whatever was made from them can be
used again. What the short way cannot do, or refuses, goes the long way through `Scenario.with_`, which words the refusal.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError

from flexarm.drive import Program
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario

SHORT_WAY = ("arm", "drive")
"""What a field must begin with; of the rest (method, time, output, events) the whole scenario has to be looked at."""
OF_PROGRAM = ("position", "velocity", "stiffness", "friction", "gear", "rotor_inertia", "type", "dh", "backlash")
"""Numbers of joints that the drives are compiled with."""
Steps = tuple[str | int, ...]


class Variants:
    """Variants of a scenario.

    Parameters
    ----------
    scenario : Scenario
        What they have in common.
    fields : sequence of str
        Dotted paths of the numbers that differ, as `Scenario.with_` takes them.
    """

    def __init__(self, scenario: Scenario, fields: Sequence[str]):
        self.base, self.fields = scenario, tuple(fields)
        steps = [_find(scenario, field) for field in self.fields]
        self.places: list[Steps] = [] if any(s is None for s in steps) else [s for s in steps if s is not None]
        """Attributes and numbers of list members that lead to each field; none if only the reader knows what they mean."""
        follows_path = any(drive.path is not None for drive in scenario.drive)
        self._checked = not self._short
        self.same_drives = bool(self._short) and not any(_moves_drives(s, scenario, follows_path) for s in self.places)
        """True if no field changes what the drives are compiled to."""

    @property
    def _short(self) -> bool:
        return len(self.places) == len(self.fields)

    def scenario(self, values: Any) -> Scenario:
        """The variant with these values of the fields; refused with the sentence of the reader."""
        if self._short:
            try:
                made = self._quick(values)
            except (ValidationError, FlexarmError, ValueError, ArithmeticError):
                return self._slow(values)
            if self._checked:
                return made
            self._checked, slow = True, self._slow(values)
            if made == slow and self._drives_agree(made, slow):
                return made
            self.places, self.same_drives = [], False
        return self._slow(values)

    def _slow(self, values: Any) -> Scenario:
        return self.base.with_({field: float(value) for field, value in zip(self.fields, values, strict=True)})

    def _quick(self, values: Any) -> Scenario:
        parts: dict[str, Any] = {}
        for steps, value in zip(self.places, values, strict=True):
            name = str(steps[0])
            parts[name] = _changed(parts.get(name, getattr(self.base, name)), steps[1:], float(value))
        made: Scenario = self.base.model_copy(update=parts)
        made._node = None
        arm, drive, base = made.arm, made.drive, self.base.program
        if self.same_drives:
            made._compiled = arm, drive, base if arm is self.base.arm else replace(base, arm=arm)
        else:
            _ = made.program  # compiled here, so that what is wrong with it is told now
        return made

    def _drives_agree(self, made: Scenario, slow: Scenario) -> bool:
        """Whether the drives that were kept are those of the variant."""
        return not self.same_drives or _alike(made.program, slow.program, slow.time.end)


def _alike(one: Program, other: Program, end: float) -> bool:
    """Whether two programs wire the joints alike and say the same, at the ends and in the middle of every piece."""
    if one.wiring != other.wiring or one.jumps(end) != other.jumps(end) or one.warnings != other.warnings:
        return False
    if one.auto_servos or one.auto_shapers or one.auto_feedforward:
        return True  # found anew for every variant
    edges = [0.0, *one.jumps(end), end]
    return all(
        (one.table([a, 0.5 * (a + b), b], 0.5 * (a + b)) == other.table([a, 0.5 * (a + b), b], 0.5 * (a + b))).all()
        for a, b in itertools.pairwise(edges)
    )


def _moves_drives(steps: Steps, scenario: Scenario, follows_path: bool) -> bool:
    """Whether a field may change what the drives are compiled to."""
    if steps[0] == "drive":
        return True
    if steps[1] in ("payload", "damping", "gravity"):
        return False
    if "joint" in steps:
        return any(step in OF_PROGRAM for step in steps)
    return bool(scenario.arm.loops) or follows_path


def _find(scenario: Scenario, field: str) -> Steps | None:
    """Attributes and numbers of list members that lead to a field; None if only the reader knows what it means."""
    names = field.strip().split(".")
    if names[0] not in SHORT_WAY:
        return None
    part: Any = scenario
    found: list[str | int] = []
    for name in names:
        if isinstance(part, tuple):
            number = _member(part, name)
            if (
                number is None and len(part) == 1 and isinstance(part[0], BaseModel)
            ):  # one profile for a sequence of one
                found.append(0)
                part, number = part[0], None
            elif number is None:
                return None
            else:
                found.append(number)
                part = part[number]
                continue
        if not isinstance(part, BaseModel) or name not in type(part).model_fields:
            return None
        found.append(name)
        part = getattr(part, name)
    return tuple(found) if isinstance(part, (int, float)) and not isinstance(part, bool) else None


def _member(members: tuple[Any, ...], name: str) -> int | None:
    """The member of a list that a word means, if it is one only: its name, its joint or its link; or its number."""
    for keys in (("name", "joint", "link"), ("names",)):
        found = [
            k for k, part in enumerate(members)
            if any(name == value or (isinstance(value, tuple) and name in value)
                   for value in (getattr(part, key, None) for key in keys if not isinstance(part, (int, float))))
        ]  # fmt: skip
        if len(found) == 1:
            return found[0]
        if found:
            return None
    return int(name) if name.isascii() and name.isdigit() and int(name) < len(members) else None


def _changed(part: Any, steps: Steps, value: float) -> Any:
    """A part with one number in it changed; all parts on the way there are checked again."""
    if not steps:
        return value
    step = steps[0]
    if isinstance(step, int):
        return (*part[:step], _changed(part[step], steps[1:], value), *part[step + 1 :])
    given = {name: getattr(part, name) for name in part.model_fields_set} | {
        step: _changed(getattr(part, step), steps[1:], value)
    }
    return type(part).model_validate(given)
