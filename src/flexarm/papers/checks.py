"""Our own reference values: each is computed anew and compared within its tolerance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from flexarm.papers.claims import Numbers, Tolerance, numbers


@dataclass(frozen=True)
class Check:
    """A figure with its inputs in the name; nothing is computed before it is asked for.

    Attributes
    ----------
    name, group : str
        What it is, with its inputs; the group that it belongs to.
    work_out : callable
        Computes the numbers.
    reference : tuple of float
        What they should be.
    tolerance : Tolerance
        How well they must agree.
    unit : str
        Their unit.
    """

    name: str
    group: str
    work_out: Callable[[], Any]
    reference: Numbers
    tolerance: Tolerance
    unit: str = "1"

    @cached_property
    def computed(self) -> Numbers:
        """Our numbers now."""
        return numbers(self.work_out())

    @property
    def share(self) -> float:
        """Largest difference as a share of the tolerance."""
        return self.tolerance.share(self.computed, self.reference)

    @property
    def error(self) -> float:
        """Largest difference, in the unit."""
        if len(self.computed) != len(self.reference):
            return float("inf")
        return float(np.abs(np.subtract(self.computed, self.reference)).max(initial=0.0))

    @property
    def passed(self) -> bool:
        """True if all numbers agree."""
        return self.share <= 1.0


def grouped_checks(
    groups: Iterable[dict[str, Any]], quantities: dict[str, Callable[..., Any]], runs: Any
) -> tuple[Check, ...]:
    """Checks from groups of rows, none of them computed yet.

    A group names its quantity (a function of `runs` and inputs), unit and tolerance, and the inputs that its rows share.
    """
    found = []
    for group in groups:
        tolerance = Tolerance(**group["tolerance"], because=group["because"])
        for row in group["rows"]:
            inputs = {**group["inputs"], **row["inputs"]}
            told = ", ".join(f"{key} {value}" for key, value in row["inputs"].items())
            found.append(
                Check(
                    name=f"{group['title']}: {told}" if told else group["title"],
                    group=group["title"],
                    work_out=partial(quantities[group["quantity"]], runs, **inputs),
                    reference=tuple(float(v) for v in row["values"]),
                    tolerance=tolerance,
                    unit=group["unit"],
                )
            )
    return tuple(found)
