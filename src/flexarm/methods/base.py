"""The contract of a method: what it promises, and the verbs of the model that it builds.

A `Method` is an immutable value. `build` turns an arm, its wiring and options into a `Model`. State goes into the
model's verbs and comes out of them, so batch runs, on-line stepping, control loops and checkpoints share one
time loop and cannot differ by a bit.
"""

from __future__ import annotations

import abc
import enum
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

import numpy as np
from pydantic import Field, ValidationError, field_validator, model_validator

from flexarm.arm import Arm, Payload
from flexarm.arm.base import Part
from flexarm.errors import CapabilityError, check_word
from flexarm.methods.capabilities import Capabilities, refuse
from flexarm.methods.left_out import Counted, left_out
from flexarm.methods.output_rows import OutputRows
from flexarm.methods.sensors import Watch
from flexarm.methods.signals import Signals
from flexarm.methods.step_size import FACTOR, phase_step
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.eigen import strain_shares, vibration
from flexarm.numerics.law_rows import PRESSURE
from flexarm.numerics.laws import load_laws
from flexarm.rigid.loops import passive_joints

if TYPE_CHECKING:
    from flexarm.drive import JointWiring, Wiring

Start = Literal["undeformed", "equilibrium", "locked"]
Joints = Literal["locked", "free", "held"]
Run = tuple[int, int, int]
"""Steps done, records written, and which of a model's `outcomes`."""
SpectralRadius = Annotated[float, Field(
    ge=0.0, le=1.0, description="generalised-alpha: 1 keeps all frequencies, 0 removes the highest in one step",
)]  # fmt: skip
STEPS_PER_PERIOD = (10.0, 4.0)
"""Steps per period of the first modes with which the search for the automatic step begins."""
COARSER, LEAST_PARTS = 0.7, 2
"""Parts of a coarser mesh, and the fewest of a link."""
FIRST_MODES = 3
NO_RECORDS = np.zeros((0, 0))


class Outcome(enum.Enum):
    """How a run ended; `sentence` tells the user what it means and what to change."""

    SUCCESS = "the run reached its end"
    CANCELLED = "the run was interrupted; what was computed until then is kept"
    NOT_FINITE = "a value became infinite or not a number; use a smaller time.step, or check loads and gains"
    NOT_CONVERGED = (
        "a step did not converge however finely it was divided; use a smaller time.step, or check loads and gains"
    )
    ENERGY_ERROR = (
        "the time scheme made or lost more energy than method.energy_error allows; use a smaller time.step, or "
        "integrator: conserving"
    )
    SINGULAR = "a closed loop reached a singular pose, where it locks or can go two ways; keep the motion away from it"
    UNSTABLE = "the motion grows without bound"
    CONTROLLER_FAILED = "the controller failed; what was computed until then is kept"

    @property
    def sentence(self) -> str:
        """One sentence for the user."""
        return self.value


