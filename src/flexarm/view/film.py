"""The timing of a film: which instants are shown, for how long, and what lies between two records."""

from __future__ import annotations

import math

import numpy as np

MOST_FRAMES = 200
"""Pictures in a film; more make a large file."""


def film(time: np.ndarray, fps: float, speed: float, longest: float) -> tuple[np.ndarray, int, float]:
    """Instants of the pictures in s, hundredths of a second per picture, and the speed, within all limits.

    Parameters
    ----------
    time : ndarray, shape (nt,)
        Time stamps of the records in s.
    fps, speed, longest : float
        As wanted; see `animate`.
    """
    hundredths = max(2, round(100.0 / fps))  # a gif counts in hundredths, and viewers distrust less than two
    span, per_picture = float(time[-1] - time[0]), 0.01 * hundredths
    if span <= 0.0:
        return time[-1:], hundredths, speed
    duration = min(span / speed, longest, (MOST_FRAMES - 1) * per_picture)
    count = max(2, math.floor(duration / per_picture + 1e-9) + 1)
    if span / speed > duration * (1.0 + 1e-9):
        speed = span / ((count - 1) * per_picture)
    frames = time[0] + np.arange(count) * speed * per_picture
    frames[-1] = time[-1]
    return frames, hundredths, speed


def at_instant(time: np.ndarray, array: np.ndarray, instant: float) -> np.ndarray:
    """Values of `array`, shape (nt, ...), at an instant, linear between records."""
    k = int(np.clip(np.searchsorted(time, instant, "right") - 1, 0, max(len(time) - 2, 0)))
    if len(time) == 1 or time[k + 1] == time[k]:
        return array[k]
    w = (instant - time[k]) / (time[k + 1] - time[k])
    return (1.0 - w) * array[k] + w * array[k + 1]
