"""What the paper says about frequencies, the constraint and the motions, and what comes out."""

from __future__ import annotations

import numpy as np

import flexarm as fa
from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, agrees, holds, numbers
from flexarm.papers.lee_huggins_book import actuators
from flexarm.papers.lee_huggins_book.runs import Runs, data

FITTED = Tolerance(relative=0.02, because="sizes and masses that the paper leaves out are fitted to this table")
MODES = tuple(f"mode {k}" for k in range(1, 7))


def claims(runs: Runs) -> tuple[Claim, ...]:
    """None is worked out yet."""
    return (*_table(runs), *_reasons(runs), *_constraint(runs), *actuators.claims(runs), *_motions(runs))


def _table(runs: Runs) -> tuple[Claim, ...]:
    printed = data()["published"]["table 3.1"]

    def nearer() -> Evidence:
        fe = np.array(printed["finite elements"])
        held, cut = runs.frequencies().hz, runs.frequencies(loops="cut-absolute").hz
        return Evidence(numbers([np.abs(held / fe - 1.0)[:3].max(), np.abs(cut / fe - 1.0)[:3].max()]))

    return (
        Claim(
            "table-3.1-constrained", "Table 3.1", "Natural frequencies with the constraint.", printed["constrained"],
            lambda: runs.frequencies().hz, agrees(Verdict.NOT_DETERMINABLE),
            "With sizes and masses fitted to this table all six come out, the first as {c[0]:.2f} Hz.", "Hz", FITTED, MODES,
        ),
        Claim(
            "table-3.1-unconstrained", "Table 3.1", "Natural frequencies of the flexible part without the constraint.",
            printed["unconstrained"], lambda: runs.frequencies(loops="cut-absolute").hz, agrees(Verdict.NOT_DETERMINABLE),
            "The same arm with its loop cut and every frame held at its absolute angle: {c[0]:.2f} and {c[1]:.2f} Hz. Held to "
            "the tip of the lower link the first one would lie below the constrained one.", "Hz",
            Tolerance(relative=0.04, because=FITTED.because), MODES,
        ),
        Claim(
            "table-3.1-elements", "Table 3.1", "Natural frequencies by finite elements.", printed["finite elements"],
            lambda: runs.frequencies(scenario="ralf-fem", resolution=12, order=3).hz, agrees(Verdict.NOT_DETERMINABLE),
            "Links that also stretch give {c[1]:.2f} and {c[3]:.2f} Hz for the second and fourth.", "Hz", FITTED, MODES,
        ),
        Claim(
            "constraint-nearer", "Section 3", "The frequencies with the constraint are closer to the finite elements.", (),
            nearer, holds(lambda c: c[0] < c[1]),
            "Of the first three modes the largest difference from the printed finite elements is {c[0]:.1%} with the "
            "constraint and {c[1]:.1%} without.", "share", labels=("with", "without"),
        ),
    )  # fmt: skip


def _reasons(runs: Runs) -> tuple[Claim, ...]:
    def truncation() -> Evidence:
        two, many = runs.frequencies().hz, runs.frequencies(resolution=6).hz
        stretch = runs.frequencies(scenario="ralf-fem", resolution=12, order=3).hz
        gap = data()["published"]["table 3.1"]
        missing = gap["constrained"][3] - gap["finite elements"][3]
        return Evidence(
            numbers([(two - many)[3] / missing, (many - stretch)[3] / missing]), {"many": many[3], "soft": stretch[3]}
        )

    return (
        Claim(
            "two-modes-only", "Section 3", "The second frequencies of the links miss the finite elements because only two modes "
            "are included.", (), truncation, holds(lambda c: c[0] > c[1]),
            "Six modes per link still give {many:.1f} Hz for the fourth frequency. With links that stretch it is {soft:.1f} Hz: "
            "the actuating link gives way lengthwise, which is {c[1]:.0%} of the printed difference; truncation is {c[0]:.0%}.",
            "share of the difference", labels=("truncation", "stretch"),
        ),
    )  # fmt: skip


def _constraint(runs: Runs) -> tuple[Claim, ...]:
    def frozen() -> Evidence:
        """Gap when the driven joints move by steps in the tangent of the start pose, for two mechanisms."""
        gaps = []
        for name in ("ralf", "ralf-other-lengths"):
            arm = fa.load(name).arm
            start = fa.rigid.close_loops(arm, arm.pose)
            moved = start.copy()
            moved[0] += 0.1
            moved[1] -= 0.1
            _, rates, _ = fa.rigid.complete_motion(arm, start, np.array([0.1, -0.1, 0.0, 0.0]))
            places = fa.rigid.forward(arm, start + rates)
            ends = [places.place(link, place) for link, place in arm.loops[0].places]
            gaps.append(np.linalg.norm(ends[0] - ends[1]))
        return Evidence(numbers(gaps))

    return (
        Claim(
            "eq-2.20", "(2.20)", "The coordinates are V2 times the independent ones, with the constant of integration zero.", (),
            frozen, holds(lambda c: max(c) < 1e-6, Verdict.CORRECTED),
            "V2 turns with the pose. For joints that move by 0.1 rad along the tangent of the start the loop of unequal arms "
            "opens by {c[1]:.1e} m; in a parallelogram the closure is linear in the absolute angles, so the error is only "
            "{c[0]:.1e} m and the scheme works by this geometry. flexarm integrates the coordinates themselves and puts them "
            "back onto the loop.", "m", labels=("parallelogram", "unequal arms"),
        ),
    )  # fmt: skip


def _motions(runs: Runs) -> tuple[Claim, ...]:
    def little_damping() -> Evidence:
        time, strain = runs.strain("both")
        early = 0.5 * np.ptp(strain[(time > 2.6) & (time < 3.1), 0])
        late = 0.5 * np.ptp(strain[time > 4.5, 0])
        return Evidence(numbers([late / early]))

    def coupling() -> Evidence:
        lower, upper = runs.peaks("lower only"), runs.peaks("upper only")
        return Evidence(numbers([upper[0] / lower[0]]))

    return (
        Claim(
            "little-damping", "Section 4.2", "There is little damping in the lower link.", (), little_damping,
            holds(lambda c: c[0] > 0.5), "Two seconds later {c[0]:.0%} of the vibration is left, with a damping that is chosen "
            "(0.5 % in the first mode), since the paper states none.", "share",
        ),
        Claim(
            "upper-to-lower", "Section 4.2", "The vibration of the upper link has little effect on the lower one.", (), coupling,
            holds(lambda c: c[0] < 0.25), "A swing of the upper link alone strains the lower one by {c[0]:.0%} of what a swing "
            "of the lower link does.", "share",
        ),
    )  # fmt: skip
