"""Claims of chapters II and III: the element, its checks, and the loads of a turning link."""

from __future__ import annotations

import numpy as np

from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, agrees, holds, numbers, repairs
from flexarm.papers.naganathan.checks import data, step_response_mean, step_response_ratio
from flexarm.papers.naganathan.runs import Runs
from flexarm.papers.naganathan.statics import (
    RATIOS,
    divergence_speed,
    frame,
    frame_closed_form,
    simply_supported,
    simply_supported_exact,
    turning_link,
    turning_stretch,
)

ROWS = {"1": 2, "5": 5, "10": 10, "20": 20}
"""Rows of Table I as they are labelled, and the number of elements that gives them."""
PRINTED = Tolerance(absolute=1e-3, because="printed decimals")
COLUMNS = tuple(f"r/2L {ratio:g}" for ratio in RATIOS)


def claims(runs: Runs) -> tuple[Claim, ...]:
    """None is worked out yet."""
    return (*_element(runs), *_table_one(runs), *_table_two(runs), *_turning(runs))


def _element(runs: Runs) -> tuple[Claim, ...]:
    def growth() -> Evidence:
        def across(theory: str) -> np.ndarray:
            time, relative = runs.in_turning_frame("spin-up", 8, theory=theory, time__end=10.0)
            return np.array([relative[np.abs(time - at).argmin(), 1] for at in (8.0, 10.0)])

        return Evidence(numbers(across("link") / across("exact")), {"speed": divergence_speed(runs, 8)})

    return (
        Claim(
            id="eq-2.24",
            where="(2.24)",
            text="Written in global axes the equations keep matrices that come from the rates of the turning axes.",
            stated=(),
            work_out=lambda: [_global_terms()],
            rule=holds(lambda left: left[0] > 1e-9, Verdict.CORRECTED),
            because="These terms cancel: what is left of them is {c[0]:.1e} of their single parts. In global axes the "
            "mass matrix is constant and no gyroscopic term remains, which is how flexarm writes the equations.",
            units="share of the single parts",
        ),
        Claim(
            id="complete-interaction",
            where="Chapter II, introduction, and (2.12)",
            text="The model allows for the complete interaction of gross motion and deformation.",
            stated=(),
            work_out=growth,
            rule=holds(lambda ratio: ratio[0] < 1.1),
            because="The axial force does not act on the bent link, so centrifugal stiffening is missing. When a soft "
            "beam is spun up to 6 rad/s its deflection is {c[0]:.1f} times that of the exact theory after 8 s, at 3.4 "
            "rad/s, and {c[1]:.0f} times after 10 s; beyond {speed:.2f} rad/s, the first frequency of the beam at "
            "rest, the equations are unstable.",
            units="times",
            labels=("after 8 s", "after 10 s"),
        ),
    )


def _global_terms() -> float:
    """Largest of ``2 J Phi' + C Phi`` and ``J Phi'' + C Phi' + Kb Phi`` beside their parts, for some element."""
    mass, speed, acceleration, angle = 0.945, 0.84, 1.05, 0.4
    both = mass / 6.0 * np.array([[2.0, 1.0], [1.0, 2.0]])
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, s], [-s, c]])  # global to local
    Rd = -speed * turn @ R
    Rdd = -acceleration * turn @ R - speed**2 * R
    J, C = np.kron(both, np.eye(2)), 2.0 * speed * np.kron(both, turn)
    Kb = np.kron(both, acceleration * turn - speed**2 * np.eye(2))
    P, Pd, Pdd = (np.kron(np.eye(2), part) for part in (R, Rd, Rdd))
    first = np.abs(2.0 * J @ Pd + C @ P).max() / np.abs(C @ P).max()
    second = np.abs(J @ Pdd + C @ Pd + Kb @ P).max() / np.abs(Kb @ P).max()
    return float(max(first, second))


