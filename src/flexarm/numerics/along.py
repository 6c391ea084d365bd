"""Values along a line between the places where they are known: straight lines, continued beyond the ends."""

from __future__ import annotations

from typing import Any

import numpy as np


def neighbours(places: np.ndarray, wanted: Any) -> tuple[Any, Any, Any]:
    """Numbers of the two places beside each wanted one (the nearest two, beyond the ends), and its share of the second."""
    k = np.clip(np.searchsorted(places, wanted) - 1, 0, max(0, len(places) - 2))
    if len(places) == 1:
        return k, k, 0.0 * np.asarray(wanted)
    return k, k + 1, (wanted - places[k]) / (places[k + 1] - places[k])


def between(places: np.ndarray, values: np.ndarray, wanted: Any) -> np.ndarray:
    """Values, or formulas, of the last axis at the wanted places."""
    k, after, share = neighbours(places, wanted)
    return (1.0 - share) * values[..., k] + share * values[..., after]
