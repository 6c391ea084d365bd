"""Our own reference figures: each is computed anew and compared within its tolerance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
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
