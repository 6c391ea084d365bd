"""What a document says, what comes out when it is computed, and the verdict that follows from the two.

A claim never carries its verdict. It carries the published numbers, a computation and a rule; computation, verdict
and reason are worked out when they are asked for, once.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

Numbers = tuple[float, ...]


class Verdict(enum.Enum):
    """What became of a claim."""

    REPRODUCED = "reproduced"
    """The computation gives what the document says."""
    CORRECTED = "corrected"
    """A number or a formula is in error; the right one is given."""
    CONTRADICTED = "contradicted"
    """The behaviour is not as the document says."""
    NOT_DETERMINABLE = "not determinable"
    """What the document states does not suffice to settle it."""


@dataclass(frozen=True)
class Tolerance:
    """How far two numbers may differ: ``absolute + relative * |reference|``.

    Attributes
    ----------
    relative, absolute : float
        The absolute part is in the unit of the numbers.
    because : str
        Where the tolerance comes from.
    """

    relative: float = 0.0
    absolute: float = 0.0
    because: str = ""

    def share(self, computed: Sequence[float], reference: Sequence[float]) -> float:
        """Largest difference as a share of what is allowed; infinite if lengths differ or a number is not finite."""
        a, b = np.asarray(computed, dtype=float), np.asarray(reference, dtype=float)
        if a.shape != b.shape or not np.all(np.isfinite(a)):
            return float("inf")
        difference, allowed = np.abs(a - b), self.absolute + self.relative * np.abs(b)
        ratio = np.where(difference == 0.0, 0.0, difference / np.maximum(allowed, 1e-300))
        return float(ratio.max(initial=0.0))

    def accepts(self, computed: Sequence[float], reference: Sequence[float]) -> bool:
        """True if all numbers agree."""
        return self.share(computed, reference) <= 1.0

    def text(self, unit: str = "") -> str:
        """In words, for reports."""
        unit = "" if unit in ("", "1") else f" {unit}"
        parts = [f"{self.absolute:g}{unit}"] if self.absolute else []
        if self.relative:
            parts.append(f"{100 * self.relative:.6g} %" if self.relative >= 1e-4 else f"{self.relative:g} relative")
        return " + ".join(parts) or "–"


@dataclass(frozen=True)
class Evidence:
    """Computed numbers, and further ones that the reason speaks of."""

    values: Numbers
    also: dict[str, Any] = field(default_factory=dict)


Rule = Callable[[Numbers, Numbers, Tolerance], Verdict]
"""Published numbers, computed numbers, tolerance -> verdict."""


def agrees(otherwise: Verdict = Verdict.CORRECTED) -> Rule:
    """Reproduced if computed and published numbers agree within the tolerance, else `otherwise`."""

    def rule(published: Numbers, computed: Numbers, tolerance: Tolerance) -> Verdict:
        return Verdict.REPRODUCED if tolerance.accepts(computed, published) else otherwise

    return rule


def holds(test: Callable[[Numbers], bool], otherwise: Verdict = Verdict.CONTRADICTED) -> Rule:
    """Reproduced if the computed numbers pass a test, else `otherwise`."""

    def rule(published: Numbers, computed: Numbers, tolerance: Tolerance) -> Verdict:
        return Verdict.REPRODUCED if test(computed) else otherwise

    return rule


def some_reading(otherwise: Verdict = Verdict.NOT_DETERMINABLE) -> Rule:
    """The computed numbers are several readings of the document, one after the other; one of them has to agree."""

    def rule(published: Numbers, computed: Numbers, tolerance: Tolerance) -> Verdict:
        width = len(published)
        readings = [computed[i : i + width] for i in range(0, len(computed), width)]
        found = any(tolerance.accepts(reading, published) for reading in readings)
        return Verdict.REPRODUCED if found else otherwise

    return rule


def repairs(truth: Callable[[], Iterable[float]]) -> Rule:
    """For a printed formula: reproduced if it gives the truth; corrected if the repaired one does."""

    def rule(published: Numbers, computed: Numbers, tolerance: Tolerance) -> Verdict:
        right = numbers(truth())
        if tolerance.accepts(published, right):
            return Verdict.REPRODUCED
        return Verdict.CORRECTED if tolerance.accepts(computed, right) else Verdict.NOT_DETERMINABLE

    return rule


def numbers(values: Any) -> Numbers:
    """A number or an array as a flat tuple of floats."""
    return tuple(float(v) for v in np.atleast_1d(np.asarray(values, dtype=float)).ravel())


@dataclass(frozen=True)
class Claim:
    """One statement of a document.

    Attributes
    ----------
    id, where : str
        Short name, and the place in the document.
    text : str
        What the document says, in our words.
    stated : sequence of float, or callable
        The published numbers; a callable gives what a formula yields as it is printed. Empty if none are given.
    work_out : callable
        Gives the computed numbers, or an `Evidence`.
    rule : Rule
        Turns both into a verdict.
    because : str
        Template of the reason: ``{p[0]}`` is a published number, ``{c[0]}`` a computed one, other names come from the
        evidence.
    units : str
        Unit of the numbers, or what they count.
    labels : tuple of str
        What each number is, if there are several.
    """

    id: str
    where: str
    text: str
    stated: Sequence[float] | Callable[[], Any]
    work_out: Callable[[], Any]
    rule: Rule
    because: str
    units: str = "1"
    tolerance: Tolerance = Tolerance()
    labels: tuple[str, ...] = ()

    @cached_property
    def _evidence(self) -> Evidence:
        found = self.work_out()
        return found if isinstance(found, Evidence) else Evidence(numbers(found))

    @cached_property
    def published(self) -> Numbers:
        """The numbers of the document."""
        return numbers(self.stated() if callable(self.stated) else self.stated)

    @property
    def computed(self) -> Numbers:
        """Our numbers."""
        return self._evidence.values

    @cached_property
    def verdict(self) -> Verdict:
        """What follows from the numbers."""
        return self.rule(self.published, self.computed, self.tolerance)

    @cached_property
    def reason(self) -> str:
        """One sentence with the numbers that decide."""
        return self.because.format(p=self.published, c=self.computed, **self._evidence.also)
