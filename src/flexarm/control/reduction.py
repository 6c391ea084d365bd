"""Smaller linear models with a bound of what they miss.

What does not die out (rigid motions, led motors) is split off and kept exactly; the rest, the elastic part G, is cut in its modes or in
balanced coordinates. With r_k the residue of a mode, of frequency w_k and damping ratio zeta_k, and sigma_i the Hankel singular values,

    modes       |G - G_r| <= sum over dropped modes of max |r_k / (s^2 + 2 zeta_k w_k s + w_k^2)| ,
    balanced    sigma_{r+1} <= |G - G_r| <= 2 sum_{i > r} sigma_i .
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np

from flexarm.control.state_space import StateSpace
from flexarm.errors import FlexarmError
from flexarm.numerics.blas import with_one_blas_thread

UNDAMPED = 1e-9
"""Damping ratio below which a mode counts as undamped."""
STILL = 1e-7
"""Poles below this share of the fastest elastic one do not die out."""
COUPLED = 1e-9
"""Share of the size of its block above which an entry of A couples two parts."""
UNDAMPED_SENTENCE = (
    "an undamped mode has no largest response, so there is no error bound: give the arm damping (arm.damping), or "
    "damping_ratio= to state_space"
)


@dataclass(frozen=True, repr=False)
class Reduced(StateSpace):
    """A smaller model.

    Attributes
    ----------
    bound : ndarray, shape (outputs, inputs)
        The response of the whole model differs at no frequency by more; refused for arms without damping.
    hankel : ndarray
        Hankel singular values of the elastic part, outputs over their scales; empty if modes were kept.
    kept : str
        What was kept, in words.
    """

    limits: np.ndarray | None = None
    hankel: np.ndarray = field(default_factory=lambda: np.zeros(0))
    kept: str = ""

    @property
    def bound(self) -> np.ndarray:
        """Largest error of the response, (outputs, inputs)."""
        if self.limits is None:
            raise FlexarmError(UNDAMPED_SENTENCE, field="damping_ratio")
        return self.limits


@with_one_blas_thread
def reduced(
    system: StateSpace, modes: int | None, balanced: int | None, tolerance: float | None, static: bool, scales: Mapping[str, float] | None
) -> Reduced:  # fmt: skip
    """`StateSpace.reduce`."""
    given = [
        name
        for name, value in (("modes", modes), ("balanced", balanced), ("tolerance", tolerance))
        if value is not None
    ]
    if len(given) != 1:
        raise FlexarmError("give one of modes=, balanced= and tolerance=", field="reduce")
    if system.period:
        raise FlexarmError("reduce the model before it is sampled", field="reduce")
    parts = _split(system)
    if modes is not None:
        found = _by_modes(system, modes)
    else:
        found = _balanced(system, parts, balanced, tolerance, scales or {})
    if static:
        missing = _slow_gain(parts) - _slow_gain(_split(found))
        found = replace(
            found, D=found.D + missing,
            kept=f"{found.kept}; static correction of the dropped part in D, a feed-through that the arm itself has not",
        )  # fmt: skip
        if found.limits is not None:
            found = replace(found, limits=found.limits + np.abs(missing))
    limit = "" if found.limits is None else f", error at most {np.max(found.limits, initial=0.0):.3g} at any frequency"
    notes = (*system.point.notes, f"{found.kept}{limit}")
    return replace(found, point=replace(system.point, notes=notes))


def _made(system: StateSpace, **changes: object) -> Reduced:
    """The reduced model with all else as in the whole one."""
    values = {each.name: getattr(system, each.name) for each in fields(StateSpace)}
    return Reduced(**{**values, **changes})  # type: ignore[arg-type]


@dataclass(frozen=True)
class _Parts:
    """x = lasting p + elastic e, with p' = A_p p + B_p u, e' = A_e e + B_e u, y = C_p p + C_e e + D u."""

    lasting: tuple[np.ndarray, np.ndarray, np.ndarray]
    elastic: tuple[np.ndarray, np.ndarray, np.ndarray]
    lasting_names: tuple[str, ...]


def low_frequencies(system: StateSpace) -> np.ndarray:
    """Coefficients of s^-2, s^-1 and s^0 in the response, (3, outputs, inputs)."""
    parts = _split(system, growing=False)
    A, B, C = parts.lasting
    return np.array([C @ A @ B, C @ B, _slow_gain(parts) + system.D])


def _split(system: StateSpace, growing: bool = True) -> _Parts:
    """What stays, or grows if that is wanted, and the rest."""
    from scipy.linalg import schur, solve_sylvester

    A, B, C = system.A, system.B, system.C
    lasting = np.array([name.startswith(("rigid", "kept")) or ".led" in name for name in system.states], dtype=bool)
    e = ~lasting
    own = np.linalg.eigvals(A[np.ix_(e, e)])
    grows = growing and bool(np.any(own.real > UNDAMPED * np.abs(own)))
    across = max(np.abs(A[np.ix_(lasting, e)]).max(initial=0.0), np.abs(A[np.ix_(e, lasting)]).max(initial=0.0))
    names = tuple(np.array(system.states)[lasting].tolist())
    if not grows and across <= COUPLED * np.abs(A[np.ix_(e, e)]).max(initial=1.0):
        rest = _evened(A[np.ix_(e, e)], B[e], C[:, e])
        return _Parts((A[np.ix_(lasting, lasting)], B[lasting], C[:, lasting]), rest, names)
    A, B, C = _evened(A, B, C)
    slow = STILL * np.abs(np.linalg.eigvals(A)).max(initial=0.0)

    def stays(re: float, im: float) -> bool:
        size = abs(complex(re, im))
        return size <= slow or (growing and re > UNDAMPED * size)

    T, U, k = schur(A, sort=stays)
    X = solve_sylvester(T[:k, :k], -T[k:, k:], -T[:k, k:])
    pushed, seen = U.T @ B, C @ U
    return _Parts(
        (T[:k, :k], pushed[:k] - X @ pushed[k:], seen[:, :k]), (T[k:, k:], pushed[k:], seen[:, :k] @ X + seen[:, k:]),
        tuple(f"kept{i + 1}" for i in range(k)),
    )  # fmt: skip


def _evened(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same with states of one size."""
    from scipy.linalg import matrix_balance

    even, (scale, _) = matrix_balance(A, permute=False, separate=True)
    return even, B / scale[:, None], C * scale


