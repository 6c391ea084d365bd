"""Steps from one control tick to the next, as the loop over ticks calls them (`flexarm.numerics.tick_loop`)."""

from __future__ import annotations

from numba.core import types

from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.fem.spatial.packing import Kernel, StateViews
from flexarm.methods.fem.spatial.stepping import START, STEP
from flexarm.numerics.alexander import AFTER_TICK
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import call_by_address
from flexarm.numerics.jit import njit_by_address

RUN = types.UniTuple(types.int64, 2)
_march = call_by_address(RUN)


class Ticks(Bundle):
    """Address of the time loop, and what it takes."""

    march: int
    kernel: Kernel
    state: StateViews


@njit_by_address
def between_ticks(method, x, z, table, records, every, offset, h, begins):
    """See `flexarm.numerics.tick_loop`; a torque that is held jumps at each tick."""
    none, sums, use = 0 * every, method.state.sums, method.state.tangent_use
    if begins:
        made = use[at.MADE_FOR]
        good, _ = _march(
            method.march, (START + none, table[:1], records[:0], none, none, h, method.kernel, method.state)
        )
        use[at.MADE_FOR] = made  # the tangent of the steps goes on to serve
        if good == 0:
            return none, none, none + 1
        sums[at.STARTING] = 0.0 if method.kernel.parts.theory == at.QUASI_STATIC else float(AFTER_TICK)
    done, written = _march(method.march, (STEP + none, table, records, every, offset, h, method.kernel, method.state))
    return done, written, 0 if done == table.shape[0] - 1 else 1
