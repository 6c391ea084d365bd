"""Claims about the printed formulas of Tokhi and Azad for hub and payload, about the start and about stability."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, agrees, holds, numbers, repairs
from flexarm.papers.tokhi_azad import printed as eq
from flexarm.papers.tokhi_azad.checks import largest_number
from flexarm.papers.tokhi_azad.errata import PAYLOAD, ROUNDING, letters
from flexarm.papers.tokhi_azad.runs import SECTIONS, STEP, Closure, Runs


def errata_of_ends(runs: Runs) -> tuple[Claim, ...]:
    """Claims about the equations from (25) on, none worked out yet."""
    return (
        *_hub_row(runs),
        *_slopes(runs),
        *_fictitious_points(runs),
        *_tip_inertia(runs),
        *_start(runs),
        *_stability(runs),
    )


def _hub_row(runs: Runs) -> tuple[Claim, ...]:
    """Equation (30)."""

    def built() -> tuple[np.ndarray, np.ndarray]:
        return runs.recursion(runs.matrices("hub"))

    return (
        Claim(
            id="eq-30-q123",
            where="Equation (30)",
            text="Q1, Q2 and Q3 of row 1 with hub inertia.",
            stated=lambda: letters(runs).hub_row(),
            work_out=lambda: built()[0][0, :3],
            rule=agrees(),
            because="Equal to the matrix that follows from the energy of the grid with the hub on a one-sided slope.",
            units="elements of A",
            tolerance=ROUNDING,
            labels=("Q1", "Q2", "Q3"),
        ),
        Claim(
            id="eq-30-q4",
            where="Equation (30)",
            text="Q4 = dt^2 / (dx (rho dx^3 + I_h)).",
            stated=lambda: [letters(runs).q4(printed=True)],
            work_out=lambda: Evidence(numbers(built()[1][0]), {"times": letters(runs).q4(True) / letters(runs).q4()}),
            rule=repairs(lambda: [letters(runs).q4()]),
            because="dx belongs above the line: as printed Q4 tau is no length, does not tend to the case without "
            "hub, and moves node 1 by {p[0]:.3g} in place of {c[0]:.3g} m per N*m, {times:.1f} times too far.",
            units="m/(N*m)",
            tolerance=Tolerance(relative=1e-8, because="algebra: only rounding may differ"),
        ),
    )


def _slopes(runs: Runs) -> tuple[Claim, ...]:
    """Order of the closure at hub and tip."""

    def error(closure: Closure, sections: int) -> float:
        found = runs.frequencies("hub + 20 g", 2, sections, closure)
        return float(found[1] - runs.link("hub + 20 g").frequencies(2)[1])

    def order(closure: Closure) -> float:
        return float(np.log2(error(closure, 76) / error(closure, 152)))

    return (
        Claim(
            id="eq-25-27-order",
            where="Section 3, equations (25), (27)",
            text="Derivatives are replaced by central differences.",
            stated=[2.0],
            work_out=lambda: Evidence(numbers(order("one-sided")), {"central": order("centred")}),
            rule=agrees(),
            because="The slopes at hub and tip are one-sided, so the second frequency converges with order "
            "{c[0]:.2f} only; with the slopes as unknowns of their own the order is {central:.2f}.",
            units="order of convergence",
            tolerance=Tolerance(absolute=0.1),
        ),
    )


def _built_points(runs: Runs) -> tuple[np.ndarray, np.ndarray]:
    """T and P from the matrix of the grid, by (38) and (39) backwards."""
    a, b, c = letters(runs).abc
    A, _ = runs.recursion(runs.matrices("hub", payload=PAYLOAD))
    T = (np.array([-c, b, a, b]) - A[-2, -4:]) / c
    return T, (b * T + np.array([0.0, -c, b, a]) - A[-1, -4:]) / c


def _fictitious_points(runs: Runs) -> tuple[Claim, ...]:
    """P and T."""
    return (
        Claim(
            id="p-coefficients",
            where="After equation (37)",
            text="P1 to P4 for the fictitious point y[n+2].",
            stated=lambda: letters(runs).p(printed=True),
            work_out=lambda: letters(runs).p(),
            rule=repairs(lambda: _built_points(runs)[1]),
            because="P1 has a wrong numerator and denominator ({p[0]:.4g} in place of {c[0]:.4g}), P3 has F2 where "
            "F1 belongs ({p[2]:.6g} in place of {c[2]:.6g}), b2 in P2 means b; P4 is right.",
            tolerance=ROUNDING,
            labels=("P1", "P2", "P3", "P4"),
        ),
        Claim(
            id="t-coefficients",
            where="After equation (37)",
            text="T1 to T4 for the fictitious point y[n+1].",
            stated=lambda: letters(runs).t(printed=True),
            work_out=lambda: Evidence(
                numbers(letters(runs).t()), {"printed": letters(runs).t(True).sum(), "right": letters(runs).t().sum()}
            ),
            rule=repairs(lambda: _built_points(runs)[0]),
            because="The common denominator stands in the numerator, and brackets are wrong. A straight link must "
            "stay straight, so the four must add up to 1: they add up to {printed:.3g}, the repaired ones to "
            "{right:.6g}.",
            tolerance=ROUNDING,
            labels=("T1", "T2", "T3", "T4"),
        ),
    )


def _tip_inertia(runs: Runs) -> tuple[Claim, ...]:
    """Factor of the payload's inertia, and the number of elements that a payload changes."""

    def first_frequency(printed: bool, sections: int = 152) -> list[float]:
        now = letters(runs, sections)
        A, _ = runs.recursion(runs.matrices("hub", sections=sections, payload=PAYLOAD), now.dt)
        A[-2:, -4:] = now.tip_rows(now.f1(printed))
        squares = np.sort(np.linalg.eigvals(2.0 * np.eye(sections) - A).real) / now.dt**2
        return [float(np.sqrt(squares[1])) / (2.0 * np.pi)]

    def exact(share: float) -> np.ndarray:
        return runs.link("hub").with_payload(PAYLOAD[0], share * PAYLOAD[1]).frequencies(1)

    def changed(inertia: float) -> int:
        before, after = (runs.recursion(runs.matrices("hub", payload=(m, inertia)))[0] for m in (0.01, 0.02))
        return int(np.sum(np.abs(after - before) > 1e-12))

    return (
        Claim(
            id="eq-27",
            where="Equation (27), F1",
            text="The inertia of the payload enters with the factor 2 EI dt^2 / (I_p dx).",
            stated=lambda: first_frequency(True),
            work_out=lambda: Evidence(numbers(first_frequency(False)), {"half": exact(0.5)[0], "whole": exact(1.0)[0]}),
            rule=repairs(lambda: exact(1.0)),
            because="For a one-sided slope the factor is 1. With 2 the first frequency for 20 g with 1e-4 kg*m^2 "
            "comes to {p[0]:.3f} Hz with 152 sections, that of half the inertia ({half:.3f} Hz); with 1 to "
            "{c[0]:.3f} Hz, the right one ({whole:.3f} Hz).",
            units="Hz",
            tolerance=Tolerance(relative=2e-3, because="first order in the section length"),
        ),
        Claim(
            id="eight-elements",
            where="Section 6",
            text="A change of the payload affects eight elements of the matrix A.",
            stated=[8],
            work_out=lambda: Evidence(numbers(changed(PAYLOAD[1])), {"point": changed(0.0)}),
            rule=agrees(),
            because="With a payload that has inertia {c[0]:.0f} elements change; with the document's own point "
            "masses, for which F1 would be infinite, only {point}.",
            units="elements",
        ),
    )


