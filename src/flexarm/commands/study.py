"""`flexarm study`: many variants of a scenario, what they have in common and what sets them apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import facts, heading, json_text, out, points, print_json, remark, table
from flexarm.commands.exit_codes import FAILED
from flexarm.commands.numbers import say, seconds
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.studies.result import StudyResult

EXAMPLES = """\
\b
Examples:
  flexarm study payload-spread
  flexarm study my-study.yaml --runs 10000 --out results/spread
  flexarm study my-study.yaml --out results/spread --resume
  flexarm study my-study.yaml --scheduler tcp://10.0.0.1:8786
"""
SUMMARY = "study.json"


def study(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="Name of a bundled study, or path of a study file.")],
    runs: Annotated[int | None, typer.Option(metavar="N", help="Another number of draws.", show_default=False)] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Another seed.", show_default=False)] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Processes on this machine.", show_default="as many as processors"),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run on the workers of this Dask scheduler.", show_default=False),
    ] = None,
    chunk: Annotated[
        str, typer.Option(metavar="TIME", help="Processor time of the pieces that runs are handed out in.")
    ] = "2 s",
    folder: options.OutFolder = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what is in the folder.")] = False,
    look: Annotated[
        bool, typer.Option("--look", help="Only show what is in the folder by now, also while it runs.")
    ] = False,
    figures: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="all, none, or some of bands, scatter, histogram, heat, contour, tornado, convergence.",
        ),
    ] = "all",
    formats: options.Formats = "png",
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Run many variants of a scenario and keep some numbers of each.

    A study file says what varies (lists, ranges, distributions), how it is drawn, and what is kept. Finished runs are on disk at once:
    whatever is interrupted goes on with --resume, and the table is the same to the last bit on any number of workers.
    """
    from flexarm.commands.outputs import check_place, checked_figures, default_folder
    from flexarm.commands.progress import Bar, Interrupt
    from flexarm.studies.study import Where, look_into, read_plan, run_plan
    from flexarm.view.study import FIGURES

    if resume and force:
        raise FlexarmError("--resume goes on and --force begins anew: give one of them")
    kinds, names = options.checked_formats(formats), checked_figures(figures, list(FIGURES))
    place = folder or default_folder(study, "-study")
    check_place(place)
    plan = read_plan(study, runs, seed)
    if look:
        _answer(look_into(plan, place), [], json)
        return
    if not json:
        remark(f"{plan.count} runs of '{plan.scenario.name}', kept in {place}")
    where = Where(workers, scheduler, place, resume, force, max(options.quantity(chunk, "s", "--chunk"), 1e-3))
    with Bar("study", not json) as bar, Interrupt() as interrupt:
        found = run_plan(plan, where, bar, interrupt)
    files = _write(found, place, names, kinds)
    _answer(found, files, json)
    if not found.succeeded.any():
        raise typer.Exit(FAILED)


def _write(found: StudyResult, folder: Path, names: list[str] | None, kinds: list[str]) -> list[Path]:
    from flexarm.files import write_text
    from flexarm.studies.result import FILE
    from flexarm.view.files import save
    from flexarm.view.study import available, study_figure

    files = [
        found.save(folder / FILE, force=True),
        write_text(folder / SUMMARY, json_text(_data(found)) + "\n", force=True),
    ]
    for name in available(found) if names is None else names:
        picture = study_figure(found, name)
        files += [save(picture, folder / f"{name}.{kind}", force=True, title=name) for kind in kinds]
    return files


def _data(found: StudyResult) -> dict[str, Any]:
    """All answers as plain data."""
    statistics = found.statistics()
    data: dict[str, Any] = {
        "title": found.data.attrs["title"], "design": found.design, "succeeded": int(found.succeeded.sum()), "runs": found.data.sizes["run"],
        "statistics": {
            name: {"unit": found.unit(name), **dict(zip(map(str, statistics["statistic"].values), map(float, statistics[name].values), strict=True))}
            for name in found.numbers
        },
        "limits": [found.probability(limit).__dict__ for limit in found.design["limits"]],
        "notes": found.notes, "timing": found.timing,
    }  # fmt: skip
    if found.variables and found.numbers and int(found.succeeded.sum()) > 2:
        effects = {name: found.effects(name) for name in found.numbers}
        data["effects"] = {
            name: dict(zip(found.variables, map(float, each["share"].values), strict=True))
            for name, each in effects.items()
        }
    return data


def _answer(found: StudyResult, files: list[Path], json: bool) -> None:
    from flexarm.studies.answers import outcome_words

    if json:
        print_json(_data(found) | {"files": [str(path) for path in files]})
        return
    heading(f"{found.data.attrs['title']}: {outcome_words(found)}")
    rows = []
    statistics = found.statistics((0.05, 0.5, 0.95))
    for name in found.numbers:
        unit, row = (
            found.unit(name) or "1",
            dict(zip(statistics["statistic"].values, statistics[name].values, strict=True)),
        )
        rows.append(
            [name, *(say(float(row[key]), unit) for key in ("mean", "sd", "min", "q0.05", "q0.5", "q0.95", "max"))]
        )
    if rows:
        out().print(table(["", "mean", "sd", "least", "5 %", "median", "95 %", "largest"], rows, range(1, 8)))
    if found.variables and found.numbers and int(found.succeeded.sum()) > 2:
        heading("Share of the spread that each explains by itself")
        shares = [found.effects(name)["share"].values for name in found.numbers]
        lines = [[v, *(f"{100 * share[k]:.0f} %" for share in shares)] for k, v in enumerate(found.variables)]
        out().print(table(["", *found.numbers], lines, range(1, 1 + len(found.numbers))))
    told = [str(found.probability(limit)) for limit in found.design["limits"]]
    failed = _first_failures(found)
    points([*told, *failed, *found.notes])
    if files:
        heading(f"Files in {files[0].parent}")
        out().print("  ".join(path.name for path in files))
    if found.timing:
        out().print(
            facts([("took", f"{seconds(found.timing['wall'])}, {found.timing['runs_per_second']:.3g} runs per second")])
        )


def _first_failures(found: StudyResult, most: int = 3) -> list[str]:
    import numpy as np

    bad = np.flatnonzero(~found.succeeded)
    told = [f"run {int(found.data['run'].values[k])}: {found.data['message'].values[k]}" for k in bad[:most]]
    return told + ([f"and {len(bad) - most} more that did not succeed"] if len(bad) > most else [])