class MethodOptions(Part):
    """Options that every method has; each adds its own."""

    resolution: int | tuple[int, ...] = Field(description="Mesh: one number, or one per link")
    accuracy: float = Field(
        default=1e-3, gt=0, le=0.1, description="Relative accuracy of peaks that `time.step: auto` promises"
    )

    error_estimate: bool = Field(
        default=False,
        description="Run also with other steps and meshes and tell the estimated error of the signals",
    )

    @field_validator("resolution", mode="before")
    @classmethod
    def _tuple(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    def coarser(self, times: int) -> Any:
        """The same with `times` times a mesh of 0.7 times as many parts; None if the mesh is as coarse as can be."""
        return self._with_parts(lambda n: min(n, max(LEAST_PARTS, round(COARSER**times * n))))

    def finer(self, times: int) -> Any:
        """The same with as many more parts."""
        return self._with_parts(lambda n: max(n + times, round(n / COARSER**times)))

    def _with_parts(self, change: Callable[[int], int]) -> Any:
        each = self.resolution if isinstance(self.resolution, tuple) else (self.resolution,)
        parts = tuple(change(n) for n in each)
        if parts == each:
            return None
        return self.model_copy(update={"resolution": parts if isinstance(self.resolution, tuple) else parts[0]})

    def mesh(self, resolution: Any) -> dict[str, Any]:
        """What to write in a file for the same with another mesh."""
        return {"method.resolution": list(resolution) if isinstance(resolution, tuple) else resolution}

    def given(self) -> set[str]:
        """Names of the options that are not at their default."""
        return {name for name, field in type(self).model_fields.items() if getattr(self, name) != field.default}

    @model_validator(mode="after")
    def _radius_fits(self) -> Any:
        if "spectral_radius" in self.given() and getattr(self, "integrator", "") != "generalised-alpha":
            raise ValueError("'spectral_radius' is for integrator: generalised-alpha")
        return self


@dataclass
class State:
    """Everything that the next step reads.

    Attributes
    ----------
    x : ndarray
        The model's numbers; ``model.layout`` names its slices.
    z : ndarray, shape (channels, Z_SIZE)
        States of joint laws and actuators (see `flexarm.numerics.laws`).
    interval, step : int
        Where on the time grid: after `step` steps of interval number `interval`.
    held : ndarray, shape (channels,)
        Torques that replace what the drives say; not a number where nothing is held.
    memory : ndarray
        What sampled laws and sensors remember from tick to tick.
    """

    x: np.ndarray
    z: np.ndarray
    interval: int = 0
    step: int = 0
    held: np.ndarray = field(default_factory=lambda: np.zeros(0))
    memory: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def copy(self) -> State:
        """An independent copy."""
        return State(self.x.copy(), self.z.copy(), self.interval, self.step, self.held.copy(), self.memory.copy())


@dataclass
class Steps:
    """Equal steps to march.

    Attributes
    ----------
    h : float
        Step, s.
    table : ndarray, shape (steps + 1, channels, 7)
        Drive table at the step points, C-contiguous, right limits at the first, left limits at the last.
    record_every, record_offset : int
        A record is written whenever ``(record_offset + steps done) % record_every == 0``; 0 writes none.
    """

    h: float
    table: np.ndarray
    record_every: int
    record_offset: int = 0

    @property
    def count(self) -> int:
        """Number of steps."""
        return self.table.shape[0] - 1

    @property
    def records(self) -> int:
        """Number of records that are written."""
        every, offset = self.record_every, self.record_offset
        return (offset + self.count) // every - offset // every if every else 0


@dataclass
class Marched:
    """What `Model.march` gives back; after a failure, the last good state and the records up to it."""

    state: State
    records: np.ndarray
    outcome: Outcome
    steps_done: int
    pressures: np.ndarray
    """(records, cylinders with oil, 2): pressure in their chambers, Pa."""


class TickSteps(NamedTuple):
    """Restart and steps of a model from one control tick to the next: the address of the compiled function, and what it takes
    (see `flexarm.numerics.tick_loop`)."""

    address: int
    method: Bundle


class PointLoad(NamedTuple):
    """Force (3,) in N and moment (3,) in N*m at a fraction of a link's length, in the axes of the ground, which they keep."""

    link: int
    at: float
    force: np.ndarray
    moment: np.ndarray


class Loaded(NamedTuple):
    """A serial arm at rest under loads: its state, that of the stiff arm in the same pose, and what holds every link at its root.

    Forces, then moments, are in the axes of the ground, (links, 3) in the plane, (links, 6) in space: `roots` by the forces in
    the links, `balanced` by equilibrium of all that lies beyond; `torques` (links,) are their parts along the joints' axes.
    """

    state: State
    undeformed: State
    roots: np.ndarray
    balanced: np.ndarray
    stable: bool
    torques: np.ndarray


class Pushes(NamedTuple):
    """Loads on links per unit of their size: forces on the coordinates (n, loads), and what readings feel at once (readings, loads)."""

    forces: np.ndarray
    readings: np.ndarray


@dataclass(frozen=True)
class LinearModel:
    """``M q'' + C q' + K q = B u`` with the motors' torques u, constraints eliminated, and readings `rows`; the laws of joints are not
    in it."""

    M: np.ndarray
    C: np.ndarray
    K: np.ndarray
    B: np.ndarray
    coordinates: tuple[str, ...]
    inputs: tuple[str, ...]
    output_names: tuple[str, ...]
    find_rows: Callable[[], OutputRows]
    find_shapes: Callable[[], np.ndarray]
    stations: np.ndarray = field(default_factory=lambda: np.zeros(0))
    links: tuple[str, ...] = ()
    sensed: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    """(input, coordinate): what the law of each input reads per unit of each coordinate."""
    pushes: tuple[str, ...] = ()
    """Names of the loads on links."""
    find_pushes: Callable[[], Pushes] | None = None
    elastic: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 0)))
    """(link, coordinate, coordinate): elastic stiffness of each link, for its share in the strain energy; may be empty."""

    @cached_property
    def rows(self) -> OutputRows:
        """Readings in the order of `output_names`; found when asked for."""
        return self.find_rows()

    @cached_property
    def pushed(self) -> Pushes:
        """What the loads on links do; found when asked for."""
        return self.find_pushes() if self.find_pushes is not None else Pushes(self.B[:, :0], np.zeros((0, 0)))

    def reading(self, name: str) -> np.ndarray:
        """What a reading changes with each coordinate, (coordinates,)."""
        return self.rows.position[self.output_names.index(name)]

    @cached_property
    def shapes(self) -> np.ndarray:
        """(coordinate, link, station, axis): displacement of the links per unit of each coordinate; found when asked for."""
        return self.find_shapes()


