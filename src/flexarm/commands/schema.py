"""`flexarm schema`: the JSON schema of scenario files, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from flexarm.commands import options


def schema(
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it to a file.", show_default=False)] = None,
    force: options.Force = False,
) -> None:
    """Print the JSON schema of scenario files, for editors."""
    from flexarm.scenario import json_schema

    text = json.dumps(json_schema(), indent=2)
    if out is None:
        typer.echo(text)
        return
    from flexarm.files import write_text

    write_text(out, text + "\n", force)
    typer.echo(f"wrote {out}")
