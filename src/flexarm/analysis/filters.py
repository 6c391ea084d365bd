"""Zero-phase filters, and the separation of a record into rigid-body motion and single modes.

Butterworth filters are run forwards and backwards, so that nothing is shifted in time; at the cut-off the
amplitude is halved. Near both ends of the record, about one period of the cut-off, the result is less sure.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Literal

import numpy as np

from flexarm.analysis.spectrum import even, record
from flexarm.errors import FlexarmError

PERIODS = 2.0
"""Periods of the lowest cut-off that a record must hold."""


def lowpass(time: Any, signal: Any, cutoff: float, order: int = 4) -> np.ndarray:
    """The part of the signal below `cutoff` (Hz).

    Parameters
    ----------
    time : array_like, shape (nt,)
        Evenly spaced times, s.
    signal : array_like, shape (nt, ...)
        One or more signals over the first axis.
    cutoff : float
        Frequency at which the amplitude is halved, Hz.
    order : int
        Order of the Butterworth filter, which acts twice.

    Returns
    -------
    ndarray, shape (nt, ...)
    """
    return _filtered(time, signal, "lowpass", (cutoff,), order)


def highpass(time: Any, signal: Any, cutoff: float, order: int = 4) -> np.ndarray:
    """The part of the signal above `cutoff` (Hz); arguments as for `lowpass`."""
    return _filtered(time, signal, "highpass", (cutoff,), order)


def bandpass(time: Any, signal: Any, low: float, high: float, order: int = 4) -> np.ndarray:
    """The part of the signal between `low` and `high` (Hz); other arguments as for `lowpass`."""
    if not low < high:
        raise FlexarmError(f"the lower cut-off ({low:g} Hz) must lie below the upper one ({high:g} Hz)")
    return _filtered(time, signal, "bandpass", (low, high), order)


def separate_modes(time: Any, signal: Any, frequencies: Any, order: int = 8) -> list[np.ndarray]:
    """Split a record into rigid-body part, one part per mode, and the rest.

    The bands meet half-way (geometrically) between neighbouring frequencies; the first begins at half of the
    first frequency, and the last ends as far above the last frequency as it begins below it. Each part is the
    difference of two low-pass filters, so that what one band loses at its edge the next one gains.

    Parameters
    ----------
    time : array_like, shape (nt,)
        Evenly spaced times, s.
    signal : array_like, shape (nt, ...)
        One or more signals over the first axis.
    frequencies : array_like, shape (n,)
        Natural frequencies, Hz, ascending.
    order : int
        Order of the Butterworth filters; a lower one rings less at the ends and separates less sharply.

    Returns
    -------
    list of ndarray, each of shape (nt, ...)
        Rigid-body part, mode 1 to n, rest. Their sum is the signal, to rounding.
    """
    time, signal = record(time, signal)
    modes = np.atleast_1d(np.asarray(frequencies, dtype=float))
    if modes.ndim != 1 or modes.size == 0 or np.any(modes <= 0.0) or np.any(np.diff(modes) <= 0.0):
        raise FlexarmError("frequencies must be positive and ascending, at least one")
    nyquist = 0.5 * (time.size - 1) / (time[-1] - time[0])
    if modes[-1] >= nyquist:
        raise FlexarmError(
            f"a mode at {modes[-1]:g} Hz cannot be seen below {nyquist:g} Hz, half the sampling rate: "
            "leave it out, or record more finely"
        )
    edges = [0.5 * modes[0], *np.sqrt(modes[:-1] * modes[1:])]
    edges.append(min(modes[-1] ** 2 / edges[-1], 0.5 * (modes[-1] + nyquist)))
    below = [lowpass(time, signal, edge, order) for edge in edges]
    parts = [below[0], *(upper - lower for lower, upper in pairwise(below))]
    return [*parts, signal - sum(parts)]


def _filtered(
    time: Any,
    signal: Any,
    kind: Literal["lowpass", "highpass", "bandpass"],
    cutoffs: tuple[float, ...],
    order: int,
) -> np.ndarray:
    time, signal = record(time, signal)
    if not even(time):
        raise FlexarmError("a filter needs evenly spaced times: interpolate the record to equal steps first")
    if int(order) != order or not 1 <= order <= 10:
        raise FlexarmError(f"the order of a filter is a whole number from 1 to 10, not {order}")
    rate = (time.size - 1) / (time[-1] - time[0])
    for cutoff in cutoffs:
        if not 0.0 < cutoff < 0.5 * rate:
            raise FlexarmError(
                f"a cut-off of {cutoff:g} Hz is out of reach: it must lie between 0 and {0.5 * rate:g} Hz, "
                "half the sampling rate"
            )
    if (time[-1] - time[0]) * min(cutoffs) < PERIODS * (1.0 - 1e-9):
        raise FlexarmError(
            f"the record lasts {time[-1] - time[0]:g} s, but a cut-off of {min(cutoffs):g} Hz needs at least "
            f"{PERIODS / min(cutoffs):g} s: use a longer record or a higher cut-off"
        )
    from scipy.signal import butter, sos2zpk, sosfiltfilt

    sections = butter(int(order), cutoffs if kind == "bandpass" else cutoffs[0], kind, fs=rate, output="sos")
    # the start-up of the filter dies out before the record begins; a straight line is spared it altogether
    padding = int(min(time.size - 2, np.ceil(-20.0 / np.log(np.abs(sos2zpk(sections)[1]).max()))))
    line = np.polynomial.polynomial.polyfit(time, signal.reshape(time.size, -1), 1)
    trend = (line[0] + np.outer(time, line[1])).reshape(signal.shape)
    swing = sosfiltfilt(sections, signal - trend, axis=0, padtype="odd", padlen=padding)
    return swing + trend if kind == "lowpass" else swing
