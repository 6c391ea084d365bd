"""`flexarm rig compare`: a measured log beside a run, in numbers and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexarm.commands import options, rig_options
from flexarm.commands.console import facts, heading, json_text, out, points, print_json
from flexarm.commands.run import _load, _simulate

if TYPE_CHECKING:
    from flexarm.analysis.log_comparison import LogComparison

EXAMPLES = """\
\b
Examples:
  flexarm rig compare stepper-rig measured.csv --column strain --out report
  flexarm rig compare my-arm.yaml log.csv --unit V --bridge half --gain 200
  flexarm rig compare my-arm.yaml log.csv --signal tip_deflection:y
  flexarm rig compare my-arm.yaml log.csv --column strain --signal strain:root
      --column angle --signal joint_position:link
"""
PAGE, NUMBERS, TEXT = "report.html", "report.json", "report.txt"


def compare(
    scenario: options.Scenario,
    log: Annotated[Path, typer.Argument(metavar="LOG.csv", help="Measured log, with units in its header.")],
    sets: options.Set = None,
    method: options.Method = None,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Column of the log; may be repeated.", show_default=False),
    ] = None,
    signal: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Signal of the run: strain:root, tip_deflection:y; one for each column.",
            show_default=False,
        ),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(metavar="V|counts", help="The log is in volts or counts.", show_default=False)
    ] = None,
    lag: Annotated[
        str | None, typer.Option(metavar="TIME", help="Known lag of the log; found if not given.", show_default=False)
    ] = None,
    ring_from: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Start of the ring-down; when the drives rest.", show_default=False),
    ] = None,
    zero: Annotated[bool, typer.Option(help="Allow for an offset of the log.")] = True,
    max_gap: Annotated[
        str | None, typer.Option(metavar="TIME", help="Longest accepted gap in the log.", show_default=False)
    ] = None,
    factor: rig_options.Factor = 2.0,
    bridge: rig_options.Bridge = "quarter",
    excitation: rig_options.Excitation = 5.0,
    gain: rig_options.Gain = 100.0,
    offset: rig_options.Offset = 0.0,
    bits: rig_options.Bits = 12,
    limits: rig_options.Range = "-5,5",
    folder: options.OutFolder = None,
    json: options.Json = False,
    force: options.Force = False,
) -> None:
    """Compare a measured log with a run: lag, scale, peaks, error, spectra, ring-down.

    With --out the report is written as text, JSON and one HTML page, with its figures.
    """
    from flexarm.analysis.log_comparison import compare_logs
    from flexarm.analysis.log_signal import log_unit
    from flexarm.analysis.measured import read_log
    from flexarm.commands import outputs

    _check_unit(unit)
    wanted = options.column_pairs(column, signal)
    chain = rig_options.gauge_chain(factor, bridge, excitation, gain, offset, bits, limits)
    loaded = _load(scenario, sets, method)
    if folder is not None:
        outputs.check_folder(folder, force)
    wait = _seconds(max_gap, "--max-gap")
    if unit is not None and len(wanted) == 1:
        read_log(log, wanted[0][0], unit, wait)  # what is wrong with the log is said before the run
    result, _ = _simulate(loaded, not json)
    logs = [read_log(log, name, log_unit(result, own, unit), wait) for name, own in wanted]
    found = compare_logs(
        result, logs, [own for _, own in wanted], chain,
        lag=_seconds(lag, "--lag"), offset=zero, ring_from=_seconds(ring_from, "--ring-from"),
    )  # fmt: skip
    summary = {"scenario": loaded.name, **_numbers(found)}
    names = [] if folder is None else _write(folder, found, summary, f"{loaded.name}: {log.name}", force)
    if json:
        print_json(summary if folder is None else {**summary, "files": [str(folder / name) for name in names]})
    else:
        _show(found, f"{loaded.name} and {log.name}", folder, names)


def _numbers(found: Sequence[LogComparison]) -> dict[str, Any]:
    """Of one column as they are; of several their lag, and a list."""
    if len(found) == 1:
        return found[0].to_dict()
    return {"lag": found[0].lag, "columns": [item.to_dict() for item in found]}


def _check_unit(unit: str | None) -> None:
    from flexarm.errors import FlexarmError

    if unit not in (None, "V", "counts"):
        raise FlexarmError(
            f"--unit is V or counts, not '{unit}'; other units stand in the log's header", field="--unit"
        )


def _seconds(text: str | None, name: str) -> float | None:
    return None if text is None else options.quantity(text, "s", name)


def _write(folder: Path, found: Sequence[LogComparison], summary: dict[str, Any], title: str, force: bool) -> list[str]:
    """Report as text, JSON and one page, and its figures; names of the files."""
    from flexarm.files import write_text
    from flexarm.view.files import save
    from flexarm.view.log_figures import log_figures
    from flexarm.view.log_page import log_facts, log_page

    figures = [log_figures(item) for item in found]
    text = "\n\n".join(
        "\n".join([*(f"{a}: {b}" for a, b in log_facts(item)), *(f"note: {n}" for n in item.notes)]) for item in found
    )
    write_text(folder / TEXT, text + "\n", force)
    write_text(folder / NUMBERS, json_text(summary) + "\n", force)
    write_text(folder / PAGE, log_page(found, figures, title), force)
    pictures = [
        save(figure, folder / (f"{name}.png" if len(found) == 1 else f"{name}-{k}.png"), force).name
        for k, drawn in enumerate(figures, 1)
        for name, figure in drawn.items()
    ]
    return [TEXT, NUMBERS, PAGE, *pictures]


def _show(found: Sequence[LogComparison], title: str, folder: Path | None, names: list[str]) -> None:
    from flexarm.view.log_page import log_facts

    heading(title)
    for item in found:
        out().print(facts(log_facts(item)))
        if item.notes:
            heading("Notes")
            points(item.notes)
    if folder is not None:
        heading(f"Files in {folder}")
        out().print("  ".join(names))
