"""Which frequencies a record holds: amplitude spectrum, its peaks, and a fit of damped sinusoids.

The spectrum resolves about 2/T for a record of length T. The fit (a matrix pencil on the signal subspace of
the Hankel matrix) has no such limit on clean records and gives damping, amplitude and phase as well.
"""

from __future__ import annotations

import math
import warnings
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from flexarm.errors import FlexarmError, check_word
from flexarm.numerics.blas import with_one_blas_thread

Trend = Literal["none", "constant", "linear"]
WINDOWS = ("hann", "hamming", "blackman", "blackmanharris", "flattop", "boxcar")
UNEVEN = 1e-6
"""Relative scatter of the time steps up to which a record counts as evenly sampled."""
LONGEST_WINDOW = 400
"""Rows of the Hankel matrix; the cost of the fit grows with its square."""


def record(time: Any, signal: Any, least: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Time (nt,) and signal (nt, ...) as checked float arrays; refuses what no analysis can use."""
    time, signal = np.asarray(time, dtype=float), np.asarray(signal, dtype=float)
    if time.ndim != 1 or signal.ndim < 1 or signal.shape[0] != time.size:
        raise FlexarmError(f"time and signal must have equal length, and are {time.shape} and {signal.shape}")
    if time.size < least:
        raise FlexarmError(f"the record has {time.size} samples; at least {least} are needed")
    if not (np.all(np.isfinite(time)) and np.all(np.isfinite(signal))):
        raise FlexarmError("the record holds values that are not finite (nan or inf): cut them off first")
    if np.any(np.diff(time) <= 0.0):
        raise FlexarmError("the times of the record must increase from sample to sample")
    return time, signal


def even(time: np.ndarray) -> bool:
    """True if the samples are equally spaced."""
    steps = np.diff(time)
    return bool(np.ptp(steps) <= UNEVEN * steps.mean() + 8.0 * np.spacing(np.abs(time).max()))


def evenly(time: np.ndarray, signal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The record on equal steps: without its last sample if that alone is off (the end of a run that is no multiple of
    its output interval), else interpolated, with a warning."""
    if even(time):
        return time, signal
    if even(time[:-1]) and time[-1] - time[-2] < time[1] - time[0]:
        return time[:-1], signal[:-1]
    warnings.warn("the record is unevenly sampled and was interpolated to equal steps", stacklevel=3)
    from scipy.interpolate import make_interp_spline

    grid = np.linspace(time[0], time[-1], time.size)
    return grid, make_interp_spline(time, signal, k=3)(grid)


@with_one_blas_thread
def spectrum(
    time: Any,
    signal: Any,
    window: str = "hann",
    detrend: Trend = "linear",
    padding: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Single-sided amplitude spectrum: a sine of amplitude A gives a peak of height A.

    Parameters
    ----------
    time : array_like, shape (nt,)
        Times, s. Uneven steps are interpolated (cubic spline) with a warning.
    signal : array_like, shape (nt, ...)
        One or more signals over the first axis.
    window : str
        One of `WINDOWS`.
    detrend : {"linear", "constant", "none"}
        What is taken off before.
    padding : int
        The record is filled with zeros to this many times its length. More than 1 draws the same curve with
        more points: the height of peaks between two bins is seen (and so are the window's side lobes).

    Returns
    -------
    f : ndarray, shape (nf,)
        Frequencies, Hz.
    amplitude : ndarray, shape (nf, ...)
        In the unit of the signal.
    """
    time, signal = evenly(*record(time, signal))
    check_word(window, WINDOWS, "window")
    check_word(detrend, get_args(Trend), "detrend")
    if int(padding) != padding or padding < 1:
        raise FlexarmError(f"padding is a whole number from 1, not {padding}")
    from scipy.signal import detrend as take_off
    from scipy.signal import get_window

    if detrend != "none":
        signal = take_off(signal, axis=0, type=detrend)
    weights = get_window(window, time.size)
    points = int(padding) * time.size
    weighted = signal * weights.reshape(-1, *(1 for _ in signal.shape[1:]))
    amplitude = 2.0 * np.abs(np.fft.rfft(weighted, points, axis=0)) / weights.sum()
    amplitude[0] *= 0.5
    if points % 2 == 0:
        amplitude[-1] *= 0.5
    return np.fft.rfftfreq(points, (time[-1] - time[0]) / (time.size - 1)), amplitude


def peaks(f: Any, amplitude: Any, n: int = 6, floor: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """The `n` highest peaks of a spectrum, by a parabola through the logarithm of three points.

    Parameters
    ----------
    f, amplitude : array_like, shape (nf,)
        What `spectrum` gives.
    n : int
        Greatest number of peaks.
    floor : float
        Peaks below this share of the highest one are left out. The side lobes of a Hann window reach 0.03.

    Returns
    -------
    frequencies, amplitudes : ndarray, shape (m,)
        In order of frequency; m <= n.
    """
    f, amplitude = np.asarray(f, dtype=float), np.asarray(amplitude, dtype=float)
    if f.ndim != 1 or f.shape != amplitude.shape or f.size < 3:
        raise FlexarmError("peaks needs one spectrum: frequencies and amplitudes of equal length, at least 3")
    if not 0.0 <= floor <= 1.0:
        raise FlexarmError(f"floor is a share of the highest peak, between 0 and 1, not {floor}")
    inner = amplitude[1:-1]
    tops = 1 + np.flatnonzero((inner > amplitude[:-2]) & (inner >= amplitude[2:]) & (inner > 0.0))
    tops = tops[np.argsort(amplitude[tops])[::-1]][: max(int(n), 0)]
    tops = np.sort(tops[amplitude[tops] >= floor * amplitude[tops].max()]) if tops.size else tops
    left, middle, right = np.log(np.maximum(amplitude[tops + np.array([[-1], [0], [1]])], 1e-300))
    shift = 0.5 * (left - right) / (left - 2.0 * middle + right)
    return f[tops] + shift * (f[1] - f[0]), np.exp(middle - 0.25 * (left - right) * shift)


class ModeFit(NamedTuple):
    """Sinusoids ``amplitude exp(-ratio w t) cos(w sqrt(1 - ratio^2) t + phase)``, t from the first sample.

    Attributes
    ----------
    frequency : ndarray, shape (n,)
        Natural (undamped) frequencies w/(2 pi), Hz, lowest first.
    damping_ratio, amplitude, phase : ndarray, shape (n,)
        Ratio of critical damping, amplitude at the first sample in the unit of the signal, phase in rad.
    trend : ndarray, shape (2,)
        Constant and slope (per s) beneath the sinusoids.
    residual : float
        Root mean square of what the fit with all its components leaves, relative to the signal without trend.
    """

    frequency: np.ndarray
    damping_ratio: np.ndarray
    amplitude: np.ndarray
    phase: np.ndarray
    trend: np.ndarray
    residual: float

    def waves(self, time: Any) -> np.ndarray:
        """Each sinusoid at `time` (s, from the first sample on), shape (n, nt)."""
        t = np.asarray(time, dtype=float) - np.asarray(time, dtype=float)[0]
        w, ratio = 2.0 * math.pi * self.frequency, self.damping_ratio
        turn = np.outer(w * np.sqrt(1.0 - ratio**2), t) + self.phase[:, None]
        return self.amplitude[:, None] * np.exp(-np.outer(w * ratio, t)) * np.cos(turn)


@with_one_blas_thread
def fit_modes(time: Any, signal: Any, n: int, trend: Trend = "constant") -> ModeFit:
    """Fit a sum of damped sinusoids to a record, and report the `n` that carry most of it.

    The number of components is read from the singular values (those above the noise), at least what `n`
    sinusoids and the trend need. Fewer than `n` come back when the record holds fewer.

    Parameters
    ----------
    time : array_like, shape (nt,)
        Times, s. Uneven steps are interpolated with a warning.
    signal : array_like, shape (nt,)
        One signal.
    n : int
        Number of sinusoids wanted.
    trend : {"none", "constant", "linear"}
        What else the record holds beneath them.
    """
    if int(n) != n or n < 1:
        raise FlexarmError(f"n is the number of sinusoids, at least 1, not {n}")
    check_word(trend, get_args(Trend), "trend")
    extra = get_args(Trend).index(trend)
    time, signal = evenly(*record(time, signal, 4 * int(n) + 2 * extra + 4))
    if signal.ndim != 1:
        raise FlexarmError("fit_modes takes one signal; call it for each column")
    dt, t = (time[-1] - time[0]) / (time.size - 1), time - time[0]
    rates = _exponents(signal, 2 * int(n) + extra) / dt
    slow = np.abs(rates) * t[-1] < 0.5 * math.pi if extra else np.zeros(rates.size, dtype=bool)
    swings, creeps = rates[(rates.imag > 0.0) & ~slow], rates[(rates.imag == 0.0) & ~slow].real
    e = np.exp(np.outer(t, swings))
    columns = np.hstack([e.real, e.imag, np.exp(np.outer(t, creeps)), t[:, None] ** np.arange(extra)])
    scale = np.maximum(np.linalg.norm(columns, axis=0), 1e-300)
    factors = np.linalg.lstsq(columns / scale, signal, rcond=1e-13)[0] / scale
    line = np.zeros(2)
    line[:extra] = factors[factors.size - extra :]
    swing = factors[: swings.size] - 1j * factors[swings.size : 2 * swings.size]
    weight = np.abs(swing) * np.sqrt(np.mean(np.abs(e) ** 2, axis=0))
    chosen = np.argsort(weight)[::-1][: int(n)]
    chosen = chosen[np.argsort(np.abs(swings[chosen]))]
    w = np.abs(swings[chosen])
    whole = np.linalg.norm(signal - line[0] - line[1] * t)
    left = np.linalg.norm(signal - columns @ factors)
    return ModeFit(
        w / (2.0 * math.pi), -swings[chosen].real / w, np.abs(swing[chosen]), np.angle(swing[chosen]), line,
        float(left / whole) if whole > 1e-12 * np.linalg.norm(signal) else 0.0,
    )  # fmt: skip


def _exponents(signal: np.ndarray, least: int) -> np.ndarray:
    """Complex exponents per sample of the signal's components, by the shift of its signal subspace."""
    rows = min(signal.size // 2, LONGEST_WINDOW)
    vectors, values = _subspace(signal, rows)
    if values[0] == 0.0:
        return np.zeros(0, dtype=complex)
    aspect = rows / (signal.size - rows + 1)
    noise = np.median(values) * (0.56 * aspect**3 - 0.95 * aspect**2 + 1.82 * aspect + 1.43)
    order = max(least, min(int(np.sum(values > noise)), least + 40))
    order = min(order, int(np.sum(values > 1e-12 * values[0])), rows - 1)
    kept = vectors[:, :order]
    poles = np.linalg.eigvals(np.linalg.lstsq(kept[:-1], kept[1:], rcond=None)[0]).astype(complex)
    poles = poles[np.abs(poles) > 1e-6]
    exponents = np.log(poles)
    # growth by more than e^5 over the record is a pole of the noise, and an alternating one has no sinusoid
    return exponents[(exponents.real * signal.size < 5.0) & (exponents.imag < 0.999 * math.pi)]


def _subspace(signal: np.ndarray, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Left singular vectors (rows, rows) and singular values (rows,) of the Hankel matrix of a signal.

    A long record has far more columns than rows. The matrix times its transpose then takes a small part of the work; it
    loses what is weaker than 1e-7 of the strongest component.
    """
    hankel = np.lib.stride_tricks.sliding_window_view(signal, rows).T
    if hankel.shape[1] < 4 * rows:
        vectors, values, _ = np.linalg.svd(np.transpose(np.linalg.qr(hankel.T, mode="r")), full_matrices=False)
        return vectors, values
    squares, vectors = np.linalg.eigh(hankel @ hankel.T)
    squares[squares < 1e-14 * squares[-1]] = 0.0  # rounding
    return vectors[:, ::-1], np.sqrt(squares[::-1])
