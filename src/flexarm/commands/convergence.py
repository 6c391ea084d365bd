"""`flexarm convergence`: orders in mesh and step, error estimates, and the setting for an accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import heading, json_text, out, points, print_json, table

if TYPE_CHECKING:
    from flexarm.analysis.convergence import Convergence, Study

EXAMPLES = """\
\b
Examples:
  flexarm convergence naganathan-flexible
  flexarm convergence my-arm.yaml --method fem --accuracy 0.1% --set method.resolution=4
"""
TABLE = "convergence.json"


def convergence(
    scenario: options.Scenario,
    method: options.Method = None,
    levels: Annotated[int, typer.Option(metavar="COUNT", min=3, max=8, help="Runs for mesh and step each.")] = 4,
    accuracy: Annotated[str, typer.Option(metavar="SHARE", help="Accuracy for which a setting is sought.")] = "0.1 %",
    sets: options.Set = None,
    json: options.Json = False,
    folder: options.OutFolder = None,
    force: options.Force = False,
) -> None:
    """Refine step and mesh one after the other: observed orders, errors, and the setting that reaches an accuracy.

    The scenario's resolution and step are where the refinement begins.
    """
    import flexarm as fa
    from flexarm.commands import outputs
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.progress import Bar, Interrupt

    loaded = fa.load(scenario, sets or ())
    if folder is not None:
        outputs.check_folder(folder, force)
    announce_compiling(method or loaded.method.name)
    with Bar("refining", not json) as bar, Interrupt() as interrupt:
        found = fa.convergence(loaded, method, levels, options.quantity(accuracy, "1", "--accuracy"), bar, interrupt)
    if folder is not None:
        from flexarm.files import write_text

        write_text(folder / TABLE, json_text(found.to_dict()) + "\n", force)
    if json:
        print_json(found.to_dict())
    else:
        _show(found)


def _show(found: Convergence) -> None:
    heading(f"{found.scenario}, method {found.method}")
    for study, what in ((found.step, "step, s"), (found.mesh, "resolution")):
        out().print(_table(study, what))
        out().print()
    points(
        [
            f"for {100 * found.accuracy:g} % of the tip's deflection: resolution {found.wanted_resolution}, "
            f"step {found.wanted_step:.3g} s",
            "changes are against the level before; the error of the last level is estimated from its order",
        ]
    )


def _table(study: Study, what: str):  # type: ignore[no-untyped-def]
    columns = ["answer", *(f"{what} {value:.4g}" for value in study.values[1:]), "order", "error, %"]
    rows = []
    for name in study.order:
        changes = [f"{100 * level.changes[name]:.3g} %" for level in study.levels[1:]]
        order = study.order[name]
        rows.append([name, *changes, f"{order:.2f}" if order == order else "", f"{100 * study.error[name]:.2g}"])
    return table(columns, rows, range(1, len(columns)))
