"""Claims of Tokhi and Azad about the motion under the bang-bang torque, with and without hub and payload."""

from __future__ import annotations

from itertools import pairwise

from flexarm.papers.claims import Claim, Evidence, Numbers, Tolerance, Verdict, agrees, holds, numbers
from flexarm.papers.tokhi_azad.checks import exact_change, final_angle, grid_change, residual
from flexarm.papers.tokhi_azad.runs import HALF, Runs

LOADS = ("hub", "hub + 10 g", "hub + 20 g")
LOAD_LABELS = ("no payload", "10 g", "20 g")


def motion_claims(runs: Runs) -> tuple[Claim, ...]:
    """None is worked out yet."""
    return (*_hub(runs), *_stop(runs), *_payload(runs), *_payload_change(runs))


def _hub(runs: Runs) -> tuple[Claim, ...]:
    """With and without hub inertia."""

    def ratio() -> Evidence:
        free, hub = (final_angle(runs, case, HALF) for case in ("no hub", "hub"))
        beam = runs.link("no hub").total_inertia
        inertias = {"needed": 2.0 * beam, "times": 2.0 * beam / runs.beam.hub_inertia}
        extra = 100.0 * runs.beam.hub_inertia / beam
        return Evidence((free / hub,), {**inertias, "extra": extra, "free": free, "hub": hub})

    return (
        Claim(
            id="hub-larger",
            where="Section 7",
            text="The overall displacement is larger when the hub inertia is ignored.",
            stated=(),
            work_out=ratio,
            rule=holds(lambda found: found[0] > 1.0),
            because="The mean angle after the torque is {free:.4f} rad without and {hub:.4f} rad with the hub.",
            units="ratio of angles",
        ),
        Claim(
            id="three-times",
            where="Section 8",
            text="Ignoring the hub inertia makes the overall displacement about three times as large.",
            stated=[3.0],
            work_out=ratio,
            rule=agrees(Verdict.CONTRADICTED),
            because="It makes it {c[0]:.4f} times as large: the hub adds {extra:.1f} % to the inertia of the beam. A "
            "factor of 3 would need a hub of {needed:.4f} kg*m^2, {times:.0f} times that of Table 1.",
            units="ratio of angles",
            tolerance=Tolerance(relative=0.2, because="about"),
        ),
    )


def _stop(runs: Runs) -> tuple[Claim, ...]:
    """The arm stops, and rings."""

    def state() -> Evidence:
        motion = runs.exact("hub", [1.2])
        swing = {case: 1e3 * residual(runs, case, "peak to peak") for case in ("no hub", "hub")}
        return Evidence(
            numbers(motion.mean_rate), {"angle": motion.mean_angle[0], "free": swing["no hub"], "hub": swing["hub"]}
        )

    return (
        Claim(
            id="stops",
            where="Sections 6, 7",
            text="The torque lets the arm stop after 0.6 s, with a residual vibration.",
            stated=[0.0],
            work_out=state,
            rule=agrees(Verdict.CONTRADICTED),
            because="The mean rate is then zero to rounding ({c[0]:.2g} rad/s), and the tip swings about {angle:.4f} "
            "rad by {hub:.2f} mm peak to peak ({free:.2f} mm without hub).",
            units="rad/s",
            tolerance=Tolerance(absolute=1e-9, because="rounding"),
        ),
    )


def _payload(runs: Runs) -> tuple[Claim, ...]:
    """More payload."""

    def values_of(name: str, factor: float = 1e3) -> Numbers:
        return numbers([factor * residual(runs, case, name) for case in LOADS])

    def swings() -> Evidence:
        turns = [float(HALF * runs.link(case).frequencies(1)[0]) for case in LOADS]
        return Evidence(values_of("peak to peak"), {"turns": ", ".join(f"{turn:.2f}" for turn in turns)})

    return (
        Claim(
            id="payload-displacement",
            where="Sections 7, 8",
            text="The overall displacement decreases with the payload.",
            stated=(),
            work_out=lambda: values_of("mean angle", 1.0),
            rule=holds(lambda angle: all(b < a for a, b in pairwise(angle))),
            because="The mean angle falls from {c[0]:.4f} rad to {c[1]:.4f} rad and {c[2]:.4f} rad.",
            units="rad",
            labels=LOAD_LABELS,
        ),
        Claim(
            id="payload-vibration",
            where="Sections 7, 8",
            text="The level of vibration increases with the payload.",
            stated=(),
            work_out=swings,
            rule=holds(lambda swing: all(b > a for a, b in pairwise(swing))),
            because="After this torque the tip swings by {c[0]:.2f}, {c[1]:.2f} and {c[2]:.2f} mm peak to peak: the "
            "payload brings the halves of the torque near whole periods of the first mode ({turns}), where they "
            "cancel it.",
            units="mm",
            labels=LOAD_LABELS,
        ),
        Claim(
            id="payload-deflection",
            where="Section 7",
            text="The amplitude of the elastic deflection increases with the payload.",
            stated=(),
            work_out=lambda: values_of("deflection peak"),
            rule=holds(lambda peak: all(b > a for a, b in pairwise(peak))),
            because="The largest deflection of the tip from the hub's tangent falls: {c[0]:.1f}, {c[1]:.1f}, "
            "{c[2]:.1f} mm.",
            units="mm",
            labels=LOAD_LABELS,
        ),
    )


def _payload_change(runs: Runs) -> tuple[Claim, ...]:
    """A payload that changes on the way."""

    def drift() -> Evidence:
        before, after = exact_change(runs, "matched", "angular momentum")
        low, high = (1e3 * energy for energy in grid_change(runs, "matched", "energy"))
        rest = abs(exact_change(runs, "at rest", "mean rate"))
        return Evidence(
            numbers(exact_change(runs, "matched", "mean rate")),
            {"before": before, "after": after, "low": low, "high": high, "rest": rest},
        )

    return (
        Claim(
            id="payload-change",
            where="Sections 6, 8",
            text="When the payload changes on the way it suffices to compute the elements of A anew.",
            stated=[0.0],
            work_out=drift,
            rule=agrees(),
            because="That leaves all velocities, as if 20 g had arrived with the speed of the tip: at 0.4 s the "
            "angular momentum jumps from {before:.4f} to {after:.4f} kg*m^2/s and the energy of the grid from "
            "{low:.2f} to {high:.2f} mJ, and after the torque the arm never stops ({c[0]:.3f} rad/s). A payload at "
            "rest needs a rule for the velocity of the tip; the mean rate is then {rest:.3f} rad/s.",
            units="rad/s (mean rate after the torque)",
            tolerance=Tolerance(absolute=1e-3),
        ),
    )
