"""Units as a reader likes to see them: degrees for angles, and the prefix that suits the data."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

PREFIXES = tuple((10.0 ** (9 - 3 * i), letter) for i, letter in enumerate(["G", "M", "k", "", *"mµnpf"]))
LARGE = {"N", "J", "W", "Pa", "Hz"}
"""Units that take prefixes above one; nobody reads kilometres or kiloseconds here."""
SMALL = {"m", "s", "N", "J", "W", "Pa"}
"""Units that take prefixes below one."""
SMALLEST_DEGREES = np.radians(0.1)
"""Angles whose largest value is below this are shown in milliradians or less."""


class Scale(NamedTuple):
    """Multiply SI values by `factor` and write `text` as their unit."""

    factor: float
    text: str


def pretty(units: str) -> str:
    """A unit in print: ``N*m`` becomes ``N·m``, ``m^2`` becomes ``m²``.

    Examples
    --------
    >>> pretty("kg*m^2")
    'kg·m²'
    """
    powers = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return re.sub(r"(?:\^|\*\*)(-?\d+)", lambda m: m.group(1).translate(powers), units).replace("*", "·")


def largest(*arrays: ArrayLike) -> float:
    """Largest finite magnitude in all `arrays`; 0 if there is none."""
    peak = 0.0
    for array in arrays:
        values = np.abs(np.asarray(array, dtype=float))
        values = values[np.isfinite(values)]
        if values.size:
            peak = max(peak, float(values.max()))
    return peak


def scale(units: str, *arrays: ArrayLike) -> Scale:
    """The unit in which `arrays`, given in SI `units`, are best shown together.

    Parameters
    ----------
    units : str
        SI unit as the results name it, for example ``m``, ``rad/s``, ``N*m``.
    *arrays : array_like
        All data that share one axis.

    Returns
    -------
    Scale
        Factor and unit text.
    """
    peak = largest(*arrays)
    angle = re.fullmatch(r"rad(/s(?:\^2)?)?", units)
    if angle:
        rest = pretty(angle.group(1) or "")
        if peak == 0.0 or peak >= SMALLEST_DEGREES:
            return Scale(180.0 / np.pi, "°" + rest)
        factor, prefix = _prefix(peak, below=True, above=False)
        return Scale(1.0 / factor, f"{prefix}rad{rest}")
    match = re.match(r"([A-Za-z]+)(?!\^|\*\*)\b", units)  # a squared unit takes no prefix: mm^2 is not m(m^2)
    base = match.group(1) if match else ""
    factor, prefix = _prefix(peak, below=base in SMALL, above=base in LARGE)
    return Scale(1.0 / factor, prefix + pretty(units) if units not in ("", "1") else "–")


def _prefix(peak: float, below: bool, above: bool) -> tuple[float, str]:
    """The largest allowed prefix that leaves a number of at least one (a half for lengths below the unit)."""
    if peak == 0.0:
        return 1.0, ""
    allowed = [(f, p) for f, p in PREFIXES if f == 1.0 or (above if f > 1.0 else below)]
    for factor, prefix in allowed:
        if peak / factor >= (1.0 if factor > 1.0 else 0.5):
            return factor, prefix
    return allowed[-1]
