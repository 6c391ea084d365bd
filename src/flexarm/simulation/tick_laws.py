"""The sampled laws of a run as compiled stages of a tick (`flexarm.numerics.tick_loop`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexarm.drive import Law, Program
from flexarm.errors import CapabilityError
from flexarm.methods.base import Model
from flexarm.numerics import law_stages
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.tick_loop import stage_address
from flexarm.simulation.build import Setup
from flexarm.simulation.controllers import SIDE, Controller


@dataclass
class Stage:
    """One stage of a tick.

    Attributes
    ----------
    kernel, data : compiled function, Bundle
        What is called, and what it is handed.
    memory : ndarray
        What it remembers before the first tick.
    why : callable
        A sentence for the number with which it ended the run, from that number and its memory.
    """

    kernel: Any
    data: Bundle
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))
    why: Callable[[int, np.ndarray], str] = lambda said, memory: "a torque became infinite or not a number"

    @property
    def address(self) -> int:
        """Where it is compiled."""
        return stage_address(self.kernel, self.data)


class Stages:
    """All stages of a run in the order in which they are called, and the readings that they share.

    Whoever adds a stage asks for its readings by name; sensors that change readings come before the laws.
    """

    def __init__(self, model: Model, readings: Sequence[str] = ()):
        self._known, self._names = model.sensors, list(readings)
        self._stages: list[Stage] = []

    def place(self, name: str) -> int:
        """Where a reading stands among those that are taken."""
        if name not in self._names:
            self._names.append(name)
        return self._names.index(name)

    def add(self, stage: Stage) -> None:
        """Call it after those before."""
        self._stages.append(stage)

    def __bool__(self) -> bool:
        return bool(self._stages)

    @property
    def readings(self) -> tuple[str, ...]:
        """Names of the readings that are taken at a tick."""
        return tuple(self._names)

    def table(self) -> np.ndarray:
        """Address, bundle, begin and end of the memory of each, (stages, 4)."""
        ends = np.cumsum([0, *(len(stage.memory) for stage in self._stages)])
        rows = [(stage.address, stage.data.address, *ends[k : k + 2]) for k, stage in enumerate(self._stages)]
        return np.array(rows, dtype=np.int64).reshape(-1, 4)

    def memory(self) -> np.ndarray:
        """What all of them remember before the first tick."""
        return np.concatenate([np.zeros(0), *(stage.memory for stage in self._stages)])

    def why(self, said: int, memory: np.ndarray) -> str:
        """The sentence of the stage that ended a call."""
        stage = self._stages[said // 1000 - 1]
        begin = sum(len(other.memory) for other in self._stages[: said // 1000 - 1])
        return stage.why(said % 1000, memory[begin : begin + len(stage.memory)])


def feedback_stage(
    stages: Stages, program: Program, method: str, known: Sequence[str], period: float, integral: np.ndarray | None
) -> Stage | None:
    """PD and PID laws of the scenario that have a period; None if there are none.

    A law has lost its joint when the error changes by more than half a turn (for a sliding joint, the length of the arm) from one
    instant to the next: no gains bring it back, and steps that follow such a motion would be pointless.

    integral : integrals of the errors at the start, (joints,)
    """
    joints, arm = program.wiring.joints, program.arm
    rows = [k for k, joint in enumerate(joints) if joint.law is not None and is_feedback(joint.law)]
    if not rows:
        return None
    reach, places = sum(link.span for link in arm.links), []
    laws = [law for k in rows if (law := joints[k].law) is not None]
    for k, law in zip(rows, laws, strict=True):
        names = [f"{joints[k].name}.{SIDE[law.sensor]}{part}" for part in ("position", "velocity")]
        missing = [name for name in names if name not in known]
        if missing:
            raise CapabilityError(
                f"the law of a joint reads '{missing[0]}', which the method {method} does not give; let it read another sensor",
                field="drive.control.sensor",
            )
        places.append([stages.place(name) for name in names])
    turns = [arm.link(joints[k].name).joint.type == "revolute" for k in rows]
    place, rate = np.array(places, dtype=np.int64).T.copy()
    data = law_stages.Feedback(
        np.array(rows, dtype=np.int64), place, rate, np.array([law.limit for law in laws]),
        np.array([math.pi if turn else reach for turn in turns]), period,
    )  # fmt: skip

    def why(said: int, memory: np.ndarray) -> str:
        return (
            f"joint '{joints[rows[said - 1]].name}' is lost by its law, whose error changes by {memory[-1]:.3g} "
            f"{'rad' if turns[said - 1] else 'm'} within a period of {period:g} s"
        )

    started = np.zeros(len(rows)) if integral is None else integral[rows]
    return Stage(law_stages.feedback, data, np.append(started, 0.0), why)


def is_feedback(law: Law) -> bool:
    """True for PD and PID laws with a period."""
    return law.period > 0.0 and law.kind in ("pd", "pid")


def sampled_stages(
    setup: Setup, controller: Controller | None, integral: np.ndarray | None, outside: bool
) -> tuple[Stages, Controller | None]:
    """Stages of a run, and the controller that is left for Python.

    Parameters
    ----------
    setup, controller
        The run; the controller may be a law that is compiled.
    integral : ndarray, optional
        Integrals of the errors at the start, (joints,).
    outside : bool
        True if torques come from outside, by whom all readings are seen.
    """
    external, model = setup.program.external, setup.model
    asked = controller if external else None
    stages = Stages(model, model.sensors if outside or asked is not None else ())
    found = feedback_stage(
        stages, setup.program, setup.scenario.method.name, model.sensors, setup.period or 0.0, integral
    )
    if found is not None:
        stages.add(found)
    return stages, asked
