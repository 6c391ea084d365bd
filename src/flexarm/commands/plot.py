"""`flexarm plot`: figures of a run that was stored, drawn again; of several runs, their signals over each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flexarm.commands import options
from flexarm.errors import FlexarmError

EXAMPLES = """\
\b
Examples:
  flexarm plot results/tokhi-azad/run.nc --figures tip,spectrum --format pdf
  flexarm plot results/tokhi-azad --figures all --out figures
  flexarm plot results/light results/heavy --signals tip_error:y,drive_torque
"""
OVERLAY = "overlay"


def plot(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN.nc...", help="Stored runs, or the folders with their run.nc.")
    ],
    figures: Annotated[
        str | None,
        typer.Option("--figures", metavar="NAMES", help="all, or names separated by commas.", show_default="all"),
    ] = None,
    signals: Annotated[
        str | None,
        typer.Option(
            "--signals",
            metavar="NAMES",
            help="Of several runs: which signals, such as tip_error:y,drive_torque.",
            show_default=False,
        ),
    ] = None,
    formats: options.Formats = "png",
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder for the figures; that of the first run.", show_default=False
        ),
    ] = None,
    animation: options.Animation = False,
    video: options.Video = False,
    force: options.Force = False,
) -> None:
    """Draw figures of a stored run, or signals of several over each other; nothing is simulated."""
    from flexarm.commands.outputs import checked_films

    place, kinds = folder or _folder(runs[0]), options.checked_formats(formats)
    if len(runs) > 1:
        if figures is not None or animation or video:
            raise FlexarmError(
                "figures and animations show one run; several are laid over each other: choose --signals"
            )
        files = _overlay(runs, options.listed(signals or "") or None, place, kinds, force)
    elif signals is not None:
        raise FlexarmError("--signals is for several runs; of one run choose --figures")
    else:
        files = _figures(runs[0], figures or "all", place, kinds, checked_films(animation, video), force)
    typer.echo(f"wrote {', '.join(path.name for path in files)} in {place}" if files else "nothing to draw")


def _folder(run: Path) -> Path:
    return run if run.is_dir() else run.parent


def _overlay(runs: list[Path], signals: list[str] | None, place: Path, kinds: list[str], force: bool) -> list[Path]:
    """Signals of several runs over each other."""
    import flexarm as fa
    from flexarm.view import overlay, save

    picture = overlay([fa.open_result(run) for run in runs], signals)
    return [save(picture, place / f"{OVERLAY}.{kind}", force, title="Runs over each other") for kind in kinds]


def _figures(run: Path, figures: str, place: Path, kinds: list[str], films: tuple[str, ...], force: bool) -> list[Path]:
    """Figures of one run."""
    import flexarm as fa
    from flexarm.commands.outputs import checked_figures
    from flexarm.commands.progress import Bar
    from flexarm.view import animate
    from flexarm.view.registry import FIGURES, available, draw

    names = checked_figures(figures, list(FIGURES))
    result = fa.open_result(run)
    natural = _modes(result) if names is None or any(_of_modes(FIGURES[name]) for name in names) else None
    chosen = available(result, natural) if names is None else names
    with Bar() as bar:
        files = draw(result, chosen, place, kinds, force, natural, progress=bar) if chosen else []
        files += [animate(result, place / film, force=force, progress=bar) for film in films]
    return files


def _of_modes(entry: Any) -> bool:
    """Whether a figure shows natural modes, or marks their frequencies."""
    return entry.of_modes or entry.takes_frequencies


def _modes(result: Any) -> Any:
    """Natural frequencies as `flexarm run` finds them beside a run."""
    from flexarm.analysis.free_motion import resting_frequencies
    from flexarm.commands.run import MODES
    from flexarm.simulation.build import prepare

    return resting_frequencies(result, prepare(result.scenario), MODES).frequencies
