"""One scenario on top of another, and single values on top of a scenario.

`extends` merges mappings and replaces lists; an empty value (``null``) takes the base's value away. Options
belong to their method: when the name of the method changes, the other options of the base are not taken over.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from flexarm.errors import ScenarioError
from flexarm.scenario.node import Node, members, wrap
from flexarm.scenario.scalars import check_text, resolve
from flexarm.scenario.sources import Source, find
from flexarm.scenario.yaml_tree import read_value

MOST_BASES = 10
SHORT_FORMS = ("material", "method")
"""Keys whose value may be a name alone, which stands for ``{name: ...}``."""


def resolve_extends(source: Source) -> Node:
    """The data of a scenario with everything that it extends merged in."""
    node, chain = source.node, [source.key]
    layers = [node]
    while "extends" in node.value:
        asked = node.value["extends"]
        if not isinstance(asked.value, str) or not asked.value:
            raise asked.error("extends wants the name of a bundled scenario, or the path of a file", "extends")
        try:
            source = find(asked.value, source.folder)
        except ScenarioError as error:
            if error.line is not None:
                raise
            message = f"{error.message} ({error.file})" if error.file else error.message
            raise asked.error(message, "extends") from None
        if source.key in chain:
            raise asked.error(f"'{asked.value}' extends itself in a circle", "extends")
        chain.append(source.key)
        if len(chain) > MOST_BASES + 1:
            raise asked.error(f"more than {MOST_BASES} scenarios extend each other", "extends")
        node = source.node
        layers.append(node)
    result = Node({}, layers[0].file, layers[0].line)
    for layer in reversed(layers):
        result = merge(result, layer)
    return Node({key: child for key, child in result.value.items() if key != "extends"}, result.file, result.line)


def merge(base: Node, over: Node, key: str = "") -> Node:
    """`over` on top of `base`: mappings merge, everything else is replaced."""
    base, over = _long_form(base, key), _long_form(over, key) if isinstance(base.value, dict) else over
    if not (isinstance(base.value, dict) and isinstance(over.value, dict)):
        return over
    if key == "method" and _name(over) not in (None, _name(base)):
        return over
    merged = dict(base.value)
    for name, child in over.value.items():
        if child.value is None:
            merged.pop(name, None)
        elif name in merged:
            merged[name] = merge(merged[name], child, name)
        else:
            merged[name] = child
    return Node(merged, over.file, over.line)


def _long_form(node: Node, key: str) -> Node:
    if key in SHORT_FORMS and isinstance(node.value, str):
        return Node({"name": node}, node.file, node.line)
    return node


def _name(node: Node) -> Any:
    child = node.value.get("name")
    return child.value if child is not None else None


def set_paths(root: Node, overrides: Mapping[str, Any], origin: str = "--set") -> Node:
    """`root` with several values replaced (see `set_path`)."""
    # a new method drops the old one's options, so it must not come after options of its own
    for path in sorted(overrides, key=lambda path: path.strip() not in ("method", "method.name")):
        root = set_path(root, path, overrides[path], origin)
    return root


def set_path(root: Node, path: str, value: Any, origin: str = "--set") -> Node:
    """`root` with one value replaced.

    Parameters
    ----------
    root : Node
        A scenario.
    path : str
        Dotted path; a list member is addressed by its name, its joint, its link, or its index.
    value : object
        Python data; text is read like a value in a file (``20g``, ``[1, 2]``, ``true``). None takes the old
        value away.
    origin : str
        Shown as the file in errors.
    """
    steps = path.strip().split(".")
    if not all(steps):
        raise ScenarioError(f"'{path}' is not a path of a value, such as arm.payload.mass", file=origin)
    if steps[0] == "extends":
        raise ScenarioError("extends cannot be changed from outside; load the other scenario", file=origin)
    return _replaced(root, steps, 0, read_override(value, origin, path), origin)


def read_override(value: Any, origin: str, path: str = "") -> Node:
    """The value of an override as a node; text is read as a YAML scalar, flow list or flow mapping."""
    if not isinstance(value, str):
        return wrap(value, origin)
    try:
        text = check_text(value.strip())
        if text[:1] in ("[", "{", "'", '"'):
            return _with_origin(read_value(text, origin), origin)
        return Node(resolve(text), origin)
    except ScenarioError as error:
        raise ScenarioError(error.message, field=path, file=origin) from None
    except ValueError as error:
        raise ScenarioError(str(error), field=path, file=origin) from None


def _with_origin(node: Node, origin: str) -> Node:
    """Without the line numbers, which mean nothing in an override."""
    if isinstance(node.value, dict):
        return Node({key: _with_origin(child, origin) for key, child in node.value.items()}, origin)
    if isinstance(node.value, list):
        return Node([_with_origin(child, origin) for child in node.value], origin)
    return Node(node.value, origin)


def _replaced(node: Node, steps: list[str], i: int, value: Node, origin: str) -> Node:
    if i == len(steps):
        return value
    step, last = steps[i], i == len(steps) - 1
    if i > 0:
        node = _long_form(node, steps[i - 1])
    if node.value is None:
        node = Node({}, origin)
    if isinstance(node.value, dict):
        if steps[:i] == ["method"] and step == "name" and value.value != _name(node):
            node = Node({}, node.file, node.line)
        entries = dict(node.value)
        if last and value.value is None:
            entries.pop(step, None)
        else:
            entries[step] = _replaced(entries.get(step, Node(None, origin)), steps, i + 1, value, origin)
        return Node(entries, node.file, node.line)
    if isinstance(node.value, list):
        where = _member(node, steps, i, origin)
        children = list(node.value)
        children[where] = _replaced(children[where], steps, i + 1, value, origin)
        return Node(children, node.file, node.line)
    raise ScenarioError(
        f"{'.'.join(steps[:i])} is '{node.value}' and has nothing inside: set it as a whole",
        field=".".join(steps),
        file=origin,
    )


def _member(node: Node, steps: list[str], i: int, origin: str) -> int:
    """Index of the list member that a step means."""
    step, names = steps[i], members(node)
    found = [k for k, name in enumerate(names) if name == step] or [
        k for k, child in enumerate(node.value) if step in _joints(child)
    ]
    if len(found) == 1:
        return found[0]
    where, field = ".".join(steps[:i]), ".".join(steps)
    count = len(node.value)
    if len(found) > 1:
        numbers = " or ".join(str(k) for k in found)
        raise ScenarioError(f"'{step}' is not unique in {where}: say which, {numbers}", field=field, file=origin)
    if step.isascii() and step.isdigit() and int(step[:9]) < count:
        return int(step[:9])
    known = [name for name in names if name is not None]
    near = get_close_matches(step, known, 1, 0.5)
    if near:
        hint = f"did you mean '{near[0]}'?"
    elif known:
        hint = f"it has {', '.join(known)}"
    else:
        hint = f"its members are numbered 0 to {count - 1}" if count else "it is empty"
    raise ScenarioError(f"there is no '{step}' in {where}; {hint}", field=field, file=origin)


def _joints(node: Node) -> list[Any]:
    """Joints that a drive entry names in a list."""
    entry = node.value.get("joints") if isinstance(node.value, dict) else None
    return [child.value for child in entry.value] if entry is not None and isinstance(entry.value, list) else []
