"""Linear systems x' = A x + B u, y = C x + D u made from poles, zeros and a gain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import polynomial


@dataclass(frozen=True, eq=False)
class StateSpace:
    """A stable single-input single-output system.

    Attributes
    ----------
    A : ndarray, shape (n, n)
        State matrix, 1/s.
    B, C : ndarray, shape (n,)
        Input and output vector.
    D : float
        Direct feed from input to output.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StateSpace) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple:
        return (self.A.tobytes(), self.B.tobytes(), self.C.tobytes(), self.D)

    @property
    def order(self) -> int:
        """Number of states."""
        return len(self.B)

    @property
    def finest(self) -> float:
        """A twentieth of the period of the fastest pole, s."""
        return float(np.pi / 10.0 / np.max(np.abs(np.linalg.eigvals(self.A))))

    def direct_effects(self) -> tuple[float, float, float]:
        """D, C B and C A B: how a jump of the input shows at once in y, y' and y''."""
        sizes = np.linalg.norm(self.C) * np.linalg.norm(self.B) * np.array([1.0, np.linalg.norm(self.A, 2)])
        effects = [float(self.C @ self.B), float(self.C @ self.A @ self.B)]
        clean = [0.0 if abs(x) < 1e-12 * size else x for x, size in zip(effects, sizes, strict=True)]
        return self.D, clean[0], clean[1]

    def response(self, omega: np.ndarray) -> np.ndarray:
        """Complex frequency response at angular frequencies in rad/s, shape (n,)."""
        eye = np.eye(self.order)
        values = [self.C @ np.linalg.solve(1j * w * eye - self.A, self.B) + self.D for w in np.atleast_1d(omega)]
        return np.array(values)


def state_space(poles: tuple[complex, ...], zeros: tuple[complex, ...], gain: float) -> StateSpace:
    """Realise ``gain prod(1 - s/z) / prod(1 - s/p)`` as a chain of first and second order lags.

    Each lag has unit gain at rest, so all states have the size of the input, whatever the poles, and repeated
    poles need no special care. A complex pole or zero stands for itself and its conjugate; values in rad/s.
    """
    n = sum(2 if p.imag else 1 for p in poles)
    A, B = np.zeros((n, n)), np.zeros(n)
    scale = float(np.exp(np.mean(np.log(np.abs(poles)))))
    whole = root_product(poles, scale)
    basis: list[np.ndarray] = []
    i, source = 0, -1
    for k, p in enumerate(poles):
        w = abs(p)
        rest = root_product(poles[k + 1 :], scale)
        basis.append(rest)
        entry = i if not p.imag else i + 1
        if p.imag:
            A[i, i + 1], A[i + 1, i], A[i + 1, i + 1] = w, -w, 2.0 * p.real
            basis.append(polynomial.polymul(rest, [0.0, scale / w]))
        else:
            A[i, i] = -w
        if source < 0:
            B[entry] = w
        else:
            A[entry, source] = w
        source, i = i, entry + 1
    C, D = _output(basis, whole, gain * root_product(zeros, scale), n, source)
    return StateSpace(A, B, C, D)


def _output(basis: list[np.ndarray], whole: np.ndarray, top: np.ndarray, n: int, last: int) -> tuple[np.ndarray, float]:
    """Combine the states' numerators (and the input) to the wanted numerator `top`."""
    C = np.zeros(n)
    if len(top) == 1:
        C[last] = top[0]
        return C, 0.0
    D = float(top[-1] / whole[-1]) if len(top) == n + 1 else 0.0
    wanted = np.zeros(n)
    wanted[: min(n, len(top))] = top[:n]
    wanted -= D * whole[:n]
    columns = np.zeros((n, n))
    for j, numerator in enumerate(basis):
        columns[: len(numerator), j] = numerator[:n]
    return np.linalg.solve(columns, wanted), D


def _factor(root: complex, scale: float) -> np.ndarray:
    """Coefficients, lowest first, of 1 - s/root (or of the conjugate pair) in the scaled variable s/scale."""
    r = root / scale
    if root.imag:
        return np.array([1.0, -2.0 * r.real / abs(r) ** 2, 1.0 / abs(r) ** 2])
    return np.array([1.0, -1.0 / r.real])


def root_product(roots: tuple[complex, ...], scale: float = 1.0) -> np.ndarray:
    """Coefficients, lowest first, of prod(1 - s/root), conjugates included, in the scaled variable s/scale."""
    total = np.ones(1)
    for root in roots:
        total = polynomial.polymul(total, _factor(root, scale))
    return total


def bandwidth(poles: tuple[complex, ...], zeros: tuple[complex, ...]) -> float:
    """Frequency in Hz where the gain first falls by 3 dB below that at rest; inf if it never does."""
    sizes = np.abs([*poles, *zeros])
    grid = np.geomspace(1e-3 * sizes.min(), 1e3 * sizes.max(), 4000)

    def drop(omega: np.ndarray) -> np.ndarray:
        s = 1j * omega
        value = np.ones(omega.shape, dtype=complex)
        for z in zeros:
            value = value * polynomial.polyval(s, _factor(z, 1.0))
        for p in poles:
            value = value / polynomial.polyval(s, _factor(p, 1.0))
        return np.abs(value) - np.sqrt(0.5)

    below = np.flatnonzero(drop(grid) < 0.0)
    if len(below) == 0:
        return float("inf")
    low, high = grid[max(below[0] - 1, 0)], grid[below[0]]
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if drop(np.array([middle]))[0] < 0.0 else (middle, high)
    return float(high / (2.0 * np.pi))
