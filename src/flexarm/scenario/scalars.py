"""What a plain YAML 1.2 scalar means (core schema): null, true, false, numbers, else text."""

from __future__ import annotations

import re

_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_ENDLESS = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")

LARGEST = 1e300


def forbidden(text: str) -> re.Match[str] | None:
    """The first character that YAML does not allow (control characters, lone surrogates), if there is one."""
    return _FORBIDDEN.search(text)


def check_text(text: str) -> str:
    """`text` itself; refuses characters that YAML does not allow."""
    bad = forbidden(text)
    if bad:
        raise ValueError(f"the character U+{ord(bad[0]):04X} cannot stand in a text; remove it")
    return text


def resolve(text: str) -> str | int | float | bool | None:
    """The value of an unquoted scalar.

    ``yes``, ``no``, ``on``, ``off`` and ``1_000`` are text, ``1e4`` is a number, ``010`` is ten.

    Raises
    ------
    ValueError
        For infinite numbers, not-a-number, and numbers too large to compute with.

    Examples
    --------
    >>> resolve("5.86e-4"), resolve("960 mm"), resolve("no"), resolve("0x10")
    (0.000586, '960 mm', 'no', 16)
    """
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _ENDLESS.fullmatch(text):
        raise ValueError(f"{text} is not a number that can be used here: give a finite one")
    value: int | float
    if _INT.fullmatch(text) and len(text) <= 400:
        value = int(text)
    elif _OCTAL.fullmatch(text) and len(text) <= 400:
        value = int(text[2:], 8)
    elif _HEX.fullmatch(text) and len(text) <= 400:
        value = int(text[2:], 16)
    elif _FLOAT.fullmatch(text):
        value = float(text)
    else:
        return text
    if abs(value) > LARGEST:
        raise ValueError(f"the number {text[:20]}{'...' if len(text) > 20 else ''} is too large")
    return value
