"""Static analysis of an arm as a frame: all joints held, gravity and point loads, large deflections included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.frequencies import held_wiring, posed
from flexarm.analysis.loads import Load, read_load
from flexarm.analysis.static_result import StaticResult, displacement_array, force_array, force_set, imbalance_of
from flexarm.arm import Arm
from flexarm.errors import CapabilityError, FlexarmError
from flexarm.methods import get_method
from flexarm.methods.base import Watch

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel
    from flexarm.scenario import Scenario

METHOD = "fem"
FORCES = {"axial": ("N", "axial force"), "shear": ("N", "shear force"), "moment": ("N*m", "bending moment")}


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
        A scenario for the method fem also brings its options.
    method : str, optional
        Only ``fem`` has loads at points; it is the default whatever the scenario's method is.
    pose : sequence of float, optional
        Joint positions, rad; default the start pose.
    loads : sequence of Load or dict
        Each with link (default the last), at (tip, root, fraction or named point; default tip), force ``[x, y]`` in N
        in the axes of the ground, moment in N*m; in space both have three components. They keep their direction. Gravity
        acts besides.
    options : optional
        The method's options, as its model or as a dict.
    stations : int
        Points along each link where displacements are given.
    hold : bool
        Hold also the joints that a scenario leaves free to move (driven by torque alone, or not at all). Without it such
        a mechanism is refused. The joints of an Arm are always held.

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
    if not isinstance(arm, Arm) and not hold:
        _check_held(arm)
    model, pose = _model(arm, method, pose, options, stations)
    read = tuple(read_load(load, model.arm, f"loads[{k}]") for k, load in enumerate(loads))
    if model.arm.spatial:
        from flexarm.analysis.static_space import static_in_space

        return static_in_space(model, pose, read)
    from flexarm.methods.fem.equilibrium import is_stable, set_pose, static_state
    from flexarm.methods.fem.reactions import balanced_roots, element_roots, load_vector

    acting = [(model.arm.index(load.link), load.at, *load.force, load.moment) for load in read]
    stiff = model.empty()
    set_pose(model, stiff, pose)
    state = static_state(model, pose, load_vector(model, acting))
    bent, rigid = model.record(state), model.record(stiff)
    roots = element_roots(model, bent, acting)
    wrong = roots - balanced_roots(model, bent, rigid, acting)
    imbalance = imbalance_of(wrong, roots, float(model.parts.lengths.sum()), 2)
    return _result(model, bent, rigid, roots, is_stable(model, state), imbalance, read)


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


def _model(
    arm: Arm | Scenario, method: str | None, pose: Sequence[float] | None, options: Any, stations: int
) -> tuple[Any, Sequence[float]]:
    """The finite-element model with all motors held, and the pose."""
    if (method or METHOD) != METHOD:
        get_method(str(method))  # refuses a name that nothing has
        raise CapabilityError(
            f"the static analysis is part of the method fem; {method} has no loads at points", field="method"
        )
    if stations < 2:
        raise FlexarmError("stations must be at least 2: the root and the tip of a link")
    if not isinstance(arm, Arm):
        if options is None and arm.method.name == METHOD:
            options = arm.method.options
        arm = arm.arm
    if not arm.serial:
        raise CapabilityError(
            "the static analysis with loads is for links that stand tip to root; the weight of other arms acts in a run "
            "that starts in equilibrium",
            field="arm.loops" if arm.loops else "arm.links",
        )
    if pose is not None:
        arm = posed(arm, pose)
    chosen = get_method(METHOD)
    if not isinstance(options, chosen.Options):
        options = chosen.options_from(options or {})
    wiring = held_wiring(arm)
    model: Any = chosen.build(arm, wiring, options, Watch(stations=stations))
    if arm.spatial:
        return model, arm.pose
    beside = [link.name for i, link in enumerate(arm.links) if link.flexible and i in model.mesh.far_nodes[:, 0]]
    if beside:
        raise CapabilityError(
            "the static analysis takes masses of flexible links on their axis only",
            field=f"arm.links.{beside[0]}.masses",
        )
    return model, arm.pose


def _result(
    model: FemModel,
    bent: np.ndarray,
    rigid: np.ndarray,
    roots: np.ndarray,
    stable: bool,
    imbalance: float,
    loads: tuple[Load, ...],
) -> StaticResult:
    names, reader = [link.name for link in model.arm.links], model.reader
    shape = reader.signals(np.zeros(2), np.stack([bent, rigid]))["shape"]
    moved = np.asarray(shape[0] - shape[1], dtype=float)
    tip = np.append((bent - rigid)[model.parts.payload[:2]], 0.0)
    turned = float(bent[model.parts.payload[2]] - rigid[model.parts.payload[2]])
    parts = []
    for i, link in enumerate(model.arm.links):
        parts.append((link.name, reader.points(i) / link.span, list(reader.point_forces(bent, i))))
    return StaticResult(
        displacement_array(moved, names, reader.stations), tip, turned, force_set(parts, FORCES),
        force_array(roots, names, ["x", "y", "moment"]), np.array([roots[0, 0], roots[0, 1], 0.0]), float(roots[0, 2]),
        stable, imbalance, loads,
    )  # fmt: skip