def _start(runs: Runs) -> tuple[Claim, ...]:
    """The first step."""

    def end(first_without_torque: bool) -> np.ndarray:
        model = runs.matrices("hub", "centred")
        A, push = runs.recursion(model)
        tip = model.coordinates.index(f"y{SECTIONS}")
        return eq.march(A, push, STEP, 1.2, tip, first_without_torque)[-1:]

    return (
        Claim(
            id="start",
            where="Section 6, initialisation",
            text="The first step is y1 = y0 + dt * velocity.",
            stated=lambda: end(True),
            work_out=lambda: end(False),
            rule=repairs(lambda: runs.tips("hub", [1.2])),
            because="The term dt^2/2 * acceleration is missing, which loses half a step of torque: the tip is at "
            "{p[0]:.5f} m in place of {c[0]:.5f} m after 1.2 s and drifts on.",
            units="m",
            tolerance=Tolerance(absolute=5e-5, because="phase error of the explicit scheme"),
        ),
    )


def _stability(runs: Runs) -> tuple[Claim, ...]:
    """Section 5."""
    cosines = np.cos(np.linspace(0.0, np.pi, 181))

    def largest(factor: Callable[[np.ndarray], np.ndarray]) -> list[float]:
        return [float(np.abs(1.0 - 0.4 * factor(cosines)).max())]

    return (
        Claim(
            id="eq-42-inner",
            where="Before equation (42)",
            text="The condition |1 - 2c (cos - 1)| <= 1 has to hold for all waves.",
            stated=lambda: largest(lambda x: x - 1.0),
            work_out=lambda: largest(lambda x: (x - 1.0) ** 2),
            rule=repairs(lambda: largest(lambda x: x**2 + 1.0 - 2.0 * x)),
            because="A square is missing: as printed c = 0.2 gives {p[0]:.2f} and no step would be stable; with (cos "
            "- 1)^2, which follows from (41), it gives {c[0]:.2f}, and c <= 1/4 follows.",
            units="largest amplification at c = 0.2",
            tolerance=ROUNDING,
        ),
        Claim(
            id="eq-42-stability",
            where="Equation (42)",
            text="0 <= c <= 1/4 is necessary and sufficient for stability.",
            stated=[0.25],
            work_out=lambda: Evidence(
                numbers([largest_number(runs, "hub", SECTIONS), largest_number(runs, "hub", SECTIONS, "one-sided")]),
                {"small": largest_number(runs, "no hub", SECTIONS, hub_ratio=0.01)},
            ),
            rule=holds(lambda limits: all(abs(limit - 0.25) < 1e-3 for limit in limits), Verdict.CORRECTED),
            because="It is the limit of an endless beam. With 19 sections and the hub the limit is c = {c[0]:.4f} "
            "({c[1]:.4f} with one-sided slopes); with central slopes and a hub of 0.01 rho dx^3 it is only "
            "{small:.4f}.",
            units="largest stable c",
            labels=("central slopes", "one-sided slopes"),
        ),
    )
