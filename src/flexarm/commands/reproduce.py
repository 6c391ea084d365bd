"""`flexarm reproduce`: the papers behind the methods, claim by claim."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, out, points, print_json, table
from flexarm.commands.exit_codes import FAILED, INTERRUPTED

EXAMPLES = """\
\b
Examples:
  flexarm reproduce
  flexarm reproduce --quick
  flexarm reproduce tokhi-azad --out results/tokhi-azad-paper --format pdf
"""
PAGE, NUMBERS = "report.html", "report.json"
Papers = Annotated[list[str] | None, typer.Argument(metavar="[PAPER]...", help="Names of papers; all when left out.")]
Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder for reports and figures.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, metavar="COUNT", help="Processes at once; as many as there are cores.", show_default=False),
]


def reproduce(
    papers: Papers = None,
    folder: Folder = Path("results/papers"),
    quick: Annotated[bool, typer.Option("--quick", help="Leave out what is slow; the report says what.")] = False,
    figures: Annotated[bool, typer.Option(help="Redraw the figures too.")] = True,
    formats: options.Formats = "png",
    workers: Workers = None,
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Recompute the tables, figures and claims of the papers, each claim with a verdict.

    Papers run side by side. One page, report.html, holds everything and needs no network; report.json is for scripts. Ctrl-C
    keeps what is done. Ends with 0 only if every computed number agrees with its reference.
    """
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.progress import Bars, Interrupt
    from flexarm.files import refuse_existing, write_text
    from flexarm.papers import get_paper, html, paper_names
    from flexarm.papers.collection import collect, to_json
    from flexarm.papers.side_by_side import Order, make_reports

    chosen = list(dict.fromkeys(papers or paper_names()))
    order = Order(folder, tuple(options.checked_formats(formats)), figures, quick, force)
    for place in [folder, *(folder / get_paper(name).id for name in chosen)]:
        for name in (NUMBERS, PAGE if place == folder else "report.md"):
            refuse_existing(place / name, force)
    announce_compiling()
    began, reports = time.perf_counter(), {}
    with Bars(not json) as bars, Interrupt() as interrupt:
        for report in make_reports(chosen, order, bars, interrupt, workers):
            reports[report["paper"]["id"]] = report
    listed = [reports[name] for name in chosen if name in reports]
    whole = collect(listed, chosen, quick, time.perf_counter() - began)
    write_text(folder / NUMBERS, to_json(whole), force)
    write_text(folder / PAGE, html.write(whole), force)
    if json:
        print_json(
            {**whole, "papers": [{k: v for k, v in each.items() if k != "pictures"} for each in whole["papers"]]}
        )
    else:
        _show(whole, folder)
    if interrupt() or not whole["ok"]:
        raise typer.Exit(INTERRUPTED if interrupt() else FAILED)


def _show(whole: dict[str, Any], folder: Path) -> None:
    """Verdicts and checks of all papers in the terminal, then what is not in agreement."""
    heading(f"{len(whole['papers'])} documents, {whole['seconds']:.0f} s")
    words = ("reproduced", "corrected", "contradicted", "not determinable")
    rows = []
    for report in whole["papers"]:
        numbers = report["numbers"]
        agree = f"{numbers['checked'] - numbers['outside']} of {numbers['checked']}"
        claims = ", ".join(f"{report['verdicts'][word]} {word}" for word in words if word in report["verdicts"])
        rows.append([report["paper"]["id"], agree, f"{report['seconds']:.0f}", claims])
    out().print(table(["document", "numbers", "s", "claims"], rows, (1, 2)))
    total = whole["checked_numbers"]
    notes = [f"{total - whole['outside']} of {total} numbers agree with their reference"]
    notes += [f"broken off; not computed: {', '.join(whole['missing']) or 'the rest of the above'}"] * (
        not whole["complete"]
    )
    notes += [
        f"{report['paper']['id']}: left out by --quick: {', '.join(report['left_out'])}"
        for report in whole["papers"]
        if report["left_out"]
    ]
    notes += [
        f"{each['paper']}: {each['what']}: {each['computed']!r} against {each['reference']!r} {each['unit']}"
        for each in whole["numbers"]
        if not each["within"]
    ]
    points(notes)
    heading(f"Files in {folder}")
    out().print(f"{PAGE} (all claims, figures and tables in one page)  {NUMBERS} (for scripts)")
