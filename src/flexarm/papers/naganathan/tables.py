"""Tables I and II, the turning link, spin-up and the case studies, ours beside those of the thesis."""

from __future__ import annotations

from flexarm.papers.errata import errata_table
from flexarm.papers.naganathan.checks import data, frequencies, peaks, servo_frequencies, spin_up, torque_peaks
from flexarm.papers.naganathan.claims import ROWS
from flexarm.papers.naganathan.runs import ELEMENTS, Runs
from flexarm.papers.naganathan.statics import (
    RATIOS,
    divergence_speed,
    frame,
    frame_closed_form,
    simply_supported,
    simply_supported_exact,
    turning_link,
    turning_link_exact,
)
from flexarm.papers.paper import Row, Table

THEORIES = ("quasi-static", "linear", "link", "exact")
MODELS = {"quasi-static": "quasi-static", "linear": "linear", "link": "nonlinear (thesis)", "exact": "exact"}
"""Theories of the method, and what they are called in tables and figures."""


def tables(runs: Runs) -> tuple[Table, ...]:
    """All tables, none worked out yet."""
    return (
        _table_one(runs),
        _table_two(runs),
        _turning(runs),
        _spin_up(runs),
        _frequencies(runs),
        _cases(runs),
        errata_table("naganathan"),
    )


def _table_one(runs: Runs) -> Table:
    printed = data()["published"]["table 1"]

    def rows() -> list[Row]:
        found: list[Row] = []
        for integration in ("exact", "reduced"):
            for row, elements in ROWS.items():
                found.append((integration, row, "printed", *printed[integration][row]))
                ours = simply_supported(runs, integration, elements)
                found.append((integration, row, f"{elements} elements", *map(float, ours)))
        found.append(("closed form", "", "printed", *printed["analytical"]))
        found.append(("closed form", "", "computed", *map(float, simply_supported_exact(runs))))
        return found

    return Table(
        "table-1",
        "Table I: frequency parameter w L² sqrt(rho A / EI) of a simply supported beam",
        ("Integration", "Row", "From", *(f"r/2L = {ratio:g}" for ratio in RATIOS)),
        rows,
        "Two printed entries are wrong, both for 0.02: 9.844 (20 elements, reduced) and 9.839 (closed form). The rows "
        "labelled 1 are those of two elements. Solid circle, nu = 0.3, shear factor 39/44.",
    )


def _table_two(runs: Runs) -> Table:
    stated = data()["published"]["table 2"]

    def rows() -> list[Row]:
        found: list[Row] = [
            (f"{a} + {b}", printed, frame(runs, (a, b)), frame_closed_form(runs, b))
            for (a, b), printed in zip(stated["elements"], stated["deflection"], strict=True)
        ]
        return [*found, ("closed form", stated["exact"], None, frame_closed_form(runs))]

    return Table(
        "table-2",
        "Table II: horizontal deflection at the tip of a frame",
        ("Elements AB + BD", "Printed (in)", "Static solution (in)", "Midpoint rule (in)"),
        rows,
        "The frame of the thesis cannot be reconstructed. This one stands in for it: clamped at A, AB 240 in along x, "
        "BD 240 in upright, E = 30000 ksi, I = 1000 in⁴, 5.8757 kip along x at D, chosen to give 3.61 in. The static "
        "solution uses the stiffness of the method's elements; one-point elements amount to the midpoint rule for the "
        "integral of M m / EI, here without the small shares of shear and stretch.",
    )


def _turning(runs: Runs) -> Table:
    def rows() -> list[Row]:
        right = turning_link_exact(runs, "timoshenko")
        found: list[Row] = [("Euler-Bernoulli, closed form", turning_link_exact(runs, "bending"), None)]
        found.append(("Timoshenko, closed form", right, None))
        for n in (1, 2, 4, 8, 16):
            ours = turning_link(runs, n)
            found.append((f"{n} elements", ours, 100.0 * (ours / right - 1.0)))
        return found

    return Table(
        "rotating-link",
        "Deflection of a link under a constant angular acceleration of 1.05 rad/s²",
        ("Computed by", "Deflection at the tip (mm)", "Difference from Timoshenko (%)"),
        rows,
        "One link of case study 1.",
    )


def _spin_up(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for n in (4, 8, 16):
            across, time, along, stretch = map(float, spin_up(runs, n))
            found.append((n, across, time, along, 1e3 * stretch, divergence_speed(runs, n)))
        return found

    return Table(
        "spin-up",
        "Spin-up of a soft beam to 6 rad/s in 15 s",
        (
            "Elements", "Least across (m)", "At (s)", "Least along (m)", "Mean stretch at full speed (mm)",
            "Speed at which linear models diverge (rad/s)",
        ),
        rows,
        "Tip relative to the turning straight line, theory exact. The thesis has no such case: it shows what its "
        "equations leave out.",
    )  # fmt: skip


def _frequencies(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for case, meshes in {"case 1": (2, 4, 8, 16), "case 2": (2, 4, 8)}.items():
            found += [(f"{case}, joints locked", n, *map(float, frequencies(runs, case, n))) for n in meshes]
        return found + [("case 3, on its servos", n, *map(float, servo_frequencies(runs, n))) for n in (2, 4)]

    return Table(
        "frequencies",
        "Natural frequencies at the start pose",
        ("Case", "Elements per link", *(f"{k} (Hz)" for k in (1, 2, 3, 4))),
        rows,
        "Without damping.",
    )


def _cases(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for case in ("case 1", "case 2", "case 3"):
            for theory in THEORIES[1:] if case == "case 3" else THEORIES:
                torque = torque_peaks(runs, case, theory)[:2] if theory != "quasi-static" else (None, None)
                ends = (None if value is None else float(value) for value in torque)
                found.append((case, MODELS[theory], *map(float, peaks(runs, case, theory, ELEMENTS)), *ends))
        return found

    return Table(
        "case-studies",
        "Case studies: tip error in global axes and torque at the base",
        (
            "Case", "Model", "x least (mm)", "x greatest (mm)", "y least (mm)", "y greatest (mm)",
            "Torque greatest (N·m)", "Torque least (N·m)",
        ),
        rows,
        f"{ELEMENTS} elements per link, steps of 1 ms. The tip error is the deformed less the rigid tip.",
    )  # fmt: skip
