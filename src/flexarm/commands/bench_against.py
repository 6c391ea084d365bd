"""The table of `flexarm bench --against`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.benchmarks.pairs import LEVEL
from flexarm.commands.console import facts, heading, out, points, table

if TYPE_CHECKING:
    from flexarm.benchmarks.against import Against

COLUMNS = ("row", "this, ms", "other, ms", "this / other", "90 % interval", "pairs")


def show_against(found: Against) -> None:
    """Who was compared, one line per row, and what stands out."""
    heading("This installation beside another")
    sides = (("this", found.here), ("other", found.there))
    machine = [(name, str(found.machine[name])) for name in ("processor", "cores", "load", "made")]
    out().print(
        facts(
            [(who, f"flexarm {about['flexarm']}, {about['place']}, Python {about['python']}") for who, about in sides]
            + machine
        )
    )
    rows = [
        [
            each.row,
            f"{1e3 * each.here:.4g}",
            f"{1e3 * each.there:.4g}",
            f"{each.ratio:.3f}",
            f"{each.low:.3f} to {each.high:.3f}" + (" (range)" if each.coverage < LEVEL else ""),
            str(each.pairs),
        ]
        for each in found.rows
    ]
    out().print(table(COLUMNS, rows, range(1, 6)))
    heading("In short")
    slower = [f"slower than the other: {each.row} ({each.low:.3f} to {each.high:.3f})" for each in found.slower]
    told = slower or ["no row whose interval lies wholly above 1.05"]
    if found.here["place"] == found.there["place"]:
        told.insert(0, "both are the same installation")
    points([*told, *(f"left out: {what}" for what in found.left_out)])
