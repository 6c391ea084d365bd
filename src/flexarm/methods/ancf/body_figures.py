"""What rigid bodies on sections add to mass matrix, energies and steady turns, from the table of `bodies`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.ancf.bodies import B_B, B_GX, B_GY, B_INERTIA, B_JOINT, B_MASS, B_R, B_X, B_Y

if TYPE_CHECKING:
    from flexarm.methods.ancf.model import AncfModel

QUARTER = np.array([[0.0, -1.0], [1.0, 0.0]])
"""Quarter turn."""


def _turning(body: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gradient of a body's angle and offset of its centre, both (nt, 2), at positions q (nt, size)."""
    p = int(body[B_B])
    b = q[:, p : p + 2]
    square = np.sum(b**2, axis=1, keepdims=True)
    unit = b / np.sqrt(square)
    return b @ QUARTER.T / square, body[B_X] * unit + body[B_Y] * unit @ QUARTER.T


def body_kinetic(model: AncfModel, q: np.ndarray, v: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Kinetic energy (nt,) that the constant mass matrix does not hold; `turn` (nt, links): rates of the motors."""
    total = np.zeros(len(q))
    for body in model.kernel.body:
        rate = np.zeros(len(q))
        if body[B_B] >= 0:
            r, p = int(body[B_R]), int(body[B_B])
            gradient, offset = _turning(body, q)
            rate = np.sum(gradient * v[:, p : p + 2], axis=1)
            if body[B_MASS] > 0.0:
                extra = rate[:, None] * offset @ QUARTER.T
                total += body[B_MASS] * np.sum(extra * (v[:, r : r + 2] + 0.5 * extra), axis=1)
        beyond = turn[:, int(body[B_JOINT])] if body[B_JOINT] >= 0 else 0.0
        total += 0.5 * body[B_INERTIA] * (rate + beyond) ** 2
    return total


def body_potential(model: AncfModel, q: np.ndarray) -> np.ndarray:
    """Potential (nt,) of the weight at the offsets of the bodies."""
    total = np.zeros(len(q))
    for body in model.kernel.body:
        if body[B_MASS] > 0.0:
            total -= body[B_MASS] * _turning(body, q)[1] @ body[[B_GX, B_GY]]
    return total


def _motion(model: AncfModel, body: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows (2, size) of the velocity of a body's node and of its centre, and the row (size,) of its turning."""
    node, turn, p, r = np.zeros((2, model.size)), np.zeros(model.size), int(body[B_B]), int(body[B_R])
    gradient, offset = (part[0] for part in _turning(body, q[None]))
    turn[p : p + 2] = gradient
    if body[B_MASS] > 0.0:
        node[:, r : r + 2] = np.eye(2)
    return node, node + np.outer(QUARTER @ offset, turn), turn


def mass_at(model: AncfModel, q: np.ndarray) -> np.ndarray:
    """Mass matrix (size, size) at positions q (size,)."""
    M = model.mass.copy()
    for body in model.kernel.body:
        if body[B_B] >= 0:
            node, centre, turn = _motion(model, body, q)
            M += body[B_MASS] * (centre.T @ centre - node.T @ node) + body[B_INERTIA] * np.outer(turn, turn)
    return M


def spun_bodies(model: AncfModel, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Force (size,), its derivative and gyroscopic matrix (size, size) of the bodies in axes that turn at unit rate.

    Only the offsets count: what sits on the axis is in the constant mass matrix, and inertia about the centre feels no
    steady turn in the plane.
    """
    force, slope, gyro = np.zeros(model.size), np.zeros((model.size,) * 2), np.zeros((model.size,) * 2)
    for body in model.kernel.body:
        if body[B_MASS] <= 0.0:
            continue
        node, centre, turn = _motion(model, body, q)
        p, offset = int(body[B_B]), _turning(body, q[None])[1][0]
        place = node @ q + offset
        force += body[B_MASS] * (centre.T @ place - node.T @ (node @ q))
        slope += body[B_MASS] * (centre.T @ centre - node.T @ node - (place @ offset) * np.outer(turn, turn))
        x, y = q[p : p + 2]
        bend = np.array([[2.0 * x * y, y * y - x * x], [y * y - x * x, -2.0 * x * y]]) / (x * x + y * y) ** 2
        slope[p : p + 2, p : p + 2] += body[B_MASS] * (place @ QUARTER @ offset) * bend
        gyro += 2.0 * body[B_MASS] * (centre.T @ QUARTER @ centre - node.T @ QUARTER @ node)
    return force, slope, gyro
