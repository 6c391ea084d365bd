"""The timing of a film: which instants are shown, for how long, and what lies between two records."""

from __future__ import annotations

import math

import numpy as np

LEAST = 4.0
"""Seconds that a film lasts at least if its speed is left open."""


def film(time: np.ndarray, period: float, speed: float | None, longest: float, most: int) -> tuple[np.ndarray, float]:
    """Instants of the pictures in s, and the speed, within all limits.

    Parameters
    ----------
    time : ndarray, shape (nt,)
        Time stamps of the records in s.
    period : float
        Seconds of film per picture.
    speed : float or None
        Simulated seconds per second of film; None: 1, or so much less (1, 2 or 5 times a power of ten) that it lasts `LEAST` seconds.
    longest : float
        Longest duration of the film in s.
    most : int
        Most pictures.
    """
    span = float(time[-1] - time[0])
    if span <= 0.0:
        return time[-1:], speed or 1.0
    if speed is None:
        speed = 1.0 if span >= LEAST else rounded_down(span / LEAST)
    duration = min(span / speed, longest, (most - 1) * period)
    count = max(2, math.floor(duration / period + 1e-9) + 1)
    if span / speed > duration * (1.0 + 1e-9):
        speed = span / ((count - 1) * period)
    frames = time[0] + np.arange(count) * speed * period
    frames[-1] = time[-1]
    return frames, speed


def rounded_down(value: float, least: float = 0.0, most: float = math.inf) -> float:
    """1, 2 or 5 times a power of ten, not above `value`, within limits."""
    if not value > least:
        return least
    ten = 10.0 ** math.floor(math.log10(value))
    found = max(step * ten for step in (1, 2, 5) if step * ten <= value * (1.0 + 1e-9))
    return float(f"{min(found, most):.6g}")


def at_instant(time: np.ndarray, array: np.ndarray, instant: float) -> np.ndarray:
    """Values of `array`, shape (nt, ...), at an instant, linear between records."""
    k = int(np.clip(np.searchsorted(time, instant, "right") - 1, 0, max(len(time) - 2, 0)))
    if len(time) == 1 or time[k + 1] == time[k]:
        return array[k]
    w = (instant - time[k]) / (time[k + 1] - time[k])
    return (1.0 - w) * array[k] + w * array[k + 1]
