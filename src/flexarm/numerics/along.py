"""Values along a line between the places where they are known."""

from __future__ import annotations

import numpy as np


def between(places: np.ndarray, values: np.ndarray, where: float) -> np.ndarray:
    """Linear interpolation along the last axis, continued beyond the ends, (nt,)."""
    if len(places) == 1:
        return values[:, 0]
    k = int(np.clip(np.searchsorted(places, where) - 1, 0, len(places) - 2))
    share = (where - places[k]) / (places[k + 1] - places[k])
    return (1.0 - share) * values[:, k] + share * values[:, k + 1]
