"""Natural frequencies, damping and shapes of ``M q'' + C q' + K q = 0``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RIGID = 2e-7
"""A mode below this share of the highest frequency is a rigid-body motion; rounding alone reaches 1e-8."""


@dataclass(frozen=True)
class Vibration:
    """Elastic modes, lowest first.

    hz : (m,) natural frequencies |lambda| / 2 pi; damping : (m,) ratios; vectors : (coordinates, m), real, largest
    entry positive; rigid : number of rigid-body motions; unstable : eigenvalues with a growing part, rad/s.
    """

    hz: np.ndarray
    damping: np.ndarray
    vectors: np.ndarray
    rigid: int
    unstable: np.ndarray


def vibration(M: np.ndarray, C: np.ndarray, K: np.ndarray, n: int | None = None) -> Vibration:
    """Solve for the lowest `n` elastic modes (None: all)."""
    if not len(M):
        return Vibration(np.zeros(0), np.zeros(0), np.zeros((0, 0)), 0, np.zeros(0, complex))
    symmetric = np.allclose(K, K.T, rtol=1e-9, atol=1e-9 * np.abs(K).max())
    proportional = _proportional(M, C, K, n) if symmetric and np.any(C) else None
    if proportional is not None:
        return proportional
    if symmetric and not np.any(C) and np.all(np.linalg.eigvalsh(M) > 0):
        values, vectors = _undamped(M, K)
        damping, unstable = np.zeros(len(values)), np.zeros(0, complex)
        omega = np.sqrt(np.clip(values, 0.0, None))
        if len(values) and values[0] < -((1e-6 * omega[-1]) ** 2):
            unstable = np.sqrt(-values[values < -((1e-6 * omega[-1]) ** 2)]).astype(complex)
    else:
        omega, damping, vectors, unstable = _damped(M, C, K)
    rigid = omega < RIGID * (omega.max() if len(omega) else 1.0)
    keep = np.flatnonzero(~rigid)[:n]
    return Vibration(omega[keep] / (2 * np.pi), damping[keep], vectors[:, keep], int(rigid.sum()), unstable)


def _proportional(M: np.ndarray, C: np.ndarray, K: np.ndarray, n: int | None) -> Vibration | None:
    """Undamped modes with their damping ratios if damping does not couple them, else None.

    Here nothing is measured against overdamped roots, which can be far above every frequency of interest.
    """
    if np.any(np.linalg.eigvalsh(M) <= 0) or not np.allclose(C, C.T, rtol=1e-9, atol=1e-9 * np.abs(C).max()):
        return None
    plain = vibration(M, np.zeros_like(C), K)
    if len(plain.unstable):
        return None
    scaled = plain.vectors / np.sqrt(np.einsum("im,ij,jm->m", plain.vectors, M, plain.vectors))
    modal = scaled.T @ C @ scaled
    own = np.diag(modal)
    size = np.sqrt(np.abs(np.outer(own, own))) + 1e-300
    if np.any(np.abs(modal - np.diag(own)) > 1e-6 * size) or np.any(own < 0.0):
        return None
    ratio = own / (4.0 * np.pi * plain.hz)
    under = np.flatnonzero(ratio < 1.0)[:n]
    return Vibration(plain.hz[under], ratio[under], plain.vectors[:, under], plain.rigid, plain.unstable)


def _undamped(M: np.ndarray, K: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    from scipy.linalg import eigh

    values, vectors = eigh(0.5 * (K + K.T), M)
    return values, _positive(vectors)


def _damped(M: np.ndarray, C: np.ndarray, K: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Oscillating modes of the first-order pencil; massless coordinates give infinite roots that are dropped."""
    from scipy.linalg import eig

    n = len(M)
    scale = np.sqrt(max(np.abs(K).max(), 1e-300) / max(np.abs(M).max(), 1e-300))
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-K / scale**2, -C / scale]])
    B = np.block([[np.eye(n), np.zeros((n, n))], [np.zeros((n, n)), M]])
    values, vectors = eig(A, B)
    finite = np.isfinite(values)
    values, vectors = values[finite] * scale, vectors[:n, finite]
    top = np.abs(values).max()
    unstable = values[values.real > 1e-7 * top]
    swings = (values.imag > RIGID * top) | (np.abs(values) <= RIGID * top)
    values, vectors = values[swings], vectors[:, swings]
    slow = np.abs(values) <= RIGID * top
    order = np.argsort(np.abs(values), kind="stable")
    values, vectors, slow = values[order], vectors[:, order], slow[order]
    drop = np.flatnonzero(slow)[1::2]  # a rigid motion is a double root
    values, vectors = np.delete(values, drop), np.delete(vectors, drop, axis=1)
    omega = np.where(np.delete(slow, drop), 0.0, np.abs(values))
    ratio = np.divide(-values.real, omega, out=np.zeros_like(omega), where=omega > 0)
    turned = vectors * np.exp(-1j * np.angle(vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]))
    return omega, ratio, _positive(turned.real), unstable


def _positive(vectors: np.ndarray) -> np.ndarray:
    """Largest entry of each column positive."""
    if not vectors.size:
        return vectors
    top = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(top < 0, -1.0, 1.0)
