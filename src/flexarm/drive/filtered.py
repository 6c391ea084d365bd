"""A command after an actuator that only shapes it: exact response of a linear system to analytic pieces.

Legend: x' = A x + B u, y = C x + D u, with u and y counted from the value at rest. On every piece of u all
its derivatives are known, so the solution is its own Taylor series, x_(k+1) = A x_k + B u_k.
It is summed from nodes that are so close that the series is exact to rounding. Nodes lie at fixed absolute
times and are computed in order, once, so that no value depends on how a run is cut into chunks.
"""

from __future__ import annotations

import numpy as np

from flexarm.drive.signal import PieceSignal, locate
from flexarm.drive.statespace import StateSpace

TERMS = 15
REACH = 0.5
"""Node distance times the fastest rate; the first term left out is below 0.5^16/16! = 1e-18."""
BLOCK = 4096


class FilteredSignal:
    """`source` after the linear system, which rests at the source's initial value before t = 0.

    The system acts on the deviation from that value: a gain other than one does not move the start.

    Parameters
    ----------
    source : PieceSignal
        The command.
    system : StateSpace
        The actuator.
    """

    def __init__(self, source: PieceSignal, system: StateSpace):
        self.source, self.system, self.initial = source, system, source.initial
        self.finest = min(source.finest, system.finest)
        self._pieces = source.pieces
        self._set_jumps()
        self._set_nodes()

    def _set_jumps(self) -> None:
        times, u = self.source.jumps()
        h0, h1, h2 = self.system.direct_effects()
        sizes = np.stack([h0 * u[0], h1 * u[0] + h0 * u[1], h2 * u[0] + h1 * u[1] + h0 * u[2]])
        sizes[self.source.orders :] = 0.0
        kept = np.any(sizes != 0.0, axis=0)
        self._jump_times, self._sizes = times[kept], sizes[:, kept]
        self._after_break = np.searchsorted(self._pieces.start, self._jump_times)

    def _set_nodes(self) -> None:
        rate = np.maximum(np.linalg.norm(self.system.A, np.inf), self._pieces.fastest)
        lengths = self._pieces.lengths
        counts = np.ones(len(lengths), dtype=np.int64)
        # nothing happens before t = 0 (piece 0), and the last piece has no end
        counts[1:-1] = np.ceil(np.maximum(lengths[1:-1] * rate[1:-1] / REACH, 1.0))
        self._spacing = np.where(np.isfinite(lengths), lengths / counts, REACH / rate)
        self._counts = counts
        self._first = np.concatenate([[0], np.cumsum(counts[:-1])])
        self._states, self._known = np.zeros((BLOCK, self.system.order)), 1
        self._links = [(j, i, float(a)) for (j, i), a in np.ndenumerate(self.system.A) if a]

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) where the response jumps; a lag of high order smooths the command's jumps."""
        return [float(t) for t in self._jump_times if 0.0 < t < end]

    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """Break times from 0 on, shape (n,), and the sizes of the jumps, shape (3, n)."""
        return self._jump_times, self._sizes

    def evaluate(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Value, first and second derivative, shape (3, n)."""
        t = np.asarray(t, dtype=float)
        if t.size == 0:
            return np.zeros((3, 0))
        piece = locate(self._pieces.start, self._after_break, t, inside)
        tau = t - self._pieces.start[piece]
        last = np.where(piece == len(self._pieces) - 1, np.iinfo(np.int64).max, self._counts[piece] - 1)
        number = np.clip(np.floor(tau / self._spacing[piece]).astype(np.int64), 0, last)
        node = self._first[piece] + number
        self._extend(int(node.max()))
        base = number * self._spacing[piece]
        x = self._series(self._states[node].T, piece, base, tau - base)
        u = [self._input(order, piece, tau) for order in range(3)]
        x1 = self._rate(x, u[0])
        x2 = self._rate(x1, u[1])
        y = np.stack([self._output(state, u[k]) for k, state in enumerate((x, x1, x2))])
        y[0] += self.initial
        return y

    def _input(self, order: int, piece: np.ndarray | np.intp, tau: np.ndarray) -> np.ndarray:
        u = self._pieces.derivative(order, piece, tau)
        return u - self.initial if order == 0 else u

    def _rate(self, x: np.ndarray, u: np.ndarray | None) -> np.ndarray:
        """A x + B u for states in columns (u None: zero); element by element, since BLAS sums depend on the array's size."""
        total = np.zeros(x.shape) if u is None else self.system.B[:, None] * u
        for j, i, a in self._links:
            total[j] += a * x[i]
        return total

    def _output(self, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        total = self.system.D * u
        for c, row in zip(self.system.C, x, strict=True):
            total = total + c * row
        return total

    def _series(self, x: np.ndarray, piece: np.ndarray | np.intp, base: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Taylor series over `step` from nodes at `base` after the start of their pieces, shape (n, m)."""
        term, total, power = x, x.copy(), np.ones(step.shape)
        for k in range(TERMS):
            given = None if k and self._pieces.vanishes(k) else self._input(k, piece, base) * power
            term = self._rate(term, given) * (step / (k + 1))
            total += term
            power = power * step / (k + 1)
        return total

    def _extend(self, node: int) -> None:
        """Make sure that the states of all nodes up to `node` are known."""
        while self._known <= node:
            if self._known == len(self._states):
                self._states = np.concatenate([self._states, np.zeros_like(self._states)])
            stop = min((self._known // BLOCK + 1) * BLOCK, len(self._states))
            self._march(np.arange(self._known - 1, min(stop, node + 1 + BLOCK // 16) - 1))

    def _march(self, number: np.ndarray) -> None:
        """Compute the states after the nodes `number`, consecutive from the last known one."""
        piece = np.searchsorted(self._first, number, "right") - 1
        spacing = self._spacing[piece]
        rest = np.zeros((self.system.order, len(number)))
        forced = self._series(rest, piece, (number - self._first[piece]) * spacing, spacing)
        distinct, which = np.unique(spacing, return_inverse=True)
        passing = [_exponential(self.system.A * h) for h in distinct]
        x = self._states[self._known - 1]
        for i in range(len(number)):
            x = passing[which[i]] @ x + forced[:, i]
            self._states[self._known + i] = x
        self._known += len(number)


def _exponential(small: np.ndarray) -> np.ndarray:
    """Matrix exponential of a matrix whose norm is at most `REACH`."""
    term = total = np.eye(len(small))
    for k in range(TERMS):
        term = term @ small / (k + 1)
        total = total + term
    return total
