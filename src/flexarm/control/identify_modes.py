"""Natural frequencies, damping and shapes from the free decay of several columns at once.

Eigensystem realisation (ERA): with y_k the row of the columns at sample k, the Hankel matrices H0 = [y_(i+j)] and
H1 = [y_(i+j+1)] of a free decay y_k = C A^k x_0 have the rank of A. From H0 = U S V^T, cut after as many singular values as
there are states (two for each mode, one for a constant offset),

    A = S^(-1/2) U^T H1 V S^(-1/2),      lambda_k = ln(eig_k A) / h .

What grows, does not swing, or lies above 0.8 of the Nyquist frequency is no mode of an arm and is dropped.

The fit of damped sines that starts there is in `damped_sines`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from flexarm.analysis.measured import Log
from flexarm.analysis.spectrum import evenly, record
from flexarm.control.damped_sines import DampedSines
from flexarm.errors import FlexarmError, check_word
from flexarm.numerics.blas import with_one_blas_thread

Way = Literal["era", "fit"]
MOST_ROWS = 600
"""Rows of the Hankel matrix, all columns of the log together."""
MOST_COLUMNS = 6000
"""Columns of the Hankel matrix; of a longer record the eigensystem realisation takes the beginning, the fit all."""
SHARE_OF_ROWS = 0.15
HIGHEST = 0.8
"""Share of the Nyquist frequency above which a pole is not believed."""
LEVEL = 0.05
"""A mean beyond this share of a column's root mean square counts as an offset."""
LEAST_GAP = 3.0
"""Ratio of two neighbouring singular values that counts as a gap; those of noise follow each other closely."""
MOST_STATES = 40
RANK = 1e-13
"""Singular values below this share of the first are rounding."""


@dataclass(frozen=True, eq=False)
class IdentifiedModes:
    """Modes of a free decay, lowest first: ``offset + sum amplitude exp(-zeta w t) cos(w sqrt(1 - zeta^2) t + phase)``.

    Attributes
    ----------
    frequency, damping_ratio : ndarray, shape (n,)
        Natural (undamped) frequencies in Hz, ratios of critical damping.
    amplitude, phase : ndarray, shape (n, columns)
        At the first sample, in the unit of each column, and rad.
    sd_frequency, sd_damping_ratio : ndarray, shape (n,)
        Standard deviations by Cramer and Rao: of a fit its own; the eigensystem realisation scatters up to 1.6 times as much.
    offset, sigma : ndarray, shape (columns,)
        Constant beneath the modes; standard deviation of the noise, as given or as the residuals show it.
    chi_square : float
        Sum of squared residuals over sigma^2, by the degrees of freedom; 1 by construction if sigma was not given.
    singular_values : ndarray
        Of the Hankel matrix, the columns divided by their root mean square: those of the modes stand out of the noise.
    columns : tuple of str
    time : ndarray, shape (nt,)
        From the start of the decay, s, on the clock of the log.
    measured, fitted : ndarray, shape (nt, columns)
    method : {"era", "fit"}
    notes : tuple of str
    """

    frequency: np.ndarray
    damping_ratio: np.ndarray
    amplitude: np.ndarray
    phase: np.ndarray
    sd_frequency: np.ndarray
    sd_damping_ratio: np.ndarray
    offset: np.ndarray
    sigma: np.ndarray
    chi_square: float
    singular_values: np.ndarray
    columns: tuple[str, ...]
    time: np.ndarray
    measured: np.ndarray
    fitted: np.ndarray
    method: str
    notes: tuple[str, ...] = ()

    @property
    def shapes(self) -> np.ndarray:
        """Amplitude and phase of each mode as one complex number, the largest of its columns 1, shape (n, columns)."""
        whole = self.amplitude * np.exp(1j * self.phase)
        largest = np.abs(whole).argmax(axis=1)
        return whole / whole[np.arange(len(whole)), largest][:, None]

    def __repr__(self) -> str:
        rows = zip(self.frequency, self.sd_frequency, self.damping_ratio, self.sd_damping_ratio, strict=True)
        lines = [
            f"  {f:.7g} Hz (sd {df:.2g}), damping ratio {100 * z:.5g} % (sd {100 * dz:.2g} %)" for f, df, z, dz in rows
        ]
        return "\n".join([f"modes of {', '.join(self.columns)} by {self.method}:", *lines])


