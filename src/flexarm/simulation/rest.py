"""Rest of an arm under its drives: where the joints stand, and with which torques, when nothing moves.

With its motors held at theta the arm takes the torques t(theta), and its sensors read y(theta). At rest the drives give
these torques themselves,

    given torque or pd    g (T + KP (r - y)) = t,
    pid                   y = r,  KI int (r - y) dt = t / g - T,

with r and T from the drive table, g the gain of the actuator to a constant command, t less what acts beside the
motors. Motors do not turn and friction carries
nothing. The equations are solved for theta by Newton's method from the start pose, with differences for the slopes. Joints on
a motion, behind oil or under a controller from outside stand where they are told to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import DISTURBANCE, KI, KP, POSITION, TORQUE, HydraulicCylinder, JointWiring, Law
from flexarm.errors import ScenarioError
from flexarm.methods.base import Model, State
from flexarm.numerics.eigen import vibration
from flexarm.numerics.expressions import Tape
from flexarm.numerics.law_rows import COMMAND, INTEGRAL, STATE
from flexarm.rigid import close_loops
from flexarm.rigid.loops import loop_joints
from flexarm.simulation.controllers import SIDE

NUDGE = 1e-6
"""Change of a joint for the slopes, rad or m."""
TIGHT, LOOSE = 1e-12, 1e-6
"""Corrections, rad or m, that end the iterations; below the second they end where rounding stops them."""
MOST_PASSES = 40
LARGEST_MOVE = 0.2
BALANCED = 1e-9
"""Share of the largest holding torque that counts as none."""
INDIFFERENT = 1e-6
"""Share of that torque per rad (m) up to which a joint counts as neither pushed back nor pushed away."""


class Held(NamedTuple):
    """The arm with its motors held: pose with its loops closed, torques that hold it, and what the laws read, (joints,) each."""

    pose: np.ndarray
    torque: np.ndarray
    reading: np.ndarray


@dataclass(frozen=True)
class Rest:
    """Where an arm rests.

    Attributes
    ----------
    pose, torque, command, integral : ndarray, shape (joints,)
        Positions of the motors, torques that they give, commands of their laws, integrals of their errors.
    notes : tuple of str
        What the user should know.
    """

    pose: np.ndarray
    torque: np.ndarray
    command: np.ndarray
    integral: np.ndarray
    notes: tuple[str, ...] = ()


class HoldingModel:
    """The arm of a model with its motors held, built when it is first asked for.

    Parameters
    ----------
    model : Model
        The arm as it is driven.
    """

    def __init__(self, model: Model):
        self.driven = model
        self._found: dict[tuple[bytes, bytes, bool], Rest] = {}

    @cached_property
    def _model(self) -> Model:
        return self.driven.with_held_motors

    @property
    def cylinders(self) -> dict[int, HydraulicCylinder]:
        """Cylinders with oil, by the number of the joint that they move."""
        joints = self.driven.wiring.joints
        return {k: j.law.cylinder for k, j in enumerate(joints) if j.law and j.law.cylinder}

    def _told(self, pose: Sequence[float] | np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The pose with its loops closed, and a drive row that holds it; patches push as in `row`."""
        closed, at_rest = np.array(close_loops(self.driven.arm, pose)), np.zeros_like(row)
        at_rest[: len(closed), POSITION] = closed
        at_rest[len(closed) :] = row[len(closed) :]
        return closed, at_rest

    def warnings(self, rest: Rest, row: np.ndarray) -> list[str]:
        """What is to be said about a run that starts from a rest."""
        growth = self.growth(rest.pose, row)
        fall = "the arm starts in an unstable equilibrium: it buckles under its load, leaving it by a factor of e in"
        return [*rest.notes, *([f"{fall} {1.0 / growth:.3g} s"] if growth else [])]

    def growth(self, pose: Sequence[float] | np.ndarray, row: np.ndarray) -> float:
        """Rate in 1/s at which the arm leaves its equilibrium with the motors held at `pose`; 0 if it stays there."""
        pushed = any(self.driven.arm.gravity) or np.any(row[len(self.driven.wiring.joints) :])
        if not pushed or not any(link.flexible for link in self.driven.arm.links):
            return 0.0
        closed, at_rest = self._told(pose, row)
        linear = self._model.linearise(self._model.start(closed, None, at_rest, "locked"), "locked")
        stiffness = 0.5 * (linear.K + linear.K.T)
        try:
            np.linalg.cholesky(stiffness)
            return 0.0
        except np.linalg.LinAlgError:
            found = vibration(linear.M, np.zeros_like(linear.C), stiffness).unstable
            return float(np.abs(found).max(initial=0.0))

    def held(self, pose: Sequence[float] | np.ndarray, row: np.ndarray) -> Held:
        """The arm held at `pose`; the forces of patches are those of the drive row (channels, 7)."""
        model, (closed, at_rest) = self._model, self._told(pose, row)
        model.prepare(self.driven.h or NUDGE)
        state = model.restart(model.start(closed, None, at_rest, "locked"), at_rest)
        torque, reading = self._felt.values(model.record(state)).reshape(2, -1)
        return Held(closed, torque, reading)

    @cached_property
    def _felt(self) -> Tape:
        """Torques of the motors, and what their laws read."""
        reader, joints = self._model.reader, self.driven.wiring.joints
        torques = [reader.joint(self.driven.arm.index(joint.name)).drive for joint in joints]
        sides = [SIDE[joint.law.sensor] if joint.law is not None else "" for joint in joints]
        read = [reader.formula(f"{joint.name}.{side}position") for joint, side in zip(joints, sides, strict=True)]
        return reader.graph.tape([*torques, *read])

    def rest(self, pose: Sequence[float], row: np.ndarray, locked: bool = False) -> Rest:
        """Where the arm rests under the drive row (channels, 7), looked for from `pose`; `locked`: with its motors held there.

        Raises
        ------
        ScenarioError
            If a joint finds no rest there, with the torque that it lacks.
        """
        key = np.asarray(pose, dtype=float).tobytes(), row.tobytes(), locked
        if key not in self._found:
            joints = self.driven.wiring.joints
            found = (
                _locked(pose)
                if locked
                else find_rest(self.driven.arm, joints, row, lambda at: self.held(at, row), pose)
            )
            self._found[key] = found
        return self._found[key]

    def loads(self, pose: Sequence[float]) -> dict[str, tuple[float, float]]:
        """Position and holding torque of the joints that cylinders with oil move, by name."""
        if not self.cylinders:
            return {}
        held = self.held(pose, np.zeros((self.driven.channels, self.driven.wiring.row_width)))
        names = [joint.name for joint in self.driven.wiring.joints]
        return {names[k]: (float(held.pose[k]), float(held.torque[k])) for k in self.cylinders}


