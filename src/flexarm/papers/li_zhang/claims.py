"""What Li and Zhang say, and what comes out."""

from __future__ import annotations

import numpy as np

from flexarm.drive.profiles.moves import Versine
from flexarm.drive.profiles.sequence import motion_signal
from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, agrees, holds, numbers, some_reading
from flexarm.papers.li_zhang.checks import data
from flexarm.papers.li_zhang.newmark import vibration
from flexarm.papers.li_zhang.runs import PAIRS, Runs, exact_beam, extremes, signal

PRINTED = Tolerance(absolute=5.5e-3, because="two printed decimals")


def claims(runs: Runs) -> tuple[Claim, ...]:
    """None is worked out yet."""
    return (*_equations(runs), *_beam(runs), *_arm(runs))


def _equations(runs: Runs) -> tuple[Claim, ...]:
    def bias() -> Evidence:
        exact = exact_beam()
        found = [runs.beam(ends)[0] / exact - 1.0 for ends in ("literal", "half")]
        return Evidence(
            numbers(found[0]),
            {"half": 100 * found[1], "twenty": 100 * (runs.beam("literal", segments=20)[0] / exact - 1)},
        )

    def plateau() -> float:
        move = Versine(profile="versine", by=2.0 * np.pi / 12.0, duration=0.4)
        return float(motion_signal([move], initial=0.0).evaluate(np.array([0.4]), inside=0.5)[0][0])

    return (
        Claim(
            id="eq-6",
            where="(6)",
            text="The expanded sine and cosine of an angle are in error by less than the square of the step.",
            stated=(),
            work_out=_order_of_expansion,
            rule=holds(lambda found: found[0] > 2.0),
            because="For a turning body the error falls with the power {c[0]:.2f} of the step.",
            units="order",
        ),
        Claim(
            id="eq-13",
            where="(13)",
            text="A link is N segments with N - 1 springs between them.",
            stated=(),
            work_out=bias,
            rule=holds(lambda found: abs(found[0]) < 2e-3, Verdict.CORRECTED),
            because="The first segment is then clamped as a whole: the beam comes out too stiff, its first frequency by "
            "{c[0]:.2%} with 60 segments and by {twenty:.1f} % with 20. With half segments at both ends it is {half:.3f} %.",
            units="relative error of the first frequency",
        ),
        Claim(
            id="eq-17",
            where="(17)",
            text="From 0.4 s on every joint stands at pi/12.",
            stated=[np.pi / 12.0],
            work_out=plateau,
            rule=agrees(),
            because="The first branch ends at {c[0]:.4f} rad, pi/6; as printed all joints would jump back by 15 deg.",
            tolerance=Tolerance(relative=1e-6, because="exact"),
            units="rad",
        ),
    )


def _order_of_expansion() -> float:
    """Power of the step with which the expanded cosine of a turning body errs."""
    rate, turn, start = 3.0, 5.0, 0.4

    def error(h: float) -> float:
        G1 = np.cos(start) * (1.0 - 0.5 * (rate * h) ** 2) + start * np.sin(start)
        angle = start + rate * h + 0.5 * turn * h * h
        return abs(G1 - np.sin(start) * angle - np.cos(angle))

    return float(np.log2(error(2e-3) / error(1e-3)))


def _beam(runs: Runs) -> tuple[Claim, ...]:
    published = data()["published"]

    def readings() -> list[float]:
        return [runs.ring(0.7, 0.8, ends, E).frequency for E in (70e9, 69e9) for ends in ("root", "literal")]

    def nonlinear() -> float:
        fast, slow = (runs.single(turn=turn).data.link_deformation.values[:, 0] for turn in (0.25, 0.0025))
        return float(np.abs(fast - 100.0 * slow).max() / np.abs(fast).max())

    return (
        Claim(
            id="young",
            where="Table II",
            text="Young's modulus of the beam is 7e9 N/m².",
            stated=[published["E"]],
            work_out=lambda: Evidence(
                numbers(70e9 * (published["hz theory"] / exact_beam()) ** 2), {"low": exact_beam(7e9)}
            ),
            rule=agrees(),
            because="With it the beam has {low:.2f} Hz; the frequency that the paper calls theoretical needs {c[0]:.3g} N/m².",
            tolerance=Tolerance(relative=0.02, because="one printed digit"),
            units="N/m²",
        ),
        Claim(
            id="frequency-theory",
            where="Section IV.A",
            text="The first natural frequency is 6.10 Hz in theory.",
            stated=[published["hz theory"]],
            work_out=lambda: exact_beam(69e9),
            rule=agrees(),
            because="The clamped beam has {c[0]:.3f} Hz with 69 GPa, the usual value of aluminium.",
            tolerance=PRINTED,
            units="Hz",
        ),
        Claim(
            id="frequency-simulated",
            where="Section IV.A, Figure 6(c)",
            text="The simulation rings at 6.16 Hz.",
            stated=[published["hz simulated"]],
            work_out=readings,
            rule=some_reading(),
            because="With 70 GPa it is {c[0]:.3f} Hz with a half spring at the root and {c[1]:.3f} Hz without, with 69 GPa "
            "{c[2]:.3f} and {c[3]:.3f} Hz. The printed value lies between; a spectrum of 9 s tells 0.11 Hz apart.",
            tolerance=PRINTED,
            units="Hz",
            labels=("70 GPa, root spring", "70 GPa, literal", "69 GPa, root spring", "69 GPa, literal"),
        ),
        Claim(
            id="beta-gamma",
            where="Section IV.A",
            text="One simulation has beta = 0.7, gamma = 0.8 in one sentence and beta = 0.8, gamma = 0.7 in another.",
            stated=(),
            work_out=lambda: [runs.ring(beta, gamma, "root").log_decrement for beta, gamma in PAIRS],
            rule=holds(lambda d: abs(d[0] / d[1] - 1.0) < 0.05, Verdict.NOT_DETERMINABLE),
            because="They damp differently: the logarithmic decrements are {c[0]:.4f} and {c[1]:.4f}. Figure 6, which could tell, "
            "is lost.",
            units="logarithmic decrement",
            labels=("0.7, 0.8", "0.8, 0.7"),
        ),
        Claim(
            id="purely-linear",
            where="Section IV.A",
            text="The model of the single link is purely linear.",
            stated=(),
            work_out=nonlinear,
            rule=holds(lambda found: found[0] < 1e-4),
            because="A hundredth of the motion gives a hundredth of the deflection but for {c[0]:.2%} of its peak: the turning link "
            "is stiffened and its arms turn. Small, but not linear.",
            units="share of the peak",
        ),
    )


