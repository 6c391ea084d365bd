"""Reference figures of the tracking runs, computed anew; numbers.json holds gains and values."""

from __future__ import annotations

from functools import partial

from flexarm.papers.checks import Check
from flexarm.papers.claims import Tolerance
from flexarm.papers.tian.runs import Runs, data


def checks(runs: Runs) -> tuple[Check, ...]:
    """Errors of every case and sensor that a method of this version can run; none is worked out yet."""
    found = []
    for sensor, cases in data()["errors"].items():
        if runs.method_for(sensor) is None:
            continue
        for case, values in cases.items():
            found += _case(runs, sensor, case, values)
    return tuple(found)


def _case(runs: Runs, sensor: str, case: str, values: list[float]) -> list[Check]:
    allowed = data()["tolerance"][case.split()[0]]
    groups = {"rms": slice(0, 2), "peak": slice(2, 4)}
    return [
        Check(
            name=f"{case} gains, {sensor} sensor, {kind} error along x and y",
            group=f"tracking, {case.split()[0]}, {sensor} sensor",
            work_out=partial(_part, runs, sensor, case, part),
            reference=tuple(values[part]),
            tolerance=Tolerance(relative=allowed[kind], because="scatter between meshes and elements"),
            unit="mm",
        )
        for kind, part in groups.items()
    ]


def _part(runs: Runs, sensor: str, case: str, part: slice) -> list[float]:
    return runs.figures_of_merit(case, sensor)[part].tolist()
