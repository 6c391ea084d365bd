"""Strains of the elements in many records at once.

Equations: S1, S26.
"""

from __future__ import annotations

import numpy as np


def exact_strains(r1: np.ndarray, R1: np.ndarray, r2: np.ndarray, R2: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Strains (..., 6) between sections at r (..., 3), turned by R (..., 3, 3), of elements of length h (...)."""
    turn = np.swapaxes(R1, -1, -2) @ R2
    sine = 0.5 * _axial(turn)
    size = np.linalg.norm(sine, axis=-1)
    angle = np.arctan2(size, 0.5 * (np.trace(turn, axis1=-2, axis2=-1) - 1.0))
    psi = sine * np.where(size > 1e-8, angle / np.maximum(size, 1e-300), 1.0)[..., None]
    half = 0.5 * angle[..., None]
    axis = psi / np.maximum(angle, 1e-300)[..., None]
    D = np.einsum("...ji,...j->...i", R1, r2 - r1)
    once = np.cross(axis, D)  # into the section halfway, by Rodrigues' formula
    D = D - np.sin(half) * once + (1.0 - np.cos(half)) * np.cross(axis, once)
    return np.concatenate([D / h[..., None] - [1.0, 0.0, 0.0], psi / h[..., None]], axis=-1)


def small_strains(
    r1: np.ndarray, th1: np.ndarray, r2: np.ndarray, th2: np.ndarray, R: np.ndarray, h: np.ndarray
) -> np.ndarray:
    """The same of small displacements and rotations th (..., 3) about a stiff arm turned by R."""
    D = np.einsum("...ji,...j->...i", R, r2 - r1) / h[..., None]
    middle = np.einsum("...ji,...j->...i", R, 0.5 * (th1 + th2))
    kappa = np.einsum("...ji,...j->...i", R, th2 - th1) / h[..., None]
    gamma = np.stack([D[..., 0] - 1.0, D[..., 1] - middle[..., 2], D[..., 2] + middle[..., 1]], axis=-1)
    return np.concatenate([gamma, kappa], axis=-1)


def _axial(m: np.ndarray) -> np.ndarray:
    """Twice the vector of the skew part of matrices."""
    return np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], axis=-1)
