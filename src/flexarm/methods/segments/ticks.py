"""Steps from one control tick to the next, as the loop over ticks calls them (`flexarm.numerics.tick_loop`)."""

from __future__ import annotations

from numba.core import types

from flexarm.methods.segments import layout as at
from flexarm.methods.segments.elements import Matrices
from flexarm.methods.segments.paper import Choice
from flexarm.numerics.alexander import AFTER_TICK
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import call_by_address
from flexarm.numerics.jit import njit_by_address

RUN = types.UniTuple(types.int64, 2)
_start, _march = call_by_address(types.none), call_by_address(RUN)


class Ticks(Bundle):
    """Addresses of restart and march, and what they take."""

    restart: int
    march: int
    part: at.Parts
    work: at.Workspace


@njit_by_address
def between_ticks(method, x, z, table, records, every, offset, h, begins):
    """See `flexarm.numerics.tick_loop`; a torque that is held jumps at each tick."""
    if begins:
        _start(method.restart, (x, z, table[0], 0.0 * h, method.part, method.work))  # accelerations are not read next
        at.parts_of(x, method.part).sums[at.STARTING] = AFTER_TICK
    done, written = _march(method.march, (x, z, table, records, every, offset, h, method.part, method.work))
    return done, written, 0 if done == table.shape[0] - 1 else 1


class PaperTicks(Bundle):
    """The same of the document's own form."""

    march: int
    part: at.Parts
    choice: Choice
    matrices: Matrices
    work: at.Workspace


@njit_by_address
def paper_between_ticks(method, x, z, table, records, every, offset, h, begins):
    """See `flexarm.numerics.tick_loop`; all joints follow motions there, so that nothing is held and nothing begins."""
    arguments = (x, z, table, records, every, offset, h, method.part, method.choice, method.matrices, method.work.body)
    done, written = _march(method.march, arguments)
    return done, written, 0 if done == table.shape[0] - 1 else 1
