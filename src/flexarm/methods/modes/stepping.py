"""Many steps: stages by Newton's method, then the step point; a step that does not converge is taken in halves."""

from __future__ import annotations

from flexarm.methods.modes.layout import (
    HALVED,
    JOINT_ROWS,
    SIGMA,
    SIGMA_LOOP,
    SIGMA_TIME,
)
from flexarm.methods.modes.rooms import C_TIME, borrow_parts, borrow_room
from flexarm.methods.modes.settling import DONE, NOT_CONVERGED, settle
from flexarm.methods.modes.stages import newton
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import NO, borrow, njit
from flexarm.numerics.rows import inside_row

MOST_PARTS = 64


@njit
def march(parts, room, x, z, table, records, every, phase, h, iterations, keep, keep_z, kept, end_row):
    """Step through `table`; returns steps done, records written and how it ended."""
    parts, room, x, z, kept = borrow_parts(parts), borrow_room(room), borrow(x), borrow(z), borrow(kept)
    size, rows = parts.K.shape[0], room.phi.shape[0]
    sums = 3 * size + rows + JOINT_ROWS * parts.joint.shape[0]
    written, width = 0, records.shape[1]
    for n in range(table.shape[0] - 1):
        copy(x, keep)
        copy_rows(z, keep_z)
        divided, ended = 1, NOT_CONVERGED
        while divided <= MOST_PARTS:
            ended = NOT_CONVERGED
            for part in range(divided):
                share = (part + parts.scheme[C_TIME]) / divided
                inside_row(table[n], table[n + 1], h, share, room.rows[0])
                if part + 1 == divided:
                    copy_rows(table[n + 1], room.rows[1])
                else:
                    inside_row(table[n], table[n + 1], h, (part + 1.0) / divided, room.rows[1])
                ended = NOT_CONVERGED
                if newton(parts, room, x, z, h / divided, kept, iterations):
                    copy_rows(room.rows[1], end_row)
                    ended = settle(parts, room, x, end_row, z, h / divided, NO[0])
                if ended != DONE:
                    break
            if ended != NOT_CONVERGED:
                break
            copy(keep, x)
            copy_rows(keep_z, z)
            x[sums + HALVED] += 1.0
            keep[sums + HALVED] = x[sums + HALVED]
            divided *= 2
        if ended != DONE:  # go back to the last good state, but remember where the loops were singular
            for k in (SIGMA, SIGMA_TIME, SIGMA_LOOP):
                keep[sums + k] = x[sums + k]
            copy(keep, x)
            copy_rows(keep_z, z)
            return n, written, ended
        if every > 0 and (phase + n + 1) % every == 0:
            for k in range(width):
                records[written, k] = x[k]
            written += 1
    return table.shape[0] - 1, written, DONE
