"""From drives to a program: names are found, joints wired, profiles made into signals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import numpy as np

from flexarm.arm import Arm, Joint
from flexarm.drive.actuators import Ideal
from flexarm.drive.checks import check_feedforward
from flexarm.drive.drive import Drive, PatchPlace
from flexarm.drive.impulses import Impulses
from flexarm.drive.joint_drive import JointDrive
from flexarm.drive.law_block import LawBlock
from flexarm.drive.line import Line
from flexarm.drive.paths import JointPath, PathMotion
from flexarm.drive.paths.motion import check_path_joints
from flexarm.drive.profiles import motion_signal, torque_signal
from flexarm.drive.program import Program
from flexarm.drive.shaped import shaped
from flexarm.drive.signal import PieceSignal
from flexarm.drive.wiring import JointWiring, Law, Patch, Wiring
from flexarm.errors import FlexarmError, ScenarioError

Seat = tuple[int, Drive, int]
"""The drive of a joint: its number in the list, and the joint's number within the drive."""


def compile_program(arm: Arm, drives: Sequence[Drive], pose: Sequence[float], found: Mapping[int, Impulses]) -> Program:
    """See `Program.compile`."""
    if len(pose) != len(arm.joints):
        raise ScenarioError(f"the pose has {len(pose)} values, but the arm has {len(arm.joints)} joints")
    seats = _seats(arm, drives)
    impulses = {**_stated(drives), **found}
    path = _path(arm, drives, impulses)
    joints, lines, warnings, spans = [], [], [] if path is None else path.warnings(), []
    for k, (name, start) in enumerate(zip(arm.joints, pose, strict=True)):
        joint, seat = arm.link(name).joint, seats.get(name)
        if seat is None:
            wired, line, notes = _free(name, joint)
        else:
            number, drive, i = seat
            command = _command(drive, start, k, path, impulses.get(number))
            driven = JointDrive(name, joint, start, drive, number, i, command, impulses.get(number))
            spans += [command.span] if command is not None else []
            wired, line, notes = (drive.actuator or Ideal()).wire(driven)
        joints.append(wired)
        lines.append(line)
        warnings += notes
    patches = []
    for number, drive in enumerate(drives):
        if drive.patch is not None:
            taken = [line.name for line in lines]
            patch, line = _patch(arm, number, drive, drive.patch, taken, impulses.get(number))
            patches.append(patch)
            lines.append(line)
        doubt = drive.actuator.doubt() if drive.actuator is not None else None
        if doubt is not None:
            whom = ", ".join(drive.names) or patches[-1].name
            warnings.append(f"actuator of {whom}: {doubt}")
    wiring = Wiring(tuple(joints), tuple(patches))
    auto = tuple(name for name, (_, drive, _) in seats.items() if drive.servo is not None and drive.servo.auto)
    ordered = tuple(name for name in arm.joints if name in auto)
    check_feedforward(arm, lines, {name: number for name, (number, _, _) in seats.items()})
    unknown = tuple(k for k, drive in enumerate(drives) if drive.shaper is not None and k not in impulses)
    begins, ends = zip(*[span for span in spans if span[0] < span[1]] or [(0.0, 0.0)], strict=True)
    blocks = tuple((k, block) for k, drive in enumerate(drives) if (block := _block(drive)) is not None)
    return Program(arm, tuple(lines), wiring, ordered, tuple(warnings), path, unknown, (min(begins), max(ends)), blocks)


def _block(drive: Drive) -> LawBlock | None:
    """The law of a drive's file, with the limits of the drive."""
    block = drive.control.block if drive.control is not None else None
    if block is None or drive.control is None:
        return None
    return block.limited(np.array([drive.control.limit_of(drive.names.index(name)) for name in block.joints]))


