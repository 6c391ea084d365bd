"""Reference values of tracking and elements, computed anew; numbers.json holds gains and values."""

from __future__ import annotations

from functools import partial

from flexarm.papers.checks import Check
from flexarm.papers.claims import Tolerance
from flexarm.papers.tian.bending import element_checks
from flexarm.papers.tian.runs import Runs, data


def checks(runs: Runs) -> tuple[Check, ...]:
    """Tracking errors of every case and sensor, deflections, and the elements themselves; none is worked out yet."""
    found = []
    for sensor, cases in data()["errors"].items():
        for case, values in cases.items():
            found += _case(runs, sensor, case, values)
    for case, reference in data()["deflections"].items():
        if case != "about":
            found.append(
                Check(
                    name=f"{case} gains, chord sensor, largest deflection of both links",
                    group="deflection of the links",
                    work_out=partial(runs.deflections, case),
                    reference=tuple(reference),
                    tolerance=Tolerance(relative=0.01, because="steps of 1 ms at the jump of the start"),
                    unit="mm",
                )
            )
    return (*found, *element_checks(runs))


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
