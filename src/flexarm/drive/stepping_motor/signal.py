"""The motion of a stepping motor as a signal: each step is a short move from rest to rest.

A step from one moment to the next would need an infinite torque, so every step takes a time T: its share of the way is
s^3 (10 - 15 s + 6 s^2) with s the time since the step over T. Velocity and acceleration are continuous. Steps that follow
sooner than T overlap and add up.
"""

from __future__ import annotations

import numpy as np

from flexarm.drive.stepping_motor.steps import Steps

LOOKS = 10.0
"""Time steps within a motor step."""


class StepSignal:
    """Steps, each moved within `step_time` (s).

    Time is cut at each step, so that no time step of a method hides one.
    """

    def __init__(self, steps: Steps, step_time: float):
        self.steps, self.step_time = steps, step_time
        self.initial = steps.start
        self.finest = step_time / LOOKS
        self._counts = np.zeros(1)
        """Steps forwards less steps backwards before each, and at the end."""

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) at which a step begins."""
        times, _ = self.steps.until(end)
        return [float(t) for t in times if 0.0 < t < end]

    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """Nothing jumps: position, velocity and acceleration are continuous."""
        return np.zeros(0), np.zeros((3, 0))

    def evaluate(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Position, velocity and acceleration, shape (3, n)."""
        t = np.asarray(t, dtype=float)
        if t.size == 0:
            return np.zeros((3, 0))
        times, directions = self.steps.until(float(t.max()))
        if len(self._counts) != len(directions) + 1:  # more of them have been found
            self._counts = np.concatenate([[0], np.cumsum(directions)])
        begun = np.searchsorted(times, t, "left")
        done = np.searchsorted(times, t - self.step_time, "right")
        done = np.minimum(done, begun)
        move = np.zeros((3, t.size))
        for k in range(int((begun - done).max())):
            which = np.flatnonzero(done + k < begun)
            step = (done + k)[which]
            s = np.clip((t[which] - times[step]) / self.step_time, 0.0, 1.0)
            move[0, which] += directions[step] * s**3 * (10.0 - s * (15.0 - 6.0 * s))
            move[1, which] += directions[step] * 30.0 * s**2 * (1.0 - s) ** 2
            move[2, which] += directions[step] * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)
        size, rate = self.steps.size, 1.0 / self.step_time
        position = self.steps.start + size * (self._counts[done] + move[0])
        return np.stack([position, size * rate * move[1], size * rate**2 * move[2]])
