"""The bundled scenarios, templates, schema, and finding scenarios by name."""

import re
from typing import Any

import pytest

from flexarm.errors import ScenarioError
from flexarm.scenario import KINDS, bundled, json_schema, load, loads, template
from flexarm.scenario.node import plain
from flexarm.scenario.sources import find
from flexarm.scenario.template import beside
from flexarm.scenario.yaml_tree import read_text

NAMES = [entry.name for entry in bundled()]


def test_the_library():
    assert set(NAMES) >= {
        "tokhi-azad",
        "tokhi-azad-no-hub",
        "tokhi-azad-10g",
        "tokhi-azad-20g",
        "tokhi-azad-pick-up",
        "tapered-link",
        "pd-hub",
    }
    for entry in bundled():
        scenario = load(entry.name)
        assert (scenario.name, scenario.source) == (entry.title, entry.name)
        assert len(entry.about) > 80
        assert "\n" not in entry.about


def test_titles_differ():
    assert len({entry.title for entry in bundled()}) == len(NAMES)


def test_variants_differ_from_the_base_in_what_they_say():
    base = load("tokhi-azad")
    assert base.arm.links[0].joint.hub_inertia == 5.86e-4
    assert base.arm.links[0].section.stations[0].inertia == 5.1924e-11
    bare = load("tokhi-azad-no-hub").arm.links[0]
    assert bare.joint.hub_inertia == 0.0
    assert bare.model_copy(update={"joint": base.arm.links[0].joint}) == base.arm.links[0]
    for grams in (10, 20):
        loaded = load(f"tokhi-azad-{grams}g")
        assert loaded.arm.payload.mass == grams / 1000
        assert (loaded.arm.links, loaded.drive) == (base.arm.links, base.drive)
    event = load("tokhi-azad-pick-up").events[0]
    assert (event.at, event.payload.mass, event.rule) == (0.4, 0.02, "at-rest")
    assert load("pd-hub").arm.links == base.arm.links
    assert load("pd-hub").drive[0].control.kp == 3.0
    assert not load("tapered-link").arm.links[0].section.uniform


def test_unknown_names_are_answered_with_near_ones(tmp_path, monkeypatch):
    with pytest.raises(ScenarioError, match=r"did you mean 'tokhi-azad' or .* must end in .yaml"):
        load("tokhi-azat")
    with pytest.raises(ScenarioError, match=r"there are .*tapered-link"):
        load("zzzzzz")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("name: x")
    with pytest.raises(ScenarioError, match=r"mine\.yaml, line 1"):  # the ending of a file may be left out
        load("mine")
    with pytest.raises(ScenarioError, match=r"none.yaml: there is no such file"):
        load("none.yaml")


@pytest.mark.parametrize("kind", KINDS)
def test_templates_load_as_they_are(kind, tmp_path):
    for name, text in beside(kind, 'odd "arm"').items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    scenario = loads(template(kind, 'An "odd": title', 'odd "arm"'), tmp_path)
    assert scenario.name == 'An "odd": title'


def test_templates_are_what_they_are_called_and_unknown_ones_are_refused(tmp_path):
    (tmp_path / "my-arm.csv").write_text(beside("measured-log", "my-arm")["my-arm.csv"], encoding="utf-8")
    made = {kind: loads(template(kind), tmp_path) for kind in KINDS}
    assert made["single-link"].drive[0].torque and made["position-control"].drive[0].control
    assert len(made["two-links"].arm.links) == 2 and made["two-links"].arm.gravity[1] < 0.0
    assert made["in-space"].arm.spatial and made["closed-loop"].arm.loops
    assert made["own-controller"].drive[0].control.type == "external"
    assert made["measured-log"].drive[0].motion[0].profile == "table"
    with pytest.raises(ScenarioError, match="there are single-link, position-control"):
        template("nothing")
    with pytest.raises(ScenarioError, match="did you mean 'in-space'"):
        template("inspace")


def test_alternatives_shown_in_the_template_are_valid():
    """Every commented key of the template is accepted in place of the line that it stands for."""
    text = template("single-link")
    shown = re.findall(r"^ *# (section|material|motion|sensors|gravity): (.*?)(?:  +#.*)?$", text, re.M)
    assert len(shown) >= 7
    paths = {
        "section": "arm.links.link.section",
        "material": "arm.links.link.material",
        "gravity": "arm.gravity",
        "motion": "drive.link.motion",
        "sensors": "output.sensors",
    }
    for key, value in shown:
        overrides = {paths[key]: value} | ({"drive.link.torque": None} if key == "motion" else {})
        assert loads(text, overrides=overrides) != loads(text)


