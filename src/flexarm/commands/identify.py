"""`flexarm identify`: parameters of a scenario from measured logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, points, print_json, table
from flexarm.commands.exit_codes import FAILED

if TYPE_CHECKING:
    from flexarm.control.fit_result import Fit
    from flexarm.scenario import Scenario

EXAMPLES = """\
\b
Examples:
  flexarm identify my-arm.yaml log.csv --fit arm.payload.mass --fit lag
  flexarm identify my-arm.yaml log.csv --fit arm.links.link.material.E=75GPa
      --column strain --signal strain:root --sigma 1e-6
      --column angle --signal joint_position:link --sigma 1e-4rad
  flexarm identify my-arm.yaml one.csv two.csv --fit arm.damping.ratio --json
"""
FITTED, NUMBERS = "fitted.yaml", "fit.json"


def identify(
    scenario: options.Scenario,
    logs: Annotated[
        list[Path], typer.Argument(metavar="LOG.csv...", help="Measured logs, with units in their headers.")
    ],
    fit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD[=START]",
            help="Number of the scenario to be found, such as arm.payload.mass; lag, offset or scale of the log; may be repeated.",
            show_default=False,
        ),
    ] = None,
    sets: options.Set = None,
    method: options.Method = None,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Column of the logs; may be repeated.", show_default=False),
    ] = None,
    signal: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Signal of the run for each column: strain:root.", show_default=False),
    ] = None,
    sigma: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SIZE",
            help="Standard deviation of the noise of each column, SI units; estimated if left out.",
            show_default=False,
        ),
    ] = None,
    bounds: Annotated[
        list[str] | None,
        typer.Option(
            "--bound", metavar="FIELD=LOW,HIGH", help="Limits of a number; may be repeated.", show_default=False
        ),
    ] = None,
    folder: options.OutFolder = None,
    formats: options.Formats = "png",
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Find numbers of a scenario from measured logs, with their standard deviations.

    Writes the fitted scenario, which extends the old one, the numbers as JSON, and figures.
    """
    import flexarm as fa
    from flexarm.commands import outputs
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.progress import Bar
    from flexarm.errors import FlexarmError

    wanted = dict(_start(text) for text in fit or [])
    if not wanted:
        raise FlexarmError("say what shall be found: --fit arm.payload.mass; may be repeated", field="--fit")
    pairs = options.column_pairs(column, signal)
    loaded = options.with_method(fa.load(scenario, sets or ()), method)
    kinds = options.checked_formats(formats)
    folder = folder or outputs.default_folder(loaded.source, "-identify")
    outputs.check_folder(folder, force)
    announce_compiling(loaded.method.name)
    with Bar("fitting", not json) as bar:
        found = fa.fit(
            loaded, logs, wanted,
            columns={name: own for name, own in pairs if name is not None},
            sigma=_sigma(sigma, pairs), bounds=dict(_limits(text) for text in bounds or []), progress=bar,
        )  # fmt: skip
    summary = {"scenario": loaded.name, **found.to_dict()}
    names = _write(folder, found, loaded, summary, kinds, force)
    if json:
        print_json({**summary, "files": [str(folder / name) for name in names]})
    else:
        _show(found, loaded.name, folder, names)
    if not found.converged:
        raise typer.Exit(FAILED)


def _start(text: str) -> tuple[str, str | None]:
    name, equals, start = text.partition("=")
    return name.strip(), start.strip() if equals else None


def _limits(text: str) -> tuple[str, tuple[str | None, str | None]]:
    from flexarm.errors import FlexarmError

    name, _, ends = text.partition("=")
    low, comma, high = ends.partition(",")
    if not comma:
        raise FlexarmError(
            f"'{text}' are no bounds; write field=low,high, for example arm.payload.mass=10g,50g", field="--bound"
        )
    return name.strip(), (low.strip() or None, high.strip() or None)


def _sigma(texts: list[str] | None, pairs: list[tuple[str | None, str | None]]) -> Any:
    """By column; of a log with one column for that."""
    from flexarm.errors import FlexarmError

    if not texts:
        return None
    if len(texts) != len(pairs):
        raise FlexarmError(
            f"{len(texts)} standard deviations were given for {len(pairs)} columns; give one --sigma for each --column, or none",
            field="--sigma",
        )
    sizes = [options.quantity(text, "1|rad|m|rad/s|m/s|m/s^2|N*m|N", "--sigma") for text in texts]
    return sizes[0] if pairs[0][0] is None else {str(name): size for (name, _), size in zip(pairs, sizes, strict=True)}


def _write(
    folder: Path, found: Fit, base: Scenario, summary: dict[str, Any], kinds: list[str], force: bool
) -> list[str]:
    """Fitted scenario, numbers and figures; names of the files."""
    from flexarm.files import write_text
    from flexarm.scenario.extension import extension_text
    from flexarm.view.files import save
    from flexarm.view.fitted import fit_figures

    about = "Found by flexarm identify: " + "; ".join(f"{row[0]} = {row[2]}, sd {row[3]}" for row in found.rows()) + "."
    head = {"name": f"{base.name}, identified", "about": about}
    write_text(folder / FITTED, extension_text(base, found.scenario, head, folder), force)
    write_text(folder / NUMBERS, json_text(summary) + "\n", force)
    pictures = [
        save(figure, folder / f"{name}.{kind}", force).name
        for name, figure in fit_figures(found).items()
        for kind in kinds
    ]
    return [FITTED, NUMBERS, *pictures]


def _show(found: Fit, title: str, folder: Path, names: list[str]) -> None:
    heading(title)
    head = ["", "start", "found", "standard deviation", "mesh, sd"]
    out().print(table(head, [list(row) for row in found.rows()], (1, 2, 3, 4)))
    out().print(f"chi-square {found.chi_square:.4g}, {found.steps} steps, {found.runs} runs")
    for each in found.columns:
        said = "estimated" if each.estimated else "as stated"
        out().print(f"noise of {each.signal} in {each.log}: {each.sigma:.3g} ({said})")
    told = [*found.cannot_tell, *found.notes]
    if told:
        heading("Notes")
        points(told)
    heading(f"Files in {folder}")
    out().print("  ".join(names))