def _arm(runs: Runs) -> tuple[Claim, ...]:
    def ratio(name: str, which: int | None = None) -> float:
        flexible, rigid = (np.abs(extremes(runs.three(joints), name)) for joints in ("flexible", "rigid"))
        return float(flexible[:2].max() / rigid[:2].max() if which is None else flexible[which] / rigid[which])

    def damping() -> Evidence:
        hz = runs.frequencies("rigid")
        seen = [vibration(0.7, 0.51, float(f), 1e-3) for f in hz[:4]]
        shift = {
            f"s{k + 1}": 100 * abs(found / f - 1.0) for k, ((found, _), f) in enumerate(zip(seen, hz, strict=False))
        }
        return Evidence(numbers(seen[0][1]), shift)

    def wander() -> Evidence:
        paper, sound = (signal(runs.three("rigid", variant), "ey") for variant in ("paper", "sound"))
        return Evidence(numbers(np.abs(paper).max() / np.abs(sound).max() - 1.0))

    return (
        Claim(
            id="little-damping",
            where="Section IV.B",
            text="gamma = 0.51 adds little damping and hardly changes the amplitudes.",
            stated=(),
            work_out=damping,
            rule=holds(lambda d: 0.0 < d[0] < 0.01),
            because="The logarithmic decrement of the first mode is {c[0]:.5f}. But beta = 0.7 lowers the frequencies: by {s1:.2f}, "
            "{s2:.2f}, {s3:.1f} and {s4:.0f} % for the first four modes.",
            units="logarithmic decrement",
        ),
        Claim(
            id="amplitudes-kept",
            where="Section IV.B",
            text="The numerical damping leaves the amplitudes as they are.",
            stated=(),
            work_out=wander,
            rule=holds(lambda d: abs(d[0]) < 0.02),
            because="With half segments at the ends the greatest tip error differs by {c[0]:+.2%} from that without damping.",
            units="relative",
        ),
        Claim(
            id="larger-error",
            where="Section IV.B, Figure 8",
            text="With flexible joints the tip error is considerably larger.",
            stated=(),
            work_out=lambda: [ratio("ex"), ratio("ey")],
            rule=holds(lambda r: min(r) > 1.05),
            because="Its greatest value grows to {c[0]:.2f} times along x and {c[1]:.2f} times along y.",
            units="flexible / rigid joints",
            labels=("x", "y"),
        ),
        Claim(
            id="lower-frequency",
            where="Section IV.B",
            text="Flexible joints lower the natural frequency.",
            stated=(),
            work_out=lambda: runs.frequencies("flexible")[0] / runs.frequencies("rigid")[0],
            rule=holds(lambda r: r[0] < 0.99),
            because="At the end of the motion the first frequency falls to {c[0]:.2f} of that with rigid joints.",
            units="flexible / rigid joints",
        ),
        Claim(
            id="more-oscillatory",
            where="Section IV.B, Figure 8",
            text="With flexible joints the arm oscillates more.",
            stated=(),
            work_out=lambda: [ratio("ex", 2), ratio("ey", 2)],
            rule=holds(lambda r: min(r) > 1.0),
            because="After the motion the amplitude is {c[0]:.2f} times that with rigid joints along x and {c[1]:.2f} times along y.",
            units="flexible / rigid joints",
            labels=("x", "y"),
        ),
        Claim(
            id="link-deformations",
            where="Section IV.B, Figures 9(a) to (c)",
            text="Deformations of the links are quite different with and without flexible joints.",
            stated=(),
            work_out=lambda: [ratio("d1"), ratio("d2"), ratio("d3")],
            rule=holds(lambda r: max(abs(v - 1.0) for v in r) > 0.05),
            because="They are, but they become smaller: {c[0]:.2f}, {c[1]:.2f} and {c[2]:.2f} times those with rigid joints.",
            units="flexible / rigid joints",
            labels=("link 1", "link 2", "link 3"),
        ),
    )
