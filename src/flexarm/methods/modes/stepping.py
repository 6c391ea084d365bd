"""Many steps: stages by Newton's method, then the step point; a step that does not converge is taken in halves.

Equations: M27.
"""

from __future__ import annotations

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.stages import newton
from flexarm.methods.modes.step_end import DONE, NOT_CONVERGED, end_step
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import NO, njit, njit_inline
from flexarm.numerics.rows import inside_row

MOST_HALVINGS = 6
"""A step is divided into at most 2^6 parts."""


@njit_inline
def divided_step(part, work, x, z, first, last, h, parts):
    """One step between two drive rows in so many equal parts; returns how it ended."""
    now = at.views(part, x)
    for k in range(parts):
        inside_row(first, last, h, (k + part.stage_time[1]) / parts, work.rows[1])
        if k + 1 == parts:
            copy_rows(last, work.rows[2])
        else:
            inside_row(first, last, h, (k + 1.0) / parts, work.rows[2])
        if not newton(part, work, now.q, now.v, now.a, z, h / parts):
            return NOT_CONVERGED
        ended = end_step(part, work, x, work.rows[2], z, h / parts, NO[0])
        if ended != DONE:
            return ended
    return DONE


@njit
def march(part, work, x, z, table, records, every, offset, h):
    """Step through `table`; returns steps done, records written and how it ended."""
    sums, old_sums, written = at.views(part, x).sums, at.views(part, work.old_x).sums, 0
    for n in range(table.shape[0] - 1):
        copy(x, work.old_x)
        copy_rows(z, work.old_z)
        ended = NOT_CONVERGED
        for halvings in range(MOST_HALVINGS + 1):
            ended = divided_step(part, work, x, z, table[n], table[n + 1], h, 1 << halvings)
            if ended != NOT_CONVERGED:
                break
            old_sums[at.HALVED] += 1.0
            copy(work.old_x, x)
            copy_rows(work.old_z, z)
        if ended != DONE:  # go back to the last good state, but remember where the loops were singular
            for k in (at.SIGMA, at.SIGMA_TIME, at.SIGMA_LOOP):
                old_sums[k] = sums[k]
            copy(work.old_x, x)
            copy_rows(work.old_z, z)
            return n, written, ended
        if every > 0 and (offset + n + 1) % every == 0:
            copy(x, records[written])
            written += 1
    return table.shape[0] - 1, written, DONE
