"""Claims of the paper on control and on its two examples."""

from __future__ import annotations

import numpy as np

import flexarm as fa
from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, holds, numbers, repairs
from flexarm.papers.tian.closed_loop import chord_growth, reversed_growth
from flexarm.papers.tian.runs import Runs, merit
from flexarm.rigid import forward
from flexarm.rigid import tips as rigid_tips

CLOSE = Tolerance(absolute=1e-9, because="rounding")


def claims(runs: Runs) -> tuple[Claim, ...]:
    """None is worked out yet."""
    return (*_equations(runs), *_sensing(runs), *_examples(runs))


def _work_of_torque(sign: float) -> np.ndarray:
    """Work of a torque of 1 N m, applied by the entries of (5), when the section turns by one radian: four sections."""
    angle = np.array([0.0, 0.7, 2.0, -2.5])
    e5, e6 = -np.sin(angle), np.cos(angle)
    push = sign * np.stack([e6, -e5])
    turn = np.stack([-np.cos(angle), -np.sin(angle)])
    return (push * turn).sum(axis=0)


def _work_of_elbow(runs: Runs, reaction: bool) -> float:
    """Work in J of an elbow torque of 1 N m while the arm turns as a whole by 1 rad, with or without its reaction."""
    arm = runs.scenario("circle base").arm
    begin, end = forward(arm, np.array([[0.2, 0.7], [1.2, 0.7]])).angle
    turned = end - begin
    return float(turned[1] - turned[0]) if reaction else float(turned[1])


def _equations(runs: Runs) -> tuple[Claim, ...]:
    def growth() -> Evidence:
        return Evidence(numbers(_work_of_torque(-1.0)), {"growth": reversed_growth(runs)})

    return (
        Claim(
            id="eq-5-sign",
            where="(5)",
            text="A torque tau on a node has the entries +tau e6/f^2 and -tau e5/f^2.",
            stated=lambda: _work_of_torque(1.0),
            work_out=growth,
            rule=repairs(lambda: np.ones(4)),
            because="The printed entries do {p[0]:.0f} J of work on a turn of 1 rad with 1 N m: the sign is that of "
            "clockwise angles. With the feedback of (22) a motion would grow by {growth:.3g} 1/s.",
            units="J",
            tolerance=CLOSE,
        ),
        Claim(
            id="elbow-reaction",
            where="(5), (9)",
            text="The control torque of the elbow acts on the elbow link.",
            stated=lambda: [_work_of_elbow(runs, reaction=False)],
            work_out=lambda: [_work_of_elbow(runs, reaction=True)],
            rule=repairs(lambda: [0.0]),
            because="When the arm turns as a whole by 1 rad an inner torque of 1 N m must do no work; without its "
            "reaction on the first link it does {p[0]:.0f} J.",
            units="J",
            tolerance=CLOSE,
        ),
        Claim(
            id="eq-19-acos",
            where="(19)",
            text="Joint angles follow from their cosines.",
            stated=lambda: [np.abs(np.arccos(np.cos(_shoulder(runs))) - _shoulder(runs)).max()],
            work_out=lambda: [np.abs(_from_direction(_shoulder(runs)) - _shoulder(runs)).max()],
            rule=repairs(lambda: [0.0]),
            because="On the circle the shoulder stands at negative angles; their cosine forgets the sign and is off by up to "
            "{p[0]:.3g} rad. atan2 of the chord's coordinates is exact.",
            units="rad",
            tolerance=CLOSE,
        ),
        Claim(
            id="eq-20-rate",
            where="(20)",
            text="The rate of the elbow is that of its chord, across its direction, over its length.",
            stated=lambda: [_misread(runs)[1]],
            work_out=lambda: [runs.figures_of_merit("circle base")[1]],
            rule=lambda p, c, t: Verdict.CORRECTED if p[0] > 2.0 * c[0] else Verdict.REPRODUCED,
            because="That rate counts from the ground, the angle of (19) from the first link. Fed back as printed the "
            "error along y is {p[0]:.3g} mm rms; with the relative rate it is {c[0]:.3g} mm.",
            units="mm",
        ),
    )


def _shoulder(runs: Runs) -> np.ndarray:
    """Angle of the shoulder along the circle, rad."""
    return runs.result("circle base").data["commanded_position"].values[:, 0]


def _from_direction(angle: np.ndarray) -> np.ndarray:
    return np.arctan2(np.sin(angle), np.cos(angle))


def _misread(runs: Runs) -> np.ndarray:
    """rms and peaks of the rigid arm whose elbow law settles with the absolute rate, base gains.

    Without the small torque of the motion the law kp (r - y) + kv (r' - y' - x') = 0, with x the shoulder, makes
    d + T d' = -T x' of the deviation d = y - r, T = kv/kp.
    """
    from scipy.signal import lsim

    found = runs.result("circle base").data
    time, command, rate = (found[name].values for name in ("time", "commanded_position", "commanded_velocity"))
    lag = 200.0 / 1000.0
    _, deviation, _ = lsim(([-lag], [lag, 1.0]), rate[:, 0], time)
    tips = rigid_tips(runs.scenario("circle base").arm, command + np.stack([0.0 * deviation, deviation], axis=1))
    return merit(time, 1e3 * (tips - found["path_position"].values)[:, :2])


