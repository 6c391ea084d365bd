"""Exact steps of damped oscillators under a load that is linear, or a cubic, within the step.

For  q'' + d q' + w^2 q = p(t)  and a step h in which, with s running from 0 to 1,

    p = p0 (1 - s) + p1 s + b1 s (1 - s) + b2 s (1 - s) (1 - 2 s),

the step is  (q1, v1) = Phi (q0, v0) + G0 p0 + G1 p1 + H1 b1 + H2 b2 .

The coefficients come from one matrix exponential per oscillator, so rigid (w = 0), under-damped, critical,
over-damped and falling modes (w^2 < 0) need no cases.
"""

from __future__ import annotations

import numpy as np

from flexarm.numerics.gauss import gauss

SHAPES = np.array([[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 0.0], [0.0, 1.0, -6.0, 12.0]])
"""Value and derivatives at s = 0 of the four shapes of the load: 1 - s, s, s (1 - s), s (1 - s) (1 - 2 s)."""


def exact_step(square: np.ndarray, damping: np.ndarray, h: float) -> np.ndarray:
    """Step coefficients of independent oscillators.

    Parameters
    ----------
    square : ndarray, shape (m,)
        Squared undamped angular frequencies w^2 in rad^2/s^2; 0 for a rigid mode, negative for one that runs away.
    damping : ndarray, shape (m,)
        The factor d of q' in 1/s.
    h : float
        Step in s.

    Returns
    -------
    ndarray, shape (m, 12)
        Rows ``Phi00 Phi01 Phi10 Phi11 G0q G0v G1q G1v H1q H1v H2q H2v``.
    """
    from scipy.linalg import expm

    # state (q, v, load and its three derivatives) in time units of h
    systems = np.tile(np.diag([h, h, 1.0, 1.0, 1.0], 1), (len(square), 1, 1))
    systems[:, 1, 0], systems[:, 1, 1] = -np.asarray(square) * h, -np.asarray(damping) * h
    e = expm(systems)[:, :2]
    by_load = SHAPES @ np.swapaxes(e[:, :, 2:], 1, 2)
    return np.concatenate([e[:, :, :2].reshape(-1, 4), by_load.reshape(-1, 8)], axis=1)


INPUTS = 5
"""What the rate within a step depends on: rate and force imbalance p0 - w^2 q0 at its start, p1 - p0, b1, b2."""
_NODES, _WEIGHTS = gauss(8)
TERMS = 15
"""Of the series of a short exponential."""


def step_integrals(square: np.ndarray, damping: np.ndarray, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Integrals of the rate over an exact step, for work and loss of energy.

    The rate is linear in y = (rate, p0 - w^2 q0, p1 - p0, b1, b2). A short piece of the step is integrated by Gauss
    points, then doubled until it is the whole: sums of squares only, so nothing cancels however fast a mode decays.

    Parameters
    ----------
    square, damping, h :
        As for `exact_step`.

    Returns
    -------
    moments : ndarray, shape (m, 3, 5)
        Integrals over time of the rate times s, s (1 - s) and s (1 - s) (1 - 2 s), per unit of y.
    gram : ndarray, shape (m, 5, 5)
        The integral of the squared rate is ``y @ gram @ y``.
    """
    square, damping = np.asarray(square, dtype=float), np.asarray(damping, dtype=float)
    scale = np.maximum(1.0, np.sqrt(np.abs(square)) * h)
    largest = np.maximum(scale, damping * h)
    halvings = np.ceil(np.log2(4.0 * largest)).astype(int)
    order = np.argsort(-halvings, kind="stable")
    square, damping, scale = square[order], damping[order], scale[order]
    powers, squares = _doubled(square, damping, scale, h, halvings[order])
    start = _start(damping, scale, h)
    powers = h * powers @ start
    first, second, third = powers[:, 0], powers[:, 1], powers[:, 2]
    moments, gram = np.empty((len(square), 3, INPUTS)), np.empty((len(square), INPUTS, INPUTS))
    moments[order] = np.stack([first, first - second, first - 3.0 * second + 2.0 * third], axis=1)
    gram[order] = h * np.swapaxes(start, 1, 2) @ squares @ start
    return moments, gram


def _start(damping: np.ndarray, scale: np.ndarray, h: float) -> np.ndarray:
    """From y to (rate, its change per step / scale, and h p' with two derivatives), (m, 5, 5)."""
    start = np.zeros((len(damping), 5, INPUTS))
    start[:, 0, 0] = 1.0
    start[:, 1, 0], start[:, 1, 1] = -damping * h / scale, h / scale
    start[:, 2, 2:] = h
    start[:, 3, 3], start[:, 3, 4] = -2.0 * h, -6.0 * h
    start[:, 4, 4] = 12.0 * h
    return start


def _doubled(
    square: np.ndarray, damping: np.ndarray, scale: np.ndarray, h: float, halvings: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Integrals over s in 0..1 of rate * (s, s^2, s^3), (m, 3, 5), and of the squared rate, (m, 5, 5); those with most
    halvings come first."""
    A = np.zeros((len(square), 5, 5))
    A[:, 0, 1], A[:, 1, 0], A[:, 1, 1], A[:, 1, 2] = scale, -square * h * h / scale, -damping * h, 1.0 / scale
    A[:, 2, 3] = A[:, 3, 4] = 1.0
    width = 0.5**halvings
    series, exponents = _series(A), np.arange(TERMS)
    node, weight = 0.5 * width * (1.0 + _NODES[:, None]), 0.5 * width * _WEIGHTS[:, None]
    rows = np.einsum("jgm,jmk->gmk", node ** exponents[:, None, None], series[:, :, 0])
    powers = np.einsum("ngm,gmk->mnk", weight * node ** np.arange(4)[:, None, None], rows)
    weighed = np.sqrt(weight)[:, :, None] * rows
    squares = np.einsum("gmi,gmj->mij", weighed, weighed)
    whole = np.einsum("jm,jmik->mik", width ** exponents[:, None], series)
    for done in range(int(halvings.max(initial=0))):
        left = int(np.count_nonzero(halvings > done))
        piece, w = whole[:left], width[:left, None]
        later = powers[:left] @ piece
        powers[:left, 3] += w**3 * later[:, 0] + 3.0 * w**2 * later[:, 1] + 3.0 * w * later[:, 2] + later[:, 3]
        powers[:left, 2] += w**2 * later[:, 0] + 2.0 * w * later[:, 1] + later[:, 2]
        powers[:left, 1] += w * later[:, 0] + later[:, 1]
        powers[:left, 0] += later[:, 0]
        squares[:left] += np.swapaxes(piece, 1, 2) @ squares[:left] @ piece
        whole[:left] = piece @ piece
        width[:left] *= 2.0
    return powers[:, 1:], squares


def _series(A: np.ndarray) -> np.ndarray:
    """A^j / j!, (TERMS, m, n, n): the exponential of A s for a small A s is their sum with the powers of s."""
    terms = np.empty((TERMS, *A.shape))
    terms[0] = np.eye(A.shape[1])
    for j in range(1, TERMS):
        np.matmul(terms[j - 1], A / j, out=terms[j])
    return terms