def _slow_gain(parts: _Parts) -> np.ndarray:
    """Response of the elastic part to slow inputs."""
    A, B, C = parts.elastic
    return -C @ np.linalg.solve(A, B) if len(A) else np.zeros((len(C), B.shape[1]))


def _by_modes(system: StateSpace, modes: int) -> Reduced:
    """The lowest elastic modes, and all that is no mode."""
    known = [name for name in system.states if name.startswith("mode") and not name.endswith(".rate")]
    if not known:
        raise FlexarmError("this model has no modes as states: take the one that state_space gives", field="modes")
    if not 0 <= modes <= len(known):
        raise FlexarmError(
            f"this model has {len(known)} elastic modes, so modes is 0 to {len(known)}, not {modes}", field="modes"
        )
    dropped = known[modes:]
    gone = np.flatnonzero([name.removesuffix(".rate") in dropped for name in system.states])
    kept = np.setdiff1d(np.arange(len(system.states)), gone)
    A = system.A
    coupled = np.abs(A[np.ix_(kept, gone)]).max(initial=0.0) + np.abs(A[np.ix_(gone, kept)]).max(initial=0.0)
    limits = None
    if coupled <= COUPLED * np.abs(A).max(initial=1.0):
        limits = _modal_bound(system, dropped)
    return _made(
        system, A=A[np.ix_(kept, kept)], B=system.B[kept], C=system.C[:, kept], limits=limits,
        states=tuple(system.states[k] for k in kept), kept=f"{modes} of {len(known)} elastic modes",
    )  # fmt: skip


