"""Variables of a labelled result whose values are worked out when they are first looked at, as those of a file are read then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray
from xarray.backends import BackendArray
from xarray.core import indexing

from flexarm.methods.signals import Later


class _Values(BackendArray):
    """What xarray asks for parts of the values."""

    def __init__(self, values: Later):
        self.values, self.shape, self.dtype = values, values.shape, np.dtype(float)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        find = np.asarray(self.values).__getitem__
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER_1VECTOR, find)


def lazy_variable(axes: Sequence[str], values: Later) -> xarray.Variable:
    """A variable whose values are kept once they are known, and may be written to."""
    lazy: Any = indexing.LazilyIndexedArray(_Values(values))
    return xarray.Variable(axes, indexing.MemoryCachedArray(indexing.CopyOnWriteArray(lazy)))
