"""Controllers that are called once per control period: the user's own, and sampled laws of the scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from flexarm.errors import ControllerError
from flexarm.simulation.time_limit import TimeLimit, TookTooLong


class Reading(Mapping[str, float]):
    """What a controller reads: numbers by name (``reading["link.position"]``), or ``reading.array``.

    ``reading.reference`` holds the commanded position and velocity of each joint, shape (joints, 2); ``reading.torques`` is how many
    torques are wanted.
    """

    def __init__(self, names: Sequence[str], array: np.ndarray, joints: Sequence[str], torques: int = 0):
        self.names, self.array, self.torques = tuple(names), array, torques
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
        raise ControllerError(failed(time, error)) from error
    torques = numbers(answer)
    if len(torques) != count or not all(map(math.isfinite, torques)):
        raise ControllerError(
            f"the controller returned {answer!r} at t = {time:g} s; it must return {count} finite "
            f"number{'s' if count > 1 else ''}"
        )
    return torques


def failed(time: float, error: BaseException) -> str:
    """That the user's code failed, in a sentence."""
    return f"the controller failed at t = {time:g} s: {_fault(error)}"


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