def _table_one(runs: Runs) -> tuple[Claim, ...]:
    table = data()["published"]["table 1"]
    labels = tuple(f"{row}, {column}" for row in ROWS for column in COLUMNS)

    def all_rows(integration: str) -> np.ndarray:
        return np.concatenate([simply_supported(runs, integration, n) for n in ROWS.values()])

    def worst() -> list[float]:
        right = simply_supported_exact(runs)
        kinds = ("reduced", "exact")
        return [float(np.abs(simply_supported(runs, kind, 10) / right - 1.0).max()) for kind in kinds]

    return (
        Claim(
            id="table-1-exact",
            where="Table I, exact integration",
            text="Frequencies of a simply supported beam with fully integrated elements.",
            stated=[value for row in ROWS for value in table["exact"][row]],
            work_out=lambda: all_rows("exact"),
            rule=agrees(),
            because="All 20 entries come out, with two elements for the row that is labelled 1.",
            tolerance=PRINTED,
            labels=labels,
        ),
        Claim(
            id="table-1-reduced",
            where="Table I, reduced integration",
            text="Frequencies with elements integrated at one point.",
            stated=[value for row in ROWS for value in table["reduced"][row]],
            work_out=lambda: all_rows("reduced"),
            rule=agrees(),
            because="19 of 20 entries come out; with 20 elements and a ratio of 0.02 it is {c[15]:.3f}, not "
            "{p[15]:.3f}.",
            tolerance=PRINTED,
            labels=labels,
        ),
        Claim(
            id="table-1-analytical",
            where="Table I, last row of both halves",
            text="Frequencies by the closed form (3.1).",
            stated=table["analytical"],
            work_out=lambda: simply_supported_exact(runs),
            rule=agrees(),
            because="Four of five entries come out; for the ratio 0.02 it is {c[0]:.3f}, not {p[0]:.3f}.",
            tolerance=PRINTED,
            labels=COLUMNS,
        ),
        Claim(
            id="table-1-row-1",
            where="Table I, rows labelled 1",
            text="One element over the span gives 13.686 to 11.017 (reduced integration).",
            stated=table["reduced"]["1"],
            work_out=lambda: simply_supported(runs, "reduced", 1),
            rule=agrees(),
            because="One element gives {c[0]:.1f} to {c[4]:.1f}: it has no bending mode of this kind. The printed row "
            "is that of two elements, in both halves of the table.",
            tolerance=PRINTED,
            labels=COLUMNS,
        ),
        Claim(
            id="reduced-integration",
            where="Chapter III, eigenvalues",
            text="Reduced integration agrees well at low and at high aspect ratios.",
            stated=(),
            work_out=worst,
            rule=holds(lambda error: error[0] < 0.02 < error[1]),
            because="With ten elements the largest error is {c[0]:.3f} of the frequency, against {c[1]:.3f} with exact "
            "integration, whose elements lock when the beam is slender.",
            units="share of the frequency",
            labels=("reduced", "exact"),
        ),
    )


def _table_two(runs: Runs) -> tuple[Claim, ...]:
    table = data()["published"]["table 2"]
    meshes = [tuple(pair) for pair in table["elements"]]

    def deflections() -> list[float]:
        return [frame(runs, mesh) for mesh in meshes]

    def frame_law() -> Evidence:
        # printed values say: C_BD (1/16 - 1/36) lies between 0.01 and 0.03, (C_AB + C_BD)(1/4 - 1/16) below 0.05
        return Evidence(numbers(deflections()), {"least": 0.01 / (1 / 16 - 1 / 36), "most": 0.05 / (1 / 4 - 1 / 16)})

    return (
        Claim(
            id="table-2",
            where="Table II, Figure 11",
            text="The tip of the frame moves by 3.55, 3.59 and 3.61 in with 2+2, 4+4 and 4+6 elements.",
            stated=table["deflection"],
            work_out=frame_law,
            rule=agrees(Verdict.NOT_DETERMINABLE),
            because="Load, area moment and one length are lost with the figure. A frame that was chosen to give 3.61 "
            "in (two members of 240 in, pulled at the free end) makes {c[0]:.3f}, {c[1]:.3f} and {c[2]:.3f}. No frame "
            "with even elements and an error that falls with their square can give the printed rows: they ask for a "
            "share of BD of at least {least:.3f} and for both together of at most {most:.3f}.",
            units="in",
            tolerance=Tolerance(absolute=5e-3, because="printed decimals"),
            labels=("2+2", "4+4", "4+6"),
        ),
        Claim(
            id="table-2-close",
            where="Chapter III, static frame",
            text="The element agrees well with the closed form of bending.",
            stated=(),
            work_out=lambda: [abs(value / frame_closed_form(runs) - 1.0) for value in deflections()],
            rule=holds(lambda error: max(error) < 0.02),
            because="On the frame that stands in for Figure 11 the errors are {c[0]:.4f}, {c[1]:.4f} and {c[2]:.4f}.",
            units="share of the deflection",
            labels=("2+2", "4+4", "4+6"),
        ),
    )


