"""Where words go: tables and reports to standard output, progress and problems to standard error."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text


def out() -> Console:
    """Standard output."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def err() -> Console:
    """Standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def complain(sentence: str) -> None:
    """Say what went wrong, on standard error, not broken into lines, so that it can be searched."""
    typer.secho("error: ", fg=typer.colors.RED, bold=True, nl=False, err=True)
    typer.echo(sentence, err=True)


def remark(sentence: str) -> None:
    """Say something beside the result, on standard error."""
    typer.echo(sentence, err=True)


def print_json(data: Any) -> None:
    """One JSON document on standard output; numbers that are not finite become null."""
    typer.echo(json_text(data))


def json_text(data: Any) -> str:
    """JSON that every reader takes."""
    return json.dumps(_finite(data), indent=2, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]
    return data


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> Table:
    """A table with a line under its head; the columns in `numbers` are flush right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 1), show_edge=False)
    for k, column in enumerate(columns):
        made.add_column(Text(column), justify="right" if k in numbers else "left", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def facts(pairs: Iterable[tuple[str, str]]) -> Table:
    """Names and what is to be said about each, in two columns without lines."""
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column(style="cyan", no_wrap=True)
    made.add_column(overflow="fold")
    for name, text in pairs:
        made.add_row(Text(name), Text(text))
    return made


def link(path: Path) -> Text:
    """The address of a file, which a terminal that can makes a link of."""
    from rich.text import Text

    address = path.absolute().as_uri()
    return Text(address, style=f"link {address}")


def heading(text: str) -> None:
    """A line in bold, after an empty one."""
    from rich.text import Text

    console = out()
    console.print()
    console.print(Text(text, style="bold"))


def points(sentences: Iterable[str]) -> None:
    """Sentences as a list."""
    from rich.table import Table
    from rich.text import Text

    made = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    made.add_column(no_wrap=True)
    made.add_column(overflow="fold")
    for sentence in sentences:
        made.add_row("-", Text(sentence))
    out().print(made)


def is_terminal() -> bool:
    """True if a person looks at standard error."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
