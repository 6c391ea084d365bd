"""Damaged and hostile files: out comes a valid scenario or a sentence, never another error."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flexarm.errors import ScenarioError
from flexarm.scenario import KINDS, Scenario, load, loads, template
from flexarm.scenario.node import plain
from flexarm.scenario.sources import bundled_names
from flexarm.scenario.yaml_tree import read_text

TREES = [load(name).tree for name in bundled_names()] + [plain(read_text(template(kind))) for kind in KINDS]
TEXTS = [load(name).to_yaml() for name in bundled_names()] + [template(kind) for kind in KINDS]
ODD = [
    "9**9**9 m",
    "(1+1) m",
    "__import__('os') m",
    "1e400",
    "1e308",
    "5 kg",
    "30 deg",
    "1e300 m",
    "1e-300 m",
    "tip",
    "ground",
    "50 %",
    "1_000",
    "1 Hz",
    "1e12 Hz",
    "auto",
    "link",
    "",
    "\u202e",
    "😀",
    "x.csv",
    "1/0",
    "pd-hub",
    0,
    -1,
    1,
    2,
    True,
    None,
    1e308,
    -1e308,
    1e-320,
    10**30,
    -0.0,
    0.5,
    [],
    {},
    [[]],
    [0, 0, 0],
    {"a": {"b": {}}},
]
PIECES = [
    "!!python/object:os.system x",
    "&a",
    "*a",
    "<<: *a",
    "---",
    "...",
    "\t",
    "'",
    '"',
    "[",
    "{",
    "]",
    "|",
    "#",
    "%",
    "- ",
    ": ",
    "\n",
    ".nan",
    ".inf",
    "1e999",
    "9**9**9",
    "\x00",
    "\ud800",
    "\u2028",
    "é",
    "😀",
    "{{",
    "[[[[[[[",
]
LIMITS = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def survive(text: str) -> None:
    try:
        scenario = loads(text)
    except ScenarioError as error:
        assert str(error)
        assert len(str(error)) < 4000
        return
    assert isinstance(scenario, Scenario)
    back = loads(scenario.to_yaml())
    assert back == scenario
    assert back.hash == scenario.hash


def places(tree: Any, path: tuple = ()) -> list[tuple]:
    found = []
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        found += [(*path, key), *places(value, (*path, key))]
    return found


def at(tree: Any, path: tuple) -> Any:
    for step in path:
        tree = tree[step]
    return tree


@st.composite
def damaged_trees(draw):
    """A good scenario with keys deleted, renamed, repeated, and values exchanged."""
    tree = json.loads(json.dumps(draw(st.sampled_from(TREES))))
    for _ in range(draw(st.integers(1, 4))):
        known = places(tree)
        if not known:
            break
        path = draw(st.sampled_from(known))
        parent, key = at(tree, path[:-1]), path[-1]
        action = draw(st.sampled_from(["delete", "odd", "copy", "rename", "repeat", "edit"]))
        if action == "delete":
            del parent[key]
        elif action == "odd":
            parent[key] = json.loads(json.dumps(draw(st.sampled_from(ODD))))
        elif action == "copy":
            parent[key] = json.loads(json.dumps(at(tree, draw(st.sampled_from(known)))))
        elif action == "rename" and isinstance(parent, dict):
            parent[draw(st.sampled_from([f"{key}x", str(key)[1:], "name", "at", *map(str, ODD[:5])]))] = parent.pop(key)
        elif action == "repeat" and isinstance(parent, list):
            parent.append(json.loads(json.dumps(parent[key])))
        elif action == "edit" and isinstance(parent[key], str) and parent[key]:
            i = draw(st.integers(0, len(parent[key]) - 1))
            parent[key] = parent[key][:i] + draw(st.sampled_from(list("9e*-. k0("))) + parent[key][i + 1 :]
    return tree


@st.composite
def damaged_texts(draw):
    """A good file with characters and lines deleted, inserted, repeated."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 6))):
        i = draw(st.integers(0, len(text)))
        j = min(len(text), i + draw(st.integers(1, 30)))
        action = draw(st.sampled_from(["cut", "insert", "any", "repeat", "line"]))
        if action == "cut":
            text = text[:i] + text[j:]
        elif action == "insert":
            text = text[:i] + draw(st.sampled_from(PIECES)) + text[i:]
        elif action == "any":
            text = text[:i] + draw(st.text(max_size=4)) + text[i:]
        elif action == "repeat":
            text = text[:i] + text[i:j] * 2 + text[j:]
        else:
            lines = text.split("\n")
            lines.insert(i % len(lines), lines[j % len(lines)])
            text = "\n".join(lines)
    return text


@LIMITS
@given(damaged_trees())
def test_damaged_data(tree):
    survive(json.dumps(tree, ensure_ascii=False))


@LIMITS
@given(damaged_texts())
def test_damaged_text(text):
    survive(text)


@LIMITS
@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin-1")))
def test_any_text(text):
    survive(text)


def test_bytes_of_any_kind(tmp_path):
    path = tmp_path / "x.yaml"

    @settings(max_examples=60, deadline=None)
    @given(st.binary(max_size=300))
    def check(content):
        path.write_bytes(content)
        try:
            load(path)
        except ScenarioError as error:
            assert "x.yaml" in str(error)

    check()


@LIMITS
@given(
    st.sampled_from([".".join(map(str, path)) for path in places(TREES[0])] + ["", "a.b", "arm.links.0.joint.dh.a"]),
    st.sampled_from(ODD) | st.text(max_size=20) | st.floats(),
)
def test_any_override(path, value):
    try:
        load("tokhi-azad", {path: value})
    except ScenarioError as error:
        assert str(error)


def test_deep_nesting_and_long_input_end_at_once():
    for text in ("[" * 100_000, "{a: " * 100_000, "- " * 100_000, "a:\n" + " " * 900_000, "? " * 100_000):
        survive(text)
