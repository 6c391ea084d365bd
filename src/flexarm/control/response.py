"""Responses of linear models: over frequency, and to steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SLOW = 1e-6
"""Poles below this share of the highest are rigid motions."""
MODES = 10
"""Poles that a Bode plot reaches to."""


@dataclass(frozen=True)
class FrequencyResponse:
    """Outputs over inputs: hz (n,), response (n, outputs, inputs), complex."""

    hz: np.ndarray
    response: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    @property
    def decibels(self) -> np.ndarray:
        """Sizes in dB."""
        return 20.0 * np.log10(np.maximum(np.abs(self.response), 1e-300))

    @property
    def degrees(self) -> np.ndarray:
        """Phases in degrees, without jumps along the frequencies."""
        return np.degrees(np.unwrap(np.angle(self.response), axis=0))


@dataclass(frozen=True)
class StepResponse:
    """Outputs after a unit step of each input: time (n,) in s, response (n, outputs, inputs)."""

    time: np.ndarray
    response: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def around(poles: np.ndarray, period: float, points: int) -> np.ndarray:
    """Frequencies in Hz that show the slow poles (of a sampled model its z), the resonances among them."""
    known = np.log(poles[np.abs(poles) > 0.0]) / period if period else poles
    sizes = np.sort(np.abs(known[known.imag >= 0.0])) / (2.0 * np.pi)
    sizes = sizes[sizes > SLOW * sizes.max(initial=0.0)]
    if not len(sizes):
        return np.geomspace(0.01, 100.0, points)
    low, high = 0.1 * sizes[0], 2.0 * sizes[:MODES][-1]
    if period:
        high = min(high, 0.5 / period)
    near = sizes[(sizes > low) & (sizes < high)][:, None] * (1.0 + np.linspace(-0.03, 0.03, 30))
    return np.unique(np.concatenate([np.geomspace(low, high, points), near.ravel()]))
