"""A scenario written as a file: keys as given, numbers in SI units with their unit."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from flexarm.arm import Joint, Section
from flexarm.arm.joint import UNITS
from flexarm.arm.quantity import Quantity
from flexarm.drive import Drive
from flexarm.scenario.parts import MethodChoice, Output, Timing
from flexarm.scenario.scalars import resolve

_PLAIN = re.compile(r"([A-Za-z0-9]|[.+-](?=[0-9]))([A-Za-z0-9 _.;()/*^%'+=&<>-]*[A-Za-z0-9_.;()/*^%'+=&<>-])?")
_COMPLETE = (Timing, Output)
"""Parts that are written with their defaults."""


def file_form(model: BaseModel) -> dict[str, Any]:
    """A model as the mapping that a file would hold.

    Only fields that were given are written, because some of them contradict others even at their default;
    time, output and the options of the method are written in full.
    """
    if isinstance(model, MethodChoice):
        return {"name": model.name, **_mapping(model.options, complete=True)}
    return _mapping(model, isinstance(model, _COMPLETE))


def _mapping(model: BaseModel, complete: bool) -> dict[str, Any]:
    entries = {}
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if field.exclude or value is None or not (complete or name in model.model_fields_set):
            continue
        if isinstance(model, Drive) and isinstance(value, tuple) and len(value) == 1 and name != "joints":
            value = value[0]
        entries[field.alias or name] = _value(value, unit_of_field(model, name, field))
    return entries


def unit_of_field(model: BaseModel, name: str, field: FieldInfo) -> str | None:
    """Unit to write behind the numbers of a field; None where there is none, or a choice of several."""
    if isinstance(model, Joint):
        unit = UNITS["prismatic" if model.type == "prismatic" else "revolute"].get(name)
        if unit is not None:
            return unit
    units = {q.unit for q in [*field.metadata, *inside(field.annotation)] if isinstance(q, Quantity)}
    unit = units.pop() if len(units) == 1 else "|"
    return None if "|" in unit or unit == "1" else unit


def inside(annotation: Any) -> list[Any]:
    """Everything that Annotated types inside of an annotation carry."""
    args = get_args(annotation)
    own = list(args[1:]) if get_origin(annotation) is Annotated else []
    for item in list(own):
        own.extend(getattr(item, "metadata", ()))
    return own + [found for arg in args for found in inside(arg)]


def _value(value: Any, unit: str | None) -> Any:
    if isinstance(value, Section):
        return _section(value)
    if isinstance(value, BaseModel):
        return file_form(value)
    if isinstance(value, dict):
        return {key: _value(item, unit) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_value(item, unit) for item in value]
    if isinstance(value, complex):
        return f"{value.real!r}{value.imag:+.17g}j" if value.imag else value.real
    if isinstance(value, float) and unit is not None:
        return f"{value!r} {unit}"
    return value


def _section(section: Section) -> Any:
    stations = [file_form(station) for station in section.stations]
    if len(stations) == 2 and section.uniform:
        return {key: item for key, item in stations[0].items() if key != "at"}
    return stations


def write_yaml(data: dict[str, Any]) -> str:
    """Plain data as YAML text: mappings in blocks, lists of scalars in brackets."""
    return "\n".join(_lines(data, 0)) + "\n"


def _lines(data: Any, depth: int) -> list[str]:
    pad = "  " * depth
    lines: list[str] = []
    if isinstance(data, dict):
        for key, item in data.items():
            if _is_block(item):
                lines += [f"{pad}{_scalar(key)}:", *_lines(item, depth + 1)]
            else:
                lines.append(f"{pad}{_scalar(key)}: {_flow(item)}")
        return lines
    for item in data:
        inner = _lines(item, depth + 1) if _is_block(item) else [f"{pad}  {_flow(item)}"]
        lines += [f"{pad}- {inner[0].lstrip(' ')}", *inner[1:]]
    return lines


def _is_block(item: Any) -> bool:
    if isinstance(item, dict):
        return bool(item)
    return isinstance(item, list) and any(isinstance(part, (dict, list)) for part in item)


def _flow(item: Any) -> str:
    if isinstance(item, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(part)}" for key, part in item.items()) + "}"
    if isinstance(item, list):
        return "[" + ", ".join(_flow(part) for part in item) + "]"
    return _scalar(item)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value)
    return value if _PLAIN.fullmatch(value) and _stays_text(value) else json.dumps(value, ensure_ascii=False)


def _stays_text(value: str) -> bool:
    """True if a text without quotes is read back as the same text."""
    try:
        return resolve(value) == value
    except ValueError:
        return False
