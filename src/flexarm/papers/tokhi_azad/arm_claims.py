"""Claims of Tokhi and Azad about the arm itself: Table 1, grid and step, frequencies."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np

from flexarm.analysis.spectrum import peaks, spectrum
from flexarm.papers.claims import Claim, Evidence, Numbers, Tolerance, Verdict, agrees, holds, numbers, some_reading
from flexarm.papers.tokhi_azad.checks import data, largest_number, mode_amplitudes
from flexarm.papers.tokhi_azad.runs import CASES, HALF, SECTIONS, STEP, Closure, Runs


def arm_claims(runs: Runs) -> tuple[Claim, ...]:
    """None is worked out yet."""
    return (
        *_table(runs),
        *_grid(runs),
        *_step(runs),
        *_theory(runs),
        *_measured(runs),
        *_quality(runs),
    )


def _table(runs: Runs) -> tuple[Claim, ...]:
    """Table 1 against itself."""
    table = data()["published"]["table 1"]
    inertia = table["width"] * table["thickness"] ** 3 / 12.0

    def length_power() -> float:
        import pint

        ureg: pint.UnitRegistry = pint.UnitRegistry()
        return float((ureg.parse_units("N*m^2") / ureg.parse_units("Pa")).dimensionality["[length]"])

    return (
        Claim(
            id="table-1-unit",
            where="Table 1",
            text="The area moment of inertia is in m^2.",
            stated=[2],
            work_out=lambda: [length_power()],
            rule=agrees(),
            because="Bending stiffness over Young's modulus has length to the power {c[0]:.0f}.",
            units="power of length",
        ),
        Claim(
            id="table-1-inertia",
            where="Table 1",
            text="The area moment of inertia is 5.1924e-11; width and thickness are 19.230 mm and 3.2004 mm.",
            stated=[table["area moment"]],
            work_out=lambda: Evidence(
                (inertia,),
                {
                    "width": 1e3 * 12.0 * table["area moment"] / table["thickness"] ** 3,
                    "frequency": 100.0 * (np.sqrt(inertia / table["area moment"]) - 1.0),
                    "area": 1e6 * table["width"] * table["thickness"],
                },
            ),
            rule=agrees(Verdict.NOT_DETERMINABLE),
            because="Width and thickness give {c[0]:.4e}, and {p[0]:.4e} would need a width of {width:.3f} mm. The "
            "stated area agrees with width and thickness ({area:.3f} mm^2), yet which entry was used cannot be told; "
            "it makes {frequency:.2f} % in the frequencies. flexarm takes the stated inertia.",
            units="m^4",
            tolerance=Tolerance(relative=1e-4, because="printed decimals"),
        ),
        Claim(
            id="table-1-beam",
            where="Table 1",
            text="The inertia of the manipulator is 0.0495 kg*m^2.",
            stated=[table["beam inertia"]],
            work_out=lambda: [runs.link("no hub").total_inertia],
            rule=agrees(),
            because="Mass per length times length^3 / 3 is {c[0]:.6f} kg*m^2.",
            units="kg*m^2",
            tolerance=Tolerance(absolute=5e-5, because="printed decimals"),
        ),
    )


def _grid(runs: Runs) -> tuple[Claim, ...]:
    """Section length and step."""
    return (
        Claim(
            id="section-length",
            where="Section 6",
            text="Nineteen sections are 0.051 mm long each.",
            stated=[0.051e-3],
            work_out=lambda: Evidence((runs.beam.length / SECTIONS,), {"mm": 1e3 * runs.beam.length / SECTIONS}),
            rule=agrees(),
            because="0.96 m in 19 sections makes {c[0]:.4f} m, that is {mm:.1f} mm: the number is in metres.",
            units="m",
            tolerance=Tolerance(relative=0.02, because="two printed digits"),
        ),
        Claim(
            id="step",
            where="Section 6",
            text="With 19 sections c = 0.2 makes a step of 21 us.",
            stated=[21e-6],
            work_out=lambda: Evidence(
                numbers(runs.step_for(0.2)),
                {
                    "us": 1e6 * runs.step_for(0.2),
                    "small": runs.number(21e-6),
                    "sections": SECTIONS * (0.2 / runs.number(21e-6)) ** 0.25,
                },
            ),
            rule=agrees(),
            because="It makes {us:.3f} us. 21 us would mean c = {small:.5f} with 19 sections, or c = 0.2 with "
            "{sections:.1f}.",
            units="s",
            tolerance=Tolerance(relative=0.03, because="two printed digits"),
        ),
    )


def _step(runs: Runs) -> tuple[Claim, ...]:
    """Consequences of the step."""

    def limits() -> Numbers:
        kinds: tuple[Closure, ...] = ("centred", "one-sided")
        return numbers([largest_number(runs, case, SECTIONS, kind) for case in CASES for kind in kinds])

    return (
        Claim(
            id="c-0.2-stable",
            where="Section 6",
            text="c = 0.2 is stable.",
            stated=[0.2],
            work_out=lambda: Evidence(numbers(min(limits()))),
            rule=holds(lambda limit: limit[0] > 0.2),
            because="The smallest limit of the four loadings and both closures is {c[0]:.4f}.",
            units="largest stable c",
        ),
        Claim(
            id="finer-grid-shorter-step",
            where="Section 6.2",
            text="For a given c more grid points lead to a shorter step.",
            stated=(),
            work_out=lambda: [runs.step_for(0.2, n) for n in (19, 38, 76)],
            rule=holds(lambda steps: all(b < a for a, b in pairwise(steps))),
            because="Each doubling of the sections divides the step by 4: {c[0]:.4g} s, {c[1]:.4g} s, {c[2]:.4g} s.",
            units="s",
            labels=("19 sections", "38", "76"),
        ),
    )


def _theory(runs: Runs) -> tuple[Claim, ...]:
    """Frequencies of the differential equation."""
    stated = np.array(data()["published"]["frequencies"]["theoretical"])
    table = data()["published"]["table 1"]

    def nearest() -> Evidence:
        """Other readings of Table 1: round values of E, either area moment, other hub inertias."""
        moments = (table["area moment"], table["width"] * table["thickness"] ** 3 / 12.0)
        readings = []
        for modulus, moment, share in product((7.0e10, 7.1e10, 7.11e10), moments, (0.0, 0.25, 0.5, 1.0, 2.0)):
            link = replace(runs.beam, EI=modulus * moment, hub_inertia=share * table["hub inertia"])
            found = link.frequencies(2)
            readings.append((float(np.abs(found / stated - 1.0).max()), share, *found))
        off, share, first, second = min(readings)
        also = {"count": len(readings), "off": 100 * off, "share": share, "first": first, "second": second}
        return Evidence(numbers(runs.beam.frequencies(2)), also)

    return (
        Claim(
            id="frequencies-theory",
            where="Section 6",
            text="In theory the first two modes of the arm of Table 1 lie at 12.034 Hz and 36.43 Hz.",
            stated=list(stated),
            work_out=nearest,
            rule=agrees(),
            because="The exact equation gives {c[0]:.3f} Hz and {c[1]:.3f} Hz for Table 1. The nearest of {count} "
            "readings of the table (with {share:g} times the hub inertia) gives {first:.3f} Hz and {second:.3f} Hz, "
            "still {off:.1f} % off.",
            units="Hz",
            tolerance=Tolerance(relative=5e-3, because="four printed digits, and room for rounded inputs"),
            labels=("mode 1", "mode 2"),
        ),
    )


def _measured(runs: Runs) -> tuple[Claim, ...]:
    """Frequencies of the simulated motion."""
    stated = np.array(data()["published"]["frequencies"]["measured"])

    def spectral() -> np.ndarray:
        """The two highest peaks in ten seconds of free motion."""
        run = runs.result("hub", scheme="leapfrog", step=STEP, every=5 * STEP, end=10.8)
        time, tip = run.data["time"].values, run.data["travel"].values
        free = time > 2.0 * HALF
        return peaks(*spectrum(time[free], tip[free], padding=8), n=2)[0]

    def readings() -> Evidence:
        kinds: tuple[Closure, ...] = ("centred", "one-sided")
        values = [runs.frequencies("hub", 2, closure=kind, hub_factor=share) for share in (1.0, 0.5) for kind in kinds]
        values.append(runs.frequencies("no hub", 2))
        first, second = spectral()
        near = min(values, key=lambda pair: np.abs(pair / stated - 1.0).max())
        also = {"first": first, "second": second, "near": near, "off": 100 * np.abs(near / stated - 1.0).max()}
        return Evidence(numbers(values), {**also, "bin": 1.0 / 0.6})

    return (
        Claim(
            id="frequencies-measured",
            where="Section 7",
            text="The first two modes of the simulated motion lie at 12.016 Hz and 35.397 Hz.",
            stated=list(stated),
            work_out=readings,
            rule=some_reading(),
            because="Ten seconds of free motion with 19 sections give {first:.3f} Hz and {second:.3f} Hz. Of five "
            "readings (both closures with whole and half hub inertia, and no hub) none gives the published pair; the "
            "nearest, {near[0]:.3f} Hz and {near[1]:.3f} Hz, is {off:.1f} % off. 0.6 s of free motion resolve "
            "{bin:.1f} Hz only, so what was run and read cannot be told.",
            units="Hz",
            tolerance=Tolerance(relative=5e-3, because="five printed digits, and room for rounded inputs"),
            labels=tuple(
                f"{name}, mode {k}"
                for name in ("central", "one-sided", "central, half hub", "one-sided, half hub", "no hub")
                for k in (1, 2)
            ),
        ),
    )


def _quality(runs: Runs) -> tuple[Claim, ...]:
    """How good the simulated frequencies are, and which modes matter."""

    def close() -> Numbers:
        return numbers(runs.frequencies("hub", 2) / runs.beam.frequencies(2) - 1.0)

    def share() -> Evidence:
        squares = mode_amplitudes(runs, "hub", 12) ** 2
        return Evidence(numbers(squares[:2].sum() / squares.sum()), {"first": squares[0] / squares.sum()})

    return (
        Claim(
            id="frequencies-close",
            where="Section 7",
            text="The simulated frequencies are reasonably close to the theoretical ones.",
            stated=(),
            work_out=lambda: Evidence(close(), {"one": 100 * close()[0], "two": 100 * close()[1]}),
            rule=holds(lambda off: max(abs(v) for v in off) < 0.02),
            because="With 19 sections and central slopes they are off by {one:.2f} % and {two:.2f} %.",
            labels=("mode 1", "mode 2"),
        ),
        Claim(
            id="two-modes",
            where="Section 7",
            text="The first two modes dominate the flexible motion.",
            stated=(),
            work_out=share,
            rule=holds(lambda part: part[0] > 0.9),
            because="After 0.6 s they hold {c[0]:.4f} of the mean square of the tip's vibration, the first alone "
            "{first:.4f}.",
            units="share",
        ),
    )
