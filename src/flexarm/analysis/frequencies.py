"""Natural frequencies and mode shapes of an arm, by any method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import JointWiring, Program, Wiring
from flexarm.errors import FlexarmError, check_word
from flexarm.methods import get_method, method_names
from flexarm.methods.base import Hints, Joints, LinearModel, Model, Watch
from flexarm.methods.capabilities import able, not_supported
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.numerics.eigen import vibration
from flexarm.rigid import passive_joints
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.build import Setup
from flexarm.simulation.control_loops.closure import close_control_loops, spring_loops
from flexarm.simulation.poses import arm_at, commanded_pose, held_state, posed
from flexarm.simulation.program import Gains, gains_at, largest_gains, prepare_program, row_at
from flexarm.simulation.rest import HoldingModel

if TYPE_CHECKING:
    import xarray

STATIONS, LEAST_STATIONS = 41, 21
"""Points along each link for mode shapes: of a model that is built for them, and at least of one that is there."""


@dataclass(frozen=True)
class Frequencies:
    """Elastic modes, lowest first.

    Attributes
    ----------
    hz, damping : ndarray, shape (n,)
        Natural frequencies and damping ratios.
    shapes : xarray.DataArray, dims (mode, link, s, axis)
        Displacement of the links, largest one 1.
    rigid_modes : int
        Number of ways in which the arm moves without bending.
    joints : str
        locked, free or held.
    unstable : bool
        A motion grows by itself.
    undamped_hz : ndarray
        Frequencies of the same arm without damping; for ``held`` also without rate and integral gains and lags of
        actuators. Beside `hz` they show how much these move the modes.
    notes : tuple of str
        What was simplified, and what the model leaves out.
    strain_share : xarray.DataArray, dims (mode, link), or None
        Share of each link in the elastic energy of the links; None if the method does not tell.
    arm : Arm or None
        The arm in the pose about which it vibrates.
    rest : ndarray, shape (link, s, axis), or None
        Places along its links at rest, m, bent by its loads; None for a steady turn.
    """

    hz: np.ndarray
    damping: np.ndarray
    shapes: xarray.DataArray
    rigid_modes: int
    joints: str
    unstable: bool = False
    undamped_hz: np.ndarray = field(default_factory=lambda: np.zeros(0))
    notes: tuple[str, ...] = ()
    strain_share: xarray.DataArray | None = None
    arm: Arm | None = None
    rest: np.ndarray | None = None

    def _repr_html_(self) -> str:
        """Mode shapes on the arm, frequencies and damping, for notebooks."""
        from flexarm.sketch.cards import of_frequencies

        return of_frequencies(self)


def solve_modes(
    model: LinearModel, n: int, joints: str = "locked", springs: LinearModel | None = None, notes: Sequence[str] = ()
) -> Frequencies:
    """The lowest `n` elastic modes of a linear model; `springs` is the one whose undamped frequencies are told."""
    import xarray

    found = vibration(model.M, model.C, model.K, n)
    plain = springs or model
    undamped = vibration(plain.M, np.zeros_like(plain.C), plain.K, n).hz
    shapes = np.einsum("cm,clsa->mlsa", found.vectors, model.shapes)
    size = np.abs(shapes).reshape(len(shapes), -1).max(axis=1) if shapes.size else np.ones(len(shapes))
    shapes = shapes / np.where(size > 0, size, 1.0)[:, None, None, None]
    labelled = xarray.DataArray(
        shapes,
        dims=("mode", "link", "s", "axis"),
        coords={
            "mode": np.arange(1, len(shapes) + 1),
            "link": list(model.links),
            "s": model.stations,
            "axis": ["x", "y", "z"],
            "hz": ("mode", found.hz),
        },
        attrs={"long_name": "mode shape, largest displacement 1", "units": "1"},
    )
    share = None
    if model.elastic.size and len(found.hz):
        energy = np.einsum("im,lij,jm->ml", found.vectors, model.elastic, found.vectors)
        total = energy.sum(axis=1, keepdims=True)
        share = xarray.DataArray(
            energy / np.where(total > 0.0, total, 1.0),
            dims=("mode", "link"),
            coords={"mode": np.arange(1, len(energy) + 1), "link": list(model.links)},
            attrs={"long_name": "share in the elastic energy of the links", "units": "1"},
        )
    return Frequencies(
        found.hz,
        found.damping,
        labelled,
        found.rigid,
        joints,
        bool(len(found.unstable)),
        undamped,
        tuple(notes),
        share,
    )


@with_one_blas_thread
def frequencies(
    arm: Arm | Scenario | Setup | str | Path,
    method: str | None = None,
    n: int = 6,
    pose: Sequence[float] | None = None,
    joints: Joints = "locked",
    options: Any = None,
    stations: int | None = None,
    spin: float = 0.0,
    time: float = 0.0,
) -> Frequencies:
    """Natural frequencies and shapes.

    Parameters
    ----------
    arm : Arm, Scenario, Setup, str or Path
        An arm, a scenario, the name of a bundled one, a file, or the set-up of a run, whose model is used where it can be. A
        scenario also brings its method, options and (for ``held``) its gains.
    method : str, optional
        Name of the method; default the scenario's, else the first of `method_names` that takes the arm.
    n : int
        How many elastic modes.
    pose : sequence of float, optional
        Joint positions, rad or m; default the start pose, for ``held`` the commanded pose at `time`.
    joints : {"locked", "free", "held"}
        Motors held rigidly, without torque, or by their law.
    options : optional
        The method's options, as its model or as a dict.
    stations : int
        Points along each link at which the shapes are given; default 41, or those of a set-up.
    spin : float
        Rate in rad/s of a steady turn about the first joint (methods with centrifugal stiffening).
    time : float
        The time in s whose payload the arm carries and, for ``held``, whose gains hold the joints.

    Returns
    -------
    Frequencies

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.frequencies(fa.load("tokhi-azad"), n=2, joints="free")
    >>> [round(float(f), 1) for f in found.hz]
    [11.7, 31.9]
    """
    if n < 1:
        raise FlexarmError("ask for at least one frequency")
    check_word(joints, get_args(Joints), "joints")
    if isinstance(arm, Arm):
        if joints == "held":
            raise FlexarmError("joints='held' needs a scenario: the law that holds them is in its drives")
        wiring = held_wiring(arm)
        model = _build(
            arm, wiring, method or (able(arm, wiring) or method_names())[0], options, pose, stations, spin=spin
        )
        return _about_rest(model, n, joints, spin)
    setup = arm if isinstance(arm, Setup) else None
    scenario = arm.scenario if isinstance(arm, Setup) else as_scenario(arm)
    program = setup.program if setup is not None else prepare_program(scenario)
    gains, notes = _gains(scenario, program, time)
    loaded = arm_at(scenario, time)
    wiring = _springs_held(scenario.arm, program.wiring) if joints == "locked" else program.wiring
    if pose is None and joints == "held" and time > 0.0:
        pose = commanded_pose(scenario, time, program)
    if method in (None, scenario.method.name):
        options = scenario.method.options if options is None else options
    same = setup is not None and not spin and loaded is scenario.arm and _suits(setup, wiring, options, stations)
    if setup is not None and same and (pose is None or joints == "held" or tuple(pose) == tuple(scenario.arm.pose)):
        model, place = setup.model, scenario.arm.pose if pose is None else pose
    else:
        model = _build(loaded, wiring, method or scenario.method.name, options, pose, stations, gains, spin)
        place = model.arm.pose
    if joints != "held":
        return _about_rest(model, n, joints, spin)
    holding = setup.holding if setup is not None and model is setup.model else HoldingModel(model)
    state = held_state(holding, place, row_at(program, time, scenario.time.end))
    linear = holding.driven.linearise(state, "held")
    closed, simplified = close_control_loops(linear, wiring, gains, holding.loads(place))
    springs = spring_loops(linear, wiring, gains)
    found = solve_modes(closed, n, joints, springs, [*notes, *simplified, *model.left_out])
    rest = holding.driven.reader.shape(holding.driven.record(state))
    return replace(found, arm=posed(model.arm, place), rest=rest)


def _about_rest(model: Model, n: int, joints: Joints, spin: float) -> Frequencies:
    """Modes about the rest of a model whose motors are held, or free."""
    if spin:
        found = solve_modes(model.linearise(joints=joints, spin=spin), n, joints, notes=model.left_out)
        return replace(found, arm=model.arm)
    used = model.rewired("motion" if joints == "locked" else "free")
    state = used.static(model.arm.pose, used.posed_row(model.arm.pose))
    found = solve_modes(used.linearise(state, joints), n, joints, notes=model.left_out)
    return replace(found, arm=model.arm, rest=used.reader.shape(used.record(state)))


def _build(
    arm: Arm, wiring: Wiring, method: str, options: Any, pose: Sequence[float] | None, stations: int | None,
    gains: Sequence[Gains] = (), spin: float = 0.0,
) -> Model:  # fmt: skip
    """A model for its small motions alone."""
    chosen = get_method(method)
    if not isinstance(options, chosen.Options):
        options = chosen.options_from(options or {})
    used = arm if pose is None else posed(arm, pose)
    if spin and not chosen.capable(used).steady_turn:
        raise not_supported(chosen, used, wiring, "frequencies of a steady turn", "spin", "steady_turn")
    return chosen.build(used, wiring, options, Watch(stations=stations or STATIONS), Hints(gains=tuple(gains)))


def _suits(setup: Setup, wiring: Wiring, options: Any, stations: int | None) -> bool:
    """True if the model of a run has what is asked for."""
    given = setup.model.watch.stations
    same = wiring is setup.program.wiring and options is setup.scenario.method.options
    return same and (given >= LEAST_STATIONS if stations is None else given == stations)


def driven_frequencies(
    scenario: Scenario | Setup, n: int = 6, pose: Sequence[float] | None = None, time: float = 0.0, spin: float = 0.0
) -> Frequencies:
    """Natural frequencies with the joints as the scenario drives them: by motion, by a law, or by torque alone.

    `pose`, `time`, `spin` as in `frequencies`; a steady turn counts for joints that are led by a motion.
    """
    used = scenario.scenario if isinstance(scenario, Setup) else scenario
    program, passive = used.program, passive_joints(used.arm)
    if all(joint.mode == "motion" or joint.name in passive for joint in program.wiring.joints):
        return frequencies(scenario, n=n, joints="locked", pose=pose, time=time, spin=spin)
    laws = [joint.law for joint in program.wiring.joints if joint.law is not None]
    held = bool(program.auto_servos) or any(any(gains) for gains in largest_gains(program, used.time.end))
    held = held or any(law.cylinder is not None and law.kind != "external" for law in laws)
    return frequencies(scenario, n=n, joints="held" if held else "free", pose=pose, time=time)


def _gains(scenario: Scenario, program: Program, time: float) -> tuple[tuple[Gains, ...], list[str]]:
    """Gains of the laws at `time`, and what is to be said about them."""
    end = scenario.time.end
    if not 0.0 <= time <= end:
        raise FlexarmError(f"time is {time:g} s, but the scenario runs from 0 to {end:g} s")
    gains = gains_at(program, time, end)
    changing = gains != largest_gains(program, end)
    return gains, [f"gains change on the way; these are the ones at {time:g} s"] if changing else []


def _springs_held(arm: Arm, wiring: Wiring) -> Wiring:
    """The wiring with motors held that nothing drives and that have no inertia: a method may have left them out."""
    passive = passive_joints(arm)

    def left_out(joint: JointWiring) -> bool:
        unmoved = joint.spring and joint.mode == "free" and joint.name not in passive
        return unmoved and not arm.link(joint.name).joint.rotor_inertia

    if not any(map(left_out, wiring.joints)):
        return wiring
    return replace(wiring, joints=tuple(replace(j, mode="motion") if left_out(j) else j for j in wiring.joints))


def held_wiring(arm: Arm) -> Wiring:
    """All motors held; joints that follow from closing a loop are free."""
    passive = passive_joints(arm)
    joints = (
        JointWiring(j, "free" if j in passive else "motion", arm.link(j).joint.stiffness is not None)
        for j in arm.joints
    )
    return Wiring(tuple(joints))
