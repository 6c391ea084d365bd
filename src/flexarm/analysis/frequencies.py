"""Natural frequencies and mode shapes of an arm, by any method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import JointWiring, Wiring
from flexarm.errors import FlexarmError
from flexarm.methods import get_method
from flexarm.methods.base import Hints, Joints, LinearModel, Watch
from flexarm.numerics.eigen import vibration
from flexarm.rigid import passive_joints
from flexarm.simulation.control_loops.closure import close_control_loops, spring_loops
from flexarm.simulation.poses import commanded_pose, posed

if TYPE_CHECKING:
    import xarray

    from flexarm.scenario import Scenario


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
        What was simplified.
    strain_share : xarray.DataArray, dims (mode, link), or None
        Share of each link in the elastic energy of the links; None if the method does not tell.
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


def frequencies(
    arm: Arm | Scenario | str | Path,
    method: str | None = None,
    n: int = 6,
    pose: Sequence[float] | None = None,
    joints: Joints = "locked",
    options: Any = None,
    stations: int = 41,
    spin: float = 0.0,
    time: float = 0.0,
) -> Frequencies:
    """Natural frequencies and shapes.

    Parameters
    ----------
    arm : Arm, Scenario, str or Path
        An arm, a scenario, the name of a bundled one, or a file. A scenario also brings its method, options and (for ``held``) its gains.
    method : str, optional
        Name of the method; default the scenario's, else ``fd``.
    n : int
        How many elastic modes.
    pose : sequence of float, optional
        Joint positions, rad or m; default the start pose, for ``held`` the commanded pose at `time`.
    joints : {"locked", "free", "held"}
        Motors held rigidly, without torque, or by their law.
    options : optional
        The method's options, as its model or as a dict.
    stations : int
        Points along each link at which the shapes are given.
    spin : float
        Rate in rad/s of a steady turn about the first joint (methods with centrifugal stiffening).
    time : float
        For ``held``: the time in s whose gains hold the joints (gains may be scheduled).

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
    scenario: Scenario | None = None
    if isinstance(arm, (str, Path)):
        from flexarm.scenario import load

        arm = load(arm)
    if not isinstance(arm, Arm):
        scenario, arm = arm, arm.arm
        if options is None and method in (None, scenario.method.name):
            options = scenario.method.options
        method = method or scenario.method.name
    elif joints == "held":
        raise FlexarmError("joints='held' needs a scenario: the law that holds them is in its drives")
    wiring, gains, notes = _wiring(arm, scenario, time)
    if joints == "locked":
        wiring = _springs_held(arm, wiring)
    if pose is None and joints == "held" and time > 0.0:
        pose = commanded_pose(scenario, time)
    if pose is not None:
        arm = posed(arm, pose)
    chosen = get_method(method or "fd")
    if not isinstance(options, chosen.Options):
        options = chosen.options_from(options or {})
    model = chosen.build(arm, wiring, options, Watch(stations=stations), Hints(gains=gains))
    linear = model.linearise(joints=joints, spin=spin)
    if joints != "held":
        return solve_modes(linear, n, joints)
    from flexarm.simulation.cylinders import cylinder_rests

    rests = cylinder_rests(scenario, wiring, arm) if scenario is not None else {}
    closed, simplified = close_control_loops(linear, wiring, gains, rests)
    return solve_modes(closed, n, joints, spring_loops(linear, wiring, gains), [*notes, *simplified])


def driven_frequencies(scenario: Scenario, n: int = 6) -> Frequencies:
    """Natural frequencies with the joints as the scenario drives them: by motion, by a law, or by torque alone."""
    from flexarm.simulation.build import largest_gains, prepare_program

    program = prepare_program(scenario)
    passive = passive_joints(scenario.arm)
    if all(joint.mode == "motion" or joint.name in passive for joint in program.wiring.joints):
        return frequencies(scenario, n=n, joints="locked")
    laws = [joint.law for joint in program.wiring.joints if joint.law is not None]
    held = any(any(gains) for gains in largest_gains(program, scenario.time.end))
    held = held or any(law.cylinder is not None and law.kind != "external" for law in laws)
    return frequencies(scenario, n=n, joints="held" if held else "free")


def _wiring(arm: Arm, scenario: Any, time: float) -> tuple[Wiring, tuple[tuple[float, float, float], ...], list[str]]:
    """Wiring, gains at `time` and notes of the scenario's drives (a damping ratio refers to them); joints held if there
    is none."""
    if scenario is None:
        return held_wiring(arm), (), []
    from flexarm.simulation.build import gains_at, largest_gains, prepare_program

    if not 0.0 <= time <= scenario.time.end:
        raise FlexarmError(f"time is {time:g} s, but the scenario runs from 0 to {scenario.time.end:g} s")
    program = prepare_program(scenario)
    gains = gains_at(program, time, scenario.time.end)
    notes = []
    if gains != largest_gains(program, scenario.time.end):
        notes.append(f"gains change on the way; these are the ones at {time:g} s")
    return program.wiring, gains, notes


def _springs_held(arm: Arm, wiring: Wiring) -> Wiring:
    """The wiring with motors held that nothing drives and that have no inertia: a method may have left them out."""
    passive = passive_joints(arm)

    def left_out(joint: JointWiring) -> bool:
        unmoved = joint.spring and joint.mode == "free" and joint.name not in passive
        return unmoved and not arm.link(joint.name).joint.rotor_inertia

    return replace(wiring, joints=tuple(replace(j, mode="motion") if left_out(j) else j for j in wiring.joints))


def held_wiring(arm: Arm) -> Wiring:
    """All motors held; joints that follow from closing a loop are free."""
    passive = passive_joints(arm)
    joints = (
        JointWiring(j, "free" if j in passive else "motion", arm.link(j).joint.stiffness is not None)
        for j in arm.joints
    )
    return Wiring(tuple(joints))
