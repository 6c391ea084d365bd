"""What a run shows, not yet labelled: arrays by name, with the names of their axes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray


_LOCK = threading.RLock()
"""Formulas are worked out one at a time: they share room to work in."""


class Later:
    """An array of floats that is worked out when it is first looked at.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    find : callable
        Works it out; called once, and let go then.
    """

    def __init__(self, shape: tuple[int, ...], find: Callable[[], np.ndarray]):
        self.shape = shape
        self._find: Callable[[], np.ndarray] | None = find
        self._found: np.ndarray | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        with _LOCK:
            if self._find is not None:
                self._found, self._find = self._find(), None
        return np.array(self._found, dtype=dtype, copy=copy)


@dataclass
class Signals:
    """Signals of a run; labelled once, when all of them are known.

    Attributes
    ----------
    variables : dict
        Names of the axes and values by name, arrays or `Later`; time is the first axis.
    coordinates : dict
        Values along the axes.
    """

    variables: dict[str, Any]
    coordinates: dict[str, Any]

    def __contains__(self, name: str) -> bool:
        return name in self.variables

    def __getitem__(self, name: str) -> np.ndarray:
        return np.asarray(self.variables[name][1])

    @classmethod
    def joined(cls, pieces: Sequence[Signals]) -> Signals:
        """Pieces of one run, one after the other."""
        first = pieces[0]
        times = np.concatenate([piece.coordinates["time"] for piece in pieces])

        def join(name: str) -> np.ndarray:
            return np.concatenate([piece[name] for piece in pieces])

        variables = {
            name: (
                axes,
                Later((len(times), *part.shape[1:]), partial(join, name)) if isinstance(part, Later) else join(name),
            )
            for name, (axes, part) in first.variables.items()
        }
        return cls(variables, {**first.coordinates, "time": times})

    def dataset(self) -> xarray.Dataset:
        """The labelled form."""
        import xarray

        from flexarm.methods.lazy_variable import lazy_variable

        variables = {
            name: lazy_variable(axes, values) if isinstance(values, Later) else (axes, values)
            for name, (axes, values) in self.variables.items()
        }
        return xarray.Dataset(variables, coords=self.coordinates)
