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
        from flexarm.scenario.sources import source_text

        typer.echo(source_text(name), nl=False)
        return
    from flexarm.scenario import bundled

    rows = [[entry.name, f"{entry.title}. {first_sentence(entry.about)}"] for entry in bundled()]
    out().print(table(["name", "what it is"], rows))
    out().print()
    out().print("flexarm run NAME runs one; flexarm scenarios NAME prints its file.")


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    return re.split(r"(?<=[a-z0-9)*]\.)\s+(?=[A-Z])", text, maxsplit=1)[0]
