"""Joints that cylinders move: whether drive and cylinder fit, and what the joint is told."""

from __future__ import annotations

import numpy as np

from flexarm.drive.cylinder import Cylinder
from flexarm.drive.cylinder_signal import CylinderSignal, check_reach
from flexarm.drive.joint_drive import JointDrive
from flexarm.drive.signal import Signal
from flexarm.drive.statespace import StateSpace
from flexarm.errors import ScenarioError

AT_ONCE = 1e3
"""Rate in 1/s of an actuator that follows its command at once, for how long it is looked at."""


def check_cylinder(joint: JointDrive, cylinder: Cylinder, feels: bool = False) -> None:
    """Refuse a cylinder that does not fit its joint or its drive; `feels`: its oil feels the load."""
    name, drive, field = joint.name, joint.drive, f"{joint.place}.cylinder"
    if joint.joint.type == "prismatic" and cylinder.lever is None:
        raise ScenarioError(
            f"joint '{name}' slides, so its cylinder lies along it: give lever: 1 in place of base and lug", field=field
        )
    other = next((key for key in ("servo", "torque") if getattr(drive, key) is not None), None)
    if drive.control is not None and drive.control.type != "external":
        other = "control"
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


def cylinder_motion(joint: JointDrive, system: StateSpace | None, cylinder: Cylinder) -> Signal:
    """A prescribed motion after an actuator that moves a cylinder; `system` filters its length."""
    name, start, command, field = joint.name, joint.start, joint.pieces(), f"{joint.place}.cylinder"
    check_reach(name, command, cylinder, start, AT_ONCE, field)
    if system is None:
        return command
    try:
        signal = CylinderSignal(command, cylinder, system)
    except ValueError as error:
        raise ScenarioError(f"joint '{name}': {error}", field=field) from None
    check_reach(name, signal, cylinder, start, float(np.min(np.abs(np.linalg.eigvals(system.A).real))), field)
    return signal