def _stated(drives: Sequence[Drive]) -> dict[int, Impulses]:
    """Impulses of the shapers with stated frequencies, by the numbers of their drives."""
    found = {}
    for number, drive in enumerate(drives):
        try:
            impulses = drive.shaper.stated if drive.shaper is not None else None
        except FlexarmError as error:
            raise ScenarioError(error.message, field=f"drive.{number}.shaper") from None
        if impulses is not None:
            found[number] = impulses
    return found


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
            seats[name] = number, drive, i
    return seats


def _unknown(arm: Arm, name: str) -> str:
    if name in [link.name for link in arm.links]:
        return f"the joint of link '{name}' is fixed and cannot be driven"
    near = get_close_matches(name, arm.joints, 1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    return f"there is no joint '{name}'; {hint}the arm has {', '.join(arm.joints)}"


def _path(arm: Arm, drives: Sequence[Drive], impulses: Mapping[int, Impulses]) -> PathMotion | None:
    """The path of the tip, if there is one."""
    found = [(number, drive) for number, drive in enumerate(drives) if drive.path is not None]
    if not found:
        return None
    number, drive = found[0]
    if len(found) > 1:
        raise ScenarioError("the tip can follow one path only", field=f"drive.{found[1][0]}.path")
    assert drive.path is not None
    check_path_joints(arm, drive.names, f"drive.{number}.joints")
    return PathMotion(arm, drive.path, f"drive.{number}.path", impulses.get(number))


def _command(
    drive: Drive, start: float, column: int, path: PathMotion | None, impulses: Impulses | None
) -> PieceSignal | JointPath | None:
    """The commanded motion of a joint; a law without one holds the joint where it starts."""
    if drive.path is not None and path is not None:
        return JointPath(path, column, start)
    if drive.motion is not None:
        return shaped(motion_signal(drive.motion, start), impulses)
    held = drive.servo is not None or (drive.control is not None and drive.control.type != "external")
    return motion_signal((), start) if held else None


def _free(name: str, joint: Joint) -> tuple[JointWiring, Line, list[str]]:
    """Wiring, line and warnings of a joint that nothing drives."""
    spring, notes = joint.stiffness is not None, []
    if spring and not joint.rotor_inertia:
        notes.append(
            f"joint '{name}' is not driven and its motor side has no inertia: its spring does nothing; "
            "hold it with motion: {profile: constant}, or give rotor_inertia"
        )
    law = Law(friction=joint.friction) if joint.friction else None
    return JointWiring(name, "free", spring, law), Line(name), notes


def _direction(arm: Arm, kind: str, place: PatchPlace, field: str) -> tuple[float, float, float]:
    """Unit vector of a load."""
    if kind == "moment" and not arm.spatial and place.direction is not None:
        raise ScenarioError(
            "a moment in the plane turns about z: leave out its direction, and change the sign of the moment if need be",
            field=f"{field}.direction",
        )
    if place.direction is None:
        return (0.0, 1.0, 0.0) if kind == "force" else (0.0, 0.0, 1.0)
    x, y, z = (*place.direction, 0.0)[:3]
    if z and not arm.spatial:
        raise ScenarioError("the arm lies in the plane: its forces have no part along z", field=f"{field}.direction")
    size = math.hypot(x, y, z)
    return x / size, y / size, z / size


def _patch(
    arm: Arm, number: int, drive: Drive, place: PatchPlace, taken: Sequence[str], impulses: Impulses | None
) -> tuple[Patch, Line]:
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
    if kind == "moment" and not arm.link(place.link).flexible and place.at is None:
        raise ScenarioError(
            f"link '{place.link}' is rigid: a moment between two of its places bends nothing", field=field
        )
    name = place.name or f"{place.link}-{kind}"
    if name in taken:
        raise ScenarioError(f"the name '{name}' is taken; give the patch another one", field=f"{field}.name")
    patch = Patch(name, place.link, kind, *place.span, _direction(arm, kind, place, field), place.axes)  # type: ignore[arg-type]
    effort = shaped(torque_signal(profile), impulses)
    return patch, Line(name, effort=(drive.actuator or Ideal()).filtered(effort))
