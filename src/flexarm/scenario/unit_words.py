"""Unit words such as ``mm^2`` or ``N*m/rad``: their dimension and their size in SI units.

Angles count as a dimension of their own, so that ``deg`` fits an angle and never a plain number. The common
units stand in a table here; a rarer symbol is looked up in pint, which is imported only then.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from math import pi
from typing import NamedTuple

MOST_LETTERS = 24


class Dimension(NamedTuple):
    """Exponents of the base units."""

    m: int = 0
    kg: int = 0
    s: int = 0
    rad: int = 0
    A: int = 0


class Unit(NamedTuple):
    """A unit: `factor` turns a number into SI units (exact, so that 960 mm is the float 0.96)."""

    factor: Fraction
    dimension: Dimension


NONE = Dimension()
PER_SECOND = Dimension(s=-1)
ANGLE_RATE = Dimension(s=-1, rad=1)
_LENGTH, _MASS, _TIME, _ANGLE = Dimension(m=1), Dimension(kg=1), Dimension(s=1), Dimension(rad=1)
_FORCE, _STRESS = Dimension(1, 1, -2), Dimension(-1, 1, -2)
_PREFIXES = {"n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9}
_WITH_PREFIX = {
    "m": (Fraction(1), _LENGTH), "g": (Fraction(1, 1000), _MASS), "s": (Fraction(1), _TIME),
    "rad": (Fraction(1), _ANGLE), "N": (Fraction(1), _FORCE), "Pa": (Fraction(1), _STRESS),
    "Hz": (Fraction(1), PER_SECOND), "J": (Fraction(1), Dimension(2, 1, -2)),
    "W": (Fraction(1), Dimension(2, 1, -3)),
    "A": (Fraction(1), Dimension(A=1)), "V": (Fraction(1), Dimension(2, 1, -3, A=-1)),
    "ohm": (Fraction(1), Dimension(2, 1, -3, A=-2)), "H": (Fraction(1), Dimension(2, 1, -2, A=-2)),
}  # fmt: skip
_PI, _POUND, _INCH, _POUND_FORCE = (
    Fraction(pi),
    Fraction("0.45359237"),
    Fraction("0.0254"),
    Fraction("4.4482216152605"),
)
UNITS: dict[str, Unit] = {
    prefix + symbol: Unit(Fraction(10) ** power * factor, dimension)
    for symbol, (factor, dimension) in _WITH_PREFIX.items()
    for prefix, power in _PREFIXES.items()
} | {
    "1": Unit(Fraction(1), NONE), "%": Unit(Fraction(1, 100), NONE),
    "cm": Unit(Fraction(1, 100), _LENGTH), "dm": Unit(Fraction(1, 10), _LENGTH),
    "in": Unit(_INCH, _LENGTH), "inch": Unit(_INCH, _LENGTH), "ft": Unit(12 * _INCH, _LENGTH),
    "min": Unit(Fraction(60), _TIME), "h": Unit(Fraction(3600), _TIME), "t": Unit(Fraction(1000), _MASS),
    "lb": Unit(_POUND, _MASS), "lbf": Unit(_POUND_FORCE, _FORCE),
    "psi": Unit(_POUND_FORCE / _INCH**2, _STRESS),
    "bar": Unit(Fraction(100_000), _STRESS), "deg": Unit(_PI / 180, _ANGLE), "°": Unit(_PI / 180, _ANGLE),
    "rev": Unit(2 * _PI, _ANGLE), "turn": Unit(2 * _PI, _ANGLE), "rpm": Unit(2 * _PI / 60, ANGLE_RATE),
}  # fmt: skip

COMMON = (
    "m", "mm", "cm", "km", "um", "in", "ft", "rad", "deg", "rpm", "s", "ms", "us", "min", "kg", "g", "t",
    "lb", "N", "kN", "mN", "lbf", "Pa", "kPa", "MPa", "GPa", "psi", "Hz", "kHz", "%", "A", "mA", "V", "ohm", "mH",
)  # fmt: skip
"""Units to suggest when a word is misspelt."""

_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3", "⁴": "^4", "·": "*", "⋅": "*"})
_WORD = re.compile(r"[A-Za-zµμ°%1][A-Za-z0-9µμ°%*/^.-]*")
_FACTOR = re.compile(r"(?P<symbol>1|%|[A-Za-zµμ°]+)(\^?(?P<power>-?[1-9]))?")


@lru_cache(maxsize=512)
def unit_of(word: str) -> Unit:
    """The unit that a word means.

    Raises
    ------
    ValueError
        With a sentence, if the word is not a unit.

    Examples
    --------
    >>> unit_of("mm^2").dimension
    Dimension(m=2, kg=0, s=0, rad=0, A=0)
    >>> float(unit_of("kN*m/rad").factor)
    1000.0
    """
    text = re.sub(r"\s*([*/^.])\s*", r"\1", word.strip().translate(_SUPERSCRIPTS)).replace("**", "^")
    text = re.sub(r"\s+", "*", text)
    if len(text) > MOST_LETTERS or not _WORD.fullmatch(text):
        raise ValueError(f"'{word[:40]}' is not a unit: write it like mm^2 or N*m/rad, without arithmetic")
    factor, exponents = Fraction(1), list(NONE)
    for sign, part in zip(
        [1, *(-1 if c == "/" else 1 for c in text if c in "*/.")], re.split("[*/.]", text), strict=True
    ):
        match = _FACTOR.fullmatch(part)
        if match is None:
            raise ValueError(f"'{part}' in '{word}' is not a unit: write it like mm^2 or N*m/rad")
        power = sign * int(match["power"] or 1)
        found = _symbol(match["symbol"])
        factor *= found.factor**power
        exponents = [a + power * b for a, b in zip(exponents, found.dimension, strict=True)]
    return Unit(factor, Dimension(*exponents))


def _symbol(symbol: str) -> Unit:
    """A single unit symbol, from the table or from pint."""
    found = UNITS.get(symbol) or _from_pint(symbol)
    if found is None:
        near = get_close_matches(symbol, COMMON, 1)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"unknown unit '{symbol}'{hint}")
    return found


@lru_cache(maxsize=512)
def _from_pint(symbol: str) -> Unit | None:
    if not symbol.isascii() or not symbol.isalpha():
        return None
    registry = _registry()
    try:
        factor, base = registry.get_base_units(symbol)
        powers = {name: int(power) for name, power in dict(base._units).items()}
        exponents = [powers.pop(name, 0) for name in ("meter", "kilogram", "second", "radian", "ampere")]
        # what is left has a temperature, a brightness or the like, which no field of a scenario has
        return None if powers or not 0 < float(factor) < 1e30 else Unit(Fraction(float(factor)), Dimension(*exponents))
    except Exception:
        # pint raises a dozen kinds of errors for words that it does not know
        return None


@lru_cache(maxsize=1)
def _registry():  # type: ignore[no-untyped-def]
    from pint import UnitRegistry

    return UnitRegistry()
