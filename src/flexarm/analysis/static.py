"""Static analysis of an arm as a frame: all joints held, gravity and point loads, large deflections included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.frequencies import held_wiring, posed
from flexarm.analysis.loads import Load, read_load
from flexarm.analysis.static_result import StaticResult, displacement_array, force_array, force_set, imbalance_of
from flexarm.arm import Arm
from flexarm.drive import ACCELERATION, POSITION
from flexarm.errors import CapabilityError, FlexarmError
from flexarm.methods import get_method, method_names
from flexarm.methods.base import Loaded, Method, Model, PointLoad, Watch
from flexarm.methods.capabilities import able, not_supported
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.simulation.controllers import SIDE
from flexarm.simulation.program import prepare_program, row_at
from flexarm.simulation.rest import Held, find_rest

if TYPE_CHECKING:
    import xarray

    from flexarm.scenario import Scenario


@with_one_blas_thread
def static(
    arm: Arm | Scenario,
    method: str | None = None,
    pose: Sequence[float] | None = None,
    loads: Sequence[Load | Mapping[str, Any]] = (),
    options: Any = None,
    stations: int = 21,
    hold: bool = False,
) -> StaticResult:
    """Displacements, section forces and reactions of an arm whose joints are held.

    Parameters
    ----------
    arm : Arm or Scenario
        A scenario also brings the options of its method, if that is the one that is used, and the laws that hold its joints:
        they give way under the loads. Forces and moments that its drives put on links at the start act too.
    method : str, optional
        A method that supports loads at points; the scenario's when left out, or the first one that does.
    pose : sequence of float, optional
        Joint positions, rad, that motors hold or laws are told to hold; default the start pose.
    loads : sequence of Load or dict
        Each with link (default the last), at (tip, root, fraction or named point; default tip), force ``[x, y]`` in N
        in the axes of the ground, moment in N*m; in space both have three components. They keep their direction. Gravity
        acts besides.
    options : optional
        The method's options, as its model or as a dict.
    stations : int
        Points along each link where displacements are given.
    hold : bool
        Lock all joints: those of laws, and those that a scenario leaves free to move (driven by torque alone, or not at
        all), which are refused without it. The joints of an Arm are always locked.

    Returns
    -------
    StaticResult

    Examples
    --------
    >>> import flexarm as fa
    >>> bar = {"shape": "rectangle", "width": 0.02, "height": 0.02}
    >>> arm = fa.Arm(links=[{"name": "bar", "length": 1.0, "section": bar, "material": "steel"}])
    >>> found = fa.static(arm, loads=[{"force": [0, -10]}], options={"resolution": 40})
    >>> round(1e3 * float(found.tip_displacement[1]), 2)
    -1.21
    """
    chosen, model = _model(arm, method, pose, options, stations)
    read = tuple(read_load(load, model.arm, f"loads[{k}]") for k, load in enumerate(loads))
    acting, place = [_at_point(load, model.arm) for load in read], model.arm.pose
    row = None if isinstance(arm, Arm) else _pushes(arm, model)
    if not isinstance(arm, Arm) and not hold:
        _check_held(arm)
        place = tuple(_rest(arm, model, acting, row))
    found = model.static_loads(place, acting, row)
    told = model.start(model.arm.pose, None, model.posed_row(model.arm.pose))
    return _result(chosen.name, model, found._replace(undeformed=told), read)


def _pushes(scenario: Scenario, model: Model) -> np.ndarray:
    """A drive row with the loads that the drives put on links at the start."""
    row, joints = model.posed_row(model.arm.pose), len(model.wiring.joints)
    if model.wiring.patches:
        row[joints:] = row_at(scenario.program, 0.0, scenario.time.end)[joints:, : row.shape[1]]
    return row


def _rest(scenario: Scenario, model: Model, loads: Sequence[PointLoad], pushes: np.ndarray | None) -> np.ndarray:
    """Where the motors rest under the loads if laws hold them, told to hold the model's pose, (joints,)."""
    program, names = prepare_program(scenario), model.arm.joints
    joints, columns = program.wiring.joints, [model.arm.index(name) for name in names]
    if all(joint.mode == "motion" for joint in joints):
        return np.array(model.arm.pose)
    row = row_at(program, 0.0, scenario.time.end)
    row[: len(names), POSITION : ACCELERATION + 1] = 0.0
    row[: len(names), POSITION] = model.arm.pose
    reading = [f"{j.name}.{SIDE[j.law.sensor] if j.law is not None else ''}position" for j in joints]

    def held(pose: np.ndarray) -> Held:
        found = model.static_loads(pose, loads, pushes)
        state = model.restart(found.state.copy(), model.posed_row(pose))  # for what the sensors read
        return Held(pose, found.torques[columns], model.reader.tape(reading).values(model.record(state)))

    return find_rest(model.arm, joints, row, held, model.arm.pose).pose


