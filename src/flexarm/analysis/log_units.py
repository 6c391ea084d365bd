"""Units of measured columns, written into their headers: ``strain [um/m]``, ``output (mV)``, ``time [ms]``."""

from __future__ import annotations

import re
from typing import NamedTuple

from flexarm.scenario.unit_words import unit_of

_HEADER = re.compile(r"(?P<name>.*?)\s*(?:\[(?P<square>[^\]]*)\]|\((?P<round>[^)]*)\))\s*")
_STRAIN = {"strain": 1.0, "ustrain": 1e-6, "µstrain": 1e-6, "microstrain": 1e-6, "µε": 1e-6, "με": 1e-6, "ppm": 1e-6}
_VOLT = {"V": 1.0, "mV": 1e-3, "uV": 1e-6, "µV": 1e-6, "μV": 1e-6, "kV": 1e3}
_COUNT = {"counts": 1.0, "count": 1.0, "codes": 1.0, "LSB": 1.0, "lsb": 1.0}
_TRUE = {"1": "um/m, % or strain", "V": "V or mV", "counts": "counts", "s": "s, ms or us", "rad": "deg or rad"}
"""Examples of units that fit an SI unit."""


class ColumnUnit(NamedTuple):
    """`factor` turns a number of the column into the SI unit `si` (V and counts count as such)."""

    factor: float
    si: str


def split_header(text: str) -> tuple[str, str]:
    """Name and unit word (empty if there is none) of a column.

    Examples
    --------
    >>> split_header("root strain [um/m]"), split_header("time(ms)"), split_header("u")
    (('root strain', 'um/m'), ('time', 'ms'), ('u', ''))
    """
    match = _HEADER.fullmatch(text.strip())
    if match is None:
        return text.strip(), ""
    return match["name"].strip(), (match["square"] if match["square"] is not None else match["round"]).strip()


def column_unit(word: str, wanted: str) -> ColumnUnit:
    """The unit of a column that should hold a quantity of the SI unit `wanted`.

    Raises
    ------
    ValueError
        With words for a sentence, if the unit is unknown or does not fit.
    """
    own = {"1": _STRAIN, "V": _VOLT, "counts": _COUNT}.get(wanted, {})
    if word in own or not word:
        return ColumnUnit(own.get(word, 1.0), wanted)
    fits = _TRUE.get(wanted, wanted)
    foreign = any(word in table for table in (_STRAIN, _VOLT, _COUNT))
    if foreign or wanted in ("V", "counts"):
        raise ValueError(f"the unit '{word}' does not fit: it must be {fits}")
    try:
        unit = unit_of(word)
    except ValueError as error:
        raise ValueError(f"{error}; it must be {fits}") from None
    if unit.dimension != unit_of(wanted).dimension:
        raise ValueError(f"the unit '{word}' does not fit: it must be {fits}")
    return ColumnUnit(float(unit.factor), wanted)
