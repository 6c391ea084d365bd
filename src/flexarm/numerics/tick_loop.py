"""Many control ticks in one compiled call: readings, laws, torques that are held, a restart, and the steps to the next tick.

The loop knows neither method nor law. The steps of a method (its `between_ticks`) and the stages of a tick are called by
address, one after the other:

    stage(data, time, y, told, memory, held) -> 0, or a number that ends the call
    between_ticks(method, x, z, table, records, every, offset, h, begins) -> steps done, records written, how it ended

A stage reads the readings y and the row of the drives (channels, 7), keeps what it remembers in its part of the memory, and
writes torques to `held` (channels,), which are not a number where nothing is held. Sensors come first: what they write
to y is what the laws after them read. A law in Python is asked between two calls.
"""

from __future__ import annotations

import numpy as np
from numba.core import types

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_address import address_of, call_by_address
from flexarm.numerics.copies import copy_rows
from flexarm.numerics.expressions import Operations, values_at
from flexarm.numerics.jit import njit, njit_part
from flexarm.numerics.law_rows import FORCE, KI, KP, PRESSURE

VECTOR, MATRIX, TABLE = (types.Array(types.float64, k, "C") for k in (1, 2, 3))
RUN = types.UniTuple(types.int64, 3)
"""Steps done, records written, how it ended."""
STEPS = (VECTOR, MATRIX, TABLE, MATRIX, types.int64, types.int64, types.float64, types.boolean)
"""Arguments of `between_ticks` behind the method's own bundle."""
ROW = (VECTOR, MATRIX, MATRIX)
"""State, laws and a row of the drives."""
STAGE = (types.float64, VECTOR, MATRIX, VECTOR, VECTOR)
"""Arguments of a stage behind its own bundle."""
_go, _ask = call_by_address(RUN), call_by_address(types.int64)

(
    STEP, STOP, LAST, FIRST, WRITTEN, TICK_EVERY, TICK_OFFSET, RECORD_EVERY, RECORD_OFFSET, ASKS, ASKED, TICKED, ENDED, COUNT,
) = range(14)  # fmt: skip
"""Numbers of `Call.at`: present step of the interval, that at which the call ends and that at which the interval does; step of the
first row of the tables; records written; rhythm of ticks and records; whether Python is asked at ticks, whether that has happened
at the present one, and whether the present tick is over; how the steps or a stage ended."""
NEVER, BEFORE_STEPS, AT_ONCE = range(3)
"""Whether Python is asked at ticks: before the steps that follow, or as soon as a tick is come to."""
DONE, WAITING, FAILED, STOPPED = range(4)
"""How a call ends: at its last step; at a tick where Python is to be asked; a step failed; a stage ended it."""


class Call(Bundle):
    """What the loop reads and writes.

    Attributes
    ----------
    x, z, memory, held
        The state.
    told, table : ndarray, shape (rows, channels, 7)
        What the drives say, and the same with the torques that are held.
    records, rows, pressures
        Where records, their drive rows and the pressures of cylinders with oil go.
    readings : Operations
        What the stages read, into `y`.
    stages : ndarray, shape (n, 4)
        Address and bundle of each stage, begin and end of its memory.
    oil : ndarray
        Channels of cylinders with oil.
    at, times : ndarray
        Numbers named above; start of the interval and step, s.
    steps, method : int
        Address of `between_ticks`, and of its bundle.
    """

    x: np.ndarray
    z: np.ndarray
    memory: np.ndarray
    held: np.ndarray
    told: np.ndarray
    table: np.ndarray
    records: np.ndarray
    rows: np.ndarray
    pressures: np.ndarray
    readings: Operations
    y: np.ndarray
    stages: np.ndarray
    oil: np.ndarray
    at: np.ndarray
    times: np.ndarray
    steps: int
    method: int


def steps_address(between_ticks, method: Bundle) -> int:
    """Address of the steps of a method."""
    return address_of(between_ticks, RUN, method, *STEPS)


