"""Steps from one control tick to the next, as the loop over ticks calls them (`flexarm.numerics.tick_loop`)."""

from __future__ import annotations

from numba.core import types

from flexarm.methods.ancf import layout as at
from flexarm.numerics.alexander import AFTER_TICK
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import call_by_address
from flexarm.numerics.jit import njit_by_address

RUN = types.UniTuple(types.int64, 3)
_start, _march = call_by_address(types.none), call_by_address(RUN)


class Ticks(Bundle):
    """Addresses of the fresh start and march, what they take, and where the sums of a state begin."""

    restart: int
    march: int
    parts: at.Parts
    motion: at.Motion
    workspace: at.Workspace
    sums: int


@njit_by_address
def between_ticks(method, x, z, table, records, every, offset, h, begins):
    """See `flexarm.numerics.tick_loop`; a torque that is held jumps at each tick."""
    m, s, w = method.parts, method.motion, method.workspace
    if begins:
        _start(method.restart, (m, s, w, x, z, table[0], not m.conserving))
        x[method.sums + at.EXCITED] = 1.0
        x[method.sums + at.STARTING] = 0.0 if m.conserving else float(AFTER_TICK)
    return _march(method.march, (m, s, w, x, z, table, records, every, offset, h))
