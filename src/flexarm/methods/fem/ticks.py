"""Steps from one control tick to the next, as the loop over ticks calls them (`flexarm.numerics.tick_loop`)."""

from __future__ import annotations

from numba.core import types

from flexarm.methods.fem import layout as at
from flexarm.numerics.alexander import AFTER_TICK
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import call_by_address
from flexarm.numerics.jit import YES, njit_by_address

RUN = types.UniTuple(types.int64, 2)
_start, _march = call_by_address(types.none), call_by_address(RUN)


class Ticks(Bundle):
    """Addresses of restart and march, what they take, and where the count of starting steps and the accelerations stand in a state."""

    restart: int
    march: int
    part: at.Parts
    work: at.Workspace
    starting: int
    a: int


@njit_by_address
def between_ticks(method, x, z, table, records, every, offset, h, begins):
    """See `flexarm.numerics.tick_loop`; a torque that is held jumps at each tick."""
    if begins:
        _start(method.restart, (x, z, table[0], YES[0], method.part, method.work))
        if x[method.starting] > 0.0:  # starting steps begin without accelerations
            x[method.starting] = AFTER_TICK
            for k in range(method.part.mass.shape[0]):
                x[method.a + k] = 0.0
    done, written = _march(method.march, (x, z, table, records, every, offset, h, method.part, method.work))
    return done, written, 0 if done == table.shape[0] - 1 else 1
