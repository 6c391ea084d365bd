"""Validation errors found again in the file: each with the path of the value that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from flexarm.scenario.node import Node, child_of

WRONG_KIND = frozenset(
    ("tuple_type", "list_type", "model_type", "model_attributes_type", "dict_type", "float_type", "int_type",
     "string_type", "bool_type", "none_required", "is_instance_of", "complex_type")
)  # fmt: skip
"""Errors that say: another kind of value is wanted here."""


class PlacedErrors(ValueError):
    """Problems between fields, each with the path of the field that it is about."""

    def __init__(self, problems: Sequence[tuple[tuple[str | int, ...], str]]):
        self.problems = list(problems)
        super().__init__("; ".join(message for _, message in self.problems))


class OptionsError(ValueError):
    """The options of a method do not fit its `model`; `error` says why."""

    def __init__(self, model: type[BaseModel], error: ValidationError):
        self.model = model
        self.error = error
        super().__init__(str(error))


@dataclass
class Problem:
    """One validation error.

    Attributes
    ----------
    path : tuple
        Keys and indices in the data of the file.
    location : tuple
        Path in the terms of `model`.
    branches : dict
        Which branch of a union it comes from, by the length of the path where the union stands.
    also : str
        What else would be allowed here.
    """

    kind: str
    path: tuple[str | int, ...]
    location: tuple[str | int, ...]
    model: type[BaseModel]
    message: str
    context: dict[str, Any]
    branches: dict[int, str] = field(default_factory=dict)
    also: str = ""


def find_problems(error: ValidationError, model: type[BaseModel], root: Node) -> list[Problem]:
    """Problems in the order of the models, one for each place."""
    problems = [_placed(raw, root) for raw in _flat(error, model, ())]
    problems = [p for p in problems if not _follows(p, root)]
    return _one_per_place(_best_branches(problems))


@dataclass
class _Raw:
    kind: str
    prefix: tuple[str | int, ...]
    location: tuple[str | int, ...]
    model: type[BaseModel]
    message: str
    context: dict[str, Any]


def _flat(error: ValidationError, model: type[BaseModel], prefix: tuple[str | int, ...]) -> Iterator[_Raw]:
    """All errors, those inside of other errors taken out."""
    for item in error.errors(include_url=False):
        inner = item.get("ctx", {}).get("error")
        if isinstance(inner, OptionsError):
            yield from _flat(inner.error, inner.model, (*prefix, *item["loc"]))
        elif isinstance(inner, PlacedErrors):
            for path, message in inner.problems:
                yield _Raw("value_error", prefix, (*item["loc"], *path), model, message, {})
        else:
            message = str(inner) if inner is not None else item["msg"]
            context = {**item.get("ctx", {}), "input": item["input"]}
            yield _Raw(item["type"], prefix, item["loc"], model, message, context)


def _placed(raw: _Raw, root: Node) -> Problem:
    """The path in the file: steps of the location that exist there; the others name branches of unions."""
    node, path = root, []
    branches: dict[int, str] = {}
    steps = (*raw.prefix, *raw.location)
    for number, step in enumerate(steps):
        child = child_of(node, step)
        if child is not None:
            path.append(step)
            node = child
        elif raw.kind in ("missing", "extra_forbidden") and number == len(steps) - 1:
            path.append(step)
        elif isinstance(step, str):
            branches[len(path)] = branches.get(len(path), "") + "/" + step
    return Problem(raw.kind, tuple(path), raw.location, raw.model, raw.message, raw.context, branches)


def _follows(problem: Problem, root: Node) -> bool:
    """True for a list that is too short only because its members were refused."""
    if problem.kind != "too_short":
        return False
    node = root
    for step in problem.path:
        node = child_of(node, step) or node
    return isinstance(node.value, list) and len(node.value) >= problem.context.get("min_length", 0)


def _best_branches(problems: list[Problem]) -> list[Problem]:
    """Of the branches of a union only the one that was most likely meant."""
    places = sorted({p.path[:n] for p in problems for n in p.branches}, key=len)
    for place in places:
        n = len(place)
        groups: dict[str, list[Problem]] = {}
        for p in problems:
            if n in p.branches and p.path[:n] == place:
                groups.setdefault(p.branches[n], []).append(p)
        if len(groups) < 2:
            continue
        best = min(groups, key=lambda label: _badness(groups[label], place))
        for label, group in groups.items():
            if label == best:
                continue
            for p in group:
                problems.remove(p)
                if p.kind == "literal_error" and p.path == place:
                    groups[best][0].also = str(p.context.get("expected", ""))
    return problems


def _badness(group: list[Problem], place: tuple[str | int, ...]) -> tuple[bool, bool, int]:
    at_place = {p.kind for p in group if p.path == place}
    return bool(at_place & WRONG_KIND), "literal_error" in at_place, len(group)


def _one_per_place(problems: list[Problem]) -> list[Problem]:
    found: dict[tuple[str | int, ...], Problem] = {}
    for p in problems:
        found.setdefault(p.path, p)
    return list(found.values())
