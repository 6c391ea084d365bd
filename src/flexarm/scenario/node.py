"""Data with places: every value of a scenario knows the file and the line where it stands."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flexarm.errors import ScenarioError
from flexarm.scenario.scalars import check_text

MOST_DEPTH = 50
"""Deepest nesting of mappings and lists that is read."""


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place.

    Attributes
    ----------
    value : dict of str to Node, list of Node, str, int, float, bool or None
        What stands there.
    file : str
        Name of the file as the user knows it, or ``--set`` for an override.
    line : int or None
        Line of the key (in a mapping) or of the value (in a list), counted from 1.
    """

    value: Any
    file: str = ""
    line: int | None = None

    def error(self, message: str, field: str = "") -> ScenarioError:
        """An error at this place."""
        return ScenarioError(message, field=field, file=self.file, line=self.line)


def plain(node: Node) -> Any:
    """The same data as dict, list and scalars."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return node.value


def wrap(value: Any, file: str, depth: int = 0) -> Node:
    """Python data (also tuples, numpy numbers and arrays) as a node that stands in `file`."""
    if depth > MOST_DEPTH:
        raise ScenarioError(f"the value is nested deeper than {MOST_DEPTH} levels", file=file)
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ScenarioError(f"the key {key!r} is not text: keys are words", file=file)
        return Node({key: wrap(item, file, depth + 1) for key, item in value.items()}, file)
    if isinstance(value, (list, tuple)):
        return Node([wrap(item, file, depth + 1) for item in value], file)
    if isinstance(value, str):
        try:
            return Node(check_text(value), file)
        except ValueError as error:
            raise ScenarioError(str(error), file=file) from None
    if value is None or isinstance(value, bool):
        return Node(value, file)
    if isinstance(value, numbers.Integral):
        return Node(int(value), file)
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise ScenarioError(f"{value} is not a number that can be used here", file=file)
        return Node(float(value), file)
    if isinstance(value, numbers.Complex):
        return Node(str(value), file)
    raise ScenarioError(
        f"a value of type {type(value).__name__} cannot stand in a scenario (text, numbers, lists can)",
        file=file,
    )


def members(node: Node) -> list[str | None]:
    """Names of the members of a list: by `name`, else `joint`, else `link`; None for those without."""
    names: list[str | None] = []
    for child in node.value:
        found = None
        if isinstance(child.value, dict):
            for key in ("name", "joint", "link"):
                entry = child.value.get(key)
                if entry is not None and isinstance(entry.value, str):
                    found = entry.value
                    break
        names.append(found)
    return names


def dotted(root: Node, path: Iterable[str | int]) -> str:
    """A path in words: ``arm.links.fore.length``; list members by name where that is unambiguous."""
    words, node = [], root
    for step in path:
        word = str(step)
        if isinstance(step, int) and isinstance(node.value, list):
            names = members(node)
            if step < len(names) and names[step] is not None and names.count(names[step]) == 1:
                word = str(names[step])
        words.append(word)
        node = child_of(node, step) or Node(None)
    return ".".join(words)


def child_of(node: Node, step: str | int) -> Node | None:
    """The child under a key or an index, if there is one."""
    if isinstance(node.value, dict) and isinstance(step, str):
        return node.value.get(step)
    if isinstance(node.value, list) and isinstance(step, int) and 0 <= step < len(node.value):
        return node.value[step]
    return None


def nearest(root: Node, path: Iterable[str | int]) -> Node:
    """The node at `path`, or its nearest parent that exists."""
    node = root
    for step in path:
        child = child_of(node, step)
        if child is None:
            return node
        node = child
    return node