@with_one_blas_thread
def identify_modes(
    log: Any,
    n: int | None = None,
    method: Way = "fit",
    *,
    start: float | None = None,
    rows: int | None = None,
    offset: bool | None = None,
    sigma: Any = None,
) -> IdentifiedModes:
    """Find the modes in a free decay.

    Parameters
    ----------
    log : Log, sequence of Log, or (time, values)
        Columns with the same times: `Log` objects, or times (nt,) in s with values (nt,) or (nt, columns).
    n : int, optional
        Number of modes; by the last gap of the singular values when left out.
    method : {"fit", "era"}
        Least squares of damped sines, started from the eigensystem realisation, or that alone.
    start : float, optional
        When the free decay begins, s; the whole log by default. What the drives force before must be left out.
    rows : int, optional
        Block rows of the Hankel matrix; 0.15 of the samples by default.
    offset : bool, optional
        Whether the columns have constant offsets; by default if the mean of one exceeds 5 % of its root mean square.
    sigma : float or sequence, optional
        Standard deviation of the noise of each column; from the residuals when left out.

    Examples
    --------
    >>> t = np.arange(0.0, 2.0, 1e-3)
    >>> noise = np.random.default_rng(1).normal(0.0, 0.01, 2000)
    >>> identify_modes((t, np.exp(-0.7 * t) * np.cos(70.0 * t) + noise), 1)
    modes of column 1 by fit:
      11.14155 Hz (sd 0.00018), damping ratio 1.0002 % (sd 0.0016 %)
    """
    check_word(method, get_args(Way), "method")
    time, values, names = _columns(log)
    if start is not None:
        if not time[0] <= start < time[-1]:
            raise FlexarmError(f"start ({start:g} s) must lie in the log, {time[0]:g} to {time[-1]:g} s")
        time, values = time[time >= start], values[time >= start]
    if n is not None and (int(n) != n or n < 1):
        raise FlexarmError(f"n is the number of modes, at least 1, not {n}")
    time, values = evenly(*record(time, values, 4 * int(n or 1) + 8))
    noise = _noise(sigma, values.shape[1])
    size = np.sqrt(np.mean(values**2, axis=0))
    if not size.all():
        raise FlexarmError(f"column {names[int(np.argmin(size))]} of the log is zero: leave it out")
    if offset is None:
        offset = bool(np.any(np.abs(values.mean(axis=0)) > LEVEL * size))
    step = (time[-1] - time[0]) / (time.size - 1)
    poles, singular, notes = _era(values / size, n, rows, offset)
    rates = np.log(poles) / step
    w, ratio = np.abs(rates), -rates.real / np.abs(rates)
    t = time - time[0]
    found = DampedSines(t, values, offset, noise)
    x = found.start(w, ratio)
    if method == "fit":
        x = found.fitted(x)
    modes, covariance, used = found.shown(x, len(w))
    order = np.argsort(modes.w)
    sd = np.sqrt(np.diag(covariance))
    return IdentifiedModes(
        modes.w[order] / (2.0 * math.pi), modes.ratio[order], np.abs(modes.c[order]), np.angle(modes.c[order]),
        sd[: len(w)][order] / (2.0 * math.pi), sd[len(w) : 2 * len(w)][order], modes.level, used,
        found.chi_square(x, used), singular, names, time, values, found.model(x), method, tuple(notes),
    )  # fmt: skip


def _columns(log: Any) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Times, values (nt, columns) and names."""
    if isinstance(log, Log):
        log = [log]
    if isinstance(log, Sequence) and log and all(isinstance(part, Log) for part in log):
        if any(len(part.time) != len(log[0].time) or np.any(part.time != log[0].time) for part in log):
            raise FlexarmError("the columns have different times: give columns of one log")
        return log[0].time, np.stack([part.values for part in log], axis=1), tuple(part.name for part in log)
    if not (isinstance(log, Sequence) and len(log) == 2):
        raise FlexarmError("log is a Log, a list of them, or times and values: see flexarm.read_log")
    time, values = (np.asarray(part, dtype=float) for part in log)
    values = values[:, None] if values.ndim == 1 else values
    return time, values, tuple(f"column {k + 1}" for k in range(values.shape[1]))


def _noise(sigma: Any, count: int) -> np.ndarray | None:
    if sigma is None:
        return None
    noise = np.broadcast_to(np.asarray(sigma, dtype=float), (count,))
    if not np.all((noise > 0.0) & np.isfinite(noise)):
        raise FlexarmError(
            "sigma is the standard deviation of the noise and must be positive; leave it out to have it estimated",
            field="sigma",
        )
    return noise


def _era(values: np.ndarray, n: int | None, rows: int | None, offset: bool) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Discrete poles of the modes in the upper half plane, singular values, and what is to be said."""
    from scipy.linalg import svd

    count, width = values.shape
    high = int(rows) if rows is not None else max(2, min(int(SHARE_OF_ROWS * count), MOST_ROWS // width))
    least = 2 * int(n or 1) + offset
    if not least < high * width or not least < count - high:
        raise FlexarmError(
            f"rows ({high}) must lie between the number of states ({least}) and the number of samples ({count}) less that",
            field="rows",
        )
    long, notes = min(count - high, MOST_COLUMNS), []
    if long < count - high:
        notes.append(f"the eigensystem realisation took the first {long + high} of {count} samples")
    blocks = np.lib.stride_tricks.sliding_window_view(values[: high + long], high, axis=0)
    hankel = blocks.transpose(2, 1, 0).reshape(high * width, long + 1)
    left, singular, right = svd(hankel[:, :-1], full_matrices=False)
    order = least if n is not None else _order(singular, offset)
    order = min(order, int(np.sum(singular > RANK * singular[0])))
    root = np.sqrt(singular[:order])
    poles = np.linalg.eigvals((left[:, :order] / root).T @ hankel[:, 1:] @ (right[:order].T / root))
    kept = poles[(np.abs(poles) < 1.0) & (poles.imag > 0.0) & (np.angle(poles) < HIGHEST * math.pi)]
    wanted = (least if n is not None else order - offset) // 2
    if not len(kept):
        raise FlexarmError("no vibration that dies out was found in the log: choose a part of it that rings freely")
    if len(kept) < wanted:
        notes.append(
            f"{wanted} modes were looked for and {len(kept)} found: the other poles grow, do not swing, or lie above 0.8 of the "
            "Nyquist frequency"
        )
    return kept, singular, notes


def _order(singular: np.ndarray, offset: bool) -> int:
    """Number of states: where the singular values drop to those of the noise, which follow each other closely."""
    places = np.arange(2 + offset, min(len(singular) - 1, MOST_STATES), 2)
    drops = places[singular[places - 1] > LEAST_GAP * np.maximum(singular[places], RANK * singular[0])]
    if not len(drops):
        raise FlexarmError("the singular values show no gap between modes and noise: say how many modes there are (n)")
    return int(drops[-1])
