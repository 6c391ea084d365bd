"""Joints that cylinders move: whether drive and cylinder fit, and what the joint is told."""

from __future__ import annotations

import numpy as np

from flexarm.arm import Joint
from flexarm.drive.actuator import Actuator
from flexarm.drive.cylinder import Cylinder
from flexarm.drive.cylinder_signal import CylinderSignal, check_reach
from flexarm.drive.drive import Drive
from flexarm.drive.hydraulic import HydraulicCylinder
from flexarm.drive.line import Line
from flexarm.drive.paths import JointPath
from flexarm.drive.piecewise import Row
from flexarm.drive.signal import PieceSignal, Signal
from flexarm.drive.wiring import JointWiring, Law
from flexarm.errors import ScenarioError

AT_ONCE = 1e3
"""Rate in 1/s of an actuator that follows its command at once, for how long it is looked at."""


def check_cylinder(name: str, joint: Joint, drive: Drive, cylinder: Cylinder, field: str) -> None:
    """Refuse a cylinder that does not fit its joint or its drive."""
    if joint.type == "prismatic" and cylinder.lever is None:
        raise ScenarioError(
            f"joint '{name}' slides, so its cylinder lies along it: give lever: 1 in place of base and lug", field=field
        )
    other = next((key for key in ("servo", "torque") if getattr(drive, key) is not None), None)
    if drive.control is not None and drive.control.type != "external":
        other = "control"
    feels = drive.actuator is not None and drive.actuator.pressures is not None
    if other is not None:
        instead = "or control: {type: external} that opens its valve" if feels else "without a law"
        raise ScenarioError(
            f"the cylinder of joint '{name}' follows a motion or a path ({instead}): leave out {other}", field=field
        )
    if drive.control is not None and not feels:
        raise ScenarioError(
            f"an external controller can open the valve of a cylinder with oil, but that of joint '{name}' has none",
            field=field,
        )


def cylinder_motion(
    name: str, command: PieceSignal, start: float, actuator: Actuator, cylinder: Cylinder, field: str
) -> Signal:
    """A prescribed motion after an actuator that moves a cylinder."""
    system = actuator.system()
    check_reach(name, command, cylinder, start, AT_ONCE, field)
    if system is None:
        return command
    try:
        signal = CylinderSignal(command, cylinder, system)
    except ValueError as error:
        raise ScenarioError(f"joint '{name}': {error}", field=field) from None
    check_reach(name, signal, cylinder, start, float(np.min(np.abs(np.linalg.eigvals(system.A).real))), field)
    return signal


def pressed_joint(
    name: str,
    joint: Joint,
    start: float,
    drive: Drive,
    command: PieceSignal | JointPath | None,
    jack: HydraulicCylinder,
    field: str,
) -> tuple[JointWiring, Line, list[str]]:
    """Wiring, line and warnings of a joint that a cylinder with pressures moves."""
    spring = joint.stiffness is not None
    if spring and not joint.rotor_inertia:
        raise ScenarioError(
            f"joint '{name}' has a series spring, so its cylinder acts on the motor side, which needs inertia: "
            "give the joint rotor_inertia",
            field=field,
        )
    outside = drive.control is not None
    if outside and jack.loop_gain:
        raise ScenarioError(
            f"the valve of joint '{name}' is opened by the external controller: leave out loop_gain, or control",
            field=f"{field}.loop_gain",
        )
    if not outside and not jack.loop_gain:
        raise ScenarioError(
            f"the cylinder of joint '{name}' needs loop_gain to follow its motion, for example 10 1/s, or "
            "control: {type: external, period: ...}",
            field=f"{field}.loop_gain",
        )
    if drive.control is not None and drive.control.limit is not None:
        raise ScenarioError(
            f"the opening of the valve of joint '{name}' is limited to 1 anyway: leave out control.limit",
            field=f"{field}.valve",
        )
    resting = PieceSignal([Row(0.0, (start,))], initial=start)
    check_reach(name, command or resting, jack.cylinder, start, AT_ONCE, f"{field}.cylinder")
    kind, period = ("external", drive.control.period) if drive.control is not None else ("pd", 0.0)
    law = Law(kind, "motor", 1.0, period, jack.spool(), joint.friction, jack)  # type: ignore[arg-type]
    return JointWiring(name, "torque", spring, law), Line(name, position=command), []
