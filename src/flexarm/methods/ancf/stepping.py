"""Many time steps.

Equations: A32.

A step that does not converge, or whose local error is too large, is taken in parts. What the scheme gains or loses is
measured by itself (see `step_end`); a run that gains or loses too much ends.
"""

from __future__ import annotations

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.conserving import conserving_step
from flexarm.methods.ancf.generalised_alpha import alpha_step, starting_step
from flexarm.methods.ancf.prescribed import expand
from flexarm.methods.ancf.restart import accelerate
from flexarm.methods.ancf.step_end import end_step
from flexarm.numerics.alexander import SHARE
from flexarm.numerics.copies import copy, copy_rows
from flexarm.numerics.jit import njit, njit_inline, njit_part
from flexarm.numerics.rows import inside_row

MOST_PARTS, MOST_CONSERVING = 64, 32768
"""Parts of a step; the conserving scheme, made for whips, may go further."""
FINEST = 16
"""Parts beyond which a step is no longer divided for its local error."""
FIRST_STEPS = 100.0
"""Steps before the energy is judged: at first there is hardly any to compare with."""
DONE, NOT_CONVERGED, ENERGY_ERROR = range(3)


@njit_part
def local_error(m, s, w, h):
    """Estimate of the position error of a step, as a share of the reach: how much the acceleration changed."""
    largest = 0.0
    for n in range(m.kind.shape[0]):
        p = m.connection[n, 2]
        largest = max(largest, abs(s.a[p] - w.old_a[p]), abs(s.a[p + 1] - w.old_a[p + 1]))
    return h * h * largest / (12.0 * m.reach)


@njit_part
def save_start(s, w):
    """Keep state and laws as they are at the start of a step; a cached tangent is made anew after a failure."""
    copy(s.x[: s.x.shape[0] - s.band.size - s.columns.size], w.start_x)
    copy_rows(s.z, w.start_z)


@njit_part
def go_back(s, w):
    """State and laws as they were at the start of the step."""
    copy(w.start_x[: s.x.shape[0] - s.band.size - s.columns.size], s.x)
    copy_rows(w.start_z, s.z)
    s.sums[at.TANGENT_STEP] = 0.0


@njit_part
def energy_is_wrong(m, sums):
    """Whether the scheme has made or lost more energy than is allowed; it has to lose that of motions faster than a step."""
    made = sums[at.NUMERICAL] if sums[at.EXCITED] > 0.0 else abs(sums[at.NUMERICAL])
    return m.energy_error > 0.0 and made > m.energy_error * sums[at.SCALE] and sums[at.STEPS] > FIRST_STEPS


@njit_inline
def one_step(m, s, w, row, h):
    """A step of length h to `row`; False if it did not converge or its energy is not finite."""
    if m.conserving:
        count = conserving_step((m, s, w, row, h))
    elif s.sums[at.STARTING] > 0.0:
        count = starting_step(m, s, w, row, h)
    else:
        count = alpha_step(m, s, w, row, h)
    if count < 0:
        return False
    if m.conserving:
        accelerate(m, s, w, row, 0.0)
    s.sums[at.ITERATIONS] += count
    expand(m, s, row)
    return end_step(m, s, w, row, h)


@njit_inline
def divided_step(m, s, w, first, last, h):
    """A step between two drive rows, in as many parts as it needs; False if it fails however finely it is divided."""
    most, parts, part = MOST_CONSERVING if m.conserving else MOST_PARTS, 1, 0
    save_start(s, w)
    copy_rows(first, w.rows[0])
    while part < parts and parts <= most:
        if part + 1 < parts:
            inside_row(first, last, h, (part + 1.0) / parts, w.rows[1])
        else:
            copy_rows(last, w.rows[1])
        copy(s.a, w.old_a)
        starting = s.sums[at.STARTING] > 0.0
        if starting:
            inside_row(first, last, h, (part + SHARE) / parts, w.rows[2])
        good = one_step(m, s, w, w.rows[1], h / parts)
        if good and m.step_error > 0.0 and parts < FINEST and not starting:
            good = local_error(m, s, w, h / parts) <= m.step_error
        if good:
            part += 1
            copy_rows(w.rows[1], w.rows[0])
        else:
            halved = s.sums[at.HALVED] + 1.0
            go_back(s, w)
            copy_rows(first, w.rows[0])
            s.sums[at.HALVED], part, parts = halved, 0, 2 * parts
    return parts <= most


@njit
def march(m, s, w, x, z, table, records, every, offset, h):
    """Step x and z through `table`, in place; returns steps done, records written and how it ended."""
    copy(x, s.x)
    copy_rows(z, s.z)
    n, written, ended = 0, 0, DONE
    while n < table.shape[0] - 1:
        if not divided_step(m, s, w, table[n], table[n + 1], h):
            ended = NOT_CONVERGED
            break
        s.sums[at.STEPS] += 1.0
        s.sums[at.STARTING] = max(0.0, s.sums[at.STARTING] - 1.0)
        if energy_is_wrong(m, s.sums):
            go_back(s, w)
            ended = ENERGY_ERROR
            break
        n += 1
        if every > 0 and (offset + n) % every == 0:
            copy(s.x[: records.shape[1]], records[written])
            written += 1
    copy(s.x, x)
    copy_rows(s.z, z)
    return n, written, ended
