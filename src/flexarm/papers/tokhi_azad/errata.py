"""Claims about the printed difference formulas of Tokhi and Azad, and those of the link without hub and payload.

Each formula is run as it stands and as it was meant.
"""

from __future__ import annotations

import numpy as np

from flexarm.papers.claims import Claim, Evidence, Tolerance, agrees, numbers, repairs
from flexarm.papers.tokhi_azad import printed as eq
from flexarm.papers.tokhi_azad.checks import largest_number
from flexarm.papers.tokhi_azad.runs import SECTIONS, STEP, Runs

ROUNDING = Tolerance(relative=1e-8, absolute=1e-12, because="algebra: only rounding may differ")
PAYLOAD = (0.02, 1e-4)
"""Mass (kg) and inertia (kg m^2) for formulas that divide by both; the document gives no inertia."""
H, DT = 0.05, 0.01
"""Spacing and step of the Taylor checks, made at x = 1, t = 1."""


def letters(runs: Runs, sections: int = SECTIONS, hub: bool = True, payload: bool = True) -> eq.Numbers:
    """The document's letters for Table 1 at c near 0.2."""
    beam, step = runs.beam, STEP if sections == SECTIONS else runs.step_for(0.2, sections)
    mass, inertia = PAYLOAD if payload else (0.0, 0.0)
    return eq.Numbers(beam.EI, beam.rhoA, beam.length, sections, step, beam.hub_inertia if hub else 0.0, mass, inertia)


def errata(runs: Runs) -> tuple[Claim, ...]:
    """Claims about the equations up to (22), and (26), (40); none is worked out yet."""
    return (*_equation(runs), *_space_differences(), *_time_differences(), *_free_link(runs), *_blow_ups(runs))


def _equation(runs: Runs) -> tuple[Claim, ...]:
    """The differential equation itself."""

    def exponents() -> tuple[float, float]:
        import pint

        ureg: pint.UnitRegistry = pint.UnitRegistry()
        left, right = (ureg.parse_units(u).dimensionality["[length]"] for u in ("kg/m*m/s^2", "N*m"))
        return float(np.real(left)), float(np.real(right))

    def order() -> float:
        steps = [runs.step_for(largest_number(runs, "no hub", n), n) for n in (38, 76)]
        return float(np.log2(steps[0] / steps[1]))

    return (
        Claim(
            id="eq-1-torque",
            where="Equations (1), (10), (11)",
            text="The applied torque stands on the right-hand side of the equation of motion.",
            stated=lambda: [exponents()[1]],
            work_out=lambda: [exponents()[0]],
            rule=agrees(),
            because="A torque has length to the power {p[0]:.0f}, a force per length to the power {c[0]:.0f}: the "
            "torque belongs to the condition at the hub alone, where the document has it as well; both would count "
            "it twice.",
            units="power of length",
        ),
        Claim(
            id="hyperbolic",
            where="Section 3",
            text="The equation is hyperbolic and a boundary value problem.",
            stated=[1.0],
            work_out=lambda: [order()],
            rule=agrees(),
            because="It is dispersive: the largest stable step shrinks with the section length to the power "
            "{c[0]:.3f}, not 1 as for a hyperbolic equation; and it is an initial-boundary value problem.",
            units="power",
            tolerance=Tolerance(absolute=0.05),
        ),
    )


def _third(stencil: eq.Stencil, factor: float) -> list[float]:
    """Third derivative of x^3, which is 6, by a stencil over factor * h^3; central formulas are exact for it."""
    return [eq.apply(stencil, lambda x: x**3, 1.0, H) / (factor * H**3)]


def _space_differences() -> tuple[Claim, ...]:
    """Third derivatives."""
    return (
        Claim(
            id="eq-8",
            where="Equation (8)",
            text="The third derivative is (y[i+2] - 2 y[i+1] - 2 y[i-1] + y[i-2]) / (2 dx^3).",
            stated=lambda: _third(eq.THIRD_PRINTED, 2.0),
            work_out=lambda: _third(eq.THIRD_RIGHT, 2.0),
            rule=repairs(lambda: [6.0]),
            because="For y = x^3 the printed formula gives {p[0]:.5g} in place of 6; with + 2 y[i-1] - y[i-2] it "
            "gives {c[0]:.6g}. Equation (21) follows from the right one.",
            units="third derivative of x^3",
            tolerance=Tolerance(relative=1e-6),
        ),
        Claim(
            id="eq-26",
            where="Equation (26)",
            text="The shear force at the tip contains y[n-2] + 2 y[n-2] + 2 y[n+1] - y[n+2].",
            stated=lambda: _third(eq.SHEAR_PRINTED, -2.0),
            work_out=lambda: _third(eq.SHEAR_RIGHT, -2.0),
            rule=repairs(lambda: [6.0]),
            because="For y = x^3 the printed bracket gives {p[0]:.5g} in place of 6; with y[n-2] - 2 y[n-1] it gives "
            "{c[0]:.6g}, and only from that does equation (34) follow.",
            units="third derivative of x^3",
            tolerance=Tolerance(relative=1e-6),
        ),
    )


def _mixed(plus: float, minus: float) -> list[float]:
    """d3/dt2dx of x t^2, which is 2, by second differences in time at two places over 2 h dt^2."""
    second = [x * ((1 + DT) ** 2 - 2.0 + (1 - DT) ** 2) for x in (plus, minus)]
    return [(second[0] - second[1]) / (2.0 * H * DT**2)]


