"""From the log of a run to the labelled result: signals of the method, and those of the stiff arm beside them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm import rigid
from flexarm.arm import Arm
from flexarm.drive import ACCELERATION, DISTURBANCE, POSITION, VELOCITY
from flexarm.errors import FlexarmError
from flexarm.methods.base import Model, Outcome
from flexarm.methods.mesh_error import frequency_note
from flexarm.methods.signals import Signals
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.numerics.eigen import vibration
from flexarm.result import Result, describe
from flexarm.rigid.closing import dead_centres
from flexarm.simulation.acting import FAINT, acting
from flexarm.simulation.build import Setup
from flexarm.simulation.control_loops import BEFORE_A_RUN, law_warnings
from flexarm.simulation.cylinders import add_cylinders
from flexarm.simulation.poses import all_commanded
from flexarm.simulation.stress import add_stress

if TYPE_CHECKING:
    import xarray

    from flexarm.simulation.log import Log
    from flexarm.simulation.time_loop import TimeLoop

UNBOUNDED = f"{Outcome.UNSTABLE.sentence}: a link bends further than the whole arm is long"
MOST_NUMERICAL = 0.02
"""Share of the energy at play that a time scheme may make or lose without a word."""
MOST_BEND, MOST_LINEAR = 0.1, 0.01
"""Share of its length by which a link may bend without a word, in methods of second and of first order."""
MOST_WEIGHT = 0.01
"""Share of the weight that a linear method may have wrong, because the arm has turned, without a word."""


OF_COMMANDS = ("tip_error", "tip_error_link", "rigid_torque", "commanded_position", "commanded_velocity")
"""Signals that there are if all joints are commanded."""


@with_one_blas_thread
def label(
    setup: Setup,
    loop: TimeLoop,
    log: Log,
    outcome: Outcome,
    message: str,
    warn: bool,
    estimate: bool = True,
    told: Sequence[str] = (),
) -> Result:
    """Observe every piece of the log, join them, add what the stiff arm would do.

    `warn`: look at the control laws too; `estimate`: say how right the natural frequencies are; `told`: what the controller says.
    """
    arrays = log.arrays()
    pieces = [
        model.observe(arrays["times"][part], arrays["records"][part], arrays["rows"][part])
        for model, part in log.pieces()
    ]
    signals = pieces[0] if len(pieces) == 1 else Signals.joined(pieces)
    add_disturbances(setup, signals, arrays["rows"])
    add_balance(signals)
    add_rigid(setup, signals, arrays["rows"])
    add_cylinders(setup, signals, arrays["pressures"])
    add_stress(setup.scenario.arm, signals)
    data = signals.dataset()
    describe(data, setup.scenario)
    if outcome is Outcome.SUCCESS:
        outcome, message = bounded(setup, data["time"].values, data["deflection"].values, message)
    longest = max(s.h for s in setup.intervals)
    notes = [
        *loop.model.notes,
        *loop.model.step_notes(longest),
        *setup.model.left_out,
        *loop.model.remarks(loop.state),
        *_energy_warning(data),
        *(frequency_note(setup.model, longest) if estimate else ()),
        *setup.warnings,
        *told,
        *(law_warnings(setup, BEFORE_A_RUN) if warn else ()),
        *(setup.holding.warnings(loop.rest, arrays["rows"][0]) if loop.rest is not None else ()),
        *_speed_warnings(setup, data),
        *_loop_warnings(setup, data),
        *_pull_warnings(loop.model, data),
    ]
    grid = setup.intervals
    data.attrs.update(
        step=setup.step,
        smallest_step=min(s.h for s in grid),
        steps=loop.steps_done,
        outcome=outcome.name,
        message=message,
        notes="\n".join(notes),
        **_drives(setup, data),
    )
    return Result(data=data, scenario=setup.scenario, outcome=outcome, message=message, notes=notes)


def _drives(setup: Setup, data: xarray.Dataset) -> dict[str, float]:
    """Times in s at which the drives begin to act, and from which on drives and payload stay as they are."""
    first, last = acting(setup.program, setup.scenario.time.end)
    last = max([last, *(event.at for event in setup.scenario.events)])
    way = np.linalg.norm(data["tip_position"].values - data["tip_position"].values[0], axis=1)
    moved = way[data["time"].values <= first].max(initial=0.0) > FAINT * way.max(initial=0.0)
    return {"drives_begin": 0.0 if moved else first, "drives_rest_from": last}


def _pull_warnings(model: Model, data: xarray.Dataset) -> list[str]:
    """What a model says of axial forces; they are worked out only if it wants to see them."""
    if "axial_force" not in data or "joint_velocity" not in data:
        return []
    rate = float(np.abs(np.nan_to_num(data.joint_velocity.values)).sum(axis=1).max(initial=0.0))
    return model.load_notes(rate, lambda: np.abs(np.nan_to_num(data.axial_force.values)).max(axis=(0, 2), initial=0.0))


def _loop_warnings(setup: Setup, data: xarray.Dataset) -> list[str]:
    """Where the links of closed loops have gone through a pose that they can leave in two ways."""
    arm, joints = setup.scenario.arm, setup.program.wiring.joints
    if not arm.loops or "joint_position" not in data:
        return []
    moving = [k for k, joint in enumerate(joints) if joint.mode != "motion"]
    times = data.time.values[dead_centres(arm, data.joint_position.values, moving)]
    if not len(times):
        return []
    when = ", ".join(f"{time:.4g}" for time in times[:3]) + (", ..." if len(times) > 3 else "")
    return [
        f"the closed loops passed a singular pose (t = {when} s), where stiff links lock or can go two ways and forces have no bound: "
        "which way they went is no result of the model; keep the motion away from it"
    ]


def bounded(setup: Setup, time: np.ndarray, deflection: np.ndarray, message: str) -> tuple[Outcome, str]:
    """A link that bends further than the whole arm reaches has not been computed but blown up; soft ones may stretch."""
    soft, reach = bend_limit(setup)
    bend = np.abs(deflection).max(axis=(1, 2))
    wild = np.flatnonzero(~(bend <= reach))
    if not len(wild):
        return Outcome.SUCCESS, message
    when = float(time[wild[0]])
    program = setup.program
    held = bool(program.external) or any(line.schedule for line in program.lines)
    remedy = "check the signs and sizes of the control gains" if held else "check torques, loads and stiffness"
    remedy += ", or use a smaller step" if soft else ", use a smaller step, or fem or ancf if it really bends that far"
    return Outcome.UNSTABLE, f"{UNBOUNDED} (from t = {when:.6g} s on); {remedy}"


def bend_limit(setup: Setup) -> tuple[bool, float]:
    """Whether the method is one for large deformations, and how far links may bend, m."""
    from flexarm.methods import get_method

    soft = get_method(setup.scenario.method.name).capabilities.large_deformation
    return soft, (2.0 if soft else 1.0) * sum(link.span for link in setup.scenario.arm.links)


def add_balance(signals: Signals) -> None:
    """Add the residual of the energy balance: stored - work + dissipated + numerical, from the start on."""
    if "energy" not in signals:
        return
    kinds, energy = list(signals.coordinates.pop("kind")), np.asarray(signals.variables.pop("energy")[1])
    signs = {"kinetic": 1, "elastic": 1, "gravity": 1, "work": -1, "dissipated": 1, "numerical": 1}
    balance: Any = sum(sign * energy[:, kinds.index(kind)] for kind, sign in signs.items())
    signals.coordinates["kind"] = [*kinds, "residual"]
    signals.variables["energy"] = (("time", "kind"), np.column_stack([energy, balance - balance[0]]))


def add_disturbances(setup: Setup, signals: Signals, rows: np.ndarray) -> None:
    """Torques that act beside the motors, and the motors' own without them."""
    joints = setup.program.wiring.joints
    if not any(joint.disturbed for joint in joints):
        return
    found, beside, axes = signals.variables, rows[:, : len(joints), DISTURBANCE], ("time", "joint")
    found["disturbance_torque"] = (axes, beside.copy())
    if "drive_torque" in found:
        found["drive_torque"] = (axes, found["drive_torque"][1] - beside)
    ratio = np.array([setup.scenario.arm.link(joint.name).joint.ratio for joint in joints])
    if "shaft_torque" in found:
        found["shaft_torque"] = (axes, found["shaft_torque"][1] - beside / ratio)
        found["shaft_power"] = (axes, found["shaft_torque"][1] * found["shaft_speed"][1])


