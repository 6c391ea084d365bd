"""`flexarm methods`: what each method can do, and a card for each."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands.console import facts, heading, out, table
from flexarm.commands.numbers import text_of

if TYPE_CHECKING:
    from flexarm.methods.base import Method


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Show one method in detail.", show_default=False)
    ] = None,
) -> None:
    """What each method can do; with a NAME its details."""
    from flexarm.methods import get_method, method_names

    if name is not None:
        _card(get_method(name))
        return
    known = [get_method(each) for each in method_names()]
    tables = [method.capabilities.table() for method in known]
    out().print(facts((method.name, method.title) for method in known))
    out().print()
    rows = [[words, *(each[words] for each in tables)] for words in tables[0]]
    out().print(table(["can do", *(method.name for method in known)], rows))
    out().print()
    out().print(f"flexarm methods {known[0].name} shows assumptions and options.")


def _card(method: Method) -> None:
    import importlib

    console = out()
    console.print(facts([("method", method.name), ("title", method.title), ("reference", method.reference)]))
    heading("Assumptions and equations")
    package = importlib.import_module(f"flexarm.methods.{method.name}")
    console.print("\n\n".join(_reflowed(part) for part in inspect.cleandoc(package.__doc__ or "").split("\n\n")))
    heading("Options")
    console.print(table(["option", "values", "default", "meaning"], _options(method.Options)))
    heading("Capabilities")
    capable = method.capabilities.table()
    answers = {"yes": "yes", "no": "no"}
    numbers = [(words, value) for words, value in capable.items() if value not in answers]
    lists = [(answer, ", ".join(w for w, value in capable.items() if value == answer)) for answer in answers]
    console.print(facts([*numbers, *lists]))


def _reflowed(paragraph: str) -> str:
    """A paragraph as one line, for the terminal to wrap; equations, which are indented, stay as they are."""
    return paragraph if paragraph.startswith(" ") else " ".join(paragraph.split())


def _options(model: Any) -> list[list[str]]:
    """Name, values, default and description of each option."""
    schema = model.model_json_schema()
    rows = []
    for name, field in model.model_fields.items():
        default = "required" if field.is_required() else text_of(field.default)
        rows.append([name, _values(schema["properties"][name]), default, field.description or ""])
    return rows


_WORDS = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "yes or no",
    "array": "list",
}


def _values(entry: dict[str, Any]) -> str:
    """What an option takes, from its JSON schema."""
    if "enum" in entry:
        return ", ".join(str(value) for value in entry["enum"])
    if "anyOf" in entry:
        return " or ".join(_values(part) for part in entry["anyOf"] if part.get("type") != "null")
    words = _WORDS.get(entry.get("type", ""), entry.get("type", "any"))
    low, high = entry.get("minimum"), entry.get("maximum")
    above = entry.get("exclusiveMinimum")
    if low is not None and high is not None:
        return f"{words}, {low:g} to {high:g}"
    if low is not None:
        return f"{words} from {low:g}"
    if above is not None:
        return f"{words} above {above:g}" + (f", up to {high:g}" if high is not None else "")
    return words
