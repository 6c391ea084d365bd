"""Modes of the semi-discrete arm, and what the exact scheme needs of them.

Equations: F30, F31.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import MOTOR, NODE
from flexarm.methods.fd.packing import sensor_coordinate
from flexarm.methods.fd.system import System, influence_vector
from flexarm.numerics.oscillator import INPUTS, exact_step, step_integrals

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
        return system.grid.rotation, system.restoring
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
    return not np.any(system.damper) and not np.any(system.restoring[np.ix_(system.free, system.free)])


def modal_bundle(system: System, modes: Modes, sensor: str, arm: at.Arm) -> at.Modal:
    """What the kernels of the exact scheme read; what depends on the step is of `step_tables`."""
    grid, shapes, m = system.grid, modes.shapes, len(modes.square)
    drive, scale, prescribed = arm.drive, arm.scale, bool(arm.prescribed)
    sense, per_unit = sensor_coordinate(system, sensor)
    influence = influence_vector(system) * scale if prescribed else np.zeros(system.size)
    fixed = np.zeros(system.size)
    if system.ends.pinned_tip:
        fixed[NODE + grid.n] = grid.reference * grid.length
    tip = np.zeros(system.size)
    tip[NODE + grid.n] = 1.0
    bend = tip - grid.length * system.hub_row
    drive_row = scale * system.K[drive] if prescribed else np.zeros(system.size)
    bends_root = not (system.hub_state or system.ends.paper or prescribed)
    return at.Modal(
        square=modes.square, damping=arm.eta * modes.omega**2,
        torque=np.zeros(m) if prescribed else shapes @ system.torque,
        participation=-shapes @ (system.M @ influence), load=shapes @ (system.load - system.K @ fixed),
        angle=shapes[:, drive] / scale, sense=shapes[:, sense] * per_unit, reaction=shapes @ drive_row,
        tip=shapes @ tip, bend=shapes @ bend, patch=np.ascontiguousarray(arm.patch_stroke @ shapes.T),
        shapes=np.ascontiguousarray(shapes), influence=influence, fixed=fixed,
        patch_angle=arm.patch_stroke @ influence, patch_reaction=scale * prescribed * arm.patch_stroke[:, drive],
        transition=np.zeros((2, 2, m)), by_load=np.zeros((4, 2, m)), moments=np.zeros((m, 3, INPUTS)),
        gram=np.zeros((m, INPUTS, INPUTS)), push=np.zeros(m), old_push=np.zeros(m), old_position=np.zeros(m),
        old_rate=np.zeros(m), acceleration=np.zeros(system.size), reaction_angle=float(drive_row @ influence),
        reaction_load=scale * system.load[drive] * prescribed - float(drive_row @ fixed),
        tip_angle=influence[NODE + grid.n], tip_fixed=fixed[NODE + grid.n], bend_angle=float(bend @ influence),
        bend_fixed=float(bend @ fixed), bend_root=grid.length * grid.dx / (2.0 * grid.EI[0]) if bends_root else 0.0,
    )  # fmt: skip


def step_tables(modal: at.Modal, h: float) -> tuple[np.ndarray, ...]:
    """Coefficients of exact steps of length h, and the integrals over them: transition, by_load, moments, gram."""
    steps = exact_step(modal.square, modal.damping, h).T
    integrals = step_integrals(modal.square, modal.damping, h)
    return steps[:4].reshape(modal.transition.shape), steps[4:].reshape(modal.by_load.shape), *integrals