class Model(abc.ABC):
    """An arm in the terms of one method, ready to be stepped.

    What all methods share stands here: marching, reading, damping from ratios, another payload or wiring of the same arm, the
    automatic step. A method supplies `_run` (compiled steps), a reader, and the physics behind the verbs below.
    """

    layout: dict[str, slice]
    reader: Any
    """A `flexarm.methods.reader.Reader` with the physics of the method."""
    sensors: tuple[str, ...]
    """Names of the readings that `measure` gives."""
    record_width: int
    """Numbers in a record: the first ones of the state."""
    closes_loops: bool = True
    """False if closed loops of the arm are left open."""
    stiffens_when_spinning: bool = False
    """True if centrifugal stiffening is part of the model."""
    sums: Any = None
    """The method's layout: places of WORK, LOST, HALVED and ITERATIONS among the sums of a state."""
    outcomes: tuple[Outcome, ...] = (Outcome.SUCCESS, Outcome.NOT_CONVERGED)
    """What the numbers mean with which `_run` ends."""
    order: int = 2
    """Order of the time scheme."""
    mesh_order: int = 2
    """Order in the mesh of natural frequencies."""
    signal_order: int | None = None
    """Order in the mesh of signals of a run, if it is another one."""
    numbers_per_second: float = 1e7
    """Roughly how many numbers of a record are stepped in a second."""
    steps_per_period: float = 20.0
    """Least number of steps per period of the first mode that `time.step: auto` takes."""

    def __init__(self, arm: Arm, wiring: Wiring, options: Any, watch: Watch, hints: Hints):
        self.arm, self.wiring, self.options, self.watch, self.hints = arm, wiring, options, watch, hints
        self.channels = len(wiring.joints) + len(wiring.patches)
        if any(self.law_acts(joint) for joint in wiring.joints):
            load_laws()
        self.notes: list[str] = []
        """Sentences for the user: choices that were made, and warnings."""
        self.damping_times = np.zeros(len(arm.links))
        """Kelvin-Voigt times of the links, s."""
        self.h = 0.0
        """Step that was prepared for, s."""

    def law_acts(self, joint: JointWiring) -> bool:
        """Whether the steps evaluate a law at this joint."""
        return joint.mode != "motion"

    def counted(self, link: int) -> Counted:
        """What the model counts of a link."""
        return Counted()

    @cached_property
    def left_out(self) -> tuple[str, ...]:
        """What the model leaves out though it matters to this arm, a sentence with a number each."""
        return tuple(left_out(self))

    # steps

    def start(self, pose: Any, rates: Any, row: np.ndarray, at: Start = "undeformed") -> State:
        """State at t = 0: undeformed and turning rigidly, or at rest with the motors held at `pose` (where that is the rest of
        the drives themselves, it is an equilibrium). `row` (channels, 7) is the drive table at 0."""
        check_word(at, get_args(Start), "time.start")
        return self._undeformed(pose, rates, row) if at == "undeformed" else self.static(pose, row)

    @abc.abstractmethod
    def _undeformed(self, pose: Any, rates: Any, row: np.ndarray) -> State:
        """The undeformed arm, which turns rigidly."""

    def posed_row(self, pose: Any) -> np.ndarray:
        """A drive row (channels, 7) that holds the joints at `pose`."""
        row = np.zeros((max(1, self.channels), self.wiring.row_width))
        row[: len(self.wiring.joints), 0] = np.asarray(pose, dtype=float)
        return row

    def prepare(self, h: float) -> None:
        """Make ready for steps of length h (factorisations); refuses a step that would blow up."""
        self.h = h

    @abc.abstractmethod
    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """After a jump: accelerations and algebraic quantities from the right-hand limits in `row`, in place.

        `jumped`: torques are others than just before, so motions that a step cannot follow are excited by a discontinuity.
        """

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        """Step through a contiguous drive table in place. A step that fails leaves the state before it."""
        raise NotImplementedError

    def between_ticks(self, state: State) -> TickSteps:
        """Restart and steps from one control tick to the next, on the arrays of `state`."""
        raise NotImplementedError

    def how_ended(self, state: State, ended: int) -> Outcome:
        """What the number means with which compiled steps ended in `state`."""
        return self.outcomes[ended]

    def check_table(self, table: np.ndarray) -> None:
        """Refuse rows of the drives (steps, channels, 7) that the links cannot follow."""
        return

    def march(self, state: State, steps: Steps) -> Marched:
        """Many compiled steps; `state` itself is left as it was."""
        new, records = state.copy(), np.empty((steps.records, self.record_width))
        every, offset, pressures = steps.record_every, steps.record_offset, []
        done = written = ended = 0
        while (
            not ended and done < steps.count
        ):  # in one go, but for pressures, which are read where a record is written
            stop = min(done + every - (offset + done) % every, steps.count) if self.with_oil and every else steps.count
            piece = self._run(new, steps.table[done : stop + 1], records[written:], every, offset + done)
            done, written, ended = done + piece[0], written + piece[1], piece[2]
            if self.with_oil and piece[1]:
                pressures.append(self.pressures(new))
        new.step += done
        found = np.array(pressures).reshape(written, len(self.with_oil), 2)
        return Marched(new, records[:written], self.how_ended(new, ended), done, found)

    @cached_property
    def with_oil(self) -> list[int]:
        """Channels of the joints that cylinders with oil move."""
        return [
            k for k, joint in enumerate(self.wiring.joints) if joint.law is not None and joint.law.cylinder is not None
        ]

    def pressures(self, state: State) -> np.ndarray:
        """Pressure in both chambers of the cylinders with oil, that which pushes longer first, Pa, (cylinders, 2)."""
        return state.z[self.with_oil, PRESSURE : PRESSURE + 2]

    def advance(self, state: State, steps: Steps) -> bool:
        """Like `march` but in place and without records; False if a step failed."""
        done = self._run(state, steps.table, NO_RECORDS, 0, 0)[0]
        state.step += done
        return done == len(steps.table) - 1

    @abc.abstractmethod
    def change(self, state: State, payload: Payload, rule: str) -> tuple[Model, State]:
        """The model with a new payload, and the state just after the change."""

    def _account_change(self, after: Model, state: State, new: State, rule: str) -> None:
        """Work and losses of a payload change, into the new state: a payload that comes at rest costs kinetic energy."""
        old, now = (model.reader.stored(model.record(each)[None]) for model, each in ((self, state), (after, new)))
        gained, lifted = (float(now[k][0] - old[k][0]) for k in (0, 2))
        sums = new.x[self.layout["sums"]]
        sums[self.sums.WORK] += lifted if rule == "at-rest" else lifted + gained
        sums[self.sums.LOST] -= gained if rule == "at-rest" else 0.0

    def with_payload(self, payload: Payload) -> Any:
        """The same arm and damping with another payload; made once, however often a run is tried."""
        found = [model for other, model in self._carriers if other == payload]
        if not found:
            found = [self._carrying(payload)]
            self._carriers.append((payload, found[0]))
        return found[0]

    @cached_property
    def _carriers(self) -> list[tuple[Payload, Any]]:
        """Models of the same arm with other payloads."""
        return []

    def _carrying(self, payload: Payload) -> Any:
        """A new model with another payload."""
        arm = self.arm.model_copy(update={"payload": payload})
        model = type(self)(arm, self.wiring, self.options, self.watch, self.hints)
        model.set_damping(self.damping_times)
        return model

    def rewired(self, mode: Literal["motion", "free"]) -> Any:
        """The same arm with all motors held (motion) or without torque (free); this model itself if they are so. Joints that
        follow from closing a loop have no motor."""
        passive = passive_joints(self.arm)
        joints = tuple(replace(j, mode="free" if j.name in passive else mode, law=None) for j in self.wiring.joints)
        return self._with_wiring(replace(self.wiring, joints=joints))

    @cached_property
    def with_held_motors(self) -> Any:
        """The same arm with all motors held."""
        return self.rewired("motion")

    def _with_wiring(self, wiring: Wiring) -> Any:
        if wiring == self.wiring:
            return self
        return type(self)(self.arm, wiring, self.options, self.watch, self.hints)

    # damping and the automatic step

    def small_motions(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """M, C, K of small motions about the equilibrium of the start pose, joints as driven, laws left out."""
        raise NotImplementedError

    def set_damping(self, times: np.ndarray) -> None:
        """Take Kelvin-Voigt times of the links, s; methods put them into their tables."""
        self.damping_times = np.array(times, dtype=float)

    def take_damping(self) -> None:
        """Kelvin-Voigt times from what the arm says; a ratio refers to the mode of the start pose, joints as driven.

        What damping of unit time adds to C is the links' elastic stiffness: their share in the energy of a mode.
        """
        damped = {
            i: damping
            for i, link in enumerate(self.arm.links)
            if link.flexible and (damping := self.arm.damping_of(link)) is not None
        }
        modes: tuple[list[float], list[float]] = [], []
        if any(damping.time is None for damping in damped.values()):
            M, plain, K = self.small_motions()
            self.set_damping(np.ones(len(self.arm.links)))
            modes = strain_shares(M, K, self.small_motions()[1] - plain)
        times = np.zeros(len(self.arm.links))
        for i, damping in damped.items():
            times[i] = damping.time_constant(*modes)
        self.set_damping(times)

    def first_step(self, accuracy: float, duration: float) -> float:
        """The longest step that `time.step: auto` tries, in s: it just resolves the first modes."""
        hz = self.first_hz[: len(STEPS_PER_PERIOD)]
        return float((1.0 / (np.array(STEPS_PER_PERIOD[: len(hz)]) * hz)).min(initial=duration))

    @cached_property
    def first_hz(self) -> np.ndarray:
        """First natural frequencies at the start pose, joints as driven, laws left out, Hz."""
        M, _, K = self.small_motions()
        return vibration(M, np.zeros_like(M), K, FIRST_MODES).hz if len(M) else np.zeros(0)

    @property
    def phase_factor(self) -> float:
        """Steps change an angular frequency w by the share (w h)^order / phase_factor."""
        return FACTOR[self.order]

    def estimate_step(self, accuracy: float, duration: float) -> float:
        """Step in s that keeps the phase of the first modes while the drives act, for runs that cannot be tried."""
        step = phase_step(
            *self.small_motions(), accuracy, self.hints.active, duration, self.order, self.steps_per_period
        )
        return step or duration / 1000.0

    # what is read

    def record(self, state: State) -> np.ndarray:
        """The record of a state, as `march` writes it, (record_width,)."""
        return state.x[: self.record_width].copy()

    def measure(self, state: State, out: np.ndarray) -> np.ndarray:
        """The numbers named in `sensors`, into `out`."""
        self.reader.read(state.x, out)
        return out

    def observe(
        self, times: np.ndarray, records: np.ndarray, table: np.ndarray, only: Collection[str] | None = None
    ) -> Signals:
        """Physical signals from records (n, width) at `times` (n,) with their drive rows (n, channels, 7); `only`: no others than
        these, and what they are made from."""
        return self.reader.signals(times, records, only)

    def check_positions(self, positions: np.ndarray) -> None:
        """Refuse commanded positions of the joints, (n, joints), that the links cannot take; not a number: not commanded."""
        return

    def step_notes(self, h: float) -> list[str]:
        """What the user should know about steps of length h beside their effect on natural frequencies."""
        return []

    def load_notes(self, rate: float, axial: Callable[[], np.ndarray]) -> list[str]:
        """What the user should know about the largest axial forces of the links, ``axial()`` in N, (links,), with joints that turn at
        `rate` (rad/s) at most."""
        return []

    def remarks(self, state: State) -> list[str]:
        """What the user should know about a run that ended in `state`: how often steps had to be halved, for a start."""
        count = self._sum(state, "HALVED")
        return (
            [f"steps were halved {int(count)} times to converge; a smaller time.step is safer"] if count > 0.0 else []
        )

    def newton_passes(self, state: State) -> float:
        """Newton passes from the start to `state`; not a number if the method does not iterate."""
        return self._sum(state, "ITERATIONS")

    def _sum(self, state: State, name: str) -> float:
        place = getattr(self.sums, name, None)
        return math.nan if place is None else float(state.x[self.layout["sums"]][place])

    # rest and small motions

    def linearise(self, state: State | None = None, joints: Joints = "locked", spin: float = 0.0) -> LinearModel:
        """Small motions about `state` (None: the start pose at rest), or about a steady turn of the whole arm at the
        rate `spin` (rad/s, joints locked), seen by an observer who turns with it. ``held`` keeps the coordinates that a
        law acts on and reads; the loop itself is closed by `flexarm.simulation.control_loops`."""
        check_word(joints, get_args(Joints), "joints")
        if spin:
            return self._spinning_model(spin)
        used = self
        if state is None:
            used = self if joints == "held" else self.rewired("motion" if joints == "locked" else "free")
            state = used.static(self.arm.pose, used.posed_row(self.arm.pose))
        found = used._linear_model(state, joints)
        if not len(found.M):
            raise CapabilityError("nothing can vibrate: all links are rigid and all joints are held", field="arm.links")
        return found

    def _linear_model(self, state: State, joints: Joints) -> LinearModel:
        """Small motions about a state."""
        raise NotImplementedError

    def _spinning_model(self, spin: float) -> LinearModel:
        """Small motions about a steady turn with locked joints; for methods with `steady_turn`."""
        raise NotImplementedError

    @abc.abstractmethod
    def static(self, pose: Any, row: np.ndarray) -> State:
        """Equilibrium with the motors held at `pose` under gravity and the loads in `row`, whose commands may be others."""

    def static_loads(self, pose: Any, loads: Sequence[PointLoad], row: np.ndarray | None = None) -> Loaded:
        """Equilibrium of a serial arm under gravity, loads, and those of a drive row, with the motors held at `pose`; for methods with
        `point_loads`."""
        raise NotImplementedError


class Method(abc.ABC):
    """One way of modelling; an immutable value."""

    name: str
    title: str
    reference: str
    Options: type[MethodOptions]
    capabilities: Capabilities
    in_space: Capabilities | None = None
    """What it can do with arms in space, if that differs."""

    def capable(self, arm: Arm) -> Capabilities:
        """What it can do with arms like this one."""
        return self.in_space if arm.spatial and self.in_space is not None else self.capabilities

    def options_from(self, values: dict[str, Any]) -> MethodOptions:
        """Options from a dict; a wrong one is refused with its name."""
        try:
            return self.Options.model_validate(values)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise CapabilityError(first["msg"], field=f"method.{place}") from error

    @abc.abstractmethod
    def model_for(self, arm: Arm, options: Any) -> type[Model]:
        """The kind of model that an arm gets."""

    def check(self, arm: Arm, wiring: Wiring, options: Any) -> None:
        """Refuse what these options cannot do."""
        return

    def build(
        self, arm: Arm, wiring: Wiring, options: Any, watch: Watch | None = None, hints: Hints | None = None
    ) -> Model:
        """The model of `arm`; what the method does not support is refused here, with the field and the methods that can."""
        refuse(self, arm, wiring)
        if isinstance(options.resolution, tuple) and len(options.resolution) != len(arm.links):
            raise CapabilityError(
                f"resolution needs one number, or {len(arm.links)}, one per link", field="method.resolution"
            )
        self.check(arm, wiring, options)
        return self.model_for(arm, options)(arm, wiring, options, watch or Watch(), hints or Hints())


@dataclass(frozen=True)
class Hints:
    """What a model may know of the run when it chooses its scheme: wanted step (None: auto), duration, outputs."""

    step: float | None = None
    duration: float = 1.0
    every: float | None = None
    gains: tuple[tuple[float, float, float], ...] = ()
    """Per joint the largest (kp, kv, ki) of its law."""
    active: float | None = None
    """Time after which the drives rest, s; None: never."""