def fits(value: Any, schema: Any, root: dict[str, Any]) -> bool:
    """A structural check of the JSON Schema keywords that the schema uses."""
    if schema is True or schema == {}:
        return True
    known = {
        "$ref",
        "anyOf",
        "oneOf",
        "enum",
        "const",
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "pattern",
        "minLength",
        "maxLength",
        "title",
        "description",
        "default",
        "discriminator",
        "examples",
        "$schema",
        "$defs",
    }
    assert schema.keys() <= known, schema.keys() - known
    if "$ref" in schema and not fits(value, root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root):
        return False
    if "anyOf" in schema and not any(fits(value, item, root) for item in schema["anyOf"]):
        return False
    if "oneOf" in schema and sum(fits(value, item, root) for item in schema["oneOf"]) != 1:
        return False
    if value not in schema.get("enum", [value]) or value != schema.get("const", value):
        return False
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "boolean": bool,
        "null": type(None),
        "number": (int, float),
        "integer": int,
    }
    if "type" in schema:
        right = isinstance(value, kinds[schema["type"]])
        if not right or (schema["type"] in ("number", "integer") and isinstance(value, bool)):
            return False
    return _fits_inside(value, schema, root)


def _fits_inside(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> bool:
    if isinstance(value, dict):
        known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        return set(schema.get("required", ())) <= value.keys() and all(
            fits(item, known[key], root) if key in known else more is not False and fits(item, more, root)
            for key, item in value.items()
        )
    if isinstance(value, list):
        first = schema.get("prefixItems", [])
        return schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9) and all(
            fits(item, first[i] if i < len(first) else schema.get("items", True), root) for i, item in enumerate(value)
        )
    if isinstance(value, str):
        long_enough = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9)
        return long_enough and bool(re.search(schema.get("pattern", ""), value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return (
            schema.get("minimum", value) <= value <= schema.get("maximum", value)
            and value > schema.get("exclusiveMinimum", value - 1)
            and value < schema.get("exclusiveMaximum", value + 1)
        )
    return True


@pytest.fixture(scope="module")
def schema():
    return json_schema()


def test_schema_head(schema):
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["title"] == "flexarm scenario"
    assert "$id" not in schema


@pytest.mark.parametrize("name", NAMES)
def test_schema_takes_all_bundled_files(schema, name):
    assert fits(plain(find(name).node), schema, schema)
    assert fits(load(name).tree, schema, schema)
    assert fits(plain(read_text(load(name).to_yaml())), schema, schema)


@pytest.mark.parametrize("kind", KINDS)
def test_schema_takes_the_templates(schema, kind):
    assert fits(plain(read_text(template(kind))), schema, schema)


@pytest.mark.parametrize(
    ("old", "new", "valid"),
    [
        ("length: 960 mm", "length: 0.96", True),
        ("length: 960 mm", "lenght: 960 mm", False),
        ("length: 960 mm", "length: long", False),
        ("{E: 71.1 GPa, density: 2710 kg/m^3, nu: 0.33}", "steel", True),
        ("{E: 71.1 GPa, density: 2710 kg/m^3, nu: 0.33}", "{name: steel, E: 200 GPa}", True),
        ("{E: 71.1 GPa, density: 2710 kg/m^3, nu: 0.33}", "{E: 200 GPa}", False),
        ("hub_inertia: 5.86e-4 kg*m^2", "position: 20 deg", True),
        ("hub_inertia: 5.86e-4 kg*m^2", "position: true", False),
        ("method: {name: fd, resolution: 19}", "method: fd", True),
        ("name: fd", "name: nothing", False),
        ("resolution: 19", "resolution: 19, scheme: newmark", True),
        ("resolution: 19", "resolution: 19, scheme: guess", False),
        ("end: 1.2 s", "end: 1.2 s, step: auto", True),
        ("end: 1.2 s", "end: 1.2 s, step: 1 ms", True),
        ("end: 1.2 s", "step: 1 ms", False),
        (
            "torque: {profile: bang-bang, amplitude: 0.1 N*m, duration: 0.6 s}",
            "motion: {table: a.csv, unit: deg}",
            True,
        ),
        ("torque: {profile: bang-bang, amplitude: 0.1 N*m, duration: 0.6 s}", "servo: auto", True),
        ("name: One link", "about: no name", False),
        ("name: One link", "extends: tokhi-azad", True),
    ],
)
def test_schema_tells_right_from_wrong(schema, text, old, new, valid):
    assert old in text
    assert fits(plain(read_text(text.replace(old, new, 1))), schema, schema) is valid


def test_schema_takes_partial_files_that_extend(schema):
    assert fits({"extends": "tokhi-azad", "arm": {"payload": {"mass": "5 g"}}, "time": {"step": 1e-3}}, schema, schema)
    assert fits({"extends": "tokhi-azad", "method": {"resolution": 30}, "output": None}, schema, schema)
    assert not fits({"arm": {"payload": {"mass": "5 g"}}}, schema, schema)
    assert not fits({"extends": "tokhi-azad", "arm": {"links": [{"length": 1}]}}, schema, schema)