def _check_held(scenario: Scenario) -> None:
    """Refuse a mechanism that would give way."""
    program = scenario.program
    for joint, commanded in zip(program.wiring.joints, program.commanded, strict=True):
        if not commanded:
            raise CapabilityError(
                f"joint '{joint.name}' is free to move, so the arm has no equilibrium of its own under loads: give the "
                "joint a motion ({profile: constant}), or hold all joints (--hold, hold=True)",
                field=f"arm.links.{joint.name}.joint",
            )


def _method(arm: Arm, name: str | None, own: str | None) -> Method:
    """The method that is asked for, else the scenario's own, else the first; one that supports loads at points."""
    wiring = held_wiring(arm)
    can = able(arm, wiring, "point_loads")
    chosen = name or (own if own in can else next(iter(can), own or method_names()[0]))
    if chosen not in can:
        raise not_supported(get_method(chosen), arm, wiring, "loads at points", "method", "point_loads")
    return get_method(chosen)


def _model(
    arm: Arm | Scenario, method: str | None, pose: Sequence[float] | None, options: Any, stations: int
) -> tuple[Method, Model]:
    """The method, and the model with all motors held in the pose."""
    if stations < 2:
        raise FlexarmError("stations must be at least 2: the root and the tip of a link")
    own = None if isinstance(arm, Arm) else arm.method
    patches = () if isinstance(arm, Arm) else arm.program.wiring.patches
    arm = arm if isinstance(arm, Arm) else arm.arm
    if not arm.serial:
        raise CapabilityError(
            "the static analysis with loads is for links that stand tip to root; the weight of other arms acts in a run "
            "that starts in equilibrium",
            field="arm.loops" if arm.loops else "arm.links",
        )
    arm = arm if pose is None else posed(arm, pose)
    wiring = replace(held_wiring(arm), patches=patches)
    chosen = _method(arm, method, own.name if own is not None else None)
    if options is None and own is not None and own.name == chosen.name:
        options = own.options
    if not isinstance(options, chosen.Options):
        options = chosen.options_from(options or {})
    return chosen, chosen.build(arm, wiring, options, Watch(stations=stations))


def _at_point(load: Load, arm: Arm) -> PointLoad:
    """A load with three components of force and moment."""
    moment = load.moment if isinstance(load.moment, tuple) else (0.0, 0.0, load.moment)
    return PointLoad(arm.index(load.link), load.at, np.array([*load.force, 0.0])[:3], np.array(moment))


def _result(method: str, model: Model, found: Loaded, loads: tuple[Load, ...]) -> StaticResult:
    names, reader = [link.name for link in model.arm.links], model.reader
    records = np.stack([model.record(found.undeformed), model.record(found.state)])
    seen = reader.signals(np.zeros(2), records)
    turn, axes = reader.tip_turn(records), 3 if model.arm.spatial else 2
    components = ["x", "y", "z", "moment_x", "moment_y", "moment_z"] if model.arm.spatial else ["x", "y", "moment"]
    reach = sum(link.span for link in model.arm.links)
    first, forces = found.roots[0], _forces(model, records[1])
    pulled = [np.abs(forces.axial_force.values[forces.link.values == name]).max(initial=0.0) for name in names]
    return StaticResult(
        displacement_array(np.diff(seen["shape"], axis=0)[0], names, reader.stations), np.diff(seen["tip_position"], axis=0)[0],
        turn, forces, force_array(found.roots, names, components), np.append(first[:axes], 0.0)[:3],
        first[axes:].copy() if model.arm.spatial else float(first[2]), found.stable,
        imbalance_of(found.roots - found.balanced, found.roots, reach, axes), loads, method,
        tuple(model.load_notes(np.inf, lambda: np.array(pulled))),
    )  # fmt: skip


def _forces(model: Model, record: np.ndarray) -> xarray.Dataset:
    """Section forces of all flexible links where they are most accurate."""
    parts, reader = [], model.reader
    for i, link in enumerate(model.arm.links):
        if link.flexible:
            places = reader.force_places(i)
            formulas = reader.section_forces(i, places)
            parts.append(
                (link.name, places, reader.graph.tape(formulas.ravel()).values(record).reshape(formulas.shape))
            )
    return force_set(parts, reader.forces)
