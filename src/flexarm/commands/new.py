"""`flexarm new`: a commented scenario file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexarm.commands import options
from flexarm.errors import OutputError


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the file; .yaml is added when it is missing.")],
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="single-link (driven by a torque) or position-control.")
    ] = "single-link",
    force: options.Force = False,
) -> None:
    """Write a commented scenario file that runs as it is."""
    from flexarm.files import write_text
    from flexarm.scenario import template

    path = Path(name)
    if path.suffix.lower() not in (".yaml", ".yml"):
        path = path.with_name(f"{path.name}.yaml")
    if path.exists() and not force:
        raise OutputError(f"'{path}' already exists; choose another name, or replace it with --force")
    write_text(path, template(kind, title=path.stem), force)
    typer.echo(f"wrote {path}; run it with: flexarm run {path}")
