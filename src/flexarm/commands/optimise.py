"""`flexarm optimise`: the best design of an arm, its drives or its laws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, points, print_json, remark, table
from flexarm.commands.exit_codes import FAILED
from flexarm.commands.numbers import say
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.studies.optimise import Optimum

EXAMPLES = """\
\b
Examples:
  flexarm optimise boom-taper
  flexarm optimise my-design.yaml --workers 2 --out results/design
  flexarm optimise my-design.yaml --out results/design --resume
"""
SUMMARY, SCENARIO, TRIALS = "optimum.json", "best.yaml", "trials.csv"


def optimise(
    design: Annotated[
        str, typer.Argument(metavar="DESIGN", help="Name of a bundled design, or path of a design file.")
    ],
    workers: Annotated[int, typer.Option(metavar="N", min=1, help="Processes on this machine.")] = 1,
    folder: options.OutFolder = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the trials that are in the folder.")] = False,
    formats: options.Formats = "png",
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Find the values of some fields with which a formula is least and limits hold.

    A design file says what may be changed, what shall be small and what must hold. Every trial is on disk at once: what is interrupted
    goes on with --resume. The scenario with the best values is written beside them.
    """
    from flexarm.commands.outputs import check_place, default_folder
    from flexarm.commands.progress import Bar, Interrupt
    from flexarm.files import write_text
    from flexarm.studies.optimise import optimise as find
    from flexarm.view.files import save
    from flexarm.view.optimum import optimum_figure

    if resume and force:
        raise FlexarmError("--resume goes on and --force begins anew: give one of them")
    kinds, place = options.checked_formats(formats), folder or default_folder(design, "-design")
    check_place(place)
    if not json:
        remark(f"trials are kept in {place}")
    with Bar("optimise", not json) as bar, Interrupt() as interrupt:
        found = find(design, workers=workers, folder=place, resume=resume, force=force, progress=bar, cancel=interrupt)
    files = [write_text(place / SCENARIO, found.scenario.to_yaml(), force=True)]
    files.append(write_text(place / SUMMARY, json_text(_data(found)) + "\n", force=True))
    files.append(write_text(place / TRIALS, found.trials.to_dataframe().to_csv(), force=True))
    picture = optimum_figure(found)
    files += [save(picture, place / f"optimum.{kind}", force=True, title=found.name) for kind in kinds]
    _answer(found, files, json)
    if not found.success:
        raise typer.Exit(FAILED)


def _data(found: Optimum) -> dict[str, Any]:
    return {
        "title": found.name, "success": found.success, "message": found.message, "values": found.values, "numbers": found.numbers,
        "limits": found.limits, "units": found.units, "trials": int(found.trials.sizes["trial"]), "notes": list(found.notes),
    }  # fmt: skip


def _answer(found: Optimum, files: list[Path], json: bool) -> None:
    if json:
        print_json(_data(found) | {"files": [str(path) for path in files]})
        return
    heading(f"{found.name}: {found.message}")
    rows = [
        [name, value if isinstance(value, str) else say(value, found.units.get(name) or "1")]
        for name, value in found.values.items()
    ]
    rows += [[name, say(value, found.units.get(name) or "1")] for name, value in found.numbers.items()]
    out().print(table(["", "best"], rows, [1]))
    points(
        [
            f"{text}: {'kept' if room >= -1e-6 else 'missed'}, by {100 * abs(room):.3g} % of the bound"
            for text, room in found.limits.items()
        ]
    )
    points(list(found.notes))
    heading(f"Files in {files[0].parent}")
    out().print("  ".join(path.name for path in files))
