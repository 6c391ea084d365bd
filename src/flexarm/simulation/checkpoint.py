"""Checkpoints: everything that a run needs to go on as if it had never stopped, in one file of plain numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import ControllerError, ScenarioError
from flexarm.files import whole_file
from flexarm.methods.base import State

if TYPE_CHECKING:
    from flexarm.simulation.log import Log
    from flexarm.simulation.time_loop import TimeLoop

FORMAT = 4


def check_controller(controller: Any) -> None:
    """Refuse a controller whose memory cannot be saved."""
    if controller is not None and not (hasattr(controller, "state") and hasattr(controller, "restore")):
        raise ControllerError(
            "this controller has no state() and restore(array), so a checkpoint could not be resumed; "
            "add them, or run without a checkpoint"
        )


def save(path: str | Path, loop: TimeLoop, log: Log) -> None:
    """Write a checkpoint; an older one of the same run is replaced only when the new one is whole."""
    controller: Any = loop.controller
    check_controller(controller)
    memory = None if controller is None else np.asarray(controller.state(), dtype=float)
    head = {
        "format": FORMAT,
        "hash": loop.setup.scenario.hash,
        "step": loop.setup.step,
        "interval": loop.state.interval,
        "at": loop.state.step,
        "entered": loop.entered,
        "events": loop.events_done,
        "marks": log.marks,
    }
    state = loop.state
    arrays: dict[str, Any] = {"x": state.x, "z": state.z, "held": state.held, "memory": state.memory, **log.arrays()}
    if memory is not None:
        arrays["controller"] = memory
    path = Path(path)
    with whole_file(path, force=True) as temporary, open(temporary, "wb") as file:
        np.savez(file, head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **arrays)


def restore(path: str | Path, loop: TimeLoop, log: Log) -> None:
    """Put a fresh loop where the checkpoint was taken."""
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as data:
            head = json.loads(bytes(data["head"]).decode())
            arrays = {name: data[name] for name in data.files if name != "head"}
    except FileNotFoundError:
        raise ScenarioError(f"there is no checkpoint '{path}'") from None
    except Exception as error:
        raise ScenarioError(f"'{path}' is not a checkpoint of flexarm; give the file of --checkpoint") from error
    if head.get("format") != FORMAT or head["hash"] != loop.setup.scenario.hash:
        raise ScenarioError(f"the checkpoint '{path}' belongs to another scenario (or version); run that one")
    for event in loop.setup.events[: head["events"]]:
        loop.model, _ = loop.model.change(loop.state, event.payload, event.rule)
    loop.events_done = head["events"]
    state = State(arrays["x"], arrays["z"], head["interval"], head["at"], arrays["held"], arrays["memory"])
    loop.go_to(state, head["entered"])
    loop.model.prepare(loop.intervals[head["interval"]].h)
    if loop.controller is not None:
        if "controller" not in arrays:
            raise ScenarioError(f"the checkpoint '{path}' was taken without a controller that can be restored")
        loop.controller.restore(arrays["controller"])  # type: ignore[attr-defined]
    log.restore(arrays, head["marks"], loop)
