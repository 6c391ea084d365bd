"""Drive tables and formulas that variants share, kept as long as nothing that differs between them is in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from flexarm.drive import Program
from flexarm.methods.base import Model
from flexarm.numerics.expressions import Tape

MOST_BYTES = 2e8
"""Of drive tables that are kept."""


@dataclass(frozen=True, eq=False)
class Remembered(Program):
    """Drives that say the same in every variant: their tables are worked out once."""

    tables: dict[Any, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, program: Program, tables: dict[Any, np.ndarray]) -> Program:
        """The program with the tables that are known of it; itself if they depend on the arm."""
        if any(line.feedforward is not None for line in program.lines):
            return program
        return cls(**{part.name: getattr(program, part.name) for part in fields(Program)}, tables=tables)

    def table(self, times: Any, inside: float) -> np.ndarray:
        """See `Program.table`. What is given back is not written to."""
        times = np.atleast_1d(np.asarray(times, dtype=float))
        key = inside, len(times), float(times[0]), float(times[-1])
        if key not in self.tables:
            found = super().table(times, inside)
            if found.nbytes + sum(table.nbytes for table in self.tables.values()) > MOST_BYTES:
                return found
            self.tables[key] = found
        return self.tables[key]


class SameFormulas:
    """Formulas of signals, made once if they are the same for all variants.

    They are compared until every field has been seen with two values and the formulas did not change; where a number is
    zero or the state is laid out otherwise, arms may have other coordinates, and it is looked at anew.
    """

    def __init__(self, names: frozenset[str]):
        self._names = names
        self._known: dict[Any, tuple[Any, np.ndarray, np.ndarray]] = {}

    def share(self, model: Model, values: np.ndarray) -> None:
        """Give the model's reader the formulas that are known, or learn from it."""
        key = tuple(values == 0.0), model.record_width, tuple((name, s.stop) for name, s in model.layout.items())
        if key not in self._known:
            self._known[key] = model.reader.signal_tape(self._names), values.copy(), np.zeros(len(values), dtype=bool)
            return
        known, first, seen = self._known[key]
        if known is None:
            return
        if seen.all():
            model.reader.keep_signal_tape(self._names, known)
        elif _equal(known[1], model.reader.signal_tape(self._names)[1]):
            seen |= values != first
        else:
            self._known[key] = None, first, seen


def _equal(one: Tape, other: Tape) -> bool:
    """Whether two tapes work out the same from any state."""
    names: Sequence[str] = ("code", "constant", "places", "weights", "tables", "wanted")
    return all(np.array_equal(getattr(one.operations, n), getattr(other.operations, n)) for n in names)
