"""Static analysis of a spatial arm: the same answer as for a planar one, with three more components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.static_result import StaticResult, displacement_array, force_array, force_set, imbalance_of

if TYPE_CHECKING:
    import xarray

    from flexarm.analysis.loads import Load
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
        model.look(state, pose_row(model, pose))
    wrong = roots - balanced_roots(model, placed, acting)
    bent, rigid, names, reader = (
        model.record(state),
        model.record(stiff),
        [k.name for k in model.arm.links],
        model.reader,
    )
    moved = reader.shapes(bent[None])[0][0] - reader.shapes(rigid[None])[0][0]
    tip = int(model.mesh.tips[model.arm.index(model.arm.payload_link.name)])
    return StaticResult(
        displacement_array(moved, names, reader.stations), (bent - rigid)[3 * tip : 3 * tip + 3], _turn(model, tip, bent, rigid),
        _forces(model, bent), force_array(roots, names, COMPONENTS), roots[0, :3].copy(), roots[0, 3:].copy(), stable,
        imbalance_of(wrong, roots, model.parts.length, 3), loads,
    )  # fmt: skip


def _turn(model: SpatialModel, frame: int, bent: np.ndarray, rigid: np.ndarray) -> np.ndarray:
    """Rotation vector (3,) of a frame from the stiff arm, in the axes of the ground."""
    from flexarm.methods.fem.spatial.placing import small_turn

    F = model.F
    one, two = (record[3 * F : 12 * F].reshape(F, 9)[frame : frame + 1] for record in (rigid, bent))
    small = bent[12 * F : 15 * F].reshape(F, 3)[frame]
    return small.copy() if model.options.theory == "linear" else small_turn(one, two)[0]


def _forces(model: SpatialModel, record: np.ndarray) -> xarray.Dataset:
    """Section forces at the root and in the middle of the elements of all flexible links."""
    found = []
    for i, link in enumerate(model.arm.links):
        if link.flexible:
            places, values = model.reader.section_forces(record[None], i)
            found.append((link.name, places, [values[0, :, k] for k in range(6)]))
    return force_set(found, FORCES)
