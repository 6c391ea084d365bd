"""The gains of a scenario as numbers to be searched for, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.drive import Drive
from flexarm.drive.control import pick
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario
from flexarm.scenario.dump import file_form

KINDS = ("kp", "kv", "ki")


@dataclass(frozen=True)
class Gain:
    """One number: gain `kind` of a joint in a gain set; `value` is what the scenario says now."""

    name: str
    drive: int
    joint: int
    kind: str
    set: int
    value: float


class GainTable:
    """All gains of the PD and PID laws of a scenario.

    Parameters
    ----------
    scenario : Scenario
        Where they stand.
    sets : int, or sequence of float, optional
        Into how many equally long gain sets the run is divided, or the times in s at which they change. Default: the
        sets that the scenario has.
    """

    def __init__(self, scenario: Scenario, sets: int | Sequence[float] | None = None):
        self.scenario = scenario
        self._drives = {
            number: drive
            for number, drive in enumerate(scenario.drive)
            if drive.control is not None and drive.control.type in ("pd", "pid")
        }
        if not self._drives:
            raise FlexarmError(
                "there is nothing to tune: no joint has control of type pd or pid with gains", field="drive"
            )
        self.switches = {number: _switches(drive, scenario.time.end, sets) for number, drive in self._drives.items()}
        self.gains = tuple(self._all())
        if not self.gains:
            raise FlexarmError("there is nothing to tune: all gains are zero", field="drive")

    def _all(self) -> list[Gain]:
        found = []
        for number, drive in self._drives.items():
            assert drive.control is not None
            several = len(self.switches[number]) > 0
            for k, begin in enumerate((0.0, *self.switches[number])):
                for i, joint in enumerate(drive.names):
                    now = next(g for g in drive.control.schedule(i) if begin < g.until)
                    for kind in KINDS:
                        value = float(getattr(now, kind))
                        if value > 0.0:  # a gain of zero stays zero: it has no scale from which to search
                            name = f"{joint}.{kind}" + (f".{k + 1}" if several else "")
                            found.append(Gain(name, number, i, kind, k, value))
        return found

    @property
    def present(self) -> dict[str, float]:
        """The gains as they stand, by name."""
        return {gain.name: gain.value for gain in self.gains}

    def drives(self, values: Mapping[str, float]) -> list[dict[str, Any]]:
        """The drives of the scenario as a file would hold them, with other gains."""
        return [
            self._drive(number, drive, values) if number in self._drives else file_form(drive)
            for number, drive in enumerate(self.scenario.drive)
        ]

    def _drive(self, number: int, drive: Drive, values: Mapping[str, float]) -> dict[str, Any]:
        form = file_form(drive)
        law = {key: value for key, value in form["control"].items() if key not in (*KINDS, "gains")}
        switches, count = self.switches[number], len(drive.names)
        rows = []
        for k in range(len(switches) + 1):
            row: dict[str, Any] = {"until": f"{switches[k]!r} s"} if k < len(switches) else {}
            for kind in KINDS:
                each = np.zeros(count)
                for gain in self.gains:
                    if (gain.drive, gain.kind, gain.set) == (number, kind, k):
                        each[gain.joint] = values[gain.name]
                if each.any():
                    row[kind] = each.tolist() if count > 1 else float(each[0])
            rows.append(row)
        return {**form, "control": {**law, **(rows[0] if len(rows) == 1 else {"gains": rows})}}

    def with_(self, values: Mapping[str, float], **changes: Any) -> Scenario:
        """The scenario with other gains (and other changes)."""
        return self.scenario.with_({"drive": self.drives(values), **changes})

    def limits(self) -> dict[str, float]:
        """Torque limits that the laws state, by joint."""
        return stated_limits(self.scenario)

    def of_law(self, values: Mapping[str, float]) -> dict[str, float]:
        """Nothing: all of them are gains of the scenario."""
        return {}


def stated_limits(scenario: Scenario) -> dict[str, float]:
    """Torque limits that the laws of a scenario state, by joint."""
    return {
        name: pick(drive.control.limit, i)
        for drive in scenario.drive
        if drive.control is not None and drive.control.type in ("pd", "pid") and drive.control.limit is not None
        for i, name in enumerate(drive.names)
    }


def _switches(drive: Drive, end: float, sets: int | Sequence[float] | None) -> tuple[float, ...]:
    """Times at which gains change."""
    assert drive.control is not None
    if sets is None:
        return tuple(float(gains.until) for gains in drive.control.sets if gains.until is not None)
    if isinstance(sets, int):
        if not 1 <= sets <= 20:
            raise FlexarmError(f"there can be 1 to 20 gain sets, not {sets}")
        return tuple(float(end * k / sets) for k in range(1, sets))
    times = tuple(float(time) for time in sets)
    if list(times) != sorted(set(times)) or any(not 0.0 < time < end for time in times):
        raise FlexarmError(f"gain sets change at increasing times between 0 and {end:g} s, not at {list(times)}")
    return times
