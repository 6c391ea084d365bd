"""What the program says when it cannot go on: one sentence, a place, a remedy.

Every error that a user can cause is a `FlexarmError`. The command line prints it without a traceback and
ends with exit code 2; Python callers can catch it.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


class FlexarmError(Exception):
    """A problem that the user can put right.

    Parameters
    ----------
    message : str
        One sentence that says what is wrong and what to do.
    field : str, optional
        Dotted path of the field in the scenario, for example ``arm.links.fore.length``.
    file, line : optional
        Where it stands in a file (line counted from 1).

    Examples
    --------
    >>> print(FlexarmError("it must be positive", field="arm.payload.mass", file="arm.yaml", line=9))
    arm.yaml, line 9, arm.payload.mass: it must be positive
    """

    def __init__(self, message: str, *, field: str = "", file: str = "", line: int | None = None):
        self.message = message
        self.field = field
        self.file = file
        self.line = line
        super().__init__(str(self))

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.file, f"line {self.line}" if self.line else "", self.field) if part)
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self):
        return _rebuild, (type(self), self.message, self.field, self.file, self.line)


def _rebuild(kind: type[FlexarmError], message: str, field: str, file: str, line: int | None) -> FlexarmError:
    return kind(message, field=field, file=file, line=line)


class ScenarioError(FlexarmError):
    """The scenario file, or a value in it, cannot be understood."""


class CapabilityError(FlexarmError):
    """The chosen method cannot do what the scenario asks for."""


class StepError(FlexarmError):
    """The time step does not fit the method or the grid."""


class OutputError(FlexarmError):
    """A result cannot be written where it was asked for."""


class ControllerError(FlexarmError):
    """The user's controller raised, or returned something that is not a torque."""


class Interrupted(FlexarmError):
    """The user broke the work off before there was anything to keep."""


def check_word(word: str, known: Sequence[str], field: str) -> None:
    """Refuse a word that is none of those that a field may be, with the nearest one.

    Examples
    --------
    >>> check_word("driven", ("locked", "free", "held"), "joints")
    Traceback (most recent call last):
    flexarm.errors.FlexarmError: joints: it is one of locked, free, held, not 'driven'
    """
    if word not in known:
        near = get_close_matches(str(word), known, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise FlexarmError(f"it is one of {', '.join(known)}, not '{word}'{hint}", field=field)
