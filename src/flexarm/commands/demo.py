"""`flexarm demo`: bundled scenarios computed side by side, and one page that shows them: moving arms, figures, numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import complain, link, out, remark, table
from flexarm.commands.exit_codes import FAILED, INTERRUPTED, REFUSED
from flexarm.commands.numbers import say, seconds
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flexarm.commands.outputs import Wanted
    from flexarm.scenario import Scenario
    from flexarm.view.gallery import Piece

HEADLINES = {
    "tokhi-azad": "tip,surface,spectrum",
    "naganathan-3r": "tip_error,torque,arm",
    "li-zhang-three-link": "tip_error,torque,arm",
    "ralf": "strain,deflection,arm",
    "tian-circle": "path,tip_error,torque",
}
"""One scenario of each document, and its figures. The second is in space, the fourth a closed loop, the last one under control."""
PER_FIGURE, PER_RUN = 0.2, 2.5
"""Processor seconds that a figure takes, and what every run takes, roughly."""
GRACE = 1.0
"""Seconds that runs get to stop after Ctrl-C."""
Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder for the page, data and figures.")]
COLUMNS = ("scenario", "travel", "deflection", "torque", "first mode", "computing")


def demo(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SCENARIO]...",
            help="Scenarios to show instead: bundled names, or paths of YAML files.",
            show_default=False,
        ),
    ] = None,
    folder: Folder = Path("results/demo"),
    everything: Annotated[bool, typer.Option("--all", help="Every bundled scenario, with all of its figures.")] = False,
    force: options.Force = False,
) -> None:
    """Run one scenario of each document, or all, or those that are named; make one page of moving arms, figures and numbers.

    Scenarios run side by side, and stand on the page as soon as they are done. Ctrl-C keeps those.
    """
    import flexarm as fa
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.outputs import wanted_files
    from flexarm.commands.progress import Interrupt
    from flexarm.commands.task_lines import TaskLines
    from flexarm.files import refuse_existing
    from flexarm.processes import cores, side_by_side
    from flexarm.view.gallery import COUNT, PAGE, SCRIPT, Gallery, Piece

    figures = {entry.name: "all" for entry in fa.bundled()} if everything else HEADLINES
    sources = {Path(name).stem: name for name in names} if names else {name: name for name in figures}
    if names and len(sources) < len(names):
        raise FlexarmError("two of the scenarios have the same name: give files of different names")
    if names:
        figures = {name: HEADLINES.get(name, "all") for name in sources}
    for file in (PAGE, SCRIPT, COUNT):
        refuse_existing(folder / file, force)
    orders = [
        Order(name, fa.load(sources[name]), wanted_files(folder / name, kinds, "png", force=force), sources[name])
        for name, kinds in figures.items()
    ]
    workers = min(len(orders), cores())
    expected, orders = _schedule(orders, workers)
    planned = [Piece(order.name, order.scenario.name) for name in figures for order in orders if order.name == name]
    page = Gallery(folder, "flexarm: flexible robot arms", _intro(everything, names), planned)
    announce_compiling(*{order.scenario.method.name for order in orders})
    made: dict[str, Made] = {}
    with TaskLines(expected, workers) as lines, Interrupt() as interrupt:
        for number, each in side_by_side(_make, orders, lines, interrupt, workers, GRACE):
            if each is None:
                continue
            made[orders[number].name] = each
            page.add(each.piece, ended=len(made) == len(orders))
            lines.end(orders[number].name, "failed" if each.piece.trouble else "done")
            if len(made) == 1:
                remark(f"the page grows while you look at it: {page.path.absolute().as_uri()}")
    if interrupt() and made:
        page.add(ended=True)
    if made:
        _show(made, figures, page.path)
    _end(made, interrupt())


@dataclass(frozen=True)
class Order:
    """A scenario and what shall be written of it."""

    name: str
    scenario: Scenario
    wanted: Wanted
    source: str = ""


@dataclass(frozen=True)
class Made:
    """A scenario on the page, its row in the table, and how many figures there are; trouble if files could not be written."""

    piece: Piece
    row: tuple[str, ...]
    drawn: int
    trouble: str


def _schedule(orders: Sequence[Order], workers: int) -> tuple[dict[str, float], list[Order]]:
    """Seconds that each is expected to take, and the order of the work.

    Cheap ones come first, one for each process, so that there is something to look at; then the longest, so that the processes end
    at about the same time. Of those that need the same kernels, all but the first come last, when these are compiled.
    """
    from flexarm.commands.kernels import FIRST_RUN, kernel_set
    from flexarm.numerics.kernel_cache import cache_is_warm, last_times
    from flexarm.view.registry import FIGURES

    times = FIRST_RUN | last_times()
    expected: dict[str, float] = {}
    compiling: set[str] = set()
    for order in orders:
        method = order.scenario.method.name
        kernels = kernel_set(order.scenario)
        drawn = len(FIGURES if order.wanted.figures is None else order.wanted.figures)
        expected[order.name] = PER_RUN + PER_FIGURE * drawn
        if kernels not in compiling and not cache_is_warm(method):
            compiling.add(kernels)
            expected[order.name] += times[kernels]
    least = PER_RUN + PER_FIGURE * len(FIGURES)
    ranked = sorted(orders, key=lambda order: expected[order.name])
    first = [order for order in ranked if expected[order.name] > least] if compiling else ranked
    last = [order for order in ranked if order not in first]
    return expected, first[:workers] + first[workers:][::-1] + last


def _make(order: Order, tell: Callable[..., Any], cancel: Callable[[], bool]) -> Made | None:
    """Run a scenario and write its files; None if it was broken off."""
    import flexarm as fa
    from flexarm.commands.run import finish
    from flexarm.commands.sentences import sentences
    from flexarm.errors import Interrupted
    from flexarm.methods import get_method
    from flexarm.methods.base import Outcome
    from flexarm.numerics.kernel_cache import cache_is_warm
    from flexarm.scenario.sources import source_text
    from flexarm.simulation.build import prepare
    from flexarm.view.gallery import Piece
    from flexarm.view.player import player_data
    from flexarm.view.registry import FIGURES
    from flexarm.view.source import has

    scenario, method = order.scenario, get_method(order.scenario.method.name)

    compiling = not cache_is_warm(method.name)

    def say_so(stage: str, done: float, total: float) -> None:
        tell(order.name, "compiling" if compiling and stage != "figures" else stage, done, total)

    try:
        fa.simulate(scenario, progress=say_so, cancel=cancel)
        setup = prepare(scenario)  # once more, for times without compiling
        result = fa.simulate(setup, cancel=cancel)
    except Interrupted:
        return None
    if result.outcome is Outcome.CANCELLED:
        return None
    summary, written = finish(result, setup, order.wanted, say_so)
    pictures = [path for path in written.files if path.suffix == ".png"]
    piece = Piece(
        order.name,
        scenario.name,
        f"Method {method.name}. {method.title}. After {method.reference}.",
        " ".join(scenario.about.split()),
        tuple(sentences(result, summary)),
        "" if result.success else result.message,
        player_data(result) if has(result, "shape") else None,
        tuple((path.name, FIGURES[path.stem].title) for path in pictures),
        source_text(order.source or order.name),
        f"flexarm run {order.source or order.name}",
    )
    return Made(piece, _row(order.name, summary), len(pictures), written.trouble)


def _intro(everything: bool, names: Sequence[str] | None) -> str:
    what = "Every bundled scenario" if everything else "One arm of each document behind the methods"
    what = ", ".join(names) if names else what
    return (
        f"{what}, computed on this machine just now. Each arm plays as it was computed; where its deflection is drawn larger "
        "than it is, the picture says so, and the menu below it shows true size. Dashed: the stiff arm."
    )


def _show(made: dict[str, Made], names: Sequence[str] | dict[str, str], page: Path) -> None:
    """The table of what was found, and where the page is."""
    rows = [made[name].row for name in names if name in made]
    out().print(table(COLUMNS, rows, numbers=range(1, len(COLUMNS))))
    out().print("travel of the tip at the end; peaks of tip deflection and motor torque; time of the march alone")
    drawn = sum(each.drawn for each in made.values())
    out().print(f"{drawn} figures, and the data of each run, are in {page.parent}")
    out().print("open ", link(page), sep="", soft_wrap=True)


def _end(made: dict[str, Made], interrupted: bool) -> None:
    """Complaints, and the exit code that belongs to them."""
    unwritten = [each.trouble for each in made.values() if each.trouble]
    bad = [f"{name}: {each.piece.trouble}" for name, each in made.items() if each.piece.trouble]
    for sentence in [*unwritten, *bad]:
        complain(sentence)
    if interrupted:
        remark(f"interrupted; {len(made)} scenarios were done")
        raise typer.Exit(INTERRUPTED)
    if unwritten or bad:
        raise typer.Exit(REFUSED if unwritten else FAILED)


def _row(name: str, summary: dict[str, Any]) -> tuple[str, ...]:
    torque = max(summary.get("drive_torque_peak", {"": 0.0}).values())
    first = summary["natural_frequencies"][:1]
    return (
        name,
        say(summary["travel_end"], "m") if "travel_end" in summary else "-",
        say(summary["tip_deflection_peak"], "m"),
        say(torque, "N*m"),
        say(first[0], "Hz") if first else "-",
        seconds(summary["timing"]["march"]),
    )
