"""Numbers with units: ``960 mm`` becomes 0.96, and a bare number that is implausible is questioned.

Only the number and a short unit word are recognised; nothing is evaluated. Frequencies are in Hz; a rate
given in ``rad/s`` or ``rpm`` where Hz is wanted is divided by 2 pi.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

from flexarm.arm.quantity import Quantity
from flexarm.scenario.unit_words import ANGLE_RATE, NONE, PER_SECOND, Dimension, Unit, unit_of

_TEXT = re.compile(r"(?P<number>[-+]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][-+]?[0-9]{1,3})?)(?P<unit>.*)")
_NO_UNIT = "*/+-^(.,_0123456789"
"""Characters with which a unit cannot begin."""
_EXAMPLES = {
    "m": "0.96 m", "rad": "30 deg", "s": "0.5 s", "kg": "20 g", "N": "5 N", "N*m": "0.1 N*m",
    "Pa": "71.1 GPa",
    "Hz": "12 Hz", "1": "5 %", "kg*m^2": "5.86e-4 kg*m^2", "kg/m^3": "2710 kg/m^3", "m^2": "61.5 mm^2",
    "m^4": "51.9 mm^4", "m/s^2": "9.81 m/s^2", "rad/s": "30 deg/s", "m/s": "0.2 m/s",
    "N*m/rad": "100 N*m/rad",
}  # fmt: skip
_SUGGESTIONS = {
    "m": ("mm", "cm", "um"), "rad": ("deg",), "s": ("ms", "us"), "kg": ("g", "mg"), "N": ("kN", "mN"),
    "N*m": ("N*mm", "kN*m"), "Pa": ("GPa", "MPa", "kPa"), "kg*m^2": ("g*m^2", "kg*mm^2", "g*mm^2"),
    "kg/m^3": ("g/cm^3",), "m^2": ("mm^2", "cm^2"), "m^4": ("mm^4", "cm^4"), "m/s^2": ("mm/s^2",),
}  # fmt: skip

BEYOND = 1e6
"""How far outside of its plausible range a number with a unit may lie: farther out the arithmetic of a model ends."""


class QuantityError(ValueError):
    """A value that does not fit its quantity; the sentence has a gap ``{}`` for the name of the field."""

    def __init__(self, sentence: str):
        self.sentence = sentence
        super().__init__(self.about("the value"))

    def about(self, name: str, also: str = "") -> str:
        """The sentence with the name of the field, and what else the field takes."""
        sentence = self.sentence.replace(", not ", f" or {also}, not ", 1) if also else self.sentence
        return sentence.replace("{}", name, 1)


def read_quantity(value: Any, quantity: Quantity) -> Any:
    """The number behind a value of a scenario, in the SI unit of `quantity`.

    Parameters
    ----------
    value : int, float or str
        A bare number in SI units, or a text of a number and a unit. Other types are given back as they are.
    quantity : Quantity
        Unit (several separated by ``|`` all fit) and plausible range.

    Raises
    ------
    QuantityError
        If the text is not a number with a unit that fits, or a bare number is implausible.

    Examples
    --------
    >>> read_quantity("960 mm", Quantity("m")), read_quantity("5 %", Quantity("1"))
    (0.96, 0.05)
    """
    if isinstance(value, bool):
        raise QuantityError(f"{{}} {_wants(quantity)}, not {str(value).lower()}")
    if isinstance(value, (int, float)):
        return _without_unit(value, quantity)
    if not isinstance(value, str):
        return value
    number, word = split(value, quantity)
    if not word:
        return _without_unit(float(number), quantity)
    try:
        unit = unit_of(word)
    except ValueError as error:
        raise QuantityError(f"{{}} {_wants(quantity)}, not {_shown(value)}: {error}") from None
    factor = _fitting(unit, quantity)
    if factor is None:
        raise QuantityError(f"{{}} {_wants(quantity)}, not {_shown(value)}")
    return _computable(_finite(number * factor, value), quantity)


def split(text: str, quantity: Quantity) -> tuple[Fraction, str]:
    """A text taken apart into its number and its unit word (empty if there is none)."""
    match = _TEXT.fullmatch(text.strip().replace("\u2212", "-"))
    word = match["unit"].strip() if match else ""
    if match is None or (word and word[0] in _NO_UNIT and not word.startswith("1/")):
        why = ""
        if "," in text:
            why = ": write a decimal point, and no mark between thousands"
        elif any(sign in text for sign in "*/+^()"):
            why = ": write one number and one unit, arithmetic is not computed"
        raise QuantityError(f"{{}} {_wants(quantity)}, not {_shown(text)}{why}")
    return Fraction(match["number"]), word


def _without_unit(value: float, quantity: Quantity) -> float:
    low, high = quantity.plausible or (0.0, math.inf)
    if value == 0 or low <= abs(value) <= high:
        # adding zero makes a negative zero an ordinary one, as for texts
        return value + 0.0
    unit = quantity.unit.split("|")[0]
    better = next(
        (
            f"; a bare number is in {unit}: did you mean '{value:.12g} {other}'?"
            for other in _SUGGESTIONS.get(unit, ())
            if low <= abs(value) * float(unit_of(other).factor) <= high
        ),
        f"; a bare number is in {unit}.",
    )
    raise QuantityError(
        f"{{}} = {value:.12g} {unit} is implausible{better} To insist, write the unit: '{value:.12g} {unit}'"
    )


def _finite(value: Fraction, text: str) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if abs(number) > 1e300:
        raise QuantityError(f"{{}}: {_shown(text)} is too large a number")
    return number


def _computable(value: float, quantity: Quantity) -> float:
    low, high = quantity.plausible or (0.0, math.inf)
    if value and not low / BEYOND <= abs(value) <= high * BEYOND:
        unit = quantity.unit.split("|")[0]
        raise QuantityError(
            f"{{}} = {value:.4g} {unit} is beyond what can be computed, {low / BEYOND:.3g} to {high * BEYOND:.3g} {unit}; check number and unit"
        )
    return value


def _fitting(unit: Unit, quantity: Quantity) -> Fraction | None:
    """Factor to the SI unit of the quantity, or None if the dimension does not fit."""
    wanted = wanted_dimensions(quantity.unit)
    if unit.dimension in wanted:
        return unit.factor
    if quantity.unit == "Hz" and unit.dimension == ANGLE_RATE:
        return unit.factor / Fraction(2 * math.pi)
    return None


@lru_cache(maxsize=128)
def wanted_dimensions(units: str) -> tuple[Dimension, ...]:
    """Dimensions of units separated by ``|``."""
    return tuple(
        PER_SECOND if unit == "Hz" else NONE if unit == "1" else unit_of(unit).dimension for unit in units.split("|")
    )


def _wants(quantity: Quantity) -> str:
    if quantity.unit == "1":
        return "wants a plain number or a percentage (for example 0.05 or '5 %')"
    units = quantity.unit.split("|")
    examples = " or ".join(f"'{_EXAMPLES.get(unit, f'1 {unit}')}'" for unit in units)
    return f"wants {' or '.join(units)} (for example {examples})"


def _shown(text: str) -> str:
    short = text if len(text) <= 40 else text[:37] + "..."
    return "an empty text" if not text.strip() else f"'{short}'"
