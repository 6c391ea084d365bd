"""Tables of the scenario format, written into the pages from the models themselves.

Between ``<!-- fields: module.Model -->`` (``<!-- profiles: motion -->``, ``<!-- sensors: kinds -->``) and ``<!-- end -->`` stands what this
script makes of the models. ``python docs/make_reference.py`` renews the pages, with ``--check`` it only says which of
them are out of date.
"""

from __future__ import annotations

import importlib
import re
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from flexarm.arm import Joint
from flexarm.arm.joint import UNITS
from flexarm.arm.quantity import Quantity
from flexarm.drive.actuators import ACTUATORS
from flexarm.drive.paths import TipPath
from flexarm.drive.profiles import union
from flexarm.methods.sensors import KINDS

HERE = Path(__file__).parent
BLOCK = re.compile(r"(<!-- (fields|profiles|sensors): ([\w.]+) -->\n).*?(<!-- end -->)", re.DOTALL)
PLACES = {
    "Arm": "arm", "Link": "links", "Joint": "joint", "DenavitHartenberg": "dh", "Gear": "gear", "Section": "section",
    "Material": "material", "Damping": "damping", "Payload": "payload", "Body": "body", "Lump": "masses",
    "Loop": "loops", "Drive": "drive", "Event": "events", "MethodChoice": "method", "Timing": "time",
    "Output": "output", "Gauge": "gauges", "SensorPoint": "sensors", "Control": "control", "GainSet": "gains",
    "Servo": "servo", "InputShaper": "shaper", "Cylinder": "cylinder", "Valve": "valve", "Oil": "oil", "PatchPlace": "patch",
    **{kind.__name__: "actuator" for kind in ACTUATORS},
    **{f"{shape}Path": "path" for shape in ("Circle", "Line", "Polygon", "Spline", "Square", "Table")},
}  # fmt: skip
"""Section of the page that describes a model."""
SIGNS = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}


