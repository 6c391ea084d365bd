"""`flexarm bench`: how fast each method is on this machine, beside Exudyn and a plain C loop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import facts, heading, json_text, out, points, print_json, table
from flexarm.commands.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from flexarm.benchmarks.against import Against
    from flexarm.benchmarks.frame import Contest, Findings

EXAMPLES = """\
\b
Examples:
  flexarm bench
  flexarm bench fem segments --no-compile --repeats 15
  flexarm bench --out bench.json
  flexarm bench --against old/bin/python
"""
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[BENCH]...", help="fd, fem, fem-spatial, segments, modes, ancf; all when left out."),
]
File = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE.json", help="Write JSON for tracking over time.", show_default=False),
]
Other = Annotated[
    str | None,
    typer.Option(
        metavar="PYTHON",
        help="Compare with another installation of flexarm, given by its Python interpreter, run by run in turn.",
        show_default=False,
    ),
]


def bench(
    names: Names = None,
    against: Other = None,
    repeats: Annotated[int, typer.Option(min=1, max=1000, metavar="COUNT", help="Runs of each program.")] = 7,
    rounds: Annotated[
        int, typer.Option(min=7, max=1000, metavar="COUNT", help="Rounds of 3 pairs of runs per row with --against.")
    ] = 8,
    compiling: Annotated[
        bool | None,
        typer.Option(
            "--compile/--no-compile",
            help="Measure compilation too, which takes minutes; the default, except with --against.",
            show_default=False,
        ),
    ] = None,
    file: File = None,
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Measure speed: each method beside Exudyn on the same model and beside a C loop, cost over size, start-up.

    Ratios are taken in one run, programs one after the other, processor time on one core; nothing is stored. What is not
    installed is left out and told.

    With --against two installations work in turn; each row tells the median of the ratios of processor time (this over
    the other) of all pairs, with an interval that holds the true one with at least 90 % (order statistics over rounds).
    """
    from flexarm.benchmarks import Findings, bench_against
    from flexarm.benchmarks import bench as measure
    from flexarm.commands.bench_against import show_against
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.progress import Bar, Interrupt
    from flexarm.files import refuse_existing, write_text

    if file is not None:
        refuse_existing(file, force)
    announce_compiling()
    with Bar("measuring", not json) as bar, Interrupt() as interrupt:
        found: Against | Findings
        if against is None:
            found = measure(names, repeats, compiling is not False, bar.step, interrupt)
        else:
            found = bench_against(against, names, rounds, compiling is True, bar.step, interrupt)
    if file is not None:
        write_text(file, json_text(found.to_dict()) + "\n", force)
    if json:
        print_json(found.to_dict())
    elif isinstance(found, Findings):
        _show(found)
    else:
        show_against(found)
    if interrupt():
        raise typer.Exit(INTERRUPTED)


def _show(found: Findings) -> None:
    machine = found.machine
    heading("Speed")
    names = ("processor", "cores", "load", "python", "numba", "exudyn", "flexarm", "made")
    out().print(facts((name, str(machine[name])) for name in names if machine[name] is not None))
    for each in found.contests:
        _show_contest(each)
    if found.growths:
        heading("Cost over size")
        for growth in found.growths:
            rows = [
                [str(n), f"{a:.3g}", f"{b:.4g}"]
                for n, a, b in zip(growth.sizes, growth.us_per_step, growth.ns_per_unit, strict=True)
            ]
            out().print(table([growth.title, "µs per step", f"ns per {growth.unit}"], rows, range(3)))
            out().print(f"greatest over least: {growth.spread:.2f}\n")
    for each_table in found.tables:
        heading(each_table["title"])
        cells = [
            [f"{value:.4g}" if isinstance(value, float) else str(value or "") for value in row]
            for row in each_table["rows"]
        ]
        out().print(table(each_table["columns"], cells, range(len(each_table["columns"]))))
    if found.numbers:
        heading("Starting")
        out().print(facts((name, f"{value:.3g}") for name, value in found.numbers.items()))
    _summary(found)


def _show_contest(contest: Contest) -> None:
    heading(contest.title)
    out().print(contest.settings)
    rows = []
    for entry in contest.entries:
        spread = "" if entry is contest.entries[0] else f"{entry.low:.1f} to {entry.high:.1f}"
        off = "" if entry.error is None else f"{entry.error:.3g}"
        rows.append([entry.who, f"{entry.us_per_step:.4g}", f"{entry.ratio:.3g}", spread, off])
    columns = ["program", "µs per step", "times flexarm", "spread", contest.measure]
    out().print(
        table(
            columns if contest.measure else columns[:4],
            [row[: 5 if contest.measure else 4] for row in rows],
            range(1, 5),
        )
    )


def _summary(found: Findings) -> None:
    """One line per contest, and what was left out."""
    ratios = [(each, each.judged) for each in found.contests]
    lines = [
        f"{each.title}: {judged.who} takes {judged.ratio:.1f} times as long ({judged.low:.1f} to {judged.high:.1f})"
        if judged.who != "C loop"
        else f"{each.title}: flexarm takes {1.0 / judged.ratio:.2f} times as long as C"
        for each, judged in ratios
        if judged is not None
    ]
    heading("In short")
    points([*lines, *(f"left out: {what}" for what in found.left_out)])
