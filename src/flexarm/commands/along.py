"""`flexarm frequencies --along`: natural frequencies over the whole commanded motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.commands.console import heading, json_text, out, print_json, table
from flexarm.files import write_text

if TYPE_CHECKING:
    from flexarm.analysis.along import PathFrequencies
    from flexarm.scenario import Scenario

FIGURE, TABLE, NUMBERS = "frequencies-along", "frequencies-along.csv", "frequencies-along.json"
SHOWN = 12
"""Rows of the table on the screen."""


def show_along(
    scenario: Scenario,
    found: PathFrequencies,
    method: str,
    json: bool,
    folder: Path | None,
    kinds: list[str],
    force: bool,
) -> None:
    """Print, and write table, numbers and figure into `folder` if there is one."""
    summary = {
        "scenario": scenario.name,
        "method": method,
        "joints": found.joints,
        "time": found.time.tolist(),
        "hz": found.hz.tolist(),
        "damping_ratio": found.damping.tolist(),
        "pose": {name: found.pose[:, j].tolist() for j, name in enumerate(scenario.arm.joints)},
    }
    files = [] if folder is None else _write(scenario, found, summary, folder, kinds, force)
    if json:
        print_json(summary)
        return
    heading(scenario.name)
    out().print(f"method {method}, frequencies in Hz along the commanded motion, joints {found.joints}")
    out().print()
    columns = ["time, s", *(f"mode {k + 1}" for k in range(found.hz.shape[1]))]
    stride = max(1, -(-len(found.time) // SHOWN))
    picked = sorted({*range(0, len(found.time), stride), len(found.time) - 1})
    rows = [[f"{found.time[m]:.4g}", *(f"{f:.4f}" for f in found.hz[m])] for m in picked]
    out().print(table(columns, rows, range(len(columns))))
    if files:
        heading(f"Files in {files[0].parent}")
        out().print("  ".join(path.name for path in files))


def _write(
    scenario: Scenario, found: PathFrequencies, summary: dict[str, Any], folder: Path, kinds: list[str], force: bool
) -> list[Path]:
    units = ["m" if scenario.arm.link(name).joint.type == "prismatic" else "rad" for name in scenario.arm.joints]
    head = ["time [s]", *(f"mode {k + 1} [Hz]" for k in range(found.hz.shape[1]))]
    head += [f"{name} [{unit}]" for name, unit in zip(scenario.arm.joints, units, strict=True)]
    lines = [",".join(head)]
    for m, time in enumerate(found.time):
        lines.append(",".join(f"{value:.9g}" for value in (time, *found.hz[m], *found.pose[m])))
    files = [
        write_text(folder / TABLE, "\n".join(lines) + "\n", force),
        write_text(folder / NUMBERS, json_text(summary) + "\n", force),
    ]
    if kinds:
        from flexarm.view.files import save
        from flexarm.view.path_frequencies import path_frequencies

        picture = path_frequencies(found, list(scenario.arm.joints), [unit == "m" for unit in units])
        files += [
            save(picture, folder / f"{FIGURE}.{kind}", force, title="Frequencies along the motion") for kind in kinds
        ]
    return files