def add_rigid(setup: Setup, signals: Signals, rows: np.ndarray, only: Collection[str] | None = None) -> None:
    """Tip error, tip deflection, and the torque of the stiff arm; `only`: no others than these, where that spares work."""
    arm, joints = setup.scenario.arm, len(setup.program.wiring.joints)
    actual = signals["joint_position"] if joints else np.zeros((len(rows), 0))
    tip = signals["tip_position"]
    axes, turns = ("time", "axis"), ("time", "joint")
    found = signals.variables
    if only is None or "tip_deflection" in only:
        found["tip_deflection"] = (axes, tip - rigid.tips(arm, actual))
    if joints and all_commanded(arm, setup.program) and (only is None or not set(only).isdisjoint(OF_COMMANDS)):
        motion = rows[:, :joints]
        command, rate, acceleration = (motion[:, :, c].copy() for c in (POSITION, VELOCITY, ACCELERATION))
        if arm.loops:
            try:
                command, rate, acceleration = _completed(setup, command, rate, acceleration)
                torque = rigid.inverse_dynamics(arm, command, rate, acceleration)
            except FlexarmError as error:
                setup.warnings.append(f"the stiff arm cannot follow these commands: {error.message}")
                return
        elif only is None or "rigid_torque" in only:
            torque = rigid.inverse_dynamics(arm, command, rate, acceleration, sections=arm.spatial)
        else:
            torque = None
        miss = tip - rigid.tips(arm, command)
        found["tip_error"] = (axes, miss)
        if arm.serial and not arm.spatial:
            found["tip_error_link"] = (("time", "direction"), _along_link(arm, command, miss))
            signals.coordinates["direction"] = ["axial", "transverse"]
        if torque is not None:
            found["rigid_torque"] = (turns, torque)
        found["commanded_position"], found["commanded_velocity"] = (turns, command.copy()), (turns, rate.copy())
    if setup.program.path is not None:
        wanted = setup.program.path.place(signals.coordinates["time"])
        found["path_position"], found["path_error"] = (axes, wanted), (axes, tip - wanted)


