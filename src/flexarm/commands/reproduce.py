"""`flexarm reproduce`: the papers behind the methods, claim by claim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import out, print_json, table
from flexarm.commands.exit_codes import FAILED

if TYPE_CHECKING:
    from flexarm.papers.report import Report

EXAMPLES = """\
\b
Examples:
  flexarm reproduce
  flexarm reproduce tokhi-azad --out results/tokhi-azad-paper --format pdf
"""
Papers = Annotated[list[str] | None, typer.Argument(metavar="[PAPER]...", help="Names of papers; all when left out.")]
Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder for reports and figures.")]


def reproduce(
    papers: Papers = None,
    folder: Folder = Path("results/papers"),
    figures: Annotated[bool, typer.Option(help="Redraw the figures too.")] = True,
    formats: options.Formats = "png",
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Recompute the tables, figures and claims of the papers, each claim with a verdict.

    Ends with 0 only if every computed number agrees with its reference.
    """
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.progress import Bar
    from flexarm.files import refuse_existing, write_text
    from flexarm.papers import draw_figures, evaluate, get_paper, paper_names

    chosen = [get_paper(name) for name in (papers or paper_names())]
    kinds = options.checked_formats(formats)
    for paper in chosen:
        for name in ("report.json", "report.md"):
            refuse_existing(folder / paper.id / name, force)
    announce_compiling()
    reports = []
    for paper in chosen:
        with Bar(f"{paper.id}: numbers", not json) as bar:
            report = evaluate(paper, progress=bar.step)
        reports.append(report)
        for name, text in (("report.json", report.to_json()), ("report.md", report.to_markdown())):
            write_text(folder / paper.id / name, text, force)
        if figures:
            with Bar(f"{paper.id}: figures", not json) as bar:
                draw_figures(paper, folder / paper.id, kinds, force, progress=bar.step)
        if not json:
            _show(report, folder / paper.id)
    if json:
        print_json([report.to_dict() for report in reports])
    if not all(report.ok for report in reports):
        raise typer.Exit(FAILED)


def _show(report: Report, folder: Path) -> None:
    """Claims and checks of one paper in the terminal."""
    from flexarm.papers.markdown import figures

    console = out()
    console.print(f"{report.paper.title} ({report.paper.year})")
    rows = [
        (claim.where, claim.text, figures(claim.published), figures(claim.computed, claim.labels), claim.verdict.value)
        for claim in report.claims
    ]
    console.print(table(("where", "claim", "published", "computed", "verdict"), rows))
    console.print(
        f"{len(report.checks) - len(report.failed)} of {len(report.checks)} numbers agree with their reference"
    )
    for check in report.failed:
        console.print(f"  {check.name}: {check.computed!r} against {check.reference!r}")
    console.print(f"report and figures are in {folder}")
