"""What a time scheme does to a vibration: frequency and damping that come out of beta, gamma and the step.

Equations: G21, G22, G31.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Prediction:
    """An undamped vibration as the scheme steps it: true and stepped frequency in Hz, logarithmic decrement, ratio."""

    true_hz: float
    hz: float
    log_decrement: float
    ratio: float

    @property
    def shift(self) -> float:
        """Relative change of the frequency."""
        return self.hz / self.true_hz - 1.0


def predict(scheme: tuple[float, float, float, float], hz: float, h: float) -> Prediction:
    """Exact for one undamped mode.

    Parameters
    ----------
    scheme : tuple
        beta, gamma, alpha_m, alpha_f (the last two 0 for Newmark).
    hz, h : float
        Frequency of the mode and step, s.

    Examples
    --------
    >>> found = predict((0.7, 0.8, 0.0, 0.0), 6.14169, 2e-3)
    >>> round(found.hz, 4), round(found.log_decrement, 4)
    (6.1328, 0.0726)
    """
    beta, gamma, am, af = scheme
    w2 = (2.0 * np.pi * hz) ** 2
    # unknowns (q, v, A) after and before a step; the acceleration is -w2 q
    after = np.array([[1.0, 0.0, -beta * h * h], [0.0, 1.0, -gamma * h], [(1.0 - af) * w2, 0.0, 1.0 - am]])
    before = np.array([[1.0, h, (0.5 - beta) * h * h], [0.0, 1.0, (1.0 - gamma) * h], [-af * w2, 0.0, -am]])
    roots = np.linalg.eigvals(np.linalg.solve(after, before))
    root = roots[np.argmax(roots.imag)]
    decay, turn = -np.log(np.abs(root)), np.angle(root)
    if turn == 0.0:  # it creeps back without swinging
        return Prediction(hz, 0.0, float("inf"), 1.0)
    return Prediction(
        hz, float(turn / (2.0 * np.pi * h)), float(2.0 * np.pi * decay / turn), float(decay / np.hypot(decay, turn))
    )


def braking(gamma: float, h: float) -> float:
    """Share of a turning rate w that histories of x and y take per second and per w^2: (gamma - 1/2) h."""
    return (gamma - 0.5) * h
