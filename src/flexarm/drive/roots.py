"""Poles and zeros as they are written in a file: numbers, or texts such as ``-9.0+16.5j``."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from flexarm.arm.quantity import NUMBER

_REAL = re.compile(rf"^\s*{NUMBER}\s*$")
_COMPLEX = re.compile(
    rf"^\s*\(?\s*(?P<real>{NUMBER})\s*(?P<sign>[-+])\s*(?P<imag>(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?)\s*[ij]\s*\)?\s*$"
)


def read_root(value: Any) -> complex:
    """A pole or zero from a number or a text such as ``-9.0+16.5j``; never evaluated as code."""
    if isinstance(value, (int, float, complex)) and not isinstance(value, bool):
        root = complex(value)
    elif isinstance(value, str) and _REAL.match(value):
        root = complex(float(value))
    elif isinstance(value, str) and (match := _COMPLEX.match(value)):
        root = complex(float(match["real"]), float(match["sign"] + match["imag"]))
    else:
        raise ValueError(f"'{value}' is not a pole or zero: write a number such as -30 or a text such as -9.0+16.5j")
    if not (math.isfinite(root.real) and math.isfinite(root.imag)):
        raise ValueError("a pole or zero must be finite")
    return root


Root = Annotated[
    complex,
    BeforeValidator(read_root),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}], "description": "such as -30 or -9.0+16.5j"}),
]


def count(roots: tuple[complex, ...]) -> int:
    """How many roots these are; a complex one counts twice."""
    return sum(2 if root.imag else 1 for root in roots)


def text(root: complex) -> str:
    """A root as it is written."""
    return f"{root.real:g}{root.imag:+g}j" if root.imag else f"{root.real:g}"


def check_roots(poles: tuple[complex, ...], zeros: tuple[complex, ...]) -> None:
    """Refuse what is no transfer function of a stable actuator with a gain at rest."""
    for name, roots in (("pole", poles), ("zero", zeros)):
        for root in roots:
            if root.imag and root.conjugate() in roots:
                raise ValueError(f"the {name} {text(root)} is given with its conjugate, which is implied: drop one")
    for pole in poles:
        if pole.real >= 0.0:
            raise ValueError(f"the pole {text(pole)} is not stable: its real part must be negative")
    if 0.0 in zeros:
        raise ValueError("a zero at 0 contradicts the gain at rest: leave it out")
    if count(zeros) > count(poles):
        raise ValueError(
            f"{count(zeros)} zeros need as many poles or more; there are {count(poles)} (a complex one counts twice)"
        )
