"""The arm with its drives about a point of rest: which joints are led, held or driven, and what acts on it.

Of every joint (`Treatment`): ``free``, the torque of its motor is an input, or the command of its actuator; ``held``, its law is closed and
its reference and the reference's rate are inputs; ``led``, its motor follows a motion and the acceleration of that motion is the
input; ``locked``, its motor stands still.

With the torques of led motors u_l and S q = r their positions, q = Z z + P r, so that Z^T (M q'' + C q' + K q - B u) = 0 moves the arm,
and the led motors take u_l = P^T (M q'' + C q' + K q - B u). P is the shape that follows a slow motion, Z^T K P = 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from flexarm.arm import Arm
from flexarm.control.first_order import Channel, Descriptor
from flexarm.drive import Law, Program, Wiring
from flexarm.errors import FlexarmError, check_word
from flexarm.methods import get_method
from flexarm.methods.base import Hints, LinearModel, Model
from flexarm.methods.output_rows import OutputRows
from flexarm.rigid import passive_joints
from flexarm.scenario import Scenario
from flexarm.simulation.control_loops.closure import close_control_loops
from flexarm.simulation.controllers import SIDE
from flexarm.simulation.poses import all_commanded, arm_at, commanded_pose, posed
from flexarm.simulation.program import Gains, gains_at, largest_gains, prepare_program, row_at
from flexarm.simulation.rest import HoldingModel

Treatment = Literal["free", "held", "led", "locked"]
TOKEN = 1e-12
"""Inertia of a motor that has none and is led, over that of the links."""


@dataclass(frozen=True)
class Plant:
    """The arm at a point of rest, ready to be brought into first order.

    Attributes
    ----------
    system : Descriptor
        Equations, readings and inputs.
    outputs : tuple of str
        Names of the readings.
    units : dict
        Units of the readings.
    pose, torques : dict
        Positions of the joints at rest and the torques of their motors there, by name.
    treatments : dict
        How each joint is treated.
    notes : list of str
        What was simplified, and what the method leaves out.
    """

    system: Descriptor
    outputs: tuple[str, ...]
    units: dict[str, str]
    model: Model
    pose: dict[str, float]
    torques: dict[str, float]
    treatments: dict[str, Treatment]
    notes: list[str]


def plant(
    scenario: Scenario,
    pose: Sequence[float] | None,
    time: float | None,
    joints: str | Mapping[str, str],
    ratio: float | None,
) -> Plant:
    """The arm of a scenario in a pose, or as it is commanded at a time, with a damping ratio of its modes in place of its own damping."""
    program, end, when = prepare_program(scenario), scenario.time.end, time or 0.0
    if not 0.0 <= when <= end:
        raise FlexarmError(f"time is {when:g} s, but the scenario runs from 0 to {end:g} s", field="time")
    if pose is not None and time is not None:
        raise FlexarmError("give a pose or a time: at a time the arm is where it is commanded to be", field="pose")
    arm, wiring = arm_at(scenario, when), program.wiring
    if time is not None and all_commanded(arm, program):
        pose = commanded_pose(scenario, when, program) or pose
    arm = arm if pose is None else posed(arm, pose)
    treatments = _treatments(program, arm, joints, end)
    gains, row = gains_at(program, when, end), row_at(program, when, end)
    notes: list[str] = []
    if any(treatments.get(joint.name) == "held" for joint in wiring.joints):
        arm, notes = _rested(scenario, program, arm, row, notes)
    model = _build(scenario, _with_motors(arm, treatments), wiring, gains)
    holding = HoldingModel(model)
    told = np.zeros_like(row)
    told[len(wiring.joints) :] = row[len(wiring.joints) :]  # loads on links, as at that time
    rest = holding.held(arm.pose, told)
    told[: len(wiring.joints), 0] = rest.pose
    linear = _with_sensors(model.linearise(model.static(rest.pose, told), "held"), wiring)
    if ratio is not None:
        linear = replace(linear, C=np.zeros_like(linear.C))
        notes = [*notes, f"every elastic mode is damped by {100.0 * ratio:g} %, in place of links and joints"]
    loads = {name: (float(q), float(t)) for name, q, t in zip(arm.joints, rest.pose, rest.torque, strict=True)}
    system, said = _closed(linear, wiring, gains, treatments, loads, arm)
    shaped = [
        name for drive in scenario.drive for name in drive.names if drive.actuator and treatments.get(name) == "led"
    ]
    said += [f"the actuator of '{name}' shapes its motion and stands before this model" for name in shaped]
    return Plant(
        replace(system, ratio=ratio or 0.0), linear.output_names, reading_units(model, linear.output_names), model,
        {name: q for name, (q, _) in loads.items()}, {name: t for name, (_, t) in loads.items()}, treatments,
        [*notes, *said, *model.left_out],
    )  # fmt: skip


def treatments_of(scenario: Scenario, joints: str | Mapping[str, str]) -> dict[str, Treatment]:
    """How each joint of a scenario that has a motor is treated."""
    return _treatments(scenario.program, scenario.arm, joints, scenario.time.end)


def _treatments(program: Program, arm: Arm, joints: str | Mapping[str, str], end: float) -> dict[str, Treatment]:
    """How each joint that has a motor is treated."""
    passive = passive_joints(arm)
    moved = [joint for joint in program.wiring.joints if joint.name not in passive or joint.mode == "torque"]
    if isinstance(joints, str):
        check_word(joints, get_args(Treatment), "joints")
        found = {joint.name: joints for joint in moved}
        if joints == "held":
            lawful = _with_laws(program, end)
            if not lawful:
                raise FlexarmError("joints='held' needs a control law in the scenario's drives", field="joints")
            found = {j.name: "held" if j.name in lawful else "led" if j.mode == "motion" else "free" for j in moved}
        return found  # type: ignore[return-value]
    names = [joint.name for joint in moved]
    for name, treatment in joints.items():
        check_word(name, names, "joints")
        check_word(treatment, get_args(Treatment), f"joints.{name}")
    return {name: joints.get(name, "free") for name in names}  # type: ignore[misc]


def _with_laws(program: Program, end: float) -> set[str]:
    """Joints that a law with feedback moves."""
    gains = largest_gains(program, end)
    laws = {joint.name: (joint.law, any(each)) for joint, each in zip(program.wiring.joints, gains, strict=True)}
    with_feedback = {
        name for name, (law, fed) in laws.items() if law and (fed or law.cylinder or law.kind == "external")
    }
    return with_feedback | set(program.auto_servos)


def _rested(scenario: Scenario, program: Program, arm: Arm, row: np.ndarray, notes: list[str]) -> tuple[Arm, list[str]]:
    """The arm where its laws let it rest when they are told to hold its pose."""
    driven = get_method(scenario.method.name).build(arm, program.wiring, scenario.method.options)
    told = row.copy()
    told[: len(arm.joints), :3] = 0.0
    told[: len(arm.joints), 0] = arm.pose
    found = HoldingModel(driven).rest(arm.pose, told)
    return posed(arm, [float(q) for q in found.pose]), [*notes, *found.notes]


def _with_motors(arm: Arm, treatments: Mapping[str, Treatment]) -> Arm:
    """The arm with motors in front of all series springs: those without inertia cannot be driven by a torque, and those that are led
    get next to none."""
    links = []
    for link in arm.links:
        joint = link.joint
        if joint.stiffness is not None and not joint.rotor_inertia and link.name in treatments:
            if treatments[link.name] in ("free", "held"):
                raise FlexarmError(
                    f"joint '{link.name}' has a series spring, so its torque acts on the motor side, which needs inertia: give the "
                    "joint rotor_inertia, or lead it (joints='led')",
                    field="joints",
                )
            inertia = TOKEN * sum(other.mass * max(other.span, link.span) ** 2 for other in arm.links)
            link = link.model_copy(update={"joint": joint.model_copy(update={"rotor_inertia": inertia or TOKEN})})
        links.append(link)
    return arm.model_copy(update={"links": tuple(links)})


def _build(scenario: Scenario, arm: Arm, wiring: Wiring, gains: Sequence[Gains]) -> Model:
    """The model with the torques of all motors open."""
    passive = passive_joints(arm)
    free = tuple(
        replace(j, mode="free" if j.name in passive and j.mode != "torque" else "torque", law=None if j.name in passive else Law())
        for j in wiring.joints
    )  # fmt: skip
    method = get_method(scenario.method.name)
    hints = Hints(gains=tuple(gains))
    return method.build(arm, replace(wiring, joints=free), scenario.method.options, scenario.output.watch(), hints)


def _with_sensors(linear: LinearModel, wiring: Wiring) -> LinearModel:
    """The model whose laws read what those of the wiring do."""
    sides = {joint.name: SIDE[joint.law.sensor] if joint.law is not None else "" for joint in wiring.joints}
    sensed = [linear.reading(f"{name}.{sides[name]}position") for name in linear.inputs]
    return replace(linear, sensed=np.reshape(sensed, linear.sensed.shape))


def _closed(
    linear: LinearModel, wiring: Wiring, gains: Sequence[Gains], treatments: Mapping[str, Treatment], loads: dict[str, tuple[float, float]],
    arm: Arm,
) -> tuple[Descriptor, list[str]]:  # fmt: skip
    """Laws closed, led motors eliminated, inputs named."""
    number = {joint.name: k for k, joint in enumerate(wiring.joints)}
    laws = {name: _law(wiring.joints[number[name]].law, treatments.get(name, "free")) for name in linear.inputs}
    used = {name: gains[number[name]] if treatments.get(name) == "held" else (0.0, 0.0, 0.0) for name in linear.inputs}
    wired = replace(wiring, joints=tuple(replace(j, law=laws.get(j.name)) for j in wiring.joints))
    values = [used.get(joint.name, (0.0, 0.0, 0.0)) for joint in wiring.joints]
    closed, notes = close_control_loops(linear, wired, values, loads)
    for name, treatment in treatments.items():
        law = wiring.joints[number[name]].law
        if treatment == "free" and law is not None and law.cylinder is not None:
            notes.append(f"the cylinder of '{name}' is left out: its force on the joint is the input")
    channels: list[Channel] = []
    rows = closed.rows
    for name, treatment in treatments.items():
        if name not in closed.inputs or treatment in ("led", "locked"):
            continue
        k, unit = closed.inputs.index(name), "N*m" if arm.link(name).joint.type == "revolute" else "N"
        place = "rad" if unit == "N*m" else "m"
        column, feed, law = closed.B[:, k], rows.torque[:, k], laws[name]
        if law is not None and law.cylinder is not None:
            deaf = replace(law, cylinder=replace(law.cylinder, loop_gain=0.0))
            one = replace(wired, joints=tuple(replace(j, law=deaf) if j.name == name else j for j in wired.joints))
            sense = closed.sensed[k]
            pull = (closed.K - close_control_loops(linear, one, values, loads)[0].K) @ sense / (sense @ sense)
            channels.append(Channel(f"{name}.reference", place, pull, 0.0 * feed))
            continue
        if treatment == "held":
            kp, kv, ki = used[name]
            by_reference = kp * column
            if ki:
                by_reference = by_reference + np.eye(len(column))[closed.coordinates.index(f"{name}.integral")]
            channels.append(Channel(f"{name}.reference", place, by_reference, kp * feed))
            channels.append(Channel(f"{name}.reference_rate", f"{place}/s", kv * column, kv * feed))
        word = "command" if law is not None and law.actuator is not None else "torque"
        channels.append(Channel(f"{name}.{word}", unit, column, feed))
    channels += _disturbances(linear, closed, wiring, treatments, arm)
    own = [name for name in treatments if treatments[name] in ("led", "locked") and name in linear.inputs]
    states = closed.coordinates[len(linear.M) :]
    system = Descriptor(closed.M, closed.C, closed.K, rows, channels, linear.K, (), states)
    if own:
        system = _led(system, linear, own, [name for name in own if treatments[name] == "led"], arm)
    return system, notes


def _disturbances(
    linear: LinearModel, closed: LinearModel, wiring: Wiring, treatments: Mapping[str, Treatment], arm: Arm
) -> list[Channel]:
    """Torques beside motors, where the scenario has any, and loads on links: they act on the arm itself."""
    found, more = [], len(closed.M) - len(linear.M)
    for joint in wiring.joints:
        if joint.disturbed and joint.name in linear.inputs and treatments.get(joint.name) in ("free", "held"):
            k, unit = linear.inputs.index(joint.name), "N*m" if arm.link(joint.name).joint.type == "revolute" else "N"
            column, feed = np.pad(linear.B[:, k], (0, more)), linear.rows.torque[:, k]
            found.append(Channel(f"{joint.name}.disturbance", unit, column, feed))
    for k, patch in enumerate(wiring.patches):
        column, feed = np.pad(linear.pushed.forces[:, k], (0, more)), linear.pushed.readings[:, k]
        found.append(Channel(f"{patch.name}.{patch.kind}", "N" if patch.kind == "force" else "N*m", column, feed))
    return found


def _law(law: Law | None, treatment: Treatment) -> Law | None:
    """What of a law is in the model: all of it, or the actuator alone."""
    if law is None or treatment in ("led", "locked"):
        return None
    if treatment == "held":
        return law
    return None if law.cylinder is not None else replace(law, kind="pd", period=0.0)


def _led(system: Descriptor, linear: LinearModel, names: Sequence[str], moved: Sequence[str], arm: Arm) -> Descriptor:
    """The motors called `names` follow motions, or stand still but for those that are `moved`."""
    from scipy.linalg import qr

    n, count = len(linear.M), len(system.M)
    numbers = [linear.inputs.index(name) for name in names]
    S = linear.B[:, numbers].T
    pivots = np.sort(qr(S, pivoting=True)[2][: len(names)])
    others = np.setdiff1d(np.arange(n), pivots)
    inverse = np.linalg.inv(S[:, pivots])
    T = np.zeros((n, n))
    T[others, np.arange(len(others))] = 1.0
    T[np.ix_(pivots, np.arange(len(others)))] = -inverse @ S[:, others]
    T[np.ix_(pivots, np.arange(len(others), n))] = inverse
    z, r = slice(0, len(others)), slice(len(others), n)
    T[:, r] += T[:, z] @ _following(T.T @ linear.K @ T, len(others))
    whole = np.eye(count)
    whole[:n, :n] = T
    M, C, K = (whole.T @ matrix @ whole for matrix in (system.M, system.C, system.K))
    rows, felt = system.rows.of(whole), system.rows.torque[:, numbers]
    columns = [whole.T @ channel.column for channel in system.channels]
    taken = [felt @ matrix[r] for matrix in (K, C, M)]
    rows = OutputRows(rows.position + taken[0], rows.rate + taken[1], rows.acceleration + taken[2], rows.torque)
    channels = [
        channel._replace(column=np.where(_within(count, r), 0.0, column), feed=channel.feed - felt @ column[r])
        for channel, column in zip(system.channels, columns, strict=True)
    ]
    M[r], C[r], K[r] = whole[r], 0.0, 0.0
    kept = np.setdiff1d(np.arange(count), [r.start + k for k, name in enumerate(names) if name not in moved])
    for k, name in enumerate(names):
        if name in moved:
            unit = "rad/s^2" if arm.link(name).joint.type == "revolute" else "m/s^2"
            channels.append(Channel(f"{name}.acceleration", unit, np.eye(count)[r.start + k], np.zeros(len(felt))))
    M, C, K = (matrix[np.ix_(kept, kept)] for matrix in (M, C, K))
    rows = rows.of(np.eye(count)[:, kept])
    channels = [channel._replace(column=channel.column[kept]) for channel in channels]
    structure = (T.T @ linear.K @ T)[z, z]
    return Descriptor(M, C, K, rows, channels, structure, tuple(moved), system.laws)


def _within(count: int, part: slice) -> np.ndarray:
    """Marks of the places in a part, (count,)."""
    found = np.zeros(count, dtype=bool)
    found[part] = True
    return found


def _following(K: np.ndarray, n: int) -> np.ndarray:
    """Motion of the first n coordinates with slow motions of the others, (n, others): where nothing holds them back they stay."""
    if n == len(K) or not n:
        return np.zeros((n, len(K) - n))
    scale = 1.0 / np.sqrt(np.maximum(np.abs(np.diag(K)[:n]), 1e-300))
    found = np.linalg.lstsq(K[:n, :n] * np.outer(scale, scale), -scale[:, None] * K[:n, n:], rcond=1e-11)[0]
    return np.asarray(scale[:, None] * found)


def reading_units(model: Model, names: Sequence[str]) -> dict[str, str]:
    """Units of readings, by name."""
    from flexarm.methods.sensors import KINDS

    own = {gauge.label: "1" for gauge in model.watch.gauges}
    own |= {sensor.name: KINDS[sensor.kind].unit for sensor in model.watch.sensors}
    found = {}
    for name in names:
        owner, _, part = name.rpartition(".")
        slides = owner in model.arm.joints and model.arm.link(owner).joint.type == "prismatic"
        length = owner == "tip" or slides
        if name in own:
            found[name] = own[name]
        elif part.startswith("force"):
            found[name] = "N"
        elif part in ("torque", "moment"):
            found[name] = "N" if slides else "N*m"
        elif "acceleration" in part:
            found[name] = "m/s^2" if length else "rad/s^2"
        elif "velocity" in part:
            found[name] = "m/s" if length else "rad/s"
        else:
            found[name] = "m" if length else "rad"
    return found
