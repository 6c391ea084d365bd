"""What a run shows, not yet labelled: arrays by name, with the names of their axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import xarray


@dataclass
class Signals:
    """Signals of a run; labelled once, when all of them are known.

    Attributes
    ----------
    variables : dict
        Names of the axes and values by name; time is the first axis.
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
        variables = {
            name: (axes, np.concatenate([piece[name] for piece in pieces]))
            for name, (axes, _) in first.variables.items()
        }
        times = np.concatenate([piece.coordinates["time"] for piece in pieces])
        return cls(variables, {**first.coordinates, "time": times})

    def dataset(self) -> xarray.Dataset:
        """The labelled form."""
        import xarray

        return xarray.Dataset(self.variables, coords=self.coordinates)
