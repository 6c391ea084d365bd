"""Tracking errors with all gains, and the misprints."""

from __future__ import annotations

from flexarm.papers.errata import errata_table
from flexarm.papers.paper import Row, Table
from flexarm.papers.tian.bending import OPTIONS, locking
from flexarm.papers.tian.runs import Runs, data


def tables(runs: Runs) -> tuple[Table, ...]:
    """All tables, none worked out yet."""
    return (_tracking(runs), _locking(), errata_table("tian"))


def _tracking(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for sensor in ("chord", "hub"):
            for case, gains in data()["gains"].items():
                text = "; ".join(", ".join(f"{value:g}" for value in row) for row in gains)
                bends = map(float, runs.deflections(case, sensor))
                found.append((case, sensor, text, *map(float, runs.figures_of_merit(case, sensor)), *bends))
        return found

    return Table(
        "tracking",
        "Tip error on both paths",
        (
            "Case", "Sensor", "kp, kp, kv, kv", "rms x (mm)", "rms y (mm)", "Peak x (mm)", "Peak y (mm)",
            "Shoulder deflection (mm)", "Elbow deflection (mm)",
        ),
        rows,
        "Errors from 2 s on; deflections over the whole run. Shoulder and elbow gains in N m/rad and N m s/rad; a second "
        "set holds from 12.5 s on. The paper prints no numbers.",
    )  # fmt: skip


def _locking() -> Table:
    def rows() -> list[Row]:
        return [
            (case["path"], case["length"], case["elements"], element, *map(float, locking(case, element)))
            for case in data()["locking"]["cases"]
            for element in OPTIONS
        ]

    return Table(
        "locking",
        "Links of both examples as cantilevers: what the elements are off by",
        ("Example", "Length (m)", "Elements", "Element", "Tip deflection (%)", "First frequency (%)"),
        rows,
        "Against the Timoshenko beam. The paper's continuum element locks by Poisson's ratio and by its constant curvature.",
    )
