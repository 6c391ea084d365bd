"""Natural frequencies, damping and shapes of ``M q'' + C q' + K q = 0``.

The undamped modes come first; damping and forces that are not symmetric are then solved in their coordinates. So
nothing is judged against overdamped roots, which may lie far above every frequency of interest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError

RIGID = 2e-7
"""A mode below this share of the highest frequency is a rigid-body motion; rounding alone reaches 1e-8."""
ROUNDING = 1e-15
"""A stiffness below this share of its summands' sizes is rounding."""
NOTHING = 1e-24
"""Share of the highest squared frequency below which there is no stiffness at all."""
UNCOUPLED = 1e-6
"""Damping between two modes below this share of their own does not couple them."""
CANCELLED = 1e-13
"""Damping between two modes below this share of its summands' sizes is rounding."""
REACH = 1e5
"""Modes whose frequency is higher by this factor do not change those below."""


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


@dataclass(frozen=True)
class Modes:
    """Undamped modes: square (m,) of the angular frequencies, lowest first; vectors (coordinates, m), mass-normalised;
    rigid (m,) marks motions without stiffness."""

    square: np.ndarray
    vectors: np.ndarray
    rigid: np.ndarray


def vibration(M: np.ndarray, C: np.ndarray, K: np.ndarray, n: int | None = None) -> Vibration:
    """Solve for the lowest `n` elastic modes (None: all)."""
    if not len(M):  # nothing can move
        return Vibration(np.zeros(0), np.zeros(0), np.zeros((0, 0)), 0, np.zeros(0, complex))
    heavy, light = massless(M)
    M, C, K, back = _condensed(M, C, K, heavy, light)
    massive = heavy.shape[1]
    modes = undamped_modes(M[:massive, :massive], _statically(K, massive))
    omega = np.sqrt(np.clip(modes.square, 0.0, None))
    falling = np.sqrt(np.clip(-modes.square, 0.0, None))[(modes.square < 0) & ~modes.rigid]
    rigid = int(modes.rigid.sum())
    symmetric = np.allclose(K, K.T, rtol=1e-9, atol=1e-9 * np.abs(K).max(initial=0.0))
    damping = _uncoupled(C, modes.vectors) if symmetric and massive == len(M) else None
    if damping is not None:
        keep = np.flatnonzero(~modes.rigid & (omega > 0.5 * damping))[:n]
        size, ratio = omega[keep], 0.5 * damping[keep] / omega[keep]
        vectors, unstable = modes.vectors[:, keep], falling.astype(complex)
    else:
        values, vectors, unstable, unfelt = _coupled(C, K, _low(modes, n), massive)
        size = np.abs(values)[:n]
        ratio, vectors, rigid = -values.real[:n] / size, vectors[:, :n], int(unfelt.sum())
    return Vibration(size / (2 * np.pi), ratio, _positive(_turned(back @ vectors)), rigid, unstable)


def undamped_modes(M: np.ndarray, K: np.ndarray) -> Modes:
    """Modes of the symmetric part of K; M is positive definite.

    Low frequencies would drown in the rounding of the highest, so they come from the flexibility: ``M v = r (K + s M) v``
    with ``square = 1 / r - s``. The shift s is 0 where K is positive definite, else the least one tried that makes it so.
    """
    from scipy.linalg import eigh

    if not len(M):
        return Modes(np.zeros(0), np.zeros((0, 0)), np.zeros(0, bool))
    K = 0.5 * (K + K.T)
    square, vectors = eigh(K, M)
    top = np.abs(square).max()
    weak = np.abs(square) < (RIGID * np.sqrt(top)) ** 2
    shift, inverse, low = _flexibility(M, K, ROUNDING * _summands(K, vectors).min(), top)
    if inverse is not None:
        take = np.flatnonzero(
            inverse * np.sqrt((square[-1] + shift) / inverse[0]) > 1.0
        )  # below the middle of the range
        square[take] = 1.0 / inverse[take] - shift
        vectors[:, take] = low[:, take] / np.sqrt(inverse[take])
    nothing = np.abs(square) < NOTHING * top
    return Modes(square, vectors, nothing | weak & (np.abs(square) < ROUNDING * _summands(K, vectors)))