def _modal_bound(system: StateSpace, dropped: list[str]) -> np.ndarray | None:
    """Sum of the peaks of dropped modes, (outputs, inputs); None if one of them is undamped or they are damped together.

    A mode answers with (c_0 + c_1 s) b / (s^2 + d s + w^2), whose square has its peak where a quadratic in the squared frequency is 0.
    """
    total = np.zeros_like(system.D)
    places = [system.states.index(name) for name in dropped]
    rates = [system.states.index(f"{name}.rate") for name in dropped]
    damping = -system.A[np.ix_(rates, rates)]
    if np.abs(damping - np.diag(np.diag(damping))).max(initial=0.0) > COUPLED * np.abs(damping).max(initial=0.0):
        return None
    for place, rate in zip(places, rates, strict=True):
        square, d = -system.A[rate, place], -system.A[rate, rate]
        pushed, seen = system.B[rate], (system.C[:, place], system.C[:, rate])
        if not np.any(pushed) or not (np.any(seen[0]) or np.any(seen[1])):
            continue
        if d <= 2.0 * UNDAMPED * np.sqrt(abs(square)) or square <= 0.0:
            return None
        b0, b1 = (np.outer(part, pushed) ** 2 for part in seen)
        # |G|^2 = (b0 + b1 x) / ((square - x)^2 + d^2 x), x = w^2
        linear = d * d - 2.0 * square
        p, q, r = b1, 2.0 * b0, b0 * linear - b1 * square**2
        root = np.sqrt(np.clip(q * q - 4.0 * p * r, 0.0, None))
        x = np.clip(
            np.where(p > 0.0, (-q + root) / np.where(p > 0.0, 2.0 * p, 1.0), -r / np.where(q > 0.0, q, 1.0)), 0.0, None
        )
        total += np.sqrt((b0 + b1 * x) / ((square - x) ** 2 + d * d * x))
    return total


def _balanced(
    system: StateSpace, parts: _Parts, order: int | None, tolerance: float | None, scales: Mapping[str, float]
) -> Reduced:
    """Balanced truncation of the elastic part."""
    from scipy.linalg import solve_continuous_lyapunov, svd

    A, B, C = parts.elastic
    poles = np.linalg.eigvals(A)
    if np.any(poles.real > -UNDAMPED * np.abs(poles)):
        raise FlexarmError(UNDAMPED_SENTENCE, field="damping_ratio")
    sizes = _full_scales(system, A, B, C, scales, tolerance is not None)
    scaled = C / sizes[:, None]
    reach, sight = (_root(solve_continuous_lyapunov(F, -G @ G.T)) for F, G in ((A, B), (A.T, scaled.T)))
    U, sigma, Vt = svd(sight.T @ reach)
    tails = 2.0 * np.append(np.cumsum(sigma[::-1])[::-1], 0.0)
    if tolerance is not None:
        if not tolerance > 0.0:
            raise FlexarmError(f"a tolerance is larger than 0, not {tolerance:g}", field="tolerance")
        order = int(np.argmax(tails <= tolerance))
    if order is None or not 0 <= order <= len(A):
        raise FlexarmError(
            f"the elastic part has {len(A)} states, so balanced is 0 to {len(A)}, not {order}", field="balanced"
        )
    root = np.sqrt(np.maximum(sigma[:order], 1e-300))
    left, right = (sight @ U[:, :order]) / root, (reach @ Vt[:order].T) / root
    n = len(parts.lasting[0])
    whole = np.zeros((n + order, n + order))
    whole[:n, :n], whole[n:, n:] = parts.lasting[0], left.T @ A @ right
    names = (*parts.lasting_names, *(f"balanced{k + 1}" for k in range(order)))
    return _made(
        system, A=whole, B=np.vstack([parts.lasting[1], left.T @ B]), C=np.hstack([parts.lasting[2], C @ right]), states=names,
        limits=np.outer(sizes * tails[order], np.ones(B.shape[1])), hankel=sigma,
        kept=f"{order} of {len(A)} balanced states of the elastic part",
    )  # fmt: skip


def _root(gramian: np.ndarray) -> np.ndarray:
    """A factor R with R R^T = gramian, which is not negative up to rounding."""
    values, vectors = np.linalg.eigh(0.5 * (gramian + gramian.T))
    return np.asarray(vectors * np.sqrt(np.clip(values, 0.0, None)))


def _full_scales(
    system: StateSpace, A: np.ndarray, B: np.ndarray, C: np.ndarray, scales: Mapping[str, float], relative: bool
) -> np.ndarray:
    """What outputs are divided by before balancing, (outputs,)."""
    for name in scales:
        if name not in system.outputs:
            raise FlexarmError(f"there is no output '{name}'; there are {', '.join(system.outputs)}", field="scales")
    if len(system.outputs) == 1 and not scales and not relative:
        return np.ones(1)
    poles = np.linalg.eigvals(A)
    at = np.unique(np.concatenate([[0.0], np.abs(poles), np.abs(poles.imag)]))
    one = np.eye(len(A))
    peaks = np.max([np.abs(C @ np.linalg.solve(1j * w * one - A, B)).max(axis=1) for w in at], axis=0)
    found = [scales.get(name, peak) for name, peak in zip(system.outputs, peaks, strict=True)]
    return np.maximum(np.array(found), 1e-12 * max(found) + 1e-300)
