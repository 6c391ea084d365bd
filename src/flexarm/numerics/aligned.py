"""Arrays that begin where a cache line begins, so that a row of eight numbers is one line."""

from __future__ import annotations

import numpy as np

LINE = 64
"""Bytes of a cache line."""


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy of `array` that begins at a cache line.

    >>> aligned(np.ones(3)).ctypes.data % LINE
    0
    """
    room = np.zeros(array.nbytes + LINE, dtype=np.uint8)
    skip = -room.ctypes.data % LINE
    copy = room[skip : skip + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
