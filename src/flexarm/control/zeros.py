"""Transmission zeros: values of s at which the pencil

    [ s - A   -B ]
    [   C      D ]

loses rank, without those of modes that the inputs do not reach or the outputs do not see."""

from __future__ import annotations

import numpy as np

UNSEEN = 1e-9
"""Share of the largest below which a mode's coupling to inputs or outputs is rounding."""
FAR = 1e3
"""Roots beyond this many times the fastest pole stand for infinity."""


def transmission_zeros(A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> np.ndarray:
    """Finite zeros of a model with as many inputs as outputs."""
    from scipy.linalg import eigvals

    A, B, C = _minimal(A, B, C)
    n, m = len(A), B.shape[1]
    B = B / np.maximum(np.linalg.norm(B, axis=0), 1e-300)
    size = np.maximum(np.linalg.norm(np.hstack([C, D]), axis=1), 1e-300)[:, None]
    speed = max(float(np.abs(np.linalg.eigvals(A)).max(initial=0.0)), 1e-300)
    left = np.block([[A / speed, B], [C / size, D / size]])
    right = np.zeros((n + m, n + m))
    right[:n, :n] = np.eye(n)
    top, bottom = eigvals(left, right, homogeneous_eigvals=True)
    finite = np.abs(bottom) * FAR > np.abs(top)
    return np.asarray(speed * top[finite] / bottom[finite])


def _minimal(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Balanced states, without what the inputs do not reach or the outputs do not see."""
    from scipy.linalg import matrix_balance

    A, (scale, _) = matrix_balance(A, permute=False, separate=True)
    B, C = B / scale[:, None], C * scale
    for _ in range(2):
        seen = _reached(A.T, C.T)
        A, B, C = seen.T @ A @ seen, seen.T @ B, C @ seen
        kept = _reached(A, B)
        A, B, C = kept.T @ A @ kept, kept.T @ B, C @ kept
    return A, B, C


def _reached(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Columns of the unit matrix of the states in blocks of A that the inputs reach."""
    from scipy.sparse.csgraph import connected_components

    coupled = np.abs(A) > UNSEEN * np.sqrt(np.outer(np.abs(A).max(axis=1), np.abs(A).max(axis=0)))
    _, block = connected_components(coupled, directed=False)
    strength = np.array([np.abs(B[block == k]).max(initial=0.0) for k in range(block.max(initial=-1) + 1)])
    kept = strength[block] > UNSEEN * strength.max(initial=0.0) if len(strength) else np.zeros(0, bool)
    return np.eye(len(A))[:, kept]
