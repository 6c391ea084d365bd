"""The sampled laws of a run as compiled stages of a tick (`flexarm.numerics.tick_loop`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np

from flexarm.drive import REFERENCES, Law, LawBlock, Program
from flexarm.errors import CapabilityError, ControllerError, check_word
from flexarm.methods.base import Model
from flexarm.numerics import law_stages
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.tick_loop import stage_address
from flexarm.simulation.build import Setup
from flexarm.simulation.compiled_law import CompiledLaw
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

    def checked_place(self, name: str, field: str) -> int:
        """The same, of a name that a user wrote at `field`."""
        if name not in self._known:
            near = get_close_matches(name, self._known, 1)
            hint = f"did you mean '{near[0]}'? " if near else ""
            raise ControllerError(
                f"there is no reading '{name}'; {hint}there are {', '.join(self._known)}", field=field
            )
        return self.place(name)

    def add(self, stage: Stage) -> None:
        """Call it after those before."""
        self._stages.append(stage)

    def add_first(self, stage: Stage) -> None:
        """Call it before all others."""
        self._stages.insert(0, stage)

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
    over = []
    for k, law in zip(rows, laws, strict=True):
        if law.over:
            check_word(law.over, known, f"drive.{joints[k].name}.control.over")
        over.append(stages.place(law.over) if law.over else -1)
    count = [len(law.table) for law in laws]
    knots = np.array([row for law in laws for row in law.table], dtype=float).reshape(-1, 4)
    turns = [arm.link(joints[k].name).joint.type == "revolute" for k in rows]
    place, rate = np.array(places, dtype=np.int64).T.copy()
    data = law_stages.Feedback(
        np.array(rows, dtype=np.int64), place, rate, np.array([law.limit for law in laws]),
        np.array([math.pi if turn else reach for turn in turns]), np.array(over, dtype=np.int64),
        np.cumsum([0, *count], dtype=np.int64)[:-1], np.array(count, dtype=np.int64), knots, np.zeros(3), period,
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
    program, model, period = setup.program, setup.model, setup.period or 0.0
    compiled = as_compiled(controller) if program.external else None
    asked = controller if program.external and compiled is None else None
    stages = Stages(model, model.sensors if outside or asked is not None else ())
    found = feedback_stage(stages, program, setup.scenario.method.name, model.sensors, period, integral)
    if found is not None:
        stages.add(found)
    for number, law in program.blocks:
        stages.add(block_stage(stages, program, law, f"drive.{number}.control.inputs"))
    if isinstance(compiled, LawBlock):
        check_law(compiled.period, period)
        wanted, given = set(program.external), set(compiled.joints)
        if wanted != given:
            raise ControllerError(
                f"the law gives torques of {', '.join(compiled.joints)}, but the controller drives {', '.join(program.external)}",
                field="drive.control",
            )
        stages.add(block_stage(stages, program, compiled, "controller"))
    elif compiled is not None:
        check_law(compiled.period, period)
        stages.add(function_stage(stages, program, compiled))
    return stages, asked


def as_compiled(controller: Any) -> LawBlock | CompiledLaw | None:
    """The law of a controller that need not be asked in Python."""
    if isinstance(controller, CompiledLaw):
        return controller
    found = getattr(controller, "law_block", None)
    return found() if callable(found) else None


def check_law(made_for: float | None, period: float) -> None:
    """Refuse a law for another period."""
    if made_for is not None and abs(made_for - period) > 1e-9 * period:
        raise ControllerError(
            f"the law was made for a period of {made_for:g} s, but control.period is {period:g} s: make them equal",
            field="drive.control.period",
        )


def block_stage(stages: Stages, program: Program, law: LawBlock, place: str) -> Stage:
    """A law of matrices."""
    joints = [joint.name for joint in program.wiring.joints]
    source = []
    for name in law.inputs:
        owner, _, part = name.rpartition(".")
        if part in REFERENCES and owner in joints:
            source.append((joints.index(owner), REFERENCES[part]))
        else:
            source.append((stages.checked_place(name, place), law_stages.READING))
    (n, m), k = law.B.shape, len(law.outputs)
    data = law_stages.Block(
        law.A, law.B, law.C, law.D, law.E, np.array(source, dtype=np.int64).reshape(m, 2),
        np.array([joints.index(name) for name in law.joints], dtype=np.int64), law.limit, law.rest, law.torque,
        law.stop.astype(float), np.zeros(m), np.zeros(k), np.zeros(n),
    )  # fmt: skip
    return Stage(law_stages.block, data, np.concatenate([np.zeros(n), np.full(m, np.nan)]))


def function_stage(stages: Stages, program: Program, law: CompiledLaw) -> Stage:
    """A user's compiled function."""
    joints = [joint.name for joint in program.wiring.joints]
    place = np.array([stages.checked_place(name, "controller") for name in law.readings], dtype=np.int64)
    channel = np.array([joints.index(name) for name in program.external], dtype=np.int64)
    data = law_stages.Function(
        law.address, place, channel, np.zeros(len(place)), np.zeros((len(joints), 2)), np.zeros(len(channel))
    )
    return Stage(law_stages.function, data, law.start.copy())
