"""Modes of the semi-discrete arm, and what the exact scheme needs of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.fd import modal_sums as ex
from flexarm.methods.fd.layout import MOTOR, NODE, PATCH_STROKE
from flexarm.methods.fd.packing import drive_coordinate, sensor_coordinate
from flexarm.methods.fd.system import System, ride

SPARE = 20
"""Modes beyond the wanted ones that gravity may mix into them."""


@dataclass(frozen=True)
class Modes:
    """Mass-normalised modes of the free coordinates.

    square : (m,) squared angular frequencies, lowest first, 0 for the rigid rotation and negative for an arm that
    falls; shapes : (m, N) on all coordinates.
    """

    square: np.ndarray
    shapes: np.ndarray

    @property
    def omega(self) -> np.ndarray:
        """Angular frequencies in rad/s, 0 for a motion that does not swing."""
        return np.sqrt(np.clip(self.square, 0.0, None))


def massless(system: System) -> np.ndarray:
    """Free coordinates without mass."""
    return system.free[np.diag(system.M)[system.free] <= 0.0]


def modes_of(system: System, count: int | None = None) -> Modes:
    """The lowest `count` modes (None: all); massless coordinates follow statically."""
    from scipy.linalg import eigh

    K, M = system.K, system.M
    slave = massless(system)
    keep = np.array([j for j in system.free if j not in set(slave)])
    basis = np.zeros((len(keep), system.size))
    basis[np.arange(len(keep)), keep] = 1.0
    if len(slave):
        follow = -np.linalg.solve(K[np.ix_(slave, slave)], K[np.ix_(slave, keep)])
        basis[:, slave] = follow.T
    stiffness, mass = basis @ K @ basis.T, basis @ M @ basis.T
    last = len(keep) if count is None else min(count, len(keep))
    rigid, extra = _rigid_part(system)
    if rigid is None or (len(slave) and system.prescribed >= 0):
        values, vectors = eigh(stiffness, mass, subset_by_index=[0, last - 1])
    else:
        turn = rigid[keep] / np.sqrt(rigid[keep] @ mass @ rigid[keep])
        weight = basis @ extra @ basis.T
        most = min(last + SPARE, len(keep)) if np.any(weight) else last
        values, vectors = eigh(stiffness - weight, mass, subset_by_index=[0, most - 1])
        values[0], vectors[:, 0] = 0.0, turn  # known without rounding
        if np.any(weight):
            values, vectors = _with_weight(values, vectors, turn @ mass, weight)
            values, vectors = values[:last], vectors[:, :last]
    if system.prescribed >= 0 and values[0] < -1e-9 * abs(values[-1]):
        raise CapabilityError("the link buckles under its own weight in this pose", field="arm.gravity")
    return Modes(values, vectors.T @ basis)


def _rigid_part(system: System) -> tuple[np.ndarray | None, np.ndarray]:
    """A rotation that bends nothing (None if there is none), and the stiffness that alone acts against it."""
    if system.ends.pinned_tip:
        return None, system.geometric
    if system.prescribed < 0:
        return system.grid.rotation, system.geometric
    if system.prescribed == MOTOR:
        return system.grid.rotation, system.rest
    return None, system.geometric


def _with_weight(
    values: np.ndarray, vectors: np.ndarray, turn: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Modes when a weak stiffness joins one whose first mode is a rotation without force.

    A stiff link on a fine grid has squared frequencies up to 1e16, so the swing at 1e1 would drown in their rounding.
    Here it is found for itself, by fixed-point steps on its share of the other modes, and taken out before the rest
    are combined. turn : mass times the rotation, of which the other modes are cleaned.
    """
    vectors[:, 1:] -= np.outer(vectors[:, 0], turn @ vectors[:, 1:])
    K = vectors.T @ weight @ vectors
    inner = K[1:, 1:] + np.diag(values[1:])
    share = np.zeros(len(values) - 1)
    for _ in range(60):
        value = K[0, 0] + K[0, 1:] @ share
        after = np.linalg.solve(inner - value * np.eye(len(share)), -K[1:, 0]) if len(share) else share
        change, share = np.abs(after - share).max(initial=0.0), after
        if change <= 1e-15 * np.abs(share).max(initial=0.0):
            break
    else:
        change = np.inf
    if change == np.inf or not abs(K[0, 0]) < 0.1 * values[min(1, len(values) - 1)]:
        mixed, turns = np.linalg.eigh(K + np.diag(values))  # of like size: nothing can drown
        return mixed, vectors @ turns
    swing = np.concatenate(([1.0], share))
    value = K[0, 0] + K[0, 1:] @ share
    swing /= np.linalg.norm(swing)
    mirror = swing.copy()
    mirror[0] += 1.0  # reflects the first axis into -swing
    reflect = np.eye(len(swing)) - np.outer(mirror, mirror) * (2.0 / (mirror @ mirror))
    rest, turns = np.linalg.eigh((reflect @ (K + np.diag(values)) @ reflect)[1:, 1:])
    found = vectors @ np.column_stack([swing, reflect[:, 1:] @ turns])
    order = np.argsort(np.concatenate(([value], rest)))
    return np.concatenate(([value], rest))[order], found[:, order]