def _shape() -> tuple[float, float]:
    """How well (3.4) fulfils beam equation and ends for w = EI = 1, L = 2; and the deflection at the free end."""
    L = 2.0
    y = np.polynomial.Polynomial([11 * L**5, -15 * L**4, 0.0, 0.0, 5 * L, -1.0]) / (120.0 * L)
    load = np.polynomial.Polynomial([L, -1.0]) / L  # from the free end: full there, nothing at the root
    ends = [y(L), y.deriv()(L), y.deriv(2)(0.0), y.deriv(3)(0.0)]
    inside = (y.deriv(4) - load)(np.linspace(0.0, L, 5))
    return float(max(np.abs(ends).max(), np.abs(inside).max())), float(y(0.0))


def _turning(runs: Runs) -> tuple[Claim, ...]:
    return (
        Claim(
            id="triangular-load",
            where="Chapter III, rotating link",
            text="At constant angular velocity the inertia of a link is a triangular load across it.",
            stated=(),
            work_out=lambda: Evidence(
                (turning_link(runs, 8, 0.0), turning_stretch(runs, 8)), {"bend": turning_link(runs, 8)}
            ),
            rule=holds(lambda found: abs(found[0]) > 1e-9, Verdict.CORRECTED),
            because="It needs angular acceleration: at a constant 0.84 rad/s the link is stretched by {c[1]:.4f} um "
            "and not bent; 1.05 rad/s^2 bends it by {bend:.4f} mm.",
            units="mm, um",
            labels=("bent", "stretched"),
        ),
        Claim(
            id="eq-3.4",
            where="(3.4)",
            text="Deflection of a clamped beam under a triangular load, x from its free end.",
            stated=(),
            work_out=lambda: [_shape()[0]],
            rule=holds(lambda error: error[0] < 1e-12, Verdict.CORRECTED),
            because="With the factor w / (120 EI L) the polynomial fulfils the beam equation and all four conditions "
            "at the ends (error {c[0]:.0e}).",
        ),
        Claim(
            id="eq-3.5",
            where="(3.5)",
            text="The largest deflection is 11 w L^3 / (120 EI).",
            stated=[11.0 * 2.0**3 / 120.0],
            work_out=lambda: [11.0 * 2.0**4 / 120.0],
            rule=repairs(lambda: [_shape()[1]]),
            because="With w as load per length at the tip it is 11 w L^4 / (120 EI): {c[0]:.4f} instead of {p[0]:.4f} "
            "for w = EI = 1 and L = 2. Whether the power is a misprint or badly read cannot be told from the copy.",
            units="m",
            tolerance=Tolerance(relative=1e-12, because="plain arithmetic"),
        ),
        Claim(
            id="figure-13",
            where="Chapter III, Figure 13",
            text="The vibration of the turning link oscillates about the quasi-static deflection.",
            stated=(),
            work_out=lambda: [
                step_response_mean(runs, 8) / turning_link(runs, 8), step_response_ratio(runs, 8),
            ],
            rule=holds(lambda share: abs(share[0] - 1.0) < 0.01),
            because="The mean is {c[0]:.4f} and the peak {c[1]:.3f} times the quasi-static deflection.",
            units="times the quasi-static deflection",
            labels=("mean", "peak"),
        ),
    )  # fmt: skip
