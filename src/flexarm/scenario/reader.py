"""Scenarios from the bundled library, from files and from text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from flexarm.errors import ScenarioError
from flexarm.scenario.merge import resolve_extends, set_paths
from flexarm.scenario.model import Scenario
from flexarm.scenario.node import Node, plain
from flexarm.scenario.robots import with_robot
from flexarm.scenario.sources import Source, bundled_names, find
from flexarm.scenario.yaml_tree import read_text

Overrides = Mapping[str, Any] | Iterable[str | tuple[str, Any]]


class Bundled(NamedTuple):
    """A bundled scenario."""

    name: str
    title: str
    about: str


def load(name: str | Path | Bundled, overrides: Overrides = ()) -> Scenario:
    """Read a scenario.

    Parameters
    ----------
    name : str, Path or Bundled
        Name of a bundled scenario, path of a YAML file, or an entry of `bundled()`.
    overrides : mapping, or iterable of ``"path=value"`` or (path, value), optional
        Values to set on top of the file, by dotted path.

    Raises
    ------
    ScenarioError
        With file, line, field and a remedy.

    Examples
    --------
    >>> load("tokhi-azad", ["arm.payload.mass=20 g"]).arm.payload.mass
    0.02
    """
    return _scenario(find(name.name if isinstance(name, Bundled) else name), overrides)


def as_scenario(scenario: Scenario | str | Path, method: str | None = None) -> Scenario:
    """A scenario as it is, or read if it is a name or a file; with another method if one is named."""
    scenario = scenario if isinstance(scenario, Scenario) else load(scenario)
    if method is None or method == scenario.method.name:
        return scenario
    return scenario.with_({"method": {"name": method}})


def loads(text: str, folder: str | Path | None = None, overrides: Overrides = ()) -> Scenario:
    """Read a scenario from YAML text.

    Parameters
    ----------
    text : str
        The text of a scenario file.
    folder : str or Path, optional
        Where relative paths in it begin; without it, it can extend bundled scenarios only.
    overrides : mapping or iterable, optional
        As for `load`.

    Examples
    --------
    >>> loads("{extends: tokhi-azad, name: heavier, arm: {payload: {mass: 50 g}}}").arm.payload.mass
    0.05
    """
    where = Path(folder) if folder is not None else None
    return _scenario(Source(read_text(text, "<text>"), "", where, "<text>"), overrides)


def load_tree(name: str | Path, overrides: Overrides = ()) -> dict[str, Any]:
    """The merged data of a scenario as plain dict, list and scalars, not validated."""
    return plain(_merged(find(name), overrides))


def bundled() -> list[Bundled]:
    """Name, title and description of every bundled scenario.

    Examples
    --------
    >>> "tokhi-azad" in [entry.name for entry in bundled()]
    True
    """
    found = []
    for name in bundled_names():
        tree = load_tree(name)
        found.append(Bundled(name, tree.get("name", name), " ".join(str(tree.get("about", "")).split())))
    return found


def _scenario(source: Source, overrides: Overrides) -> Scenario:
    return Scenario.from_node(_merged(source, overrides), source.name, source.folder)


def _merged(source: Source, overrides: Overrides) -> Node:
    changes = _as_mapping(overrides)
    of_robot = {path: value for path, value in changes.items() if path.startswith(("arm.urdf", "arm.flexible"))}
    node = with_robot(set_paths(resolve_extends(source), of_robot), source.folder)
    return set_paths(node, {path: value for path, value in changes.items() if path not in of_robot})


def _as_mapping(overrides: Overrides) -> dict[str, Any]:
    if isinstance(overrides, Mapping):
        return dict(overrides)
    found: dict[str, Any] = {}
    for item in overrides:
        if isinstance(item, str):
            path, equals, value = item.partition("=")
            if not equals or not path.strip():
                raise ScenarioError(
                    f"'{item}' is not of the form path=value, such as arm.payload.mass=20g", file="--set"
                )
            found[path.strip()] = value
        else:
            found[item[0]] = item[1]
    return found
