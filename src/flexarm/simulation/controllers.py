"""Controllers that are called once per control period: the user's own, and sampled laws of the scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.drive import KI, KP, KV, POSITION, TORQUE, VELOCITY, Program
from flexarm.errors import ControllerError
from flexarm.simulation.patience import Patience, TookTooLong


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


def torques_from(
    controller: Controller, time: float, reading: Reading, count: int, patience: Patience | None = None
) -> np.ndarray:
    """Call a controller; refuse what is not one finite number per driven joint, or took too long."""
    try:
        answer = controller(time, reading) if patience is None else patience.call(controller, time, reading)
    except KeyboardInterrupt:
        raise
    except TookTooLong:
        limit = patience.seconds if patience is not None else 0.0
        raise ControllerError(
            f"the controller took longer than {limit:g} s of real time at t = {time:g} s; make it faster, or allow more "
            "(--controller-limit, or patience= in Python)"
        ) from None
    except Exception as error:
        raise ControllerError(f"the controller failed at t = {time:g} s: {type(error).__name__}: {error}") from error
    try:
        torques = np.atleast_1d(np.asarray(answer, dtype=float))
    except (TypeError, ValueError):
        torques = np.full(1, np.nan)
    if torques.shape != (count,) or not np.all(np.isfinite(torques)):
        raise ControllerError(
            f"the controller returned {answer!r} at t = {time:g} s; it must return {count} finite "
            f"number{'s' if count > 1 else ''}"
        )
    return torques


class SampledLaw:
    """PD or PID of the scenario, worked out at its sampling instants and held in between."""

    def __init__(self, program: Program, names: Sequence[str], period: float):
        self._names = tuple(names)
        self._rows = [k for k, joint in enumerate(program.wiring.joints) if joint.name in names]
        self._laws = [program.wiring.joints[k].law for k in self._rows]
        self._period = period
        self._integral = np.zeros(len(self._rows))

    def command(self, row: np.ndarray, reading: Reading) -> np.ndarray:
        """Torques for the drive table row (channels, 7)."""
        result = np.zeros(len(self._rows))
        for i, (k, law, name) in enumerate(zip(self._rows, self._laws, self._names, strict=True)):
            assert law is not None
            place, rate = _sensed(law.sensor, name, reading)
            error, slope = row[k, POSITION] - place, row[k, VELOCITY] - rate
            u = row[k, TORQUE] + row[k, KP] * error + row[k, KV] * slope + row[k, KI] * self._integral[i]
            limited = math.copysign(min(abs(u), law.limit), u)
            if limited == u or error * u < 0.0:  # no winding up against the limit
                self._integral[i] += self._period * error
            result[i] = limited
        return result

    def state(self) -> np.ndarray:
        """The integrals, for a checkpoint."""
        return self._integral.copy()

    def restore(self, state: np.ndarray) -> None:
        """Continue from `state`."""
        self._integral[:] = state


def _sensed(sensor: str, name: str, reading: Reading) -> tuple[float, float]:
    if sensor == "chord":
        return reading[f"{name}.chord_position"], reading[f"{name}.chord_velocity"]
    if sensor == "motor":
        return reading[f"{name}.motor_position"], reading[f"{name}.motor_velocity"]
    return reading[f"{name}.position"], reading[f"{name}.velocity"]


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
    except Exception as error:
        raise ControllerError(f"'{path}' cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(module, name):
        known = ", ".join(n for n, v in vars(module).items() if callable(v) and not n.startswith("_"))
        raise ControllerError(f"'{path}' has no '{name}'; it has {known or 'nothing to call'}")
    found = getattr(module, name)
    found = found() if isinstance(found, type) else found
    if not callable(found):
        raise ControllerError(f"'{name}' of '{path}' cannot be called")
    return found
