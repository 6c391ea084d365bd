"""Where formulas find their names in a run: its signals, its summary, and what analyses of its arm give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.result import Result
from flexarm.scenario import Scenario
from flexarm.studies.formula import Value
from flexarm.studies.unit_powers import powers_of

SUMMARY = {
    "energy_residual": "1", "stress_margin": "1", "steps": "1", "step": "s", "end_time": "s", "settling_time": "s", "overshoot": "1",
    "residual_vibration": "m",
}  # fmt: skip
"""Numbers that the summary of a run has besides those that formulas take from signals, with their units."""
STATIC = {
    "static.tip_displacement": ("tip_displacement", "m"), "static.tip_rotation": ("tip_rotation", "rad"),
    "static.reaction_force": ("reaction_force", "N"), "static.reaction_moment": ("reaction_moment", "N*m"),
}  # fmt: skip
"""Numbers of a static analysis: attribute and unit."""
ARM = {"arm.mass": "kg"}
"""Numbers of the arm itself."""
XYZ = ("x", "y", "z")


class OneRun:
    """One scenario: what is asked for is worked out when it is first asked for.

    Parameters
    ----------
    scenario : Scenario
        Of this run.
    result : Result or None
        What the run gave; None if no formula asks for one.
    static : mapping
        Loads and hold of the static analysis.
    modes : int
        How many natural frequencies are wanted.
    """

    def __init__(self, scenario: Scenario, result: Result | None, static: Mapping[str, Any], modes: int):
        self.scenario, self.result, self._static_options, self._modes = scenario, result, static, modes
        self._frequencies: dict[str, Any] = {}

    @property
    def names(self) -> Sequence[str]:
        """`Source.names`."""
        signals = [str(name) for name in self.result.data.data_vars] if self.result is not None else []
        return [*signals, *SUMMARY, *STATIC, *ARM]

    def find(self, name: str) -> Value | None:
        """`Source.find`."""
        if name in STATIC:
            attribute, unit = STATIC[name]
            found = np.asarray(getattr(self._static, attribute), dtype=float)
            return Value(found[None], powers_of(unit), labels=(XYZ,) if found.ndim else ())
        if name in ARM:
            return Value(np.array([sum(link.mass for link in self.scenario.arm.links)]), powers_of(ARM[name]))
        if self.result is None:
            return None
        if name in SUMMARY:
            number = self._summary.get(name)
            return None if number is None else Value(np.array([float(number)]), powers_of(SUMMARY[name]))
        data = self.result.data
        if name == "time" or name not in data or data[name].dims[:1] != ("time",):
            return None
        signal = data[name]
        labels = tuple(tuple(str(each) for each in signal[dim].values) for dim in signal.dims[1:])
        values = np.asarray(signal.values, dtype=float)
        return Value(values[None], powers_of(str(signal.attrs.get("units", "1"))), data["time"].values, labels)

    def call(self, name: str, arguments: tuple[Any, ...]) -> Value:
        """`Source.call`: natural frequencies and damping."""
        from flexarm.analysis.frequencies import frequencies

        number, joints = arguments[0], str(arguments[1]) if len(arguments) > 1 else "locked"
        if joints not in self._frequencies:
            self._frequencies[joints] = frequencies(self.scenario, n=self._modes, joints=joints)  # type: ignore[arg-type]
        found = self._frequencies[joints]
        values = found.hz if name == "frequency" else found.damping
        if number > len(values):
            raise FlexarmError(f"the arm has {len(values)} elastic modes, not {number}")
        return Value(np.array([float(values[number - 1])]), powers_of("Hz" if name == "frequency" else "1"))

    @cached_property
    def _summary(self) -> dict[str, Any]:
        assert self.result is not None
        return self.result.summary()

    @cached_property
    def _static(self) -> Any:
        from flexarm.analysis.static import static

        return static(self.scenario, **self._static_options)
