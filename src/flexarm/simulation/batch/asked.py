"""The signals of a run that were asked for, and no others; the same numbers as those of a labelled result."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from flexarm.methods.base import Model, Outcome
from flexarm.methods.signals import Signals
from flexarm.simulation.build import Setup
from flexarm.simulation.cylinders import add_cylinders
from flexarm.simulation.label import OF_COMMANDS, add_balance, add_disturbances, add_rigid, bend_limit, bounded
from flexarm.simulation.log import Log
from flexarm.simulation.stress import add_stress

OF_RIGID = (*OF_COMMANDS, "tip_deflection", "path_position", "path_error")
OF_CYLINDERS = (
    "cylinder_length", "cylinder_force", "cylinder_pressure", "chamber_pressure", "differential_pressure",
)  # fmt: skip
ENDS = frozenset({"end_deflection"})
SURELY_BOUNDED, INSTANTS = 0.1, 64
"""Where ends of links stay within this share of how far a link may bend, at so many instants, no others are looked at: a run that
blows up grows until its end."""


class Asked:
    """What is wanted of every run.

    Parameters
    ----------
    names : collection of str
        Signals of a result.
    """

    def __init__(self, names: Collection[str]):
        self.names = tuple(names)
        wanted = set(names)
        self._rigid, self._cylinders = not wanted.isdisjoint(OF_RIGID), not wanted.isdisjoint(OF_CYLINDERS)
        base = wanted - set(OF_RIGID) - set(OF_CYLINDERS)
        base |= {"joint_position", "tip_position"} if self._rigid else set()
        base |= {"motor_position", "motor_velocity", "drive_torque"} if self._cylinders else set()
        base |= {"axial_force", "bending_moment", "bending_moment_y"} if "stress" in wanted else set()
        formulas = {"joint_position", "joint_velocity", "motor_position", "motor_velocity", "joint_deformation", "tip_position", "shape",
                    "strain", "reading", "deflection", "travel"}  # fmt: skip
        self.direct = wanted <= formulas
        """True if all of them are formulas of the state."""
        self.observed = frozenset(base)
        """Signals of the method that they are made from."""

    def of(self, setup: Setup, log: Log, outcome: Outcome, message: str) -> tuple[dict[str, Any], Outcome, str]:
        """Arrays by name, time first under ``time``, and how the run ended."""
        arrays = log.arrays()
        pieces = [self._observe(model, arrays, part) for model, part in log.pieces()]
        signals = pieces[0] if len(pieces) == 1 else Signals.joined(pieces)
        if {"drive_torque", "shaft_torque"} & set(signals.variables):
            add_disturbances(setup, signals, arrays["rows"])
        if "energy" in self.names:
            add_balance(signals)
        if self._rigid:
            add_rigid(setup, signals, arrays["rows"], self.names)
        if self._cylinders:
            add_cylinders(setup, signals, arrays["pressures"])
        if "stress" in self.names:
            add_stress(setup.scenario.arm, signals)
        if outcome is Outcome.SUCCESS and not self._surely_bounded(setup, log, arrays["records"]):
            seen = [
                m.observe(arrays["times"][p], arrays["records"][p], arrays["rows"][p], ("deflection",))
                for m, p in log.pieces()
            ]
            bend = np.concatenate([part["deflection"] for part in seen])
            outcome, message = bounded(setup, arrays["times"], bend, message)
        return {"time": arrays["times"], **{name: signals[name] for name in self.names}}, outcome, message

    def _surely_bounded(self, setup: Setup, log: Log, records: np.ndarray) -> bool:
        """Whether the ends of all links stay far within the limit, at some instants of the run and at its end."""
        some = np.unique(np.linspace(0, len(records) - 1, INSTANTS).astype(int))
        for model, part in log.pieces():
            inside = some[(some >= part.start) & (some < part.stop)]
            ends = model.reader.signal_tape(ENDS)[1].values(records[inside])
            if not np.abs(ends).max(initial=0.0) <= SURELY_BOUNDED * bend_limit(setup)[1]:
                return False
        return True

    def _observe(self, model: Model, arrays: dict[str, np.ndarray], part: slice) -> Signals:
        return model.observe(arrays["times"][part], arrays["records"][part], arrays["rows"][part], self.observed)
