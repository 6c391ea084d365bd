"""Units of formulas: products of unit words with their powers, as far as a table needs them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from flexarm.scenario.unit_words import unit_of

Powers = Mapping[str, Fraction]
"""Unit words with their powers; none for plain numbers."""
ANY: Powers | None = None
"""Of numbers that stand in a formula without a unit: they fit everything."""


def powers_of(text: str) -> Powers:
    """The powers in a unit of a result; ``N*m or N`` is one word.

    Examples
    --------
    >>> text_of(powers_of("N*m/s^2"))
    'N*m/s^2'
    """
    if text in ("", "1") or " " in text:
        return {} if text in ("", "1") else {text: Fraction(1)}
    found: dict[str, Fraction] = {}
    for sign, word, power in re.findall(r"([*/]?)([^*/^]+)(?:\^(-?\d+))?", text):
        if word != "1":
            found[word] = found.get(word, Fraction(0)) + (-1 if sign == "/" else 1) * int(power or 1)
    return {word: power for word, power in found.items() if power}


def text_of(powers: Powers | None) -> str:
    """The unit in words."""
    parts = [("*" if power > 0 else "/", word, abs(power)) for word, power in (powers or {}).items()]
    parts.sort(key=lambda part: part[0])  # products first
    text = "".join(f"{sign}{word}" + (f"^{power}" if power != 1 else "") for sign, word, power in parts)
    return ("1" + text if text.startswith("/") else text[1:]) or "1"


def times(one: Powers | None, other: Powers | None, power: int = 1) -> Powers | None:
    """Unit of a product, or with ``power=-1`` of a quotient."""
    if one is None and other is None:
        return None
    found = dict(one or {})
    for word, own in (other or {}).items():
        found[word] = found.get(word, Fraction(0)) + power * own
    return {word: own for word, own in found.items() if own}


def to_power(one: Powers | None, power: Fraction) -> Powers | None:
    """Unit of a power."""
    return None if one is None else {word: own * power for word, own in one.items()}


def same(one: Powers | None, other: Powers | None) -> bool:
    """True if two units may be added: the same words, or the same dimension and size (J and N*m)."""
    if one is None or other is None or dict(one) == dict(other):
        return True
    try:
        return unit_of(text_of(one)) == unit_of(text_of(other))
    except ValueError:
        return False
