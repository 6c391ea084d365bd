"""A small finite-element model of the single link, as an independent opinion in these tests."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from flexarm.analysis.exact_link import ExactLink


def matrices(link: ExactLink, elements: int, hub: str = "pinned") -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness for slope at the root (pinned), then displacement and slope of each further node."""
    h, size = link.length / elements, 2 * (elements + 1)
    k = link.EI / h**3 * np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
         [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]
    )  # fmt: skip
    m = link.rhoA * h / 420 * np.array(
        [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
         [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]
    )  # fmt: skip
    M, K = np.zeros((size, size)), np.zeros((size, size))
    for e in range(elements):
        part = slice(2 * e, 2 * e + 4)
        M[part, part] += m
        K[part, part] += k
    M[1, 1] += link.hub_inertia
    M[-2:, -2:] += link.tip_mass
    held = 1 if hub == "pinned" else 2
    return M[held:, held:], K[held:, held:]


def frequencies(link: ExactLink, elements: int, hub: str = "pinned") -> np.ndarray:
    """Elastic natural frequencies, Hz."""
    M, K = matrices(link, elements, hub)
    squares = eigh(K, M, eigvals_only=True)[1 if hub == "pinned" else 0 :]
    return np.sqrt(squares) / (2.0 * np.pi)


def coast(link: ExactLink, elements: int, y: np.ndarray, v: np.ndarray, torque: float, t: float):
    """Displacements and velocities of the nodes after the time `t` under a constant hub torque."""
    M, K = matrices(link, elements)
    squares, V = eigh(K, M)
    w = np.sqrt(np.maximum(squares, 0.0))
    w[0] = 0.0
    q, r, f = V.T @ M @ y, V.T @ M @ v, V[0] * torque
    c, s = np.cos(w * t), np.where(w > 0.0, np.sin(w * t) / np.where(w > 0.0, w, 1.0), t)
    ramp = np.where(w > 0.0, (1.0 - c) / np.where(w > 0.0, w**2, 1.0), 0.5 * t * t)
    return V @ (q * c + r * s + f * ramp), V @ (-q * w * np.sin(w * t) + r * c + f * s)
