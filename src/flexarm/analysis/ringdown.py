"""Frequency and damping from a free decay, by a fit and by the classical logarithmic decrement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analysis.spectrum import fit_modes, record
from flexarm.errors import FlexarmError
from flexarm.numerics.blas import with_one_blas_thread

FAINT = 0.1
"""Peaks below this share of the highest one are left out of the decrement, because noise governs them."""


@dataclass(frozen=True)
class Ringdown:
    """The dominant mode of a free decay.

    Attributes
    ----------
    frequency : float
        Natural (undamped) frequency, Hz.
    damping_ratio : float
        Ratio of critical damping.
    log_decrement : float
        Logarithm of the ratio of two peaks one period apart, from the fit.
    amplitude : float
        At the start of the decay, in the unit of the signal.
    decay_rate : float
        Rate sigma of the envelope exp(-sigma t), 1/s.
    quality : float
        Quality factor 1/(2 damping_ratio); infinite without damping.
    peak_log_decrement : float
        The decrement read from the peaks of the record once more; nan when there are fewer than three.
    peaks : int
        Number of peaks (up and down) that it is read from.
    residual : float
        Root mean square of what the fit leaves, relative to the signal without its mean level.
    """

    frequency: float
    damping_ratio: float
    log_decrement: float
    amplitude: float
    decay_rate: float
    quality: float
    peak_log_decrement: float
    peaks: int
    residual: float

    @property
    def peak_damping_ratio(self) -> float:
        """Damping ratio by the classical decrement."""
        return self.peak_log_decrement / math.hypot(2.0 * math.pi, self.peak_log_decrement)


@with_one_blas_thread
def ringdown(time: Any, signal: Any, start: float | None = None, modes: int = 3) -> Ringdown:
    """Read frequency and damping of the dominant mode from a free decay.

    Parameters
    ----------
    time : array_like, shape (nt,)
        Times, s.
    signal : array_like, shape (nt,)
        One signal; it may hold further modes and a constant level.
    start : float, optional
        When the free decay begins, s; the whole record by default.
    modes : int
        How many modes the fit may separate.

    Examples
    --------
    >>> t = np.linspace(0.0, 3.0, 1501)
    >>> decay = ringdown(t, 0.01 * np.exp(-0.8 * t) * np.cos(70.0 * t))
    >>> round(decay.decay_rate, 6), round(decay.frequency, 3)
    (0.8, 11.142)
    """
    time, signal = record(time, signal)
    if signal.ndim != 1:
        raise FlexarmError("ringdown takes one signal; call it for each column")
    if start is not None:
        if not time[0] <= start < time[-1]:
            raise FlexarmError(f"start ({start:g} s) must lie in the record, {time[0]:g} to {time[-1]:g} s")
        time, signal = time[time >= start], signal[time >= start]
    fit = fit_modes(time, signal, modes)
    if fit.frequency.size == 0:
        raise FlexarmError("no vibration was found in the record: choose a part of it that swings")
    waves = fit.waves(time)
    k = int(np.argmax(np.sum(waves**2, axis=1)))
    others = np.delete(waves, k, axis=0).sum(axis=0)
    ratio, w = float(fit.damping_ratio[k]), 2.0 * math.pi * float(fit.frequency[k])
    damped = w * math.sqrt(1.0 - ratio**2)
    decrement, count = _decrement(time, signal - others - fit.trend[0], math.pi / damped)
    return Ringdown(
        frequency=float(fit.frequency[k]),
        damping_ratio=ratio,
        log_decrement=2.0 * math.pi * ratio / math.sqrt(1.0 - ratio**2),
        amplitude=float(fit.amplitude[k]),
        decay_rate=ratio * w,
        quality=math.inf if ratio == 0.0 else 0.5 / ratio,
        peak_log_decrement=decrement,
        peaks=count,
        residual=fit.residual,
    )


def _decrement(time: np.ndarray, signal: np.ndarray, half_period: float) -> tuple[float, int]:
    """Logarithmic decrement from the peak of each half swing, and the number of peaks used."""
    crossings = np.flatnonzero(np.signbit(signal[1:]) != np.signbit(signal[:-1])) + 1
    # close crossings are noise about zero: a half swing lasts about half a period
    long = np.diff(time[crossings]) > 0.6 * half_period
    at, height = [], []
    for first, last in zip(crossings[:-1][long], crossings[1:][long], strict=True):
        middle = 0.5 * (time[first - 1] + time[last])
        # a parabola through the top third of a period evens out the noise
        near = slice(*np.searchsorted(time, [middle - half_period / 3.0, middle + half_period / 3.0]))
        if near.stop - near.start >= 3:
            c, b, a = np.polynomial.polynomial.polyfit(time[near] - middle, np.abs(signal[near]), 2)
            if a < 0.0 and abs(b) < -2.0 * a * half_period / 3.0:
                at.append(middle - 0.5 * b / a)
                height.append(c - 0.25 * b * b / a)
    instants, heights = np.array(at), np.array(height)
    clear = heights > FAINT * heights.max() if heights.size else np.zeros(0, dtype=bool)
    if clear.sum() < 3:
        return math.nan, int(clear.sum())
    # the scatter of a logarithm is inverse to the height
    slope = np.polyfit(instants[clear], np.log(heights[clear]), 1, w=heights[clear])[0]
    return float(-2.0 * half_period * slope), int(clear.sum())
