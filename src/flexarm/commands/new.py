"""`flexarm new`: a commented scenario file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexarm.commands import options
from flexarm.errors import OutputError

KINDS = """\
\b
Kinds:
  single-link       one link driven by a torque
  position-control  one link under a control law
  two-links         two links that lift a load against gravity
  in-space          an arm in space from Denavit-Hartenberg parameters
  closed-loop       a four-bar linkage
  own-controller    a controller of your own in Python
  measured-log      a model that moves as a real arm did, beside its log
"""
"""Those of `flexarm.scenario`, written out: asking for help shall load nothing."""


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the file; .yaml is added when it is missing.")],
    kind: Annotated[str, typer.Option(metavar="KIND", help="What to begin with; see below.")] = "single-link",
    force: options.Force = False,
) -> None:
    """Write a commented scenario file that runs as it is."""
    from flexarm.files import write_text
    from flexarm.scenario.template import beside, run_command, template

    path = Path(name)
    if path.suffix.lower() not in (".yaml", ".yml"):
        path = path.with_name(f"{path.name}.yaml")
    texts = {path.name: template(kind, path.stem, path.stem), **beside(kind, path.stem)}
    for file in texts:
        if path.with_name(file).exists() and not force:
            raise OutputError(
                f"'{path.with_name(file)}' already exists; choose another name, or replace it with --force"
            )
    for file, text in texts.items():
        write_text(path.with_name(file), text, force)
    written = " and ".join(str(path.with_name(file)) for file in texts)
    typer.echo(f"wrote {written}; run it with: {run_command(kind, path)}")