def find_rest(
    arm: Arm, joints: Sequence[JointWiring], row: np.ndarray, held: Callable[[np.ndarray], Held], pose: Sequence[float]
) -> Rest:
    """Where an arm rests under a drive row (channels, 7), looked for from `pose`; `held` tells what it takes to hold it."""
    return _Search(arm, joints, row, held).rest(np.asarray(pose, dtype=float))


def _locked(pose: Sequence[float] | np.ndarray) -> Rest:
    """Motors held at a pose."""
    none = np.zeros(len(pose))
    return Rest(np.asarray(pose, dtype=float), none, none, none)


@dataclass
class _Search:
    """One search for the rest."""

    arm: Arm
    joints: Sequence[JointWiring]
    row: np.ndarray
    held: Callable[[np.ndarray], Held]

    def __post_init__(self) -> None:
        inside = loop_joints(self.arm)  # those that nothing drives follow from closing the loops
        self.laws = [joint.law or Law() for joint in self.joints]
        self.gain = np.array([_gain(law) for law in self.laws])
        self.told = self.row[: len(self.joints)]
        beside = [law.disturbed for law in self.laws]  # torques that are not in the column of torques
        self.beside = np.where(beside, self.told[:, DISTURBANCE], 0.0) if any(beside) else np.zeros(len(self.joints))
        self.outside = [k for k, j in enumerate(self.joints) if self.laws[k].kind == "external" and j.mode != "motion"]
        self.loose = [
            k for k, joint in enumerate(self.joints)
            if (joint.mode == "torque" or (joint.mode == "free" and joint.name not in inside))
            and k not in self.outside and self.laws[k].cylinder is None
        ]  # fmt: skip

    def rest(self, pose: np.ndarray) -> Rest:
        """The rest that is found from `pose`."""
        if self.joints and not self.arm.loops and all(joint.mode == "motion" for joint in self.joints):
            return _locked(pose)
        held = self.held(pose)
        if np.any(self._missing(held)):
            held = self._solved(held)
        given, integral = held.torque - self.beside, np.zeros(len(self.joints))
        command = given / np.where(self.gain != 0.0, self.gain, 1.0)
        self._check_limits(held)
        for k in self.loose:
            if self.told[k, KI]:
                integral[k] = (command[k] - self.told[k, TORQUE]) / self.told[k, KI]
        return Rest(held.pose, given, command, integral, tuple(self._notes(held)))

    def _missing(self, held: Held) -> np.ndarray:
        """What the drives lack for rest, as an angle (or length) where a gain makes it one, (loose,)."""
        r, T, kp, ki = (self.told[self.loose, c] for c in (POSITION, TORQUE, KP, KI))
        g, t, y = self.gain[self.loose], (held.torque - self.beside)[self.loose], held.reading[self.loose]
        return np.where(ki > 0.0, r - y, g * (T + kp * (r - y)) - t)

    def _slopes(self, held: Held, missing: np.ndarray) -> np.ndarray:
        """Change of what is missing per change of the joints, (loose, loose)."""
        columns = []
        for k in self.loose:
            pose = held.pose.copy()
            pose[k] += NUDGE
            columns.append((self._missing(self.held(pose)) - missing) / NUDGE)
        return np.array(columns).T

    def _solved(self, held: Held) -> Held:
        """The arm held where nothing is missing."""
        missing, last = self._missing(held), np.inf
        slopes = self._slopes(held, missing)
        scale = max(float(np.abs(held.torque).max()), float(np.abs(missing).max()))
        for _ in range(MOST_PASSES):
            # a joint that nothing pushes, whatever it does, stays where it is
            moved = (np.abs(slopes).max(axis=1) > INDIFFERENT * scale) | (np.abs(missing) > BALANCED * scale)
            step = np.zeros(len(missing))
            step[moved] = np.linalg.lstsq(slopes[np.ix_(moved, moved)], -missing[moved], rcond=1e-9)[0]
            size = float(np.abs(step).max())
            if not np.isfinite(size):
                break
            pose = held.pose.copy()
            pose[self.loose] += step * min(1.0, LARGEST_MOVE / max(size, 1e-300))
            held = self.held(pose)
            missing = self._missing(held)
            if size < TIGHT or (size < LOOSE and size > 0.25 * last):
                self._check_stable(held, self._slopes(held, missing), scale)
                return held
            if size > 0.1 * last:
                slopes = self._slopes(held, missing)
            last = size
        raise self._no_rest(held, "finds no rest near its start")

    def _check_stable(self, held: Held, slopes: np.ndarray, scale: float) -> None:
        """Drives and weight together must push every joint back; an integral does that by itself."""
        free = [n for n, k in enumerate(self.loose) if not self.told[k, KI]]
        if not free:
            return
        growth, shapes = np.linalg.eig(slopes[np.ix_(free, free)])
        if growth.real.max() > INDIFFERENT * scale:
            worst = int(np.argmax(np.abs(shapes[:, np.argmax(growth.real)])))
            what = "rests in an unstable equilibrium, from which it would fall"
            raise self._no_rest(held, what, self.loose[free[worst]])

    def _no_rest(self, held: Held, what: str, worst: int | None = None) -> ScenarioError:
        if worst is None:
            worst = self.loose[int(np.argmax(np.abs(self._missing(held))))]
        return ScenarioError(
            f"joint '{self.joints[worst].name}' {what}: holding it takes {held.torque[worst]:.4g} N*m; give it a motion or a "
            "law with enough gain, another position, or say start: locked, which holds the joints until t = 0",
            field="time.start",
        )

    def _check_limits(self, held: Held) -> None:
        for k in self.loose:
            law, needed = self.laws[k], abs(held.torque[k] - self.beside[k])
            limit = min(law.limit * abs(self.gain[k]), law.torque_limit)
            if needed > limit * (1.0 + 1e-9):
                raise ScenarioError(
                    f"joint '{self.joints[k].name}' finds no rest: holding it takes {needed:.4g} N*m, its drive gives at most "
                    f"{limit:.4g}; raise the limit, or say start: locked, which holds the joints until t = 0",
                    field="time.start",
                )

    def _notes(self, held: Held) -> list[str]:
        notes = []
        off = {k: held.pose[k] - self.told[k, POSITION] for k in self.loose if self.told[k, KP] or self.told[k, KI]}
        if off:
            k = max(off, key=lambda k: abs(off[k]))
            if abs(off[k]) > 1e-6:
                name = self.joints[k].name
                notes.append(
                    f"the arm starts at rest under its drives: motor of '{name}' {off[k]:.3g} from its command, "
                    f"torque {held.torque[k]:.4g}"
                )
        for k in self.outside:
            notes.append(
                f"joint '{self.joints[k].name}' is held at its start until the controller gives its first torque: at rest "
                f"that would be {held.torque[k]:.4g}"
            )
        return notes


def _gain(law: Law) -> float:
    """Torque of an actuator per constant command."""
    space = law.actuator
    if space is None or law.cylinder is not None:
        return 1.0
    return float(space.D - space.C @ np.linalg.solve(space.A, space.B)) if space.order else float(space.D)


def fill_laws(model: Model, state: State, rest: Rest) -> None:
    """Give the laws of a state the commands, integrals and actuator states of the rest; `state.z` is changed."""
    for k, joint in enumerate(model.wiring.joints):
        law = joint.law
        if law is None or joint.mode == "motion" or law.cylinder is not None:
            continue
        z = state.z[k]
        z[COMMAND], z[INTEGRAL] = rest.command[k], rest.integral[k]
        if law.actuator is not None and law.actuator.order:
            space = law.actuator
            z[STATE : STATE + space.order] = -np.linalg.solve(space.A, space.B) * rest.command[k]