def _flexibility(M: np.ndarray, K: np.ndarray, least: float, most: float) -> tuple[float, Any, Any]:
    """Shift s, and inverse eigenvalues with vectors of K + s M, largest first; None for both if no s up to `most` serves.

    A stiffness below `least` is rounding that happens to be positive: its inverse would drown all others.
    """
    from scipy.linalg import LinAlgError, eigh

    shift = 0.0
    while shift <= most:
        try:
            inverse, low = eigh(M, K + shift * M)
        except LinAlgError:
            if least <= 0.0:
                break
        else:
            if least <= 0.0 or inverse[-1] * least < 2.0:
                return shift, inverse[::-1].copy(), low[:, ::-1]
        shift = max(100.0 * shift, least)
    return 0.0, None, None


def _summands(K: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Sizes of what is summed up in the stiffness of each mode, (m,)."""
    return np.einsum("im,ij,jm->m", np.abs(vectors), np.abs(K), np.abs(vectors), optimize=True)


def strain_shares(M: np.ndarray, K: np.ndarray, S: np.ndarray) -> tuple[list[float], list[float]]:
    """Undamped frequencies in Hz, and how much of each mode's potential energy is in the part S of the stiffness K."""
    modes = undamped_modes(M, K)
    swings = ~modes.rigid & (modes.square > 0.0)
    square, vectors = modes.square[swings], modes.vectors[:, swings]
    shares = np.einsum("im,ij,jm->m", vectors, S, vectors) / square
    return list(np.sqrt(square) / (2 * np.pi)), list(shares)


def massless(M: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bases (coordinates, k) of the directions with and without mass."""
    diagonal = np.diag(M)
    scale = np.where(diagonal > 0, 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0)), 0.0)
    values, vectors = np.linalg.eigh(0.5 * (M + M.T) * np.outer(scale, scale))
    massless = np.eye(len(M))[:, diagonal <= 0]
    solid = diagonal > 0
    if np.all(values[len(M) - int(solid.sum()) :] > 1e-13):
        return np.eye(len(M))[:, solid], massless
    null = np.flatnonzero((values <= 1e-13) & (np.abs(vectors[solid]).max(axis=0) > 1e-6))
    back = np.where(solid, scale, 0.0)[:, None]
    return back * vectors[:, values > 1e-13], np.hstack([massless, back * vectors[:, null]])


def _condensed(
    M: np.ndarray, C: np.ndarray, K: np.ndarray, heavy: np.ndarray, light: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Matrices on heavy directions, then light ones with damping; light ones without follow statically."""
    base = heavy
    if light.shape[1]:
        damped, turned = np.linalg.eigh(0.5 * (light.T @ (C + C.T) @ light))
        slow = np.abs(damped) > 1e-13 * max(np.abs(C).max(), 1e-300) if np.any(C) else np.zeros(len(damped), bool)
        base = np.hstack([heavy, light @ turned[:, slow]])
        undamped = light @ turned[:, ~slow]
        if undamped.shape[1]:
            held = undamped.T @ K @ undamped
            if np.linalg.matrix_rank(held) < len(held):
                raise FlexarmError(
                    "some part of the arm moves freely and has no mass: give it mass, inertia or a spring",
                    field="arm.links",
                )
            base = base - undamped @ np.linalg.solve(held, undamped.T @ K @ base)
    return base.T @ M @ base, base.T @ C @ base, base.T @ K @ base, base


def _statically(K: np.ndarray, massive: int) -> np.ndarray:
    """Stiffness felt by the first coordinates when the others follow; some (integrals) never come to rest, then they
    are held."""
    inner, outer = slice(0, massive), slice(massive, None)
    if massive == len(K) or np.linalg.matrix_rank(K[outer, outer]) < len(K) - massive:
        return K[inner, inner]
    return K[inner, inner] - K[inner, outer] @ np.linalg.solve(K[outer, outer], K[outer, inner])


def _uncoupled(C: np.ndarray, vectors: np.ndarray) -> np.ndarray | None:
    """Damping of each mode, (m,), or None if it couples them, by more than rounding of what cancels, or feeds one of them."""
    modal, sizes = vectors.T @ C @ vectors, np.abs(vectors)
    own = np.diag(modal)
    felt = np.maximum(UNCOUPLED * np.sqrt(np.abs(np.outer(own, own))), CANCELLED * (sizes.T @ np.abs(C) @ sizes))
    return own if np.all(np.abs(modal - np.diag(own)) <= felt) and np.all(own >= 0.0) else None


def _low(modes: Modes, n: int | None) -> Modes:
    """Modes that the lowest `n` elastic ones can feel: overdamped roots far above would take the digits of these."""
    elastic = np.sort(modes.square[~modes.rigid & (modes.square > 0.0)])
    if n is None or n > len(elastic) or n < 1:
        return modes
    near = modes.square <= REACH**2 * elastic[n - 1]
    return Modes(modes.square[near], modes.vectors[:, near], modes.rigid[near])


def _coupled(
    C: np.ndarray, K: np.ndarray, modes: Modes, massive: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Roots with a positive imaginary part, lowest first, their vectors, all growing roots, and which modes are rigid."""
    A, T, unfelt = _states(C, K, modes, massive)
    count, slow = len(modes.square), len(K) - massive
    size = len(A) - count
    values, vectors = np.linalg.eig(A)
    top = np.abs(values).max(initial=0.0)
    unstable = values[(values.real > 1e-12 * top) & (values.real > 1e-7 * np.abs(values))]
    swings = np.flatnonzero((values.imag > 0) & (np.abs(values) > 1e-13 * top))
    swings = swings[np.argsort(np.abs(values[swings]), kind="stable")]
    shapes = np.zeros((count + slow, len(swings)), complex)
    shapes[:count] = vectors[size:, swings] / values[swings]
    shapes[count:] = vectors[size - slow : size, swings]
    return values[swings], T @ shapes, unstable, unfelt


def abscissa(M: np.ndarray, C: np.ndarray, K: np.ndarray) -> float:
    """Largest real part of all roots, 1/s: negative if every motion dies out; -inf if there is none."""
    return float(roots(M, C, K).real.max(initial=-np.inf))


def roots(M: np.ndarray, C: np.ndarray, K: np.ndarray) -> np.ndarray:
    """All roots, 1/s, largest real part first; rigid motions that nothing opposes do not count."""
    heavy, light = massless(M)
    M, C, K, _ = _condensed(M, C, K, heavy, light)
    massive = heavy.shape[1]
    modes = undamped_modes(M[:massive, :massive], _statically(K, massive))
    A, _, unfelt = _states(C, K, modes, massive)
    found = np.linalg.eigvals(A)
    found = found[np.argsort(-found.real, kind="stable")]
    zero = np.abs(found.real) < 1e-9 * np.abs(found.real).max(initial=0.0)
    return np.delete(found, np.flatnonzero(zero)[: int(unfelt.sum())])


def _states(C: np.ndarray, K: np.ndarray, modes: Modes, massive: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Matrix A of x' = A x, what turns modes into coordinates, and which modes are rigid.

    States are the places of modes (not of rigid ones: nothing depends on them), places of massless coordinates, and
    speeds of modes.
    """
    count, slow = len(modes.square), len(K) - massive
    T = np.zeros((len(K), count + slow))
    T[:massive, :count] = modes.vectors
    T[massive:, count:] = np.eye(slow)
    C, K = T.T @ C @ T, T.T @ K @ T
    unfelt = modes.rigid & (np.abs(K[:, :count]).max(axis=0, initial=0.0) <= 1e-9 * np.abs(K).max(initial=1e-300))
    places = np.concatenate([np.flatnonzero(~unfelt), np.arange(count, count + slow)])
    size = len(places)
    A = np.zeros((size + count, size + count))
    A[np.flatnonzero(places < count), size + places[places < count]] = 1.0
    if slow:
        flow = -np.linalg.solve(C[count:, count:], np.hstack([K[count:, places], C[count:, :count]]))
        A[size - slow : size] = flow
        A[size:] = -C[:count, count:] @ flow
    A[size:, :size] -= K[:count, places]
    A[size:, size:] -= C[:count, :count]
    return A, T, unfelt


def _turned(vectors: np.ndarray) -> np.ndarray:
    """Real part where the largest entry of each column is real."""
    if not vectors.size:
        return vectors.real
    return (vectors * np.exp(-1j * np.angle(vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]))).real


def _positive(vectors: np.ndarray) -> np.ndarray:
    """Largest entry of each column positive."""
    if not vectors.size:
        return vectors
    top = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return vectors * np.where(top < 0, -1.0, 1.0)