def _time_differences() -> tuple[Claim, ...]:
    """Derivatives by time."""
    return (
        Claim(
            id="eq-9",
            where="Equation (9)",
            text="The mixed derivative d3y/dt2dx at the tip is the second time difference of y[n-1] less that of "
            "y[n], over 2 dx dt^2.",
            stated=lambda: _mixed(1.0 - H, 1.0),
            work_out=lambda: _mixed(1.0 + H, 1.0 - H),
            rule=repairs(lambda: [2.0]),
            because="For y = x t^2 the printed formula gives {p[0]:.4g} in place of 2: wrong sign and half the size. "
            "The central form takes y[n+1] less y[n-1] and gives {c[0]:.4g}; y[n] less y[n-1] over dx would do as "
            "well.",
            units="d3/dt2dx of x t^2",
            tolerance=Tolerance(relative=1e-6),
        ),
        Claim(
            id="eq-40",
            where="Equation (40)",
            text="The right-hand side of the discretised equation is -y[j-1] + 2 y[j] - y[j-1].",
            stated=lambda: [(2 * (1 - DT) ** 2 - 2.0) / DT**2],
            work_out=lambda: [((1 + DT) ** 2 - 2.0 + (1 - DT) ** 2) / DT**2],
            rule=repairs(lambda: [2.0]),
            because="For y = t^2 the printed terms give a second derivative of {p[0]:.4g} in place of 2; the first "
            "index should be j+1, which gives {c[0]:.4g}.",
            units="second derivative of t^2",
            tolerance=Tolerance(relative=1e-6),
        ),
    )


def _free_tip(
    runs: Runs, end: float, sign: float = 1.0, forgotten: int | None = None, m22: float | None = None
) -> np.ndarray:
    """Tip of the link without hub inertia by the document's recursion, with one misprint or none."""
    A, push = runs.recursion(runs.matrices("no hub"))
    if m22 is not None:
        A[-1, -3] = m22
    return eq.march(A, sign * push, STEP, end, -1, forgotten=forgotten)


def _free_link(runs: Runs) -> tuple[Claim, ...]:
    """Section 4.1: rows of the matrix and sign of the torque."""

    def rows() -> np.ndarray:
        A, _ = runs.recursion(runs.matrices("no hub"))
        return np.concatenate([A[0, :3], A[-2, -4:], A[-1, -4:]])

    return (
        Claim(
            id="rows-free",
            where="Equations (16), (19), (22)",
            text="The displacement terms of rows 1, n-1 and n of the matrix A without hub inertia and payload.",
            stated=lambda: letters(runs, hub=False, payload=False).free_rows(),
            work_out=rows,
            rule=agrees(),
            because="Element by element equal to the matrix that follows from kinetic and bending energy of the grid.",
            units="elements of A",
            tolerance=ROUNDING,
        ),
        Claim(
            id="eq-14-16-sign",
            where="Equations (14), (16)",
            text="The torque enters the fictitious point as + dx^2 tau / EI and row 1 as - c dx^2 tau / EI.",
            stated=lambda: [_free_tip(runs, 1.2, sign=-1.0)[-1]],
            work_out=lambda: [_free_tip(runs, 1.2)[-1]],
            rule=repairs(lambda: runs.exact("no hub", [1.2]).tip),
            because="With the printed sign a positive torque turns the arm backwards: the tip ends at {p[0]:.4f} m; "
            "with the sign that follows from condition (12) it ends at {c[0]:.4f} m.",
            units="m",
            tolerance=Tolerance(relative=0.01, because="19 sections against the exact solution"),
        ),
    )


def _blow_ups(runs: Runs) -> tuple[Claim, ...]:
    """Misprints that make the motion grow without bound."""

    def found(**misprint: float) -> Evidence:
        wrong = _free_tip(runs, 0.03, **misprint)  # type: ignore[arg-type]
        gone = float(np.argmax(np.abs(wrong) > runs.beam.length) * STEP)
        return Evidence(numbers(_free_tip(runs, 0.03)[-1]), {"when": 1e3 * gone})

    twice = 2.0 * letters(runs).abc[2]
    near = Tolerance(absolute=2e-4, because="19 sections against the exact solution")
    return (
        Claim(
            id="eq-16-missing",
            where="Equation (16)",
            text="Row 1 has no term - y[1, j-1].",
            stated=lambda: [_free_tip(runs, 0.03, forgotten=0)[-1]],
            work_out=lambda: found(forgotten=0),
            rule=repairs(lambda: runs.exact("no hub", [0.03]).tip),
            because="Without it the motion blows up: after {when:.0f} ms the tip is farther away than the arm is "
            "long, after 30 ms at {p[0]:.0e} m; with it the tip is at {c[0]:.5f} m.",
            units="m",
            tolerance=near,
        ),
        Claim(
            id="m22",
            where="List of elements after equation (22)",
            text="Element m22 is 2c.",
            stated=lambda: [_free_tip(runs, 0.03, m22=twice)[-1]],
            work_out=lambda: found(m22=twice),
            rule=repairs(lambda: runs.exact("no hub", [0.03]).tip),
            because="Equation (22) itself has -2c. With +2c the motion blows up: after {when:.0f} ms the tip is "
            "farther away than the arm is long, after 30 ms at {p[0]:.0e} m in place of {c[0]:.5f} m.",
            units="m",
            tolerance=near,
        ),
    )