def _sensing(runs: Runs) -> tuple[Claim, ...]:
    return (
        Claim(
            id="joint-sensing",
            where="Section 4, (6), (7)",
            text="Shoulder and elbow angles, as an angle sensor measures them, are fed back.",
            stated=(),
            work_out=lambda: chord_growth(runs),
            rule=holds(lambda growth: max(growth) < 1e-6, Verdict.NOT_DETERMINABLE),
            because="(6) and (7) measure chords, away from the motors. Without damping the closed loop then grows by "
            "{c[0]:.3g}, {c[1]:.3g} and {c[2]:.3g} 1/s at t = 0, 3.125 and 6.25 s, and would blow up within the run; "
            "the angle of the hub is stable. What damping or sensor the authors had is not stated.",
            units="1/s",
            labels=("0 s", "3.125 s", "6.25 s"),
        ),
    )


def _moved_circle(runs: Runs) -> np.ndarray:
    """rms along x and y for a circle above the base."""

    def run() -> np.ndarray:
        scenario = runs.scenario("circle base")
        (drive,) = scenario.tree["drive"]
        path = {**drive["path"], "center": ["0.4 m", "1.5 m"]}
        data = fa.simulate(scenario.with_({"drive": [{**drive, "path": path}]})).data
        return merit(data["time"].values, 1e3 * data["path_error"].values[:, :2])[:2]

    return runs.once("moved", run)


def _examples(runs: Runs) -> tuple[Claim, ...]:
    def along_y() -> Evidence:
        ratios = [
            runs.figures_of_merit(case)[1] / runs.figures_of_merit(case)[0] for case in ("circle base", "square base")
        ]
        return Evidence(numbers(ratios), {"moved": _moved_circle(runs)[0] / _moved_circle(runs)[1]})

    def schedule(path: str) -> list[float]:
        return [float(np.hypot(*runs.figures_of_merit(f"{path} {gains}")[:2])) for gains in ("single", "two")]

    return (
        Claim(
            id="error-along-y",
            where="Figures 8 and 12",
            text="The error along y is much larger than that along x.",
            stated=(),
            work_out=along_y,
            rule=holds(lambda ratio: min(ratio) > 2.0),
            because="On circle and square it is {c[0]:.2g} and {c[1]:.2g} times as large (rms). This comes from where "
            "the paths lie: for the same circle above the base, at (0.4, 1.5) m, the error along x is {moved:.2g} times "
            "that along y.",
            units="rms y over rms x",
            labels=("circle", "square"),
        ),
        Claim(
            id="shoulder-deflection",
            where="Figures 9 and 13",
            text="The shoulder deflects much less than the elbow link, which is longer.",
            stated=(),
            work_out=lambda: [*runs.deflections("circle base"), *runs.deflections("square base")],
            rule=holds(lambda d: d[0] < 0.25 * d[1] and d[2] < 0.25 * d[3]),
            because="The largest deflections are {c[0]:.2g} and {c[1]:.2g} mm on the circle, {c[2]:.2g} and {c[3]:.2g} "
            "mm on the square.",
            units="mm",
            labels=("circle, shoulder", "circle, elbow", "square, shoulder", "square, elbow"),
        ),
        Claim(
            id="stiffer-material",
            where="Section 5",
            text="Deflections on the square are smaller than on the circle, because its material is stiffer.",
            stated=(),
            work_out=lambda: [runs.deflections("circle single")[1], runs.deflections("square single")[1]],
            rule=holds(lambda d: d[1] < d[0], Verdict.NOT_DETERMINABLE),
            because="With gains searched for each path the elbow link deflects by {c[0]:.2g} mm on the circle and "
            "{c[1]:.2g} mm on the square: the jump of the velocity at the corners weighs as much as the material. The "
            "paper's gains are not stated.",
            units="mm",
            labels=("circle", "square"),
        ),
        Claim(
            id="two-sets-circle",
            where="Section 5, circle",
            text="Different gains in different periods improve the accuracy.",
            stated=(),
            work_out=lambda: schedule("circle"),
            rule=holds(lambda rms: rms[1] < 0.9 * rms[0]),
            because="The rms error falls from {c[0]:.3g} to {c[1]:.3g} mm: the limit of the torque binds at the start "
            "only, and stiffer gains may follow.",
            units="mm",
            labels=("one set", "two sets"),
        ),
        Claim(
            id="two-sets-square",
            where="Section 5, square",
            text="Different gains in different periods improve the accuracy, above all at the corners.",
            stated=(),
            work_out=lambda: schedule("square"),
            rule=holds(lambda rms: rms[1] < 0.9 * rms[0], Verdict.NOT_DETERMINABLE),
            because="From {c[0]:.3g} to {c[1]:.3g} mm rms: no more than the scatter of a search. Both halves of the "
            "square are alike, so there is little to gain from a second set.",
            units="mm",
            labels=("one set", "two sets"),
        ),
    )
