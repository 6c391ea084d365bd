"""Static analysis of a spatial arm: the same answer as for a planar one, with three more components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.static_result import StaticResult, displacement_array, force_array, force_set, imbalance_of

if TYPE_CHECKING:
    import xarray

    from flexarm.analysis.loads import Load
    from flexarm.methods.base import State
    from flexarm.methods.fem.spatial.model import SpatialModel

FORCES = {
    "axial": ("N", "axial force"),
    "shear": ("N", "shear force"),
    "shear_z": ("N", "shear force across"),
    "torsion": ("N*m", "torsion moment"),
    "moment_y": ("N*m", "bending moment across"),
    "moment": ("N*m", "bending moment"),
}
COMPONENTS = ["x", "y", "z", "moment_x", "moment_y", "moment_z"]


def static_in_space(model: SpatialModel, pose: Any, loads: tuple[Load, ...]) -> StaticResult:
    """The equilibrium of `model` with its motors held at `pose`."""
    from flexarm.methods.fem.spatial.linear import is_stable, pose_row, static_state
    from flexarm.methods.fem.spatial.loading import balanced_roots, held_roots
    from flexarm.methods.fem.spatial.placing import place_rigidly

    acting = [
        (model.arm.index(load.link), load.at, np.concatenate([load.force, np.atleast_1d(load.moment)]))
        for load in loads
    ]
    state = static_state(model, pose, acting)
    stable = is_stable(model, state, acting)
    roots = held_roots(model, state, acting)
    stiff = model.empty()
    place_rigidly(model, stiff, pose, None, pose_row(model, pose))
    placed = stiff if model.options.theory == "linear" else state
    if placed is state:
        model.evaluate(state, pose_row(model, pose))
    wrong = roots - balanced_roots(model, placed, acting)
    bent, rigid, names, reader = (
        model.record(state),
        model.record(stiff),
        [k.name for k in model.arm.links],
        model.reader,
    )
    seen = reader.signals(np.zeros(2), np.array([bent, rigid]))
    moved, tips = -np.diff(seen["shape"], axis=0)[0], seen["tip_position"]
    tip = int(model.mesh.tips[reader.tip_link])
    return StaticResult(
        displacement_array(moved, names, reader.stations), tips[0] - tips[1], _turn(model, tip, state, stiff),
        _forces(model, bent), force_array(roots, names, COMPONENTS), roots[0, :3].copy(), roots[0, 3:].copy(), stable,
        imbalance_of(wrong, roots, model.parts.length, 3), loads,
    )  # fmt: skip


def _turn(model: SpatialModel, frame: int, bent: State, rigid: State) -> np.ndarray:
    """Rotation vector (3,) of a frame from the stiff arm, in the axes of the ground."""
    from flexarm.methods.fem.spatial.placing import small_turn

    if model.options.theory == "linear":
        return model.views(bent).small_rotation[frame].copy()
    one, two = (model.views(state).rotation[frame : frame + 1].copy() for state in (rigid, bent))
    return small_turn(one, two)[0]


def _forces(model: SpatialModel, record: np.ndarray) -> xarray.Dataset:
    """Section forces at the root and in the middle of the elements of all flexible links."""
    found = []
    for i, link in enumerate(model.arm.links):
        if link.flexible:
            places = model.reader.element_places(i)
            formulas = model.reader.section_forces(i, places)
            values = model.reader.graph.tape(formulas.ravel()).values(record).reshape(formulas.shape)
            found.append((link.name, places, list(values)))
    return force_set(found, FORCES)