def _along_link(arm: Arm, command: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Tip error (nt, 2) in the commanded axes of the last link: along it, and across it (counter-clockwise)."""
    fixed = sum(link.joint.start for link in arm.links if link.joint.type == "fixed")
    angle = command.sum(axis=1) + fixed
    c, s = np.cos(angle), np.sin(angle)
    return np.column_stack([c * error[:, 0] + s * error[:, 1], c * error[:, 1] - s * error[:, 0]])


def _completed(
    setup: Setup, command: np.ndarray, rate: np.ndarray, acceleration: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Commands with those of the joints that follow from loops, (nt, nj) each."""
    arm = setup.scenario.arm
    passive = [j for j, given in enumerate(setup.program.commanded) if not given]
    command[0, passive] = rigid.close_loops(arm, arm.pose)[passive]
    driven = [name for j, name in enumerate(arm.joints) if j not in passive]
    return rigid.complete_motion(arm, command, rate, acceleration, driven)


def _energy_warning(data: xarray.Dataset) -> list[str]:
    """Say that the time scheme itself made or lost more than a share `MOST_NUMERICAL` of the energy at play."""
    if "energy" not in data or not np.isfinite(data["energy"].values).all():
        return []
    kinds = dict(zip(map(str, data["kind"].values), data["energy"].values.T, strict=True))
    scale = max(float((kinds["kinetic"] + kinds["elastic"]).max()), float(np.abs(np.diff(kinds["work"])).sum()))
    lost = kinds["numerical"] - kinds["numerical"][0]
    worst = float(lost[np.abs(lost).argmax()])
    if abs(worst) <= MOST_NUMERICAL * scale:
        return []
    word = "lost" if worst > 0.0 else "made"
    return [f"the time scheme {word} {100 * abs(worst) / scale:.2g} % of the largest energy; use a smaller time.step"]


def _speed_warnings(setup: Setup, data: xarray.Dataset) -> list[str]:
    """Say where a model for small deflections or small turns leaves its range."""
    from flexarm.methods import get_method

    name, arm, model = setup.scenario.method.name, setup.scenario.arm, setup.model
    if "joint_position" not in data:
        return []
    can = get_method(name).capabilities
    found = [] if can.large_deformation else _bending_warning(name, arm, data, can.large_rotation)
    if can.large_rotation:
        return found if model.stiffens_when_spinning else found + _spin_warning(setup, data)
    position = data["joint_position"].values
    turned = float(np.abs(position - position[:1]).max()) if position.size else 0.0
    missed = 1.0 - np.cos(min(turned, np.pi))
    if any(arm.gravity) and missed > MOST_WEIGHT:
        found.append(
            f"gravity is taken as in the start pose, but the arm turns by {np.degrees(turned):.0f} deg: "
            f"the method {name} is linear, and what its weight does is wrong by up to {100 * missed:.2g} % there"
        )
    return found + _spin_warning(setup, data)


def _bending_warning(name: str, arm: Arm, data: xarray.Dataset, turning: bool) -> list[str]:
    """Say that a link bends further than the method counts; `turning`: the method counts second order.

    A linear method lets the tip go straight across; it moves inwards by 3/5 of the square of the deflection over the length.
    """
    spans = np.array([link.span for link in arm.links])
    bends = np.abs(data["deflection"].values).max(axis=(0, 2))[spans > 0.0] / spans[spans > 0.0]
    bend = float(bends.max(initial=0.0))
    if bend <= (MOST_BEND if turning else MOST_LINEAR):
        return []
    why = "counts deflections to second order, so frequencies are off"
    if not turning:
        why = f"is linear and leaves out that it moves inwards, by about {60 * bend:.2g} % of the deflection"
    return [
        f"the tip deflects by {100 * bend:.2g} % of the length: the method {name} {why}; fem and ancf are not limited"
    ]


def _spin_warning(setup: Setup, data: xarray.Dataset) -> list[str]:
    """Say that centrifugal stiffening is missing when the arm turns nearly as fast as it bends."""
    first = _first_bending(setup)
    speed = _turning_speed(data, 1.0 / first) if first else 0.0
    if speed <= 0.3 * 2 * np.pi * first:
        return []
    return [
        f"the arm turns at {speed:.3g} rad/s, its clamped first mode is at {2 * np.pi * first:.3g} rad/s: this model has "
        "no centrifugal stiffening, which matters here; the method fem with theory exact has it"
    ]


def _turning_speed(data: xarray.Dataset, period: float) -> float:
    """Largest mean joint rate over a period of the first mode, rad/s: vibration of the hub does not count."""
    time, position = data["time"].values, data["joint_position"].values
    if time[-1] - time[0] < period:
        return float(np.abs(data["joint_velocity"].values).max(initial=0.0))
    ahead = np.searchsorted(time, time + period)
    inside = ahead < len(time)
    return float(np.abs(position[ahead[inside]] - position[inside]).max(initial=0.0) / period)


def _first_bending(setup: Setup) -> float:
    """First natural frequency with locked joints, Hz; 0 if nothing bends."""
    if not any(link.flexible for link in setup.scenario.arm.links):
        return 0.0
    locked = setup.model.linearise(joints="locked")
    found = vibration(locked.M, np.zeros_like(locked.C), locked.K, 1)
    return float(found.hz[0]) if len(found.hz) else 0.0
