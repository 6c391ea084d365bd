"""What mesh and step do to the first natural frequencies, from the linear model at the start.

The mesh: frequencies of the same arm with half of the mesh. With errors that fall as n^-p, n parts per link and p the order
of the method, a frequency differs by C (n_1^-p - n^-p) between n_1 and n parts, and C n^-p of it is left.
The step: the time scheme changes an angular frequency w by its share (w h)^order / phase_factor.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.methods.sensors import Watch

if TYPE_CHECKING:
    from flexarm.methods.base import Model

REMEMBERED = 256
COARSER_BY = 2
"""Times that the mesh is made coarser: to about half."""


def remaining(n: float, other: float, order: float) -> float:
    """Error with n parts, as a share of the difference between `other` and n parts."""
    return float(n**-order / abs(other**-order - n**-order))


def frequency_note(model: Model, h: float) -> list[str]:
    """One sentence with the estimated errors of the first natural frequencies; none if nothing vibrates."""
    options = model.options.coarser(COARSER_BY)
    hz, coarse = _frequencies(_Key(model, options))
    if not len(hz):
        return []
    steps = np.minimum((2.0 * np.pi * hz * h) ** model.order / model.phase_factor, 1.0)
    words = [f"{_percent(steps)} by the step"]
    if len(coarse):
        parts, fewer = (float(np.mean(each.resolution)) for each in (model.options, options))
        off = np.abs(hz[: len(coarse)] - coarse[: len(hz)]) / hz[: len(coarse)]
        words.insert(0, f"{_percent(off * remaining(parts, fewer, model.mesh_order))} by the mesh")
    first = ", ".join(f"{each:.3g}" for each in hz)
    return [f"estimated errors of the first natural frequencies ({first} Hz): {', '.join(words)}"]


def _percent(shares: np.ndarray) -> str:
    return " / ".join(f"{100 * share:.1g}" for share in shares) + " %"


class _Key:
    """A model and other options for it, known by what its frequencies depend on."""

    def __init__(self, model: Model, options: Any):
        self.model: Model | None = model
        self.options = options
        self.said = (type(model), model.arm.model_dump_json(), repr(model.options), repr(model.wiring))

    def __hash__(self) -> int:
        return hash(self.said)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.said == other.said


@functools.lru_cache(maxsize=REMEMBERED)
def _frequencies(key: _Key) -> tuple[np.ndarray, np.ndarray]:
    """First natural frequencies in Hz, and those with the other options; empty where there are none."""
    model, key.model = key.model, None  # what is remembered does not keep it alive
    assert model is not None
    try:
        hz = model.first_hz
        if key.options is None or not len(hz):
            return hz, np.zeros(0)
        arm = model.arm.model_copy(update={"damping": None})  # undamped frequencies do not ask for it
        return hz, type(model)(arm, model.wiring, key.options, Watch(), model.hints).first_hz
    except (FlexarmError, np.linalg.LinAlgError):  # a mesh that is too coarse for its loads has no equilibrium
        return np.zeros(0), np.zeros(0)
