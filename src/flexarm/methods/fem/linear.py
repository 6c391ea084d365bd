"""Small motions about equilibrium or a steady turn: matrices for frequencies and control design.

Equations: E22.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import Joints, LinearModel, State
from flexarm.methods.equilibrium import MOST_ITERATIONS
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.equilibrium import set_pose
from flexarm.methods.fem.loop_closure import null_space
from flexarm.methods.fem.tangents import (
    constraint_jacobian,
    dense,
    evaluate_at,
    free_matrices,
    free_unknowns,
    freedoms,
    motions,
    tangent_matrices,
)
from flexarm.methods.output_rows import OutputRows, reactions

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


def linear_model(model: FemModel, state: State, joints: Joints) -> LinearModel:
    """Matrices about a state; joints that follow from loops take no torque where the others are locked."""
    M, C, K = tangent_matrices(model, state)
    T, x, q = motions(model, state), state.x[: model.record_width], model.layout["q"]
    passive = model.passive if joints == "locked" else ()
    acting = [
        i for i, link in enumerate(model.arm.links) if model.parts.joint[i, at.J_LAW] and link.name not in passive
    ]
    inputs = [model.arm.links[i].name for i in acting]
    sensed = [f"{model.arm.links[i].name}.{_sensed(model, i)}" for i in acting]
    names = [f"motion {k + 1}" for k in range(len(M))]
    if not model.constraints.rows:
        named = coordinate_names(model)
        names = [named[k] for k in free_unknowns(model)]
    elastic, state = elastic_parts(model, state, T), state.copy()
    forces = (lambda: constraint_forces(model, state, inputs)) if model.constraints.rows else None
    return model.reader.linear_model(x, T, (M, C, K), names, inputs, None, sensed, q, elastic, forces)


def constraint_forces(model: FemModel, state: State, inputs: Sequence[str]) -> OutputRows:
    """Forces of the constraints in small motions, from the balance of the open chains, G^T lam = B u - M q'' - C q' - K q."""
    x, q, T = state.x[: model.record_width], model.layout["q"], freedoms(model, state)
    motors = model.reader.rows(x, [f"{name}.motor_position" for name in inputs])[:, q] @ T
    G = constraint_jacobian(model, state)[0]
    return reactions(G, null_space(G), free_matrices(model, state), motors.T)


def _sensed(model: FemModel, i: int) -> str:
    """What the law of a link's joint reads."""
    chord, by_motor = model.parts.joint[i, [at.J_CHORD, at.J_SENSE_MOTOR]]
    return "chord_position" if chord else "motor_position" if by_motor else "position"


def coordinate_names(model: FemModel) -> tuple[str, ...]:
    """Names of the unknowns."""
    names = [""] * model.size
    for i, link in enumerate(model.arm.links):
        motor = model.mesh.joints[i].motor
        if motor >= 0:
            names[motor] = f"{link.name} motor"
        for a, node in enumerate(model.mesh.nodes[i]):
            for axis, index in zip("xyt", node, strict=True):
                if index >= 0 and not names[index]:
                    names[index] = f"{link.name} {axis}{a}"
    return tuple(names)


def elastic_parts(model: FemModel, state: State, T: np.ndarray) -> np.ndarray:
    """Elastic stiffness of each link in the motions T, (links, motions, motions): what damping of unit time
    adds to C. Only for arms with loops and branches."""
    if not model.constraints.rows:
        return np.zeros((0, 0, 0))
    times, free = model.parts.properties[:, :, at.ETA], free_unknowns(model)
    before, found, T = times.copy(), [], T[free]

    def damping() -> np.ndarray:
        with_rates, without = (dense(evaluate_at(model, state.x, speed, 0.0)[1]) for speed in (1.0, 0.0))
        return (with_rates - without)[np.ix_(free, free)]

    for i in range(model.links):
        times[:] = 0.0
        plain = damping()
        times[model.mesh.link == i] = 1.0
        found.append(T.T @ (damping() - plain) @ T)
    times[:] = before
    return np.array(found)


def spinning_model(model: FemModel, spin: float) -> LinearModel:
    """Small motions about a steady turn with locked joints, in axes that turn with the arm.

    There M u'' + 2 spin M J u' + (K - spin^2 M_t) u = 0, with M_t the mass of translation and J the quarter turn.
    """
    if len(model.mesh.far_nodes) or model.constraints.rows:
        raise CapabilityError("frequencies of a turning arm need a serial arm of flexible links", field="spin")
    if any(model.arm.gravity[:2]) or (model.parts.payload_mass > 0 and any(model.arm.payload.offset_vector)):
        raise CapabilityError("a steady turn needs an arm without gravity and without payload offset", field="spin")
    used = model.rewired("motion")
    state = used.empty()
    set_pose(used, state, model.arm.pose)
    q = state.x[used.layout["q"]]
    frame = state.x[used.layout["frame"]].reshape(at.FRAME, used.links)
    frame[at.RATE] = spin
    M, _, _ = tangent_matrices(used, state)
    J, translation = np.zeros_like(M), np.zeros(used.size)
    for table in used.mesh.nodes:
        for x, y, _ in table:
            if x >= 0:
                J[x, y], J[y, x] = -1.0, 1.0
                translation[[x, y]] = 1.0
    moving = M * np.outer(translation, translation)
    for _ in range(MOST_ITERATIONS):
        residual, band = evaluate_at(used, state.x, 0.0, 0.0)
        K = dense(band) - spin**2 * moving
        step = -np.linalg.solve(K, residual - spin**2 * moving @ q)
        q += step
        if np.abs(step).max() < 1e-12 * used.parts.reach:
            break
    base = linear_model(used, state, "locked")
    return replace(base, C=base.C + 2.0 * spin * moving @ J, K=base.K - spin**2 * moving)
