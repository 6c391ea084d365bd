"""Tables beside those of the document: frequencies, tip, and a list of its misprints."""

from __future__ import annotations

from flexarm.papers.paper import Row, Table
from flexarm.papers.tokhi_azad.runs import CASES, SECTIONS, STEP, Runs
from flexarm.papers.tokhi_azad.timing import timing_tables

TIMES = (0.3, 0.6, 0.9, 1.2)

ERRATA: tuple[tuple[str, str, str], ...] = (
    ("(1), (10), (11)", "torque on the right-hand side", "nothing; the torque belongs to the condition at the hub"),
    ("Section 3", "hyperbolic, boundary value problem", "dispersive, initial-boundary value problem"),
    ("(8)", "y[i+2] - 2 y[i+1] - 2 y[i-1] + y[i-2]", "y[i+2] - 2 y[i+1] + 2 y[i-1] - y[i-2]"),
    ("(9)", "y[n-1] less y[n] over 2 dx dt^2", "y[n+1] less y[n-1] over 2 dx dt^2, or y[n] less y[n-1] over dx dt^2"),
    ("(11)", "last element of Y[j-1] is y[n, j]", "y[n, j-1]"),
    ("(14)", "+ dx^2 tau / EI", "- dx^2 tau / EI"),
    ("(16)", "- c dx^2 tau / EI, and no y[1, j-1]", "+ c dx^2 tau / EI - y[1, j-1]"),
    ("after (22)", "m22 = 2c", "m22 = -2c"),
    ("(26)", "y[n-2] + 2 y[n-2] + 2 y[n+1] - y[n+2]", "y[n-2] - 2 y[n-1] + 2 y[n+1] - y[n+2]"),
    ("(27), F1", "2 EI dt^2 / (I_p dx)", "EI dt^2 / (I_p dx)"),
    ("(25), (27)", "one-sided slopes, first order", "slopes at hub and tip as unknowns, second order"),
    ("(30), Q4", "dt^2 / (dx (rho dx^3 + I_h))", "dt^2 dx / (rho dx^3 + I_h)"),
    ("P1", "(-b - 2 F2) / (F2 (F1 + b - 1) + F1 c)", "-c (b + 2 F2) / D, D = c^2 + F1 (c + F2) + F2 (b - c)"),
    ("P2", "b2", "b"),
    ("P3", "... - 2 F2 (b + 11 c + 2 F2)", "... - 2 F2 (b + 11 c + 2 F1), over D"),
    ("T1", "-D / (c + F2)", "-c (c + F2) / D"),
    ("T2", "D [...] / (c (c + F2)^2)", "[(b + c)(c + F2) - c (c - F2)] / D"),
    ("T3", "D [...] / (c (c + F2)^2)", "[-(F1 + 6c + b)(c + F2) + c (b - 2 F2)] / D"),
    ("T4", "D [...] / (c (c + F2)^2)", "[(2 F1 + b + 6c)(c + F2) - 6 c^2] / D"),
    ("(40)", "-y[j-1] + 2 y[j] - y[j-1]", "-y[j+1] + 2 y[j] - y[j-1]"),
    ("before (41)", "y = phi e^(i x)", "y = phi e^(i alpha x)"),
    ("after (41)", "|e^i| <= 1, phi = e^i, 2 cos(dt)", "|amplification| <= 1, phi = e^(i omega t), 2 cos(omega dt)"),
    ("before (42)", "phi(t+dt) phi(t-dt) / phi(t) <= 2", "|phi(t+dt) + phi(t-dt)| / |phi(t)| <= 2"),
    ("before (42)", "|1 - 2c (cos - 1)| <= 1", "|1 - 2c (cos - 1)^2| <= 1"),
    ("(42)", "necessary and sufficient", "for an endless beam; ends and small inertias move the limit"),
    ("Section 6", "sections of 0.051 mm", "50.5 mm"),
    ("Section 6", "c = 0.2 makes 21 us", "242.67 us"),
    ("Section 6", "starts with y[0,j]; y[i,0] + tau * velocity", "y0(x_i); y0 + dt v0 + dt^2/2 a0"),
    ("Table 1", "area moment of inertia in m^2", "m^4"),
    ("Table 1", "5.1924e-11 with 19.230 mm x 3.2004 mm", "5.2530e-11, or a width of 19.008 mm"),
    ("Table 1", "manipulator inertia 0.0495 kg*m^2", "0.049187 kg*m^2"),
    ("Section 6.1", "40487 co-processor", "the 80486DX has its arithmetic unit on the chip"),
)
"""Place, printed, right."""


def tables(runs: Runs) -> tuple[Table, ...]:
    """All tables, none worked out yet."""
    return (_frequencies(runs), _tip(runs), *timing_tables(runs), _errata())


def _frequencies(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for case in CASES:
            exact, central = runs.link(case).frequencies(3), runs.frequencies(case, 4)
            one_sided = runs.frequencies(case, 4, closure="one-sided")
            found.append((case, *map(float, exact), *map(float, central[:2]), *map(float, one_sided[:2])))
        return found

    grid = f"{SECTIONS} sections"
    return Table(
        "frequencies",
        "Natural frequencies, hub free",
        (
            "Case", "Exact 1 (Hz)", "Exact 2 (Hz)", "Exact 3 (Hz)", f"{grid}, central 1 (Hz)",
            f"{grid}, central 2 (Hz)", f"{grid}, one-sided 1 (Hz)", f"{grid}, one-sided 2 (Hz)",
        ),
        rows,
        "Published for the hub without payload: 12.034 Hz and 36.43 Hz in theory, 12.016 Hz and 35.397 Hz measured.",
    )  # fmt: skip


def _tip(runs: Runs) -> Table:
    def rows() -> list[Row]:
        found: list[Row] = []
        for case in CASES:
            motion = runs.exact(case, TIMES)
            lines = {
                "rigid arm": runs.beam.length * motion.mean_angle,
                "exact": motion.tip,
                f"{SECTIONS} sections, exact in time": runs.tips(case, TIMES),
                f"{SECTIONS} sections, explicit {STEP * 1e3:g} ms": runs.tips(
                    case, TIMES, scheme="leapfrog", step=STEP
                ),
                "304 sections, exact in time": runs.tips(case, TIMES, sections=304),
            }
            found += [(case, name, *map(float, 1e3 * values)) for name, values in lines.items()]
        return found

    return Table(
        "tip",
        "Tip displacement under the bang-bang torque",
        ("Case", "Computed by", *(f"{t:g} s (mm)" for t in TIMES)),
        rows,
        "0.1 N*m for 0.3 s, then -0.1 N*m for 0.3 s.",
    )


def _errata() -> Table:
    return Table("errata", "Misprints and slips", ("Where", "Printed", "Right"), lambda: ERRATA)
