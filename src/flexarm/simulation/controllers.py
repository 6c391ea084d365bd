"""Controllers that are called once per control period: the user's own, and sampled laws of the scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import KI, KP, KV, POSITION, TORQUE, VELOCITY, Program
from flexarm.errors import CapabilityError, ControllerError
from flexarm.simulation.time_limit import TimeLimit, TookTooLong


class Reading(Mapping[str, float]):
    """What a controller reads: numbers by name (``reading["link.position"]``), or ``reading.array``.

    ``reading.reference`` holds the commanded position and velocity of each joint, shape (joints, 2).
    """

    def __init__(self, names: Sequence[str], array: np.ndarray, joints: Sequence[str]):
        self.names, self.array = tuple(names), array
        self._index = {name: k for k, name in enumerate(self.names)}
        self.joints = tuple(joints)
        self.reference = np.zeros((len(self.joints), 2))

    def __getitem__(self, name: str) -> float:
        try:
            return float(self.array[self._index[name]])
        except KeyError:
            raise KeyError(f"there is no reading '{name}'; there are {', '.join(self.names)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


Controller = Callable[[float, Reading], Any]
SIDE = {"hub": "", "motor": "motor_", "chord": "chord_"}
"""Which position and velocity of a joint a sensor reads."""


def torques_from(
    controller: Controller, time: float, reading: Reading, count: int, time_limit: TimeLimit | None = None
) -> list[float]:
    """Call a controller; refuse what is not one finite number per driven joint, or took too long."""
    try:
        answer = controller(time, reading) if time_limit is None else time_limit.call(controller, time, reading)
    except KeyboardInterrupt:
        raise
    except TookTooLong:
        limit = time_limit.seconds if time_limit is not None else 0.0
        raise ControllerError(
            f"the controller took longer than {limit:g} s of real time at t = {time:g} s; make it faster, or allow more "
            "(--controller-limit, or time_limit= in Python)"
        ) from None
    except (Exception, SystemExit) as error:
        raise ControllerError(f"the controller failed at t = {time:g} s: {_fault(error)}") from error
    torques = numbers(answer)
    if len(torques) != count or not all(map(math.isfinite, torques)):
        raise ControllerError(
            f"the controller returned {answer!r} at t = {time:g} s; it must return {count} finite "
            f"number{'s' if count > 1 else ''}"
        )
    return torques


def _fault(error: BaseException) -> str:
    """What the user's code did wrong, in its own words."""
    return "it called exit" if isinstance(error, SystemExit) else f"{type(error).__name__}: {error}"


def numbers(answer: Any) -> list[float]:
    """A number, or a row of them, as a list; empty if it is neither."""
    if isinstance(answer, float):
        return [answer]
    try:
        found = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        return []
    return found.tolist() if found.ndim == 1 else [float(found)] if found.ndim == 0 else []


class SampledLaw:
    """PD or PID of the scenario, worked out at its sampling instants and held in between.

    A law has lost its joint when the error changes by more than half a turn (for a sliding joint, the length of the arm) from one
    instant to the next: no gains bring it back, and steps that follow such a motion would be pointless.
    """

    lost: str = ""
    """Which joint was lost, in a sentence; empty while the laws hold."""

    def __init__(
        self, program: Program, names: Sequence[str], period: float, known: Sequence[str], method: str, arm: Arm
    ):
        self._rows = [k for k, joint in enumerate(program.wiring.joints) if joint.name in names]
        self._laws = [law for k in self._rows if (law := program.wiring.joints[k].law) is not None]
        self._signals = [
            (f"{name}.{SIDE[law.sensor]}position", f"{name}.{SIDE[law.sensor]}velocity")
            for name, law in zip(names, self._laws, strict=True)
        ]
        missing = [name for pair in self._signals for name in pair if name not in known]
        if missing:
            raise CapabilityError(
                f"the law of a joint reads '{missing[0]}', which the method {method} does not give; let it read another sensor",
                field="drive.control.sensor",
            )
        self._names, self._period = names, period
        reach = sum(link.span for link in arm.links)
        self._most = [math.pi if arm.link(name).joint.type == "revolute" else reach for name in names]
        self._integral = np.zeros(len(self._rows))

    def command(self, row: np.ndarray, reading: Reading) -> list[float]:
        """Torques for the drive table row (channels, 7)."""
        result = []
        for i, (k, law, (place, rate)) in enumerate(zip(self._rows, self._laws, self._signals, strict=True)):
            told = row[k].tolist()
            error, slope = told[POSITION] - reading[place], told[VELOCITY] - reading[rate]
            if not abs(slope) * self._period <= self._most[i]:
                self.lost = (
                    f"joint '{self._names[i]}' is lost by its law, whose error changes by {abs(slope) * self._period:.3g} "
                    f"{'rad' if self._most[i] == math.pi else 'm'} within a period of {self._period:g} s"
                )
            u = told[TORQUE] + told[KP] * error + told[KV] * slope + told[KI] * float(self._integral[i])
            limited = math.copysign(min(abs(u), law.limit), u)
            if limited == u or error * u < 0.0:  # no winding up against the limit
                self._integral[i] += self._period * error
            result.append(limited)
        return result

    def state(self) -> np.ndarray:
        """The integrals, for a checkpoint."""
        return self._integral.copy()

    def restore(self, state: np.ndarray) -> None:
        """Continue from `state`."""
        self._integral[:] = state


def load_controller(spec: str) -> Controller:
    """The object ``name`` of the Python file in ``file.py:name``; a class is instantiated."""
    import importlib.util
    from pathlib import Path

    file, _, name = spec.rpartition(":")
    path = Path(file)
    if not file or not path.is_file():
        raise ControllerError(f"'{spec}' is not of the form file.py:name, or there is no file '{file}'")
    module_spec = importlib.util.spec_from_file_location(path.stem, path)
    assert module_spec is not None and module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    try:
        module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ControllerError(f"'{path}' cannot be loaded: {_fault(error)}") from error
    if not hasattr(module, name):
        known = ", ".join(n for n, v in vars(module).items() if callable(v) and not n.startswith("_"))
        raise ControllerError(f"'{path}' has no '{name}'; it has {known or 'nothing to call'}")
    found = getattr(module, name)
    if isinstance(found, type):
        try:
            found = found()
        except (Exception, SystemExit) as error:
            raise ControllerError(
                f"the class '{name}' of '{path}' cannot be made without arguments: {_fault(error)}; give its arguments "
                "defaults, or name an object that is made in the file"
            ) from error
    if not callable(found):
        raise ControllerError(f"'{name}' of '{path}' cannot be called")
    return found
