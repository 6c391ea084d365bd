"""`flexarm demo`: run every bundled scenario, draw its figures, and show the results side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flexarm.commands import options
from flexarm.commands.console import complain, out, remark, table
from flexarm.commands.exit_codes import FAILED, REFUSED
from flexarm.commands.numbers import say, seconds

Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder for data and figures.")]
COLUMNS = ("scenario", "travel", "deflection", "torque", "first mode", "computing")


def demo(folder: Folder = Path("results/demo"), force: options.Force = False) -> None:
    """Run all bundled scenarios; end with a table of results and the folder of figures."""
    import flexarm as fa
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.outputs import wanted_files
    from flexarm.commands.run import finish
    from flexarm.simulation.build import prepare

    names = [item.name for item in fa.bundled()]
    outputs = {name: wanted_files(folder / name, "all", "png", False, False, force) for name in names}
    announce_compiling()
    rows, drawn, bad = [], 0, []
    for k, (name, wanted) in enumerate(outputs.items()):
        remark(f"[{k + 1}/{len(names)}] {name}")
        setup = prepare(fa.load(name))
        result = fa.simulate(setup)
        summary, written = finish(result, setup, wanted, talk=True)
        rows.append(_row(name, summary))
        drawn += sum(path.suffix == ".png" for path in written.files)
        if written.trouble:
            complain(written.trouble)
            raise typer.Exit(REFUSED)
        if not result.success:
            bad.append(f"{name}: {result.message}")
    out().print(table(COLUMNS, rows, numbers=range(1, len(COLUMNS))))
    out().print("travel of the tip at the end; peaks of tip deflection and motor torque; time of the march alone")
    out().print(f"{drawn} figures, and the data of each run, are in {folder}")
    for sentence in bad:
        complain(sentence)
    if bad:
        raise typer.Exit(FAILED)


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
