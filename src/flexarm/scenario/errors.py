"""Validation errors in the user's words: file, line, field, what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

from flexarm.errors import ScenarioError
from flexarm.scenario.keys import allowed_keys, models_at
from flexarm.scenario.node import Node, dotted, nearest, plain
from flexarm.scenario.problems import Problem, find_problems
from flexarm.scenario.units import QuantityError

MOST_OTHERS = 5
"""How many problems are listed after the first one."""

_BOUNDS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}
_KINDS = {
    "float_type": "a number", "float_parsing": "a number", "finite_number": "a finite number",
    "int_type": "a whole number", "int_parsing": "a whole number", "int_from_float": "a whole number",
    "int_parsing_size": "a whole number of reasonable size",
    "bool_type": "true or false", "bool_parsing": "true or false",
    "string_type": "a text (put numbers into quotes)",
    "tuple_type": "a list (in brackets, or in lines that begin with '- ')",
    "list_type": "a list (in brackets, or in lines that begin with '- ')",
    "model_type": "a mapping, such as {key: value}", "dict_type": "a mapping, such as {key: value}",
    "model_attributes_type": "a mapping, such as {key: value}",
    "string_too_short": "a text that is not empty", "string_too_long": "a text of at most 100 characters",
}  # fmt: skip


def translate(error: ValidationError, model: type[BaseModel], root: Node) -> ScenarioError:
    """One `ScenarioError` that tells all problems: the first in its message, up to five more after it.

    Parameters
    ----------
    error : ValidationError
        What pydantic found in ``plain(root)``.
    model : type
        The model that was asked for.
    root : Node
        The data with their places.
    """
    problems = _without_consequences(find_problems(error, model, root))
    return tell([(problem.path, sentence(problem, root)) for problem in problems], root)


def tell(found: Sequence[tuple[tuple[str | int, ...], str]], root: Node) -> ScenarioError:
    """One error of several problems, each given by the path of its field and a sentence."""
    told = [nearest(root, path).error(words, dotted(root, path)) for path, words in found]
    first, *others = sorted(told, key=lambda e: (e.file != told[0].file, e.line or 0))
    lines = [f"\n  also {other}" for other in others[:MOST_OTHERS]]
    if len(others) > MOST_OTHERS:
        lines.append(f"\n  and {len(others) - MOST_OTHERS} more")
    return ScenarioError(first.message + "".join(lines), field=first.field, file=first.file, line=first.line)


def _without_consequences(problems: list[Problem]) -> list[Problem]:
    """A key that is missing because it was misspelt is told once."""
    meant = {(*p.path[:-1], _near_key(p)) for p in problems if p.kind == "extra_forbidden"}
    return [p for p in problems if p.kind != "missing" or p.path not in meant]


def _allowed(problem: Problem) -> list[str]:
    keys = allowed_keys(problem.model, problem.location[:-1])
    # the reader follows extends, and the options do not hold the method's name: these models do not have them
    if len(problem.path) == 1:
        return [*keys, "extends"] if "arm" in keys else keys
    return ["name", *keys] if problem.path[0] == "method" and len(problem.path) == 2 else keys


def _near_key(problem: Problem) -> str | None:
    allowed = _allowed(problem)
    found = get_close_matches(str(problem.path[-1]), allowed, 1, 0.6)
    return found[0] if found else None


def sentence(problem: Problem, root: Node) -> str:
    """What is wrong, in one sentence."""
    given = shown(plain(nearest(root, problem.path)))
    name = _name(problem.path)
    kind, context = problem.kind, problem.context
    inner = context.get("error")
    also = f" (or {problem.also})" if problem.also else ""
    if isinstance(inner, QuantityError):
        return inner.about(name, problem.also)
    if kind == "extra_forbidden":
        return _unknown_key(problem)
    if kind == "missing":
        return f"'{problem.path[-1]}' is missing{_described(problem)}: add it"
    if context.get("input", "") is None and kind != "value_error":
        return f"{name} is empty: give a value, or leave the key out"
    if kind in _BOUNDS:
        words, key = _BOUNDS[kind]
        return f"{name} must be {words} {context[key]:g}, not {given}{also}"
    if kind in _KINDS:
        return f"{name} must be {_KINDS[kind]}{also}, not {given}"
    if kind == "literal_error":
        return f"{name} must be {context['expected']}, not {given}{_near(context)}"
    if kind in ("too_short", "too_long"):
        limit = "at least" if kind == "too_short" else "at most"
        number = context.get("min_length" if kind == "too_short" else "max_length")
        items = "item" if number == 1 else "items"
        return f"{name} must have {limit} {number} {items}, not {context.get('actual_length')}"
    if kind == "value_error":
        return problem.message
    return f"{name}: {problem.message[:1].lower()}{problem.message[1:]}"


def _unknown_key(problem: Problem) -> str:
    key = str(problem.path[-1])
    near = _near_key(problem)
    if near:
        return f"unknown key '{shorten(key)}'; did you mean '{near}'?"
    allowed = _allowed(problem)
    return f"unknown key '{shorten(key)}'; " + (
        f"allowed are {', '.join(allowed)}" if allowed else "nothing is allowed here"
    )


def _described(problem: Problem) -> str:
    """What a missing key means, from the description of its field."""
    key = problem.location[-1]
    for model in models_at(problem.model, problem.location[:-1]):
        for name, field in model.model_fields.items():
            words = field.description or ""
            if key in (field.alias or name, name) and words.lower() not in ("", key):
                return f" ({words[:1].lower()}{words[1:]})"
    return ""


def _near(context: dict[str, Any]) -> str:
    choices = str(context["expected"]).replace(" or ", ", ").replace("'", "").split(", ")
    near = get_close_matches(str(context["input"]), choices, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def _name(path: tuple[str | int, ...]) -> str:
    """Name of the value for a sentence: its key, with the index if it stands in a list."""
    if not path:
        return "the scenario"
    if isinstance(path[-1], int):
        return f"item {path[-1] + 1} of {_name(path[:-1])}"
    return path[-1]


def shown(value: Any) -> str:
    """A value as it may stand in a sentence."""
    if isinstance(value, str):
        return f"'{shorten(value)}'" if value.strip() else "an empty text"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        return "a list"
    return shorten("nothing" if value is None else str(value))


def shorten(text: str, most: int = 60) -> str:
    """`text`, cut if it is long."""
    return text if len(text) <= most else text[: most - 3] + "..."
