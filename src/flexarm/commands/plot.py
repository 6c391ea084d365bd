"""`flexarm plot`: figures of a run that was stored, drawn again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flexarm.commands import options

EXAMPLES = """\
\b
Examples:
  flexarm plot results/tokhi-azad/run.nc --figures tip,spectrum --format pdf
  flexarm plot results/tokhi-azad --figures all --out figures
"""


def plot(
    run: Annotated[Path, typer.Argument(metavar="RUN.nc", help="Stored run, or the folder with its run.nc.")],
    figures: Annotated[
        str, typer.Option("--figures", metavar="NAMES", help="all, or names separated by commas.")
    ] = "all",
    formats: options.Formats = "png",
    folder: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Folder for the figures; that of the run.", show_default=False),
    ] = None,
    animation: Annotated[bool, typer.Option("--animation", help="Also write an animated gif of the arm.")] = False,
    force: options.Force = False,
) -> None:
    """Draw figures of a stored run; nothing is simulated."""
    import flexarm as fa
    from flexarm.commands.outputs import FILM, checked_figures
    from flexarm.commands.progress import Bar
    from flexarm.view import animate
    from flexarm.view.registry import FIGURES, available, draw

    names, kinds = checked_figures(figures, list(FIGURES)), options.checked_formats(formats)
    result = fa.open_result(run)
    place = folder or (run if run.is_dir() else run.parent)
    natural = _modes(result) if names is None or any(_of_modes(FIGURES[name]) for name in names) else None
    chosen = available(result, natural) if names is None else names
    with Bar() as bar:
        files = draw(result, chosen, place, kinds, force, natural, progress=bar) if chosen else []
        if animation:
            files.append(animate(result, place / FILM, force=force, progress=bar))
    typer.echo(f"wrote {', '.join(path.name for path in files)} in {place}" if files else "nothing to draw")


def _of_modes(entry: Any) -> bool:
    """Whether a figure shows natural modes, or marks their frequencies."""
    return entry.of_modes or entry.takes_frequencies


def _modes(result: Any) -> Any:
    """Natural frequencies as `flexarm run` finds them beside a run."""
    from flexarm.analysis.free_motion import resting_frequencies
    from flexarm.commands.run import MODES
    from flexarm.simulation.build import prepare

    return resting_frequencies(result, prepare(result.scenario), MODES).frequencies
