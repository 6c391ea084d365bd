"""From drives to a program: names are found, joints wired, profiles made into signals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from flexarm.arm import Arm, Joint
from flexarm.arm.joint import UNITS
from flexarm.drive.actuator import Actuator
from flexarm.drive.checks import check_feedforward, check_motion, check_spring
from flexarm.drive.control import Gains
from flexarm.drive.cylinder_joints import check_cylinder, cylinder_motion, pressed_joint
from flexarm.drive.drive import Drive, PatchPlace
from flexarm.drive.filtered import FilteredSignal
from flexarm.drive.line import Line
from flexarm.drive.paths import JointPath, PathMotion
from flexarm.drive.paths.motion import check_path_joints
from flexarm.drive.profiles import motion_signal, torque_signal
from flexarm.drive.program import Program
from flexarm.drive.signal import PieceSignal, Signal
from flexarm.drive.statespace import StateSpace
from flexarm.drive.stepping_motor.motion import step_signal
from flexarm.drive.wiring import MOST_POLES, JointWiring, Law, Patch, Wiring
from flexarm.errors import ScenarioError


class Seat(NamedTuple):
    """The drive of a joint: its number in the list, and the joint's number within the drive."""

    number: int
    drive: Drive
    i: int


def compile_program(arm: Arm, drives: Sequence[Drive], pose: Sequence[float]) -> Program:
    """See `Program.compile`."""
    if len(pose) != len(arm.joints):
        raise ScenarioError(f"the pose has {len(pose)} values, but the arm has {len(arm.joints)} joints")
    seats = _seats(arm, drives)
    path = _path(arm, drives)
    joints, lines, warnings = [], [], [] if path is None else path.warnings()
    for k, (name, start) in enumerate(zip(arm.joints, pose, strict=True)):
        joint, seat = arm.link(name).joint, seats.get(name)
        command = _command(seat.drive, start, k, path) if seat is not None else None
        wired, line, notes = _joint(name, joint, start, seat, command)
        joints.append(wired)
        lines.append(line)
        warnings += notes
    patches = []
    for number, drive in enumerate(drives):
        if drive.patch is not None:
            patch, line = _patch(arm, number, drive, drive.patch, [line.name for line in lines])
            patches.append(patch)
            lines.append(line)
        doubt = drive.actuator.doubt() if drive.actuator is not None else None
        if doubt is not None:
            whom = ", ".join(drive.names) or patches[-1].name
            warnings.append(f"actuator of {whom}: {doubt}")
    wiring = Wiring(tuple(joints), tuple(patches))
    auto = tuple(name for name, seat in seats.items() if seat.drive.servo is not None and seat.drive.servo.auto)
    ordered = tuple(name for name in arm.joints if name in auto)
    check_feedforward(arm, lines, {name: seat.number for name, seat in seats.items()})
    return Program(arm, tuple(lines), wiring, ordered, tuple(warnings), path)


def _seats(arm: Arm, drives: Sequence[Drive]) -> dict[str, Seat]:
    """The drive of each driven joint."""
    seats: dict[str, Seat] = {}
    for number, drive in enumerate(drives):
        field = f"drive.{number}.{'joint' if drive.joint is not None else 'joints'}"
        for i, name in enumerate(drive.names):
            if name not in arm.joints:
                raise ScenarioError(_unknown(arm, name), field=field)
            if name in seats:
                raise ScenarioError(f"joint '{name}' has two drives: put them into one entry", field=field)
            seats[name] = Seat(number, drive, i)
    return seats


