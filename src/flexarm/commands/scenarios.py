"""`flexarm scenarios`: the bundled library."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from flexarm.commands.console import out, table


def scenarios(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Print the file of this scenario.", show_default=False),
    ] = None,
) -> None:
    """List the bundled scenarios; with a NAME print its file."""
    if name is not None:
        typer.echo(_text(name), nl=False)
        return
    from flexarm.scenario import bundled

    rows = [[entry.name, f"{entry.title}. {first_sentence(entry.about)}"] for entry in bundled()]
    out().print(table(["name", "what it is"], rows))
    out().print()
    out().print("flexarm run NAME runs one; flexarm scenarios NAME prints its file.")


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    return re.split(r"(?<=[a-z0-9)*]\.)\s+(?=[A-Z])", text, maxsplit=1)[0]


def _text(name: str) -> str:
    from importlib import resources
    from pathlib import Path

    from flexarm.scenario.sources import bundled_names, find

    find(name)  # refuses unknown names with the nearest one
    if name in bundled_names():
        return (resources.files("flexarm.scenario") / "library" / f"{name}.yaml").read_text(encoding="utf-8")
    return Path(name).read_text(encoding="utf-8")