def parts(annotation: Any) -> Iterator[Any]:
    """An annotation taken apart: the types and marks in it, whatever they are wrapped in."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        inner, *marks = typing.get_args(annotation)
        yield from parts(inner)
        yield from marks
    elif origin in (typing.Union, types.UnionType):
        for each in typing.get_args(annotation):
            yield from parts(each)
    elif origin in (tuple, list, dict):
        yield origin
        for each in typing.get_args(annotation):
            if each is not Ellipsis:
                yield from parts(each)
    else:
        yield annotation


def pieces(field: FieldInfo) -> list[Any]:
    """Types and marks of a field."""
    return [*parts(field.annotation), *field.metadata]


def unit(model: type[BaseModel], name: str, found: list[Any]) -> str:
    """Units of a field, or an empty text."""
    if issubclass(model, Joint) and name in UNITS["revolute"]:
        both = [UNITS[kind][name] for kind in UNITS]
    else:
        both = [each for mark in found if isinstance(mark, Quantity) for each in mark.unit.split("|")]
    return " or ".join("1 or %" if each == "1" else each for each in dict.fromkeys(both))


def bounds(found: list[Any]) -> str:
    """Smallest and largest value in words, or an empty text."""
    marks = [mark for each in found for mark in (each, *getattr(each, "metadata", ()))]
    limits = {key: getattr(mark, key) for mark in marks for key in SIGNS if getattr(mark, key, None) is not None}
    if {"ge", "le"} <= set(limits):
        return f"{limits['ge']:g} to {limits['le']:g}"
    return " and ".join(f"{SIGNS[key]} {limit:g}" for key, limit in limits.items())


def values(model: type[BaseModel], name: str, found: list[Any]) -> str:
    """What may be written: words, a kind of number, a unit, or the section that says it."""
    words = [str(each) for part in found if typing.get_origin(part) is typing.Literal for each in typing.get_args(part)]
    said = [f"`{word}`" for word in words]
    measured = unit(model, name, found)
    if measured:
        said.append(measured)
    models = [part for part in found if isinstance(part, type) and issubclass(part, BaseModel)]
    profiles = [part for part in models if "profile" in part.model_fields]
    if profiles:
        return "[profile](#profiles), or a list of them"
    for part in dict.fromkeys(models):
        listed = "list of " if tuple in found else ""
        place = PLACES.get(part.__name__)
        said.append(listed + (f"[{place}](#{place})" if place else part.__name__))
    plain = {str: "text", bool: "`true` or `false`", int: "whole number", complex: "number, or a text such as -9+16.5j"}
    if not measured:
        plain[float] = "number"
    said += [text for kind, text in plain.items() if kind in found]
    text = ", ".join(filter(None, [*dict.fromkeys(said), bounds(found)]))
    if dict in found:
        return f"names, each with a list of: {measured}"
    if tuple in found and not models:
        return f"list of: {text}" if found[0] is tuple else f"{text}; or a list"
    return text


def default(field: FieldInfo) -> str:
    """Default as a file would say it."""
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return "its defaults"
    if value is None or value == () or value == {}:
        return "–"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(each if isinstance(each, str) else f"{each:g}" for each in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value) or "–"


def fields_table(path: str) -> str:
    """Fields of the model at ``module.Model``, one row each."""
    module, _, name = path.rpartition(".")
    model = getattr(importlib.import_module(module), name)
    rows = ["| field | meaning | value | default |", "|---|---|---|---|"]
    for key, field in model.model_fields.items():
        if field.exclude or (key == "stations" and name == "Section"):
            continue
        cells = [f"`{field.alias or key}`", field.description or "", values(model, key, pieces(field)), default(field)]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def profile_models(kind: str) -> list[type[BaseModel]]:
    """Models of the profiles of a motion or of a torque, of the shapes of a path, or of the actuators."""
    if kind == "actuator":
        return list(ACTUATORS)
    choice = {"motion": union.MotionProfile, "torque": union.TorqueProfile, "path": TipPath}[kind]
    return [part for part in parts(choice) if isinstance(part, type) and issubclass(part, BaseModel)]


def profile_fields(kinds: tuple[str, ...] = ("motion", "torque")) -> str:
    """What the fields of all profiles (or of all paths, or actuators) mean, one row each."""
    meanings: dict[str, list[str]] = {}
    written: dict[str, list[str]] = {}
    for model in [model for kind in kinds for model in profile_models(kind)]:
        for key, field in model.model_fields.items():
            key = field.alias or key
            if key not in ("profile", "shape", "type"):
                meanings.setdefault(key, []).append(field.description or "")
                written.setdefault(key, []).extend(values(model, key, pieces(field)).split(", "))
    rows = ["| field | meaning | value |", "|---|---|---|"]
    for key in sorted(meanings):
        said = " / ".join(dict.fromkeys(meanings[key]))
        rows.append(f"| `{key}` | {said} | {', '.join(dict.fromkeys(written[key]))} |")
    return "\n".join(rows)


def profiles_table(kind: str) -> str:
    """All profiles of a motion or of a torque, all shapes of a path or all actuators, one row each; or the fields of all of them."""
    if kind == "fields":
        return profile_fields()
    if kind in ("path.fields", "actuator.fields"):
        return profile_fields((kind.partition(".")[0],))
    models, name = profile_models(kind), {"path": "shape", "actuator": "type"}.get(kind, "profile")
    rows = [f"| {name} | what it does | fields (default) |", "|---|---|---|"]
    listed = []
    for model in models:
        names = typing.get_args(model.model_fields[name].annotation)
        about = " ".join((model.__doc__ or "").split("\n\n")[0].split())
        keys = []
        for key, field in model.model_fields.items():
            if key not in (name, "start", "elbow"):
                key = field.alias or key
                said = "" if field.is_required() or default(field) == "–" else f" ({default(field)})"
                keys.append(f"`{key}`{said}")
        listed.append((names[0], f"| {', '.join(f'`{n}`' for n in names)} | {about} | {', '.join(keys)} |"))
    return "\n".join(rows + [row for _, row in sorted(listed)])


def sensors_table(_: str) -> str:
    """Kinds of point sensors, one row each, in the words of their functions."""
    return "\n".join(
        ["| kind | reads |", "|---|---|", *(f"| `{name}` | {kind.formula.__doc__} |" for name, kind in KINDS.items())]
    )


def renewed(text: str) -> str:
    """A page with its tables made anew."""
    make = {"fields": fields_table, "profiles": profiles_table, "sensors": sensors_table}
    return BLOCK.sub(lambda m: f"{m[1]}{make[m[2]](m[3])}\n{m[4]}", text)


def main(arguments: list[str]) -> int:
    """Renew the pages, or with ``--check`` only tell which are stale."""
    stale = []
    for path in sorted(HERE.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        fresh = renewed(text)
        if fresh != text:
            stale.append(path)
            if "--check" not in arguments:
                path.write_text(fresh, encoding="utf-8")
    for path in stale:
        print(f"{path.relative_to(HERE)}: {'out of date' if '--check' in arguments else 'renewed'}")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
