"""What the program says when it cannot go on: one sentence, a place, a remedy.

Every error that a user can cause is a `FlexarmError`. The command line prints it without a traceback and
ends with exit code 2; Python callers can catch it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

LONG = re.compile(r"(?<!\w)'(?!\s)[^'\n]{201,}'|[^\s']{201,}")
"""What nobody reads to its end in a message: a quotation or a word of more than 200 characters."""


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
        return f"{brief(place)}: {brief(self.message)}" if place else brief(self.message)

    def __reduce__(self):
        return _rebuild, (type(self), self.message, self.field, self.file, self.line)


def _rebuild(kind: type[FlexarmError], message: str, field: str, file: str, line: int | None) -> FlexarmError:
    return kind(message, field=field, file=file, line=line)


def brief(text: str) -> str:
    """`text` with every quotation or word cut that is so long that it hides the sentence around it.

    Examples
    --------
    >>> brief("there is no joint '" + 5000 * "x" + "'; the arm has link")
    "there is no joint 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'; the arm has link"
    >>> sentence = "the arm's start, " + 50 * "and so on, " + "the link's end"
    >>> brief(sentence) == sentence
    True
    """
    return LONG.sub(lambda found: found[0][: 40 + (found[0][0] == "'")] + "..." + "'" * (found[0][0] == "'"), text)


class ScenarioError(FlexarmError):
    """The scenario file, or a value in it, cannot be understood."""


class CapabilityError(FlexarmError):
    """The chosen method cannot do what the scenario asks for."""


class StepError(FlexarmError):
    """The time step does not fit the method or the grid."""


class OutputError(FlexarmError):
    """A result cannot be written where it was asked for."""


class DiskFull(OutputError):
    """There is no space left where a result should go."""


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
