"""JSON Schema of scenario files, for editors that check and complete while one types."""

from __future__ import annotations

import copy
from typing import Any

from flexarm import methods
from flexarm.arm.joint import UNITS
from flexarm.arm.material import LIBRARY
from flexarm.arm.quantity import NUMBER
from flexarm.scenario.model import Scenario
from flexarm.scenario.sources import bundled_names

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT = {"type": "string", "pattern": f"^\\s*{NUMBER}\\s*\\S+.*$"}


def json_schema() -> dict[str, Any]:
    """The schema (draft 2020-12) of a file, with units, short forms, `extends` and the methods' options."""
    schema = Scenario.model_json_schema(mode="validation", by_alias=True)
    defs = schema.pop("$defs")
    _add_short_forms(defs)
    _add_joint_units(defs)
    _add_robots(defs)
    del defs["MethodOptions"]
    defs["MethodChoice"] = _method(defs)
    whole = {key: schema[key] for key in ("properties", "required", "additionalProperties", "type")}
    part = _without_required(whole, defs, {})
    part["properties"]["extends"] = {
        "type": "string",
        "minLength": 1,
        "description": f"Bundled scenario ({', '.join(bundled_names())}) or path of a file to start from",
    }
    part["required"] = ["extends"]
    return {
        "$schema": DIALECT,
        "title": "flexarm scenario",
        "description": "A flexible arm, what moves it, and how it is computed",
        "anyOf": [whole, part],
        "$defs": defs,
    }


def _add_short_forms(defs: dict[str, Any]) -> None:
    """Forms that the models take in before they are checked."""
    stations = {"type": "array", "items": {"$ref": "#/$defs/Station"}, "minItems": 2}
    profile = copy.deepcopy(defs["Station"])
    del profile["properties"]["at"]
    profile.pop("required", None)
    profile.update(title="Profile", description="One cross section all along the link")
    defs["Profile"] = profile
    defs["Section"] = {
        "title": "Section",
        "description": "Cross section: one profile, or a list of stations between which it changes",
        "anyOf": [{"$ref": "#/$defs/Profile"}, stations],
    }
    material = defs["Material"]
    named = {
        **material,
        "required": ["name"],
        "properties": {**material["properties"], "name": {"enum": sorted(LIBRARY)}},
    }
    defs["Material"] = {
        "title": "Material",
        "description": "Name of a known material, or its figures",
        "anyOf": [{"enum": sorted(LIBRARY)}, material, named],
    }
    defs["Gauge"]["properties"]["side"]["enum"] += ["y", "-y"]
    defs["Servo"] = {"anyOf": [{"const": "auto"}, defs["Servo"]]}
    for name in ("MotionTable", "TorqueTable"):
        table = defs[name]
        table["properties"]["table"] = {
            "type": "string",
            "description": "Short for profile: table with this file",
        }
        table["properties"]["unit"] = {"anyOf": [{"type": "string"}, {"type": "number", "exclusiveMinimum": 0}]}
        table["required"] = [key for key in table.get("required", []) if key != "profile"]


def _add_joint_units(defs: dict[str, Any]) -> None:
    for name in UNITS["revolute"]:
        entry = defs["Joint"]["properties"][name]
        units = " or ".join(UNITS[kind][name] for kind in UNITS)
        kinds = entry.pop("anyOf", None) or [{key: entry.pop(key) for key in list(entry) if key not in _NOTES}]
        entry["anyOf"] = [*kinds, _TEXT]
        entry["description"] = f"{entry.get('description', name)}; in {units}, or a text with a unit"
    for entry in defs["Limits"]["properties"].values():
        entry["anyOf"] = [*entry.pop("anyOf"), _TEXT]


def _add_robots(defs: dict[str, Any]) -> None:
    """Arms whose links stand in a URDF file."""
    beam: dict[str, Any] = {name: {} for name in ("to", "from", "up", "mass")}
    beam |= {name: defs["Link"]["properties"][name] for name in ("section", "material", "damping")}
    entry = {"type": "object", "properties": beam, "required": ["section", "material"], "additionalProperties": False}
    arm = defs["Arm"]
    own = {name: item for name, item in arm["properties"].items() if name != "links"}
    own["urdf"] = {"type": "string", "minLength": 1, "description": "URDF file that has the links"}
    own["flexible"] = {"type": "object", "additionalProperties": entry, "description": "Links that bend, by name"}
    robot = {**arm, "title": "Robot", "properties": own, "required": ["urdf"]}
    defs["Arm"] = {"title": "Arm", "description": arm.get("description", ""), "anyOf": [arm, robot]}


_NOTES = ("title", "description", "default")


def _method(defs: dict[str, Any]) -> dict[str, Any]:
    """The methods: each with its own options beside its name."""
    choices: list[dict[str, Any]] = [{"enum": list(methods.method_names())}]
    for name in methods.method_names():
        method = methods.get_method(name)
        options = method.Options.model_json_schema(mode="validation", by_alias=True)
        defs.update(options.pop("$defs", {}))
        choices.append(
            {
                "title": f"method {name}",
                "description": method.title,
                "type": "object",
                "properties": {"name": {"const": name}, **options["properties"]},
                "required": ["name", *options.get("required", [])],
                "additionalProperties": False,
            }
        )
    return {"title": "MethodChoice", "description": "Method and its options", "anyOf": choices}


def _without_required(schema: dict[str, Any], defs: dict[str, Any], done: dict[str, str]) -> dict[str, Any]:
    """A copy for files that extend another one: mappings may be incomplete, lists are given in full."""
    part = {key: value for key, value in schema.items() if key != "required"}
    for key in ("anyOf", "oneOf"):
        if key in part:
            part[key] = [_without_required(item, defs, done) for item in part[key]]
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[-1]
        if name not in done:
            done[name] = f"{name}-part"
            defs[done[name]] = {}
            defs[done[name]] = _without_required(defs[name], defs, done)
        part["$ref"] = f"#/$defs/{done[name]}"
    if "properties" in part:
        part["properties"] = {
            name: {"anyOf": [_without_required(item, defs, done), {"type": "null"}]}
            for name, item in part["properties"].items()
        }
    return part
