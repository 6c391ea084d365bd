"""The actuators of section 4.1: their closed loops from the printed poles, and what follows from them."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

import flexarm as fa
from flexarm.drive import Cylinder
from flexarm.papers.checks import Check
from flexarm.papers.claims import Claim, Evidence, Tolerance, Verdict, agrees, holds, numbers
from flexarm.papers.lee_huggins_book.runs import Runs, data
from flexarm.papers.paper import Row, Table

JOINTS = ("lower", "bellcrank")
CYLINDERS = {"lower": ((0.6, -0.2), (0.4, -0.1)), "bellcrank": ((-0.6, -0.4), (-0.3, 0.0))}
"""Chosen pins, since the paper states none: on the ground and on the link, m."""
SAME = Tolerance(relative=1e-4, because="closed forms of the same poles")


def loop_margins(joint: str) -> tuple[float, float, float, float]:
    """Bandwidth (rad/s), gain margin (dB), phase margin (deg) and velocity gain (1/s) of a printed transfer function.

    H = a0 / (s^3 + a2 s^2 + a1 s + a0) is what unity feedback makes of L = a0 / (s (s^2 + a2 s + a1)).
    """
    actuator: Any = next(drive.actuator for drive in fa.load("ralf").drive if drive.joint == joint)
    assert actuator is not None
    (first, pair), _ = actuator.roots()
    a, b, c = -first.real, -2.0 * pair.real, abs(pair) ** 2
    a2, a1, a0 = a + b, a * b + c, a * c

    def closed(w: float) -> float:
        return abs(a0 / complex(a0 - a2 * w * w, a1 * w - w**3)) - math.sqrt(0.5)

    def opened(w: float) -> float:
        return a0 / abs(complex(-a2 * w * w, a1 * w - w**3)) - 1.0

    from scipy.optimize import brentq

    band, cross = (float(brentq(f, 1e-3, 1e3, xtol=1e-12)) for f in (closed, opened))
    phase = 90.0 - math.degrees(math.atan2(a2 * cross, a1 - cross**2))
    return band, 20.0 * math.log10(a1 * a2 / a0), phase, a0 / a1


def checks(runs: Runs) -> list[Check]:
    """Reference values of actuators, cylinders and decay."""
    expected = data()["actuators"]
    peak = Tolerance(relative=2e-3, because="the same assumed modes")
    found = [
        Check(
            joint, "Actuators: bandwidth (rad/s), margins (dB, deg), velocity gain (1/s)", partial(_loop_margins, joint),
            tuple(expected[joint]), SAME, "mixed",
        )
        for joint in JOINTS
    ]  # fmt: skip
    for case, values in data()["cylinder lengths"].items():
        found.append(
            Check(f"shortest and longest, {case}", "Lengths of the cylinders", partial(_lengths, runs, case),
                  tuple(values), SAME, "m")
        )  # fmt: skip
    space = data()["cylinder space"]
    found += [
        Check("peaks of the strain", "Filter in cylinder space", lambda: _in_cylinder_space(runs)[0], tuple(space["peak"]), peak, "1e-6"),
        Check("angle at six times", "Filter in cylinder space", lambda: _in_cylinder_space(runs)[1], tuple(space["angle"]),
              Tolerance(absolute=1e-7, because="the same filter"), "rad"),
        Check("damping ratios", "Decay", lambda: runs.frequencies().damping, tuple(data()["decay"]["ratios"]), SAME, "1"),
        Check("frequency and rate of the decay", "Decay", lambda: _decay(runs), tuple(data()["decay"]["dominant"]),
              Tolerance(relative=3e-3, because="read from a decaying signal"), "Hz, 1/s"),
    ]  # fmt: skip
    return found


def _loop_margins(joint: str) -> np.ndarray:
    return np.array(loop_margins(joint))


def _lengths(runs: Runs, case: str) -> np.ndarray:
    """Shortest and longest length of both cylinders, (4,)."""
    position = runs.result(case).data["joint_position"]
    found = []
    for joint, (base, lug) in CYLINDERS.items():
        lengths = Cylinder(base=base, lug=lug).length(position.sel(joint=joint).values)
        found += [lengths.min(), lengths.max()]
    return np.array(found)


def _in_cylinder_space(runs: Runs) -> tuple[np.ndarray, np.ndarray]:
    base, lug = CYLINDERS["lower"]
    changes: dict[str, Any] = {
        "drive__lower__actuator__cylinder": {"base": list(base), "lug": list(lug)}, "time__end": 3.0,
    }  # fmt: skip
    found = runs.result("lower only", **changes).data
    times = [int(np.abs(found["time"].values - t).argmin()) for t in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)]
    return runs.peaks("lower only", **changes), found["joint_position"].sel(joint="lower").values[times]


def _decay(runs: Runs) -> np.ndarray:
    from flexarm.analysis.ringdown import ringdown

    time, strain = runs.strain("lower only")
    found = ringdown(time, strain[:, 0], 2.6)
    return np.array([found.frequency, found.decay_rate])


def claims(runs: Runs) -> tuple[Claim, ...]:
    """Table 4.1 beside the poles of (4.1)."""
    printed = data()["published"]["table 4.1, attached"]

    def bands() -> Evidence:
        found = [loop_margins(joint)[0] for joint in JOINTS]
        return Evidence(numbers([band / (2.0 * math.pi) for band in found]), {"hertz": found})

    def margins(joint: str) -> Evidence:
        _, gain, phase, _ = loop_margins(joint)
        return Evidence(numbers([gain, phase]))

    def cylinder() -> Evidence:
        usual, other = runs.peaks("lower only"), _in_cylinder_space(runs)[0]
        return Evidence(numbers([float(np.abs(other / usual - 1.0).max())]))

    near = Tolerance(relative=0.05, because="a curve fit to a measured response")
    return (
        Claim(
            "table-4.1-bandwidth", "Table 4.1, (4.1)", "Closed loop bandwidths of the attached actuators, beside the poles.",
            [printed["lower"][0], printed["bellcrank"][0]], bands, agrees(Verdict.CONTRADICTED),
            "Poles in rad/s give {c[0]:.2f} and {c[1]:.2f} Hz; read in Hz they give {hertz[0]:.1f} and {hertz[1]:.1f} Hz. "
            "Neither is the table; flexarm asks for pole_unit and compares with a stated bandwidth.", "Hz", near, JOINTS,
        ),
        Claim(
            "table-4.1-joint-1", "Table 4.1, (4.1a)", "Gain and phase margin of the attached actuator of joint 1.",
            printed["lower"][1:], lambda: margins("lower"), agrees(Verdict.CONTRADICTED),
            "The poles give {c[0]:.1f} dB and {c[1]:.1f} deg, whatever their unit: the fit is not that of this measurement.",
            "dB, deg", near, ("gain margin", "phase margin"),
        ),
        Claim(
            "table-4.1-joint-2", "Table 4.1, (4.1b)", "Gain and phase margin of the attached actuator of joint 2.",
            printed["bellcrank"][1:], lambda: margins("bellcrank"), agrees(),
            "The poles give {c[0]:.1f} dB and {c[1]:.1f} deg.", "dB, deg", near, ("gain margin", "phase margin"),
        ),
        Claim(
            "joint-or-cylinder", "Section 4.2", "The motion of the joints follows from the transfer functions of the cylinders.",
            (), cylinder, holds(lambda c: c[0] < 0.01, Verdict.CORRECTED),
            "Whether the transfer function acts on the angle or on the length of a cylinder (with chosen pins) changes the "
            "peaks of the strain by {c[0]:.1e}.", "share",
        ),
    )  # fmt: skip


def table() -> Table:
    """Table 4.1 beside what the poles of (4.1) give."""

    def rows() -> list[Row]:
        found: list[Row] = []
        for joint in JOINTS:
            printed = data()["published"]["table 4.1, attached"][joint]
            band, gain, phase, speed = loop_margins(joint)
            found.append((joint, "printed", *map(float, printed), float(data()["published"]["open loop gain"][joint])))
            found.append((joint, "poles in rad/s", band / (2.0 * math.pi), gain, phase, speed))
            found.append((joint, "poles in Hz", band, gain, phase, 2.0 * math.pi * speed))
        return found

    return Table(
        "table-4.1", "Table 4.1: actuators attached to the arm",
        ("Actuator", "From", "Bandwidth (Hz)", "Gain margin (dB)", "Phase margin (deg)", "Velocity gain (1/s)"), rows,
        "Margins are those of the loop that unity feedback closes to the transfer function. The open loop gain of the paper has "
        "no unit; it stands in the last column.",
    )  # fmt: skip