def proportional(system: System, eta: float) -> bool:
    """True if damping does not couple the modes."""
    if eta == 0.0 and not np.any(system.damper):
        return True
    return not np.any(system.damper) and not np.any(system.rest[np.ix_(system.free, system.free)])


def exact_rows(
    system: System, modes: Modes, eta: float, sensor: str, patch: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows, scalars, ride and fixed part for the exact kernels (see `exact`)."""
    grid, shapes = system.grid, modes.shapes
    drive, scale = drive_coordinate(system)
    sense, per_unit = sensor_coordinate(system, sensor)
    moved = system.prescribed >= 0
    follow = ride(system) * scale if moved else np.zeros(system.size)
    fixed = np.zeros(system.size)
    if system.ends.pinned_tip:
        fixed[NODE + grid.n] = grid.reference * grid.length
    patches = len(patch) // 3
    rows = np.zeros((ex.R_PATCH + patches, len(modes.square)))
    rows[ex.R_TORQUE] = 0.0 if moved else shapes @ system.torque
    rows[ex.R_RIDE] = -shapes @ (system.M @ follow)
    rows[ex.R_LOAD] = shapes @ (system.load - system.K @ fixed)
    rows[ex.R_ANGLE] = shapes[:, drive] / scale
    rows[ex.R_SENSE] = shapes[:, sense] * per_unit
    rows[ex.R_DAMPING] = eta * modes.omega**2
    rows[ex.R_SQUARE] = modes.square
    bend = np.zeros(system.size)
    bend[NODE + grid.n] = 1.0
    rows[ex.R_TIP] = shapes @ bend
    bend -= grid.length * system.hub_row
    rows[ex.R_BEND] = shapes @ bend
    scalars = np.zeros(ex.C_PATCH + 2 * patches)
    if moved:
        rows[ex.R_REACTION] = scale * (shapes @ system.K[drive])
        scalars[ex.C_DRIVE_MASS] = system.M[drive, drive] * scale**2
        scalars[ex.C_REACTION_ANGLE] = scale * float(system.K[drive] @ follow)
        scalars[ex.C_REACTION_LOAD] = scale * float(system.load[drive] - system.K[drive] @ fixed)
    scalars[ex.C_TIP_ANGLE], scalars[ex.C_TIP_FIXED] = follow[NODE + grid.n], fixed[NODE + grid.n]
    scalars[ex.C_BEND_ANGLE], scalars[ex.C_BEND_FIXED] = float(bend @ follow), float(bend @ fixed)
    if not system.hub_state and not system.ends.paper and not moved:
        scalars[ex.C_BEND_ROOT] = grid.length * grid.dx / (2.0 * grid.EI[0])
    for k in range(patches):
        rows[ex.R_PATCH + k] = shapes @ patch[3 * k + PATCH_STROKE]
        scalars[ex.C_PATCH + 2 * k] = float(patch[3 * k + PATCH_STROKE] @ follow)
        scalars[ex.C_PATCH + 2 * k + 1] = scale * float(patch[3 * k + PATCH_STROKE, drive]) if moved else 0.0
    return rows, scalars, follow, fixed
