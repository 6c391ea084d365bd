"""The step that keeps the phase of the first modes, from which `step: auto` is made."""

from __future__ import annotations

import numpy as np

from flexarm.numerics.eigen import vibration

FACTOR = {2: 12.0, 3: 72.0, 4: 720.0}
"""A scheme of this order turns the phase of a mode, or damps it (odd orders), by (omega h)^order omega t / factor."""
MODES = 3


def phase_step(
    M: np.ndarray, C: np.ndarray, K: np.ndarray, accuracy: float, active: float | None, duration: float,
    order: int = 2, per_period: float = 20.0,
) -> float | None:  # fmt: skip
    """Step (s) that keeps the phase of the first modes within `accuracy` as long as they ring; None if nothing swings.

    Modes ring while the drives act (`active`, or the whole `duration`) and three periods more, but not beyond the time in
    which damping takes them down to 1 / e. They count by their share in a static deflection.
    """
    found = vibration(M, np.zeros_like(M), K, MODES) if len(M) else None
    if found is None or not len(found.hz):
        return None
    omega = 2.0 * np.pi * found.hz
    ringing = duration if active is None else min(duration, active + 3.0 / found.hz[0])
    resists = np.einsum("ki,kl,li->i", found.vectors, C, found.vectors)
    carries = np.einsum("ki,kl,li->i", found.vectors, M, found.vectors)
    decay = np.clip(0.5 * resists / carries, 0.0, None)
    lasting = 1.0 / np.maximum(decay, 1.0 / ringing)
    share = 1.0 / omega**2 / np.sum(1.0 / omega**2)
    step = (0.5 * accuracy * FACTOR[order] / float(share @ (omega ** (order + 1) * lasting))) ** (1.0 / order)
    return float(min(step, 1.0 / (per_period * found.hz[0])))
