"""Reference values of the RALF arm, computed anew; numbers.json holds them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from flexarm.papers.checks import Check
from flexarm.papers.claims import Tolerance
from flexarm.papers.lee_huggins_book import actuators
from flexarm.papers.lee_huggins_book.runs import CASES, Runs, data

SAME = Tolerance(relative=1e-4, because="the same assumed modes")
MESH = Tolerance(relative=5e-4, because="another discretisation of the same beams")
OTHER = Tolerance(relative=1e-3, because="another code, large deformations")
PEAK = Tolerance(relative=2e-3, because="the same assumed modes")
HZ = "Hz"


def checks(runs: Runs) -> tuple[Check, ...]:
    """All reference values, none computed yet."""
    return (*_frequencies(runs), *_static(runs), *_motions(runs), *actuators.checks(runs))


def _frequencies(runs: Runs) -> list[Check]:
    expected = data()["frequencies"]
    fine: dict[str, Any] = {"shapes": "component", "resolution": 8}
    beams: dict[str, Any] = {"scenario": "ralf-fem", "resolution": 12, "order": 3}
    stiff: dict[str, Any] = {**beams, "beams": "inextensible"}
    ways: dict[str, tuple[dict[str, Any], Tolerance]] = {
        "constrained, 1 shape": ({"resolution": 1}, SAME),
        "constrained, 2 shapes": ({}, SAME),
        "constrained, 3 shapes": ({"resolution": 3}, SAME),
        "constrained, 4 shapes": ({"resolution": 4}, SAME),
        "constrained, 6 shapes": ({"resolution": 6}, SAME),
        "unconstrained": ({"loops": "cut-absolute"}, SAME),
        "unconstrained, relative": ({"loops": "cut-relative"}, SAME),
        "with weight and loop forces": ({"weight": True}, SAME),
        "with static geometric stiffness": ({"weight": True, "stiffening": "static"}, SAME),
        "finite elements, stiff along": (stiff, MESH),
        "finite elements": (beams, MESH),
        "exudyn, stiff along, with weight": ({**stiff, "weight": True}, OTHER),
        "exudyn with weight": ({**beams, "weight": True}, OTHER),
    }
    shapes: dict[str, tuple[dict[str, Any], Tolerance]] = {
        "finite elements, stiff along": (fine, MESH),
        "finite elements": ({**fine, "axial_modes": 4}, MESH),
        "exudyn, stiff along, with weight": ({**fine, "weight": True, "stiffening": "second-order"}, OTHER),
        "exudyn with weight": ({**fine, "weight": True, "stiffening": "second-order", "axial_modes": 4}, OTHER),
    }
    named = [(name, name, *way) for name, way in ways.items()]
    named += [(f"{name}, by component shapes", name, *way) for name, way in shapes.items()]
    return [
        Check(
            words,
            "Natural frequencies",
            partial(_hz, runs, len(expected[name]), settings),
            tuple(expected[name]),
            size,
            HZ,
        )
        for words, name, settings, size in named
    ]


def _hz(runs: Runs, n: int, settings: dict[str, Any]) -> np.ndarray:
    return runs.frequencies(n=n, **settings).hz


def _static(runs: Runs) -> list[Check]:
    expected = data()["static"]

    def strain(**changes: Any) -> np.ndarray:
        return 1e6 * runs.result("both", **changes).data["strain"].values[0]

    return [
        Check("mid-link strains", "Equilibrium", strain, tuple(expected["strain"]), PEAK, "1e-6"),
        Check(
            "mid-link strains, 4 shapes", "Equilibrium", lambda: strain(method__resolution=4),
            tuple(expected["strain, 4 shapes"]), PEAK, "1e-6",
        ),
        Check(
            "tip", "Equilibrium", lambda: runs.result("both").data["tip_position"].values[0, :2], tuple(expected["tip"]),
            SAME, "m",
        ),
        Check(
            "force of the pin", "Equilibrium", lambda: np.abs(runs.result("both").data["loop_force"].values[0, 0, :2]),
            tuple(expected["loop force"]), SAME, "N",
        ),
    ]  # fmt: skip


def _motions(runs: Runs) -> list[Check]:
    found: list[Check] = []
    hertz = {"drive": _in_hertz()}
    for case in [*CASES, "both, poles in Hz"]:
        reference = data()["runs"][case]
        base, changes = ("both", hertz) if case.endswith("Hz") else (case, {})
        motion = f"Motion: {case}"

        for name, work_out, key in (
            ("peaks of the strain", _peaks, "peak"),
            ("half range after 2.6 s", partial(_ranges, 2.6), "residual"),
            ("half range of the last 0.5 s", partial(_ranges, 4.5), "last"),
        ):
            found.append(
                Check(name, motion, partial(work_out, runs, base, changes), tuple(reference[key]), PEAK, "1e-6")
            )
        size = 5e-3 * max(reference["peak"])
        flat = tuple(float(v) for row in reference["strain"] for v in row)
        found.append(
            Check(
                "strain at nine times", motion, partial(_samples, runs, base, changes, reference["times"]), flat,
                Tolerance(absolute=size, because="half a per cent of the peak"), "1e-6",
            )
        )  # fmt: skip
    for case, values in data()["static geometric stiffness"].items():
        found.append(
            Check(
                f"peaks, {case}, static geometric stiffness, 4 s", "Geometric stiffness",
                partial(_peaks, runs, case, {"method__stiffening": "static", "time__end": 4.0}), tuple(values), PEAK, "1e-6",
            )
        )  # fmt: skip
    return found


def _in_hertz() -> list[dict[str, Any]]:
    """Both drives of the scenario with the poles read in Hz."""
    import flexarm as fa

    drives = fa.load("ralf").tree["drive"]
    return [{**drive, "actuator": {**drive["actuator"], "pole_unit": "Hz"}} for drive in drives]


def _peaks(runs: Runs, case: str, changes: dict[str, Any]) -> np.ndarray:
    return runs.peaks(case, **changes)


def _ranges(start: float, runs: Runs, case: str, changes: dict[str, Any]) -> np.ndarray:
    time, strain = runs.strain(case, **changes)
    return 0.5 * np.ptp(strain[time > start - 1e-9], axis=0)


def _samples(runs: Runs, case: str, changes: dict[str, Any], times: list[float]) -> np.ndarray:
    time, strain = runs.strain(case, **changes)
    return strain[[int(np.abs(time - t).argmin()) for t in times]].ravel()
