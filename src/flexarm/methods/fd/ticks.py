"""Steps from one control tick to the next, as the loop over ticks calls them (`flexarm.numerics.tick_loop`).

A march whose numbers are not finite goes back to its start; the steps before are then done once more.
"""

from __future__ import annotations

from numba.core import types

from flexarm.methods.fd import layout as at
from flexarm.numerics.alexander import AFTER_TICK
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import call_by_address
from flexarm.numerics.jit import njit_by_address

RUN = types.UniTuple(types.int64, 2)
_start, _march = call_by_address(types.none), call_by_address(RUN)


class ExplicitTicks(Bundle):
    """Addresses of restart and march, and what they take."""

    restart: int
    march: int
    scheme: at.Explicit


class ImplicitTicks(Bundle):
    """The same of newmark."""

    restart: int
    march: int
    scheme: at.Implicit


class SpectralTicks(Bundle):
    """The same of the exact scheme."""

    restart: int
    march: int
    scheme: at.Spectral


@njit_by_address
def leapfrog_between_ticks(method, x, z, table, records, every, offset, h, begins):
    """See `flexarm.numerics.tick_loop`."""
    if begins:
        _start(method.restart, (x, z, table[0], h, method.scheme))
    done, written = _march(method.march, (x, z, table, records, every, offset, h, method.scheme))
    if 0 < done < table.shape[0] - 1:
        _march(method.march, (x, z, table[: done + 1], records[:0], 0 * every, 0 * every, h, method.scheme))
    return done, written, 0 if done == table.shape[0] - 1 else 1


@njit_by_address
def between_ticks(method, x, z, table, records, every, offset, h, begins):
    """The same for schemes whose restart does not ask for the step."""
    if begins:
        _start(method.restart, (x, z, table[0], method.scheme))
        s = at.parts(x, method.scheme.arm)[2]
        s[at.START_STEPS] = min(s[at.START_STEPS], float(AFTER_TICK))
    done, written = _march(method.march, (x, z, table, records, every, offset, h, method.scheme))
    if 0 < done < table.shape[0] - 1:
        _march(method.march, (x, z, table[: done + 1], records[:0], 0 * every, 0 * every, h, method.scheme))
    return done, written, 0 if done == table.shape[0] - 1 else 1
