"""Names and units of a study's columns as figures show them."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np

from flexarm.view.units import largest, scale

PREFIXES = ("arm.links.", "arm.", "drive.")
SMALLER = {"m^2": (1e-2, 1e6, "mm²"), "m^4": (1e-4, 1e12, "mm⁴"), "kg": (0.1, 1e3, "g")}
"""Units that readers like better where all values are below a bound: bound, factor, unit."""


def short(name: str) -> str:
    """A dotted path without what all of them begin with."""
    return next((name.removeprefix(start) for start in PREFIXES if name.startswith(start)), name)


def scaled(study: Any, name: str, values: np.ndarray) -> tuple[np.ndarray, str]:
    """Values in the unit that suits them, and that unit."""
    unit = study.unit(name)
    if unit in ("", "1"):
        return values, ""
    bound, factor, text = SMALLER.get(unit, (0.0, 1.0, ""))
    if not largest(values) < bound:
        factor, text = scale(unit, values)
    return factor * values, text


def label(name: str, unit: str, letters: int = 26) -> str:
    """Name and unit for an axis; paths break at their dots, and plain names begin with a capital."""
    glue = "\N{NO-BREAK SPACE}"
    words = short(name).replace(".", ". ") if "." in name else name[:1].upper() + name[1:].replace("_", " ")
    text = f"{words}{glue}({unit})" if unit else words
    lines = textwrap.wrap(text, letters, break_on_hyphens=False, break_long_words=False)
    return "\n".join(lines).replace(". ", ".").replace(glue, " ")
