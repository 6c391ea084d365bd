"""What rigid bodies on sections add to mass matrix, energies and steady turns.

Equations: A17, A38.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from flexarm.methods.ancf.layout import Parts
    from flexarm.methods.ancf.model import AncfModel

QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])
"""Quarter turn."""


def _rotation_rows(m: Parts, k: int, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gradient of body k's angle and offset of its centre, both (nt, 2), at positions q (nt, size)."""
    p, (along, across) = m.body_section[k], m.body_offset[k]
    b = q[:, p : p + 2]
    square = np.sum(b**2, axis=1, keepdims=True)
    unit = b / np.sqrt(square)
    return b @ QUARTER.T / square, along * unit + across * unit @ QUARTER.T


def body_kinetic(m: Parts, q: np.ndarray, v: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Kinetic energy (nt,) that the constant mass matrix does not hold; `turn` (nt, links): rates of the motors."""
    total = np.zeros(len(q))
    for k, mass in enumerate(m.body_mass):
        rate, r, p, joint = np.zeros(len(q)), m.body_node[k], m.body_section[k], m.body_joint[k]
        if p >= 0:
            gradient, offset = _rotation_rows(m, k, q)
            rate = np.sum(gradient * v[:, p : p + 2], axis=1)
            if mass > 0.0:
                extra = rate[:, None] * offset @ QUARTER.T
                total += mass * np.sum(extra * (v[:, r : r + 2] + 0.5 * extra), axis=1)
        total += 0.5 * m.body_inertia[k] * (rate + (m.body_ratio[k] * turn[:, joint] if joint >= 0 else 0.0)) ** 2
    return total + 0.5 * turn**2 @ m.gear


def body_potential(m: Parts, q: np.ndarray) -> np.ndarray:
    """Potential (nt,) of the weight at the offsets of the bodies."""
    total = np.zeros(len(q))
    for k in np.flatnonzero(m.body_mass).tolist():
        total -= m.body_mass[k] * _rotation_rows(m, k, q)[1] @ m.gravity
    return total


def _motion(m: Parts, k: int, q: np.ndarray) -> tuple[np.ndarray, ...]:
    """Rows (2, size) of the velocity of a body's node and of its centre, the row (size,) of its turning, its offset (2,)."""
    node, turn, p, r = np.zeros((2, len(q))), np.zeros(len(q)), m.body_section[k], m.body_node[k]
    gradient, offset = (part[0] for part in _rotation_rows(m, k, q[None]))
    turn[p : p + 2] = gradient
    if m.body_mass[k] > 0.0:
        node[:, r : r + 2] = np.eye(2)
    return node, node + np.outer(QUARTER @ offset, turn), turn, offset


def mass_at(model: AncfModel, q: np.ndarray) -> np.ndarray:
    """Mass matrix (size, size) at positions q (size,)."""
    M, m = model.mass.copy(), model.parts
    for k in np.flatnonzero(m.body_section >= 0).tolist():
        node, centre, turn, _ = _motion(m, k, q)
        M += m.body_mass[k] * (centre.T @ centre - node.T @ node) + m.body_inertia[k] * np.outer(turn, turn)
    for i in np.flatnonzero(m.gear).tolist():
        turn = _angle_row(q, m.before[i])
        turn = np.eye(len(q))[m.motor[i]] - turn if m.sprung[i] else _angle_row(q, m.first[i]) - turn
        M += m.gear[i] * np.outer(turn, turn)
    return M


def _angle_row(q: np.ndarray, p: int) -> np.ndarray:
    """Gradient (size,) of the angle of the vector at p."""
    row, b = np.zeros(len(q)), q[p : p + 2]
    row[p : p + 2] = QUARTER @ b / (b @ b)
    return row


def spun_bodies(m: Parts, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Force (size,), its derivative and gyroscopic matrix (size, size) of the bodies in axes that turn at unit rate.

    Only the offsets count: what sits on the axis is in the constant mass matrix, and inertia about the centre feels no
    steady turn in the plane.
    """
    force, slope, gyro = np.zeros(len(q)), np.zeros((len(q),) * 2), np.zeros((len(q),) * 2)
    for k in np.flatnonzero(m.body_mass).tolist():
        node, centre, turn, offset = _motion(m, k, q)
        p, mass, place = m.body_section[k], m.body_mass[k], node @ q + offset
        force += mass * (centre.T @ place - node.T @ (node @ q))
        slope += mass * (centre.T @ centre - node.T @ node - (place @ offset) * np.outer(turn, turn))
        x, y = q[p : p + 2]
        bend = np.array([[2.0 * x * y, y * y - x * x], [y * y - x * x, -2.0 * x * y]]) / (x * x + y * y) ** 2
        slope[p : p + 2, p : p + 2] += mass * (place @ QUARTER @ offset) * bend
        gyro += 2.0 * mass * (centre.T @ QUARTER @ centre - node.T @ QUARTER @ node)
    return force, slope, gyro
