"""`flexarm compare`: every method that can on the same arm, how well they agree, and what an accuracy costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, points, print_json, remark, table
from flexarm.commands.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from flexarm.analysis.compare import Comparison

EXAMPLES = """\
\b
Examples:
  flexarm compare tokhi-azad
  flexarm compare my-arm.yaml --methods fd,fem --target 0.5% --out results/compare
"""
TABLE, FIGURE = "compare.json", "cost"


def compare(
    scenario: options.Scenario,
    methods: Annotated[
        str, typer.Option(metavar="NAMES", help="Methods separated by commas; all when left out.", show_default=False)
    ] = "",
    target: Annotated[str, typer.Option(metavar="SHARE", help="Relative accuracy each method shall reach.")] = "0.2 %",
    levels: Annotated[int, typer.Option(metavar="COUNT", min=2, max=10, help="Most refinements of each method.")] = 6,
    sets: options.Set = None,
    json: options.Json = False,
    folder: options.OutFolder = None,
    formats: options.Formats = "png",
    force: options.Force = False,
) -> None:
    """Run every capable method on one scenario and show agreement and cost.

    Each method is refined until its own error estimate, the change of the tip's deflection from one mesh and step to the
    next, is below the target. Methods that cannot run the scenario are listed with the reason.
    """
    import flexarm as fa
    from flexarm.commands import outputs
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.progress import Bar, Interrupt

    loaded = fa.load(scenario, sets or ())
    kinds = options.checked_formats(formats)
    if folder is not None:
        outputs.check_folder(folder, force)
    announce_compiling()
    with Bar("comparing", not json) as bar, Interrupt() as interrupt:
        found = fa.compare(
            loaded, options.listed(methods) or None, options.quantity(target, "1", "--target"), levels, bar, interrupt
        )
    files = _write(folder, found, kinds, force)
    if json:
        print_json(found.to_dict())
    else:
        _show(found, files)
    if interrupt.asked:
        remark("interrupted; what was computed until then is shown")
        raise typer.Exit(INTERRUPTED)


def _write(folder: Path | None, found: Comparison, kinds: list[str], force: bool) -> list[Path]:
    if folder is None:
        return []
    from flexarm.files import write_text
    from flexarm.view.cost import cost
    from flexarm.view.files import save

    files = [write_text(folder / TABLE, json_text(found.to_dict()) + "\n", force)]
    if not found.refined:
        return files
    picture = cost(found)
    return files + [save(picture, folder / f"{FIGURE}.{kind}", force, title="Error against cost") for kind in kinds]


def _show(found: Comparison, files: list[Path]) -> None:
    from flexarm.analysis.answers import COURSE

    heading(found.scenario)
    names = list(found.refinements)
    rows = [[key, f"{value:.5g}", *(f"{100 * found.difference(name, key):+.3f}" for name in names)]
            for key, value in found.median.items()]  # fmt: skip
    rows.append([COURSE, "", *(f"{100 * found.difference(name, COURSE):.3f}" for name in names)])
    for k in range(max((len(hz) for hz in found.hz.values()), default=0)):
        values = [found.hz[name][k] if k < len(found.hz[name]) else float("nan") for name in names]
        middle = sorted(values)[len(values) // 2]
        rows.append([f"frequency {k + 1}, Hz", f"{middle:.5g}", *(f"{100 * (v / middle - 1):+.3f}" for v in values)])
    out().print(table(["answer", "median", *(f"{name}, %" for name in names)], rows, range(1, 2 + len(names))))
    heading("Cost")
    costs = [_cost(found, name) for name in found.refinements]
    columns = ["method", "resolution", "step, s", "change by refining, %", f"s for {100 * found.target:g} %"]
    out().print(table(columns, costs, range(1, 5)))
    notes = [f"{name}: {item.ended}" for name, item in found.refinements.items() if not item.reached]
    notes += found.remarks
    notes += [f"{name} cannot: {why}" for name, why in found.refused.items()]
    points([f"recommended: {found.recommended}; {found.reason}", *notes])
    if files:
        heading(f"Files in {files[0].parent}")
        out().print("  ".join(path.name for path in files))


def _cost(found: Comparison, name: str) -> list[str]:
    """The level that reaches the target, or the last one that was refined: what the figure has a ring around."""
    told = found.told(name)
    if told is None:
        level = found.refinements[name].finest
        return [name, str(level.resolution), f"{level.step:.3g}", "not known", "not reached"]
    level, error = told
    reached = f"{level.seconds:.3g}" if error < found.target else f"not reached in {level.seconds:.3g}"
    return [name, str(level.resolution), f"{level.step:.3g}", f"{100 * error:.3g}", reached]