def _unknown(arm: Arm, name: str) -> str:
    if name in [link.name for link in arm.links]:
        return f"the joint of link '{name}' is fixed and cannot be driven"
    near = get_close_matches(name, arm.joints, 1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"there is no joint '{name}'; {hint}the arm has {', '.join(arm.joints)}"


def _path(arm: Arm, drives: Sequence[Drive]) -> PathMotion | None:
    """The path of the tip, if there is one."""
    found = [(number, drive) for number, drive in enumerate(drives) if drive.path is not None]
    if not found:
        return None
    number, drive = found[0]
    if len(found) > 1:
        raise ScenarioError("the tip can follow one path only", field=f"drive.{found[1][0]}.path")
    assert drive.path is not None
    check_path_joints(arm, drive.names, f"drive.{number}.joints")
    return PathMotion(arm, drive.path, f"drive.{number}.path")


def _command(drive: Drive, start: float, column: int, path: PathMotion | None) -> PieceSignal | JointPath | None:
    """The commanded motion of a joint; a law without one holds the joint where it starts."""
    if drive.path is not None and path is not None:
        return JointPath(path, column, start)
    if drive.motion is not None:
        return motion_signal(drive.motion, start)
    held = drive.servo is not None or (drive.control is not None and drive.control.type != "external")
    return motion_signal((), start) if held else None


def _joint(
    name: str, joint: Joint, start: float, seat: Seat | None, command: PieceSignal | JointPath | None
) -> tuple[JointWiring, Line, list[str]]:
    """Wiring, line and warnings of one joint."""
    spring = joint.stiffness is not None
    if seat is None:
        law = Law(friction=joint.friction) if joint.friction else None
        notes = []
        if spring and not joint.rotor_inertia:
            notes.append(
                f"joint '{name}' is not driven and its motor side has no inertia: its spring does nothing; "
                "hold it with motion: {profile: constant}, or give rotor_inertia"
            )
        return JointWiring(name, "free", spring, law), Line(name), notes
    drive = seat.drive
    actuator = drive.actuator or Actuator()
    system, jack, place = actuator.system(), actuator.pressures, f"drive.{seat.number}.actuator"
    if actuator.cylinder is not None:
        check_cylinder(name, joint, drive, actuator.cylinder, f"{place}.cylinder")
    elif actuator.type == "hydraulic" and (drive.servo or drive.control or drive.torque):
        raise ScenarioError(
            f"the hydraulic actuator of joint '{name}' is a position loop: give motion or path alone", field=place
        )
    if jack is not None:
        return pressed_joint(name, joint, start, drive, command, jack, place)
    if command is not None and drive.servo is None and drive.control is None:
        told = f"drive.{seat.number}.{'motion' if drive.path is None else 'path'}"
        if actuator.type == "stepper":
            return _stepped(name, joint, _pieces(command), actuator, seat.number, told)
        shaped = _shaped(command, system)
        if actuator.cylinder is not None:
            shaped = cylinder_motion(name, _pieces(command), start, actuator, actuator.cylinder, f"{place}.cylinder")
        notes = check_motion(name, shaped, start, joint.velocity, UNITS[joint.type], told)
        if joint.friction:
            notes.append(
                f"the motion of joint '{name}' is prescribed, so its friction changes nothing, and its drive torque "
                "does not count it; give servo or control to feel friction"
            )
        return JointWiring(name, "motion", spring), Line(name, position=shaped), notes
    check_spring(name, joint, seat.number, drive)
    if system is not None and system.order > MOST_POLES:
        raise ScenarioError(
            f"the actuator of joint '{name}' has {system.order} poles (a complex one counts twice); behind a torque "
            f"there may be {MOST_POLES}: leave out the fastest",
            field=f"drive.{seat.number}.actuator.poles",
        )
    law = _law(drive, seat.i, system, joint.friction)
    return JointWiring(name, "torque", spring, law), _line(name, drive, seat.i, command), []


def _line(name: str, drive: Drive, i: int, position: Signal | None) -> Line:
    """Commands of a joint that is driven by torque."""
    effort = torque_signal(drive.torque) if drive.torque is not None else None
    schedule: tuple[Gains, ...] = ()
    if drive.servo is not None:
        schedule = (Gains(math.inf, drive.servo.kp or 0.0, drive.servo.kv, 0.0),)
    elif drive.control is not None:
        schedule = drive.control.schedule(i)
    return Line(name, position, effort, schedule, drive.control is not None and drive.control.feedforward)


def _law(drive: Drive, i: int, system: StateSpace | None, friction: float) -> Law | None:
    """The law of the i-th joint of a drive; None if torque goes straight to the joint."""
    if drive.servo is not None:
        return Law(sensor="motor", actuator=system, friction=friction)
    control = drive.control
    if control is not None:
        return Law(control.type, control.sensor, control.limit_of(i), control.period, system, friction)
    if system is not None or friction:
        return Law(actuator=system, friction=friction)
    return None


def _shaped(command: PieceSignal | JointPath, system: StateSpace | None) -> Signal:
    """The command after an actuator."""
    if system is None:
        return command
    return FilteredSignal(_pieces(command), system)


def _pieces(command: PieceSignal | JointPath) -> PieceSignal:
    """A command as polynomials."""
    return command.in_pieces() if isinstance(command, JointPath) else command


def _stepped(
    name: str, joint: Joint, command: PieceSignal, motor: Actuator, number: int, place: str
) -> tuple[JointWiring, Line, list[str]]:
    """A joint that a stepping motor turns; the velocity of its command may jump."""
    if joint.type != "revolute":
        raise ScenarioError(
            f"a stepper turns a joint, but '{name}' slides: give its motion as a table of small moves",
            field=f"drive.{number}.actuator.type",
        )
    check_motion(name, command, command.initial, joint.velocity, UNITS[joint.type], place)
    signal, note = step_signal(name, command, motor, f"drive.{number}.actuator")
    return JointWiring(name, "motion", joint.stiffness is not None), Line(name, position=signal), [note]


def _patch(arm: Arm, number: int, drive: Drive, place: PatchPlace, taken: Sequence[str]) -> tuple[Patch, Line]:
    """A distributed actuator and its line."""
    field = f"drive.{number}.patch"
    links = [link.name for link in arm.links]
    if place.link not in links:
        near = get_close_matches(place.link, links, 1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        raise ScenarioError(
            f"there is no link '{place.link}'; {hint}the arm has {', '.join(links)}", field=f"{field}.link"
        )
    kind, profile = ("force", drive.force) if drive.force is not None else ("moment", drive.moment)
    assert profile is not None
    if kind == "moment" and not arm.link(place.link).flexible:
        raise ScenarioError(
            f"link '{place.link}' is rigid: a moment between two of its places bends nothing", field=field
        )
    name = place.name or f"{place.link}-{kind}"
    if name in taken:
        raise ScenarioError(f"the name '{name}' is taken; give the patch another one", field=f"{field}.name")
    system = drive.actuator.system() if drive.actuator is not None else None
    patch = Patch(name, place.link, kind, *place.span)  # type: ignore[arg-type]
    return patch, Line(name, effort=_shaped(torque_signal(profile), system))
