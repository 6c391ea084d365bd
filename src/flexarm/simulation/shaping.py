"""Shapers for modes of the arm: which modes follow the command, how they change along it, and what that leaves of the vibration.

A shaper is made for the modes of what happens after the shaped signal: joints on a motion are clamped, joints on a torque are free,
joints under a law are held by it, so the arm is linearised as it is driven, with its control loops closed.
Where the pose changes along the motion the modes do. Their mean is that over the time of the motion,

    f = 1/T int_0^T f(q(t)) dt ,

by Simpson's rule over instants of it. What a single shaper then leaves is predicted by one mode whose frequency follows the joint that
moves most, e'' + 2 zeta w(q) e' + w(q)^2 e = -q'', as the amplitude sqrt(e^2 + (e'/w)^2) at the end of the shaped command over that at the
end of the command without a shaper.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.drive import KI, KP, POSITION, Program, Signal
from flexarm.drive.impulses import Impulses
from flexarm.drive.shaper import InputShaper
from flexarm.errors import CapabilityError, FlexarmError, ScenarioError
from flexarm.methods.base import Hints, Watch
from flexarm.numerics.eigen import vibration
from flexarm.rigid import close_loops
from flexarm.simulation.program import build_model, gains_at, largest_gains, row_at

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

INSTANTS = 9
"""Of the motion at which modes are looked at; an odd number."""
HARDLY = 1e-5
"""Vibration as a share of the travel below which nothing is predicted: the motion hardly excites it."""
STRONG = 0.25
"""Damping ratio above which no other shaper is proposed by its prediction: such a mode dies out by itself."""
EXACT = 1e-6
"""Tolerance of the predicted vibration, as a share."""


@dataclass(frozen=True)
class FollowedModes:
    """Modes of an arm as it follows its command.

    Attributes
    ----------
    numbers : tuple of int
        Which modes, counted from 1.
    hz, damping : ndarray, shape (modes,)
        Frequencies and damping ratios that a shaper is made for.
    times, poses : ndarray, shape (instants,) and (instants, joints)
        Instants along the motion, s, and the joint positions.
    hz_along, damping_along : ndarray, shape (instants, modes)
        The modes there.
    """

    numbers: tuple[int, ...]
    hz: np.ndarray
    damping: np.ndarray
    times: np.ndarray
    poses: np.ndarray
    hz_along: np.ndarray
    damping_along: np.ndarray


def followed_modes(scenario: Scenario, program: Program, choice: InputShaper, field: str) -> FollowedModes:
    """The modes for which a shaper is made.

    Parameters
    ----------
    scenario : Scenario
        Arm and method.
    program : Program
        Its drives, without shapers for modes.
    choice : InputShaper
        Which modes, and where.
    field : str
        Place of the shaper in the scenario.
    """
    arm, numbers = scenario.arm, choice.numbers
    at = modes_as_driven(scenario, program, numbers, field)
    times = _instants(scenario, program)
    poses = np.array([_pose(scenario, program, time) for time in times])
    if isinstance(choice.at, tuple) and len(choice.at) != len(arm.joints):
        raise ScenarioError(
            f"the pose has {len(choice.at)} values, but the arm has {len(arm.joints)} joints: {', '.join(arm.joints)}",
            field=f"{field}.at",
        )
    along = np.array([at(time, pose) for time, pose in zip(times, poses, strict=True)])
    if isinstance(choice.at, tuple):
        made = at(0.0, np.array(choice.at))
    elif choice.at in ("start", "end"):
        made = along[0 if choice.at == "start" else -1]
    else:
        weights = np.ones(len(times))
        weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
        made = np.tensordot(weights / weights.sum(), along, 1)
    return FollowedModes(numbers, made[0], made[1], times, poses, along[:, 0], along[:, 1])


def _instants(scenario: Scenario, program: Program) -> np.ndarray:
    """Times of the motion at which its modes are looked at: one if the pose does not change them."""
    begin, end = program.span
    end = min(end, scenario.time.end) if math.isinf(end) else end
    same = len(scenario.arm.joints) == 1 and not any(scenario.arm.gravity)
    gains = {line.schedule for line in program.lines if len(line.schedule) > 1}
    return np.zeros(1) if end <= begin or (same and not gains) else np.linspace(begin, end, INSTANTS)


def _pose(scenario: Scenario, program: Program, time: float) -> np.ndarray:
    """Joint positions that the drives command, and start positions of the others."""
    row = row_at(program, time, max(scenario.time.end, time + 1e-6))[: len(scenario.arm.joints)]
    return np.where(program.commanded, row[:, POSITION], close_loops(scenario.arm, scenario.arm.pose))


def modes_as_driven(
    scenario: Scenario, program: Program, numbers: Sequence[int], field: str
) -> Callable[[float, np.ndarray], np.ndarray]:
    """A function of time and pose that gives frequencies in Hz and damping ratios, shape (2, modes)."""
    from flexarm.simulation.control_loops.closure import close_control_loops
    from flexarm.simulation.poses import held_state
    from flexarm.simulation.rest import HoldingModel

    end, most = scenario.time.end, max(numbers)
    hints = Hints(duration=end, gains=largest_gains(program, end))
    model = build_model(scenario, program, Watch(stations=2), hints)
    holding = HoldingModel(model)
    moved = np.array([joint.mode == "motion" for joint in program.wiring.joints])

    def found(time: float, pose: np.ndarray) -> np.ndarray:
        row = model.posed_row(pose)
        row[:, KP : KI + 1] = row_at(program, time, max(end, time + 1e-6))[:, KP : KI + 1]
        # without a law that holds it a joint has no rest of its own: it is looked at where it stands
        rests = np.all(moved | np.any(row[: len(moved), [KP, KI]], axis=1))
        state = held_state(holding, pose.tolist(), row) if rests else model.static(pose, row)
        gains = gains_at(program, time, max(end, time + 1e-6))
        closed = close_control_loops(
            model.linearise(state, "held"), program.wiring, gains, holding.loads(pose.tolist())
        )[0]
        modes = vibration(closed.M, closed.C, closed.K, most)
        if len(modes.hz) < most:
            raise ScenarioError(
                f"the arm has no mode {most} for the shaper: {len(modes.hz) or 'no'} mode(s) vibrate as it follows the command",
                field=f"{field}.modes",
            )
        damping = modes.damping[[number - 1 for number in numbers]]
        if damping.min() < -1e-9:
            raise ScenarioError(
                f"mode {numbers[int(np.argmin(damping))]} grows by itself as the arm follows the command, so no shaper can calm it: "
                "lower the gains or add damping",
                field=field,
            )
        return np.stack([modes.hz[[number - 1 for number in numbers]], np.clip(damping, 0.0, None)])

    def placed(time: float, pose: np.ndarray) -> np.ndarray:
        try:
            return found(time, pose)
        except CapabilityError as error:
            raise ScenarioError(f"a shaper needs a mode to calm: {error.message}", field=field) from None
        except FlexarmError as error:
            if error.field:
                raise
            raise ScenarioError(f"{error.message}: give the shaper frequency and damping", field=field) from None

    return placed


def with_shapers(scenario: Scenario, program: Program) -> Program:
    """The drives of a scenario with their shapers for modes of the arm; `program` is without them."""
    alike = dict[InputShaper, list[int]]()
    for number in program.auto_shapers:
        choice = scenario.drive[number].shaper
        assert choice is not None
        alike.setdefault(choice, []).append(number)
    impulses, modes, notes = dict[int, Impulses](), dict[InputShaper, FollowedModes](), list[str]()
    for choice, numbers in alike.items():
        field = f"drive.{numbers[0]}.shaper"
        modes[choice] = followed_modes(scenario, program, choice, field)
        impulses |= dict.fromkeys(numbers, shaper_for(choice, modes[choice], field))
    for choice, numbers in alike.items():
        notes += shaper_notes(scenario, program, numbers, choice, modes[choice], impulses)
    made = _compiled(scenario, program, impulses)
    return replace(made, warnings=(*made.warnings, *notes))


def shaper_for(choice: InputShaper, modes: FollowedModes, field: str) -> Impulses:
    """The impulses for modes of the arm."""
    try:
        return choice.impulses(modes.hz.tolist(), modes.damping.tolist())
    except FlexarmError as error:
        raise ScenarioError(error.message, field=field) from None


def _compiled(scenario: Scenario, program: Program, impulses: dict[int, Impulses]) -> Program:
    """The same drives with other shapers."""
    made = Program.compile(scenario.arm, scenario.drive, tuple(close_loops(scenario.arm, scenario.arm.pose)), impulses)
    if not made.auto_servos:
        return made
    schedules = {line.name: line.schedule for line in program.lines}
    lines = tuple(replace(line, schedule=schedules[line.name]) for line in made.lines)
    return replace(made, lines=lines, auto_servos=program.auto_servos)


def shaper_notes(
    scenario: Scenario, program: Program, numbers: Sequence[int], choice: InputShaper, modes: FollowedModes,
    impulses: dict[int, Impulses],
) -> list[str]:  # fmt: skip
    """What the user should know about the shaper of some drives; `impulses` are those of all drives that have one."""
    names = [name for number in numbers for name in scenario.drive[number].names]
    whom, number = " and ".join(f"'{name}'" for name in names) or "a patch", numbers[0]
    notes = [
        f"the payload changes at {event.at:g} s; the shaper of {whom} is made for the one at the start"
        for event in scenario.events[:1]
    ]
    for k, mode in enumerate(modes.numbers):
        hz, along = float(modes.hz[k]), modes.hz_along[:, k]
        low, high = (hz * ratio for ratio in impulses[number].width(hz, float(modes.damping[k])))
        if low <= along.min() and along.max() <= high:
            continue
        sentence = (
            f"along the motion mode {mode} lies between {along.min():.3g} and {along.max():.3g} Hz, but the shaper {choice.type} of "
            f"{whom} calms {low:.3g} to {high:.3g} Hz: "
        )
        left = _predicted(scenario, program, impulses, modes, k)
        if left is None or float(modes.damping.max()) > STRONG:
            notes.append(sentence + "take zvd or ei")
            continue
        others = {}
        for kind in ("zvd", "ei"):
            if kind != choice.type:
                other = choice.model_copy(update={"type": kind, "tolerance": None})
                tried = impulses | dict.fromkeys(numbers, shaper_for(other, modes, f"drive.{number}.shaper"))
                others[kind] = _predicted(scenario, program, tried, modes, k)
        ways = " and ".join(f"{kind} {100 * share:.2g} %" for kind, share in others.items() if share is not None)
        notes.append(f"{sentence}it leaves about {100 * left:.2g} % of the vibration without shaper, {ways}")
    return notes


def _predicted(
    scenario: Scenario, program: Program, impulses: dict[int, Impulses], modes: FollowedModes, k: int
) -> float | None:
    """Share of the vibration of mode `k` that shapers leave; None if the motion does not tell it."""
    travel = np.where(program.commanded, np.ptp(modes.poses, axis=0), 0.0)
    joint = int(np.argmax(travel))
    begin, end = program.span
    if not travel[joint] or math.isinf(end):
        return None
    shaped = _compiled(scenario, program, impulses)
    before, after = program.lines[joint].position, shaped.lines[joint].position
    assert before is not None and after is not None
    order = np.argsort(modes.poses[:, joint])
    positions, first = np.unique(modes.poses[order, joint], return_index=True)
    hz, damping = modes.hz_along[order, k][first], float(modes.damping[k])
    unshaped = left_of_move(before, (begin, end), positions, hz, damping)
    if unshaped < HARDLY * travel[joint]:
        return None
    return left_of_move(after, (begin, shaped.span[1]), positions, hz, damping) / unshaped


def left_of_move(command: Signal, span: tuple[float, float], positions: Any, hz: Any, damping: float = 0.0) -> float:
    """Amplitude of a mode, in the unit of the command, at the end of a motion that changes its frequency.

    Parameters
    ----------
    command : Signal
        Position of the joint.
    span : (float, float)
        Times in s at which it begins and ends.
    positions, hz : array_like, shape (n,)
        Joint positions in increasing order, and the frequency there; a cubic spline lies between them.
    damping : float
        Damping ratio.
    """
    from scipy.integrate import solve_ivp
    from scipy.interpolate import CubicSpline, make_interp_spline

    x, f = np.asarray(positions, dtype=float), np.asarray(hz, dtype=float)
    spline = CubicSpline(x, f) if len(x) > 3 else make_interp_spline(x, f, k=min(1, len(x) - 1))
    state, edges = np.zeros(2), [span[0], *(t for t in command.breaks(span[1]) if t > span[0]), span[1]]

    def omega(q: float) -> float:
        return 2.0 * math.pi * float(spline(min(max(q, x[0]), x[-1])))

    for a, b in itertools.pairwise(edges):

        def slope(t: float, e: np.ndarray, inside: float = 0.5 * (a + b)) -> list[float]:
            q, _, push = command.evaluate(np.array([t]), inside)[:, 0]
            w = omega(q)
            return [e[1], -2.0 * damping * w * e[1] - w * w * e[0] - push]

        fine = (b - a) / 8.0
        state = solve_ivp(slope, (a, b), state, method="DOP853", rtol=EXACT, atol=EXACT * 1e-3, max_step=fine).y[:, -1]
    last = omega(float(command.evaluate(np.array([span[1]]), span[1])[0, 0]))
    return math.hypot(state[0], state[1] / last)
