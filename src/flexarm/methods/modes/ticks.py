"""Steps from one control tick to the next, as the loop over ticks calls them (`flexarm.numerics.tick_loop`)."""

from __future__ import annotations

from numba.core import types

from flexarm.methods.modes.arrays import Parts, Workspace
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import call_by_address
from flexarm.numerics.jit import YES, njit_by_address

RUN = types.UniTuple(types.int64, 3)
_start, _march = call_by_address(types.int64), call_by_address(RUN)


class Ticks(Bundle):
    """Addresses of restart and march, and what they take."""

    restart: int
    march: int
    part: Parts
    work: Workspace


@njit_by_address
def between_ticks(method, x, z, table, records, every, offset, h, begins):
    """See `flexarm.numerics.tick_loop`."""
    if begins:
        _start(method.restart, (method.part, method.work, x, table[0], z, 0.0, YES[0]))
    return _march(method.march, (method.part, method.work, x, z, table, records, every, offset, h))
