"""`flexarm demo`: run every bundled scenario, draw its figures, and show the results side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexarm.commands import options
from flexarm.commands.console import out, remark, table
from flexarm.commands.numbers import say, seconds

if TYPE_CHECKING:
    from flexarm.result import Result

Folder = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder for data and figures.")]


def demo(folder: Folder = Path("results/demo"), force: options.Force = False) -> None:
    """Run all bundled scenarios; end with a table of results and the folder of figures."""
    import flexarm as fa
    from flexarm.commands.kernels import announce_compiling
    from flexarm.commands.outputs import wanted_files

    names = [item.name for item in fa.bundled()]
    plans = {name: wanted_files(folder / name, "all", "png", False, False, force) for name in names}
    announce_compiling()
    rows, drawn = [], 0
    for k, name in enumerate(names):
        remark(f"[{k + 1}/{len(names)}] {name}")
        row, files = _one(name, plans[name])
        rows.append(row)
        drawn += files
    columns = ("scenario", "travel", "deflection", "torque", "first mode", "computing")
    out().print(table(columns, rows, numbers=(1, 2, 3, 4, 5)))
    out().print("travel of the tip at the end; peaks of tip deflection and motor torque; time of the march alone")
    out().print(f"{drawn} figures, and the data of each run, are in {folder}")


def _one(name: str, wanted: object) -> tuple[tuple[str, ...], int]:
    """Run one scenario and write its files; its row of the table and the number of figures."""
    import flexarm as fa
    from flexarm.commands.outputs import write

    result: Result = fa.simulate(name)
    joints = "free" if "commanded_position" not in result.data else "locked"
    natural = fa.frequencies(result.scenario, n=6, joints=joints)
    summary = result.summary()
    written = write(wanted, result, summary, natural, lambda what, share: None)  # type: ignore[arg-type]
    torque = max(summary.get("drive_torque_peak", {"": 0.0}).values())
    row = (
        name,
        say(summary["tip_travel_end"], "m"),
        say(summary["tip_deflection_peak"], "m"),
        say(torque, "N*m"),
        say(float(natural.hz[0]), "Hz"),
        seconds(result.timing["march"]),
    )
    return row, sum(path.suffix == ".png" for path in written.files)