def stage_address(stage, data: Bundle) -> int:
    """Address of a stage."""
    return address_of(stage, types.int64, data, *STAGE)


@njit_part
def _ask_laws(call, step):
    """Readings and stages of a tick; 0, or the number of the stage and what it said."""
    values_at(call.readings, call.x, call.y)
    time, told = call.times[0] + step * call.times[1], call.told[step - call.at[FIRST]]
    for i in range(call.stages.shape[0]):
        address, data, begin, end = call.stages[i]
        said = _ask(address, (data, time, call.y, told, call.memory[begin:end], call.held))
        if said != 0:
            return 1000 * (i + 1) + said
    return 0


@njit_part
def _hold(call, first, last):
    """Write the torques that are held into the rows of the table; the gains of their laws are off there. Whether there are any."""
    any_held = False
    for c in range(call.held.shape[0]):
        if not np.isnan(call.held[c]):
            any_held = True
            for k in range(first, last + 1):
                call.table[k, c, FORCE] = call.held[c]
                for gain in range(KP, KI + 1):
                    call.table[k, c, gain] = 0.0
    return any_held


@njit_part
def _is_due(at):
    """Whether there is a tick at the present step that is not over."""
    return at[TICK_EVERY] > 0 and at[TICKED] == 0 and (at[TICK_OFFSET] + at[STEP]) % at[TICK_EVERY] == 0


@njit_part
def _keep_rows(call, first, done, written):
    """Drive rows of the records that were just written, and pressures if there is a record at the end."""
    at, count = call.at, call.at[WRITTEN]
    for k in range(first + 1, first + done + 1):
        if written > 0 and (at[RECORD_OFFSET] + k) % at[RECORD_EVERY] == 0:
            copy_rows(call.table[k - at[FIRST]], call.rows[count])
            count += 1
    if written > 0:
        for i in range(call.oil.shape[0]):
            for side in range(2):
                call.pressures[count - 1, i, side] = call.z[call.oil[i], PRESSURE + side]
    at[WRITTEN] += written


@njit
def run_ticks(call, only_tick):
    """From the present step to the last, or only what is due at the present one; returns how it ended."""
    at, h = call.at, call.times[1]
    while (
        at[STEP] < at[STOP]
        or (only_tick and at[TICKED] == 0)
        or (at[ASKS] == AT_ONCE and at[ASKED] == 0 and at[STEP] < at[LAST] and _is_due(at))
    ):
        step, begins, next_tick = at[STEP], False, at[STOP]
        if at[TICK_EVERY] > 0:
            next_tick = step + at[TICK_EVERY] - (at[TICK_OFFSET] + step) % at[TICK_EVERY]
        if _is_due(at):
            if at[ASKED] == 0:
                said = _ask_laws(call, step)
                if said != 0:
                    at[ENDED] = said
                    return STOPPED
                if at[ASKS] != NEVER:
                    at[ASKED] = 1
                    return WAITING
            at[ASKED] = 0
            begins = _hold(call, step - at[FIRST], min(next_tick - at[FIRST], call.table.shape[0] - 1))
        last = step if only_tick else min(next_tick, at[STOP])
        if call.oil.shape[0] > 0 and at[RECORD_EVERY] > 0:  # pressures are read where a record is written
            last = min(last, step + at[RECORD_EVERY] - (at[RECORD_OFFSET] + step) % at[RECORD_EVERY])
        at[TICKED] = 1
        done, written, ended = _go(
            call.steps,
            (
                call.method, call.x, call.z, call.table[step - at[FIRST] : last + 1 - at[FIRST]], call.records[at[WRITTEN] :],
                at[RECORD_EVERY], at[RECORD_OFFSET] + step, h, begins,
            ),
        )  # fmt: skip
        _keep_rows(call, step, done, written)
        at[STEP] += done
        at[TICKED] = 1 if done == 0 else 0
        if ended != 0:
            at[ENDED] = ended
            return FAILED
        if only_tick:
            break
    return DONE
