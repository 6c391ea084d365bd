"""Delay bytes of a small controller: the wait between two steps as one byte for a counting loop.

The loop is the WAIT routine of the Apple II: with the byte A it takes (26 + 27 A + 5 A^2) / 2 cycles of about 0.978 us.
A from 1 to 255 gives 28 us to 162 ms; 0 would act as 256. One more in the byte is 5 A + 16 cycles more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import FlexarmError

CYCLE = 0.978e-6
"""Cycle of the processor, s."""
FIRST, LAST = 1, 255
TABLE_BYTES = 3838
"""Bytes of memory for the delay table in the program of the thesis."""
READINGS = 8192
"""Readings of its converter that fit into memory, one per motor step."""


def wait_time(byte: np.ndarray | int, cycle: float = CYCLE) -> np.ndarray:
    """Time in s that the loop takes."""
    a = np.asarray(byte, dtype=float)
    return 0.5 * (26.0 + 27.0 * a + 5.0 * a * a) * cycle


@dataclass(frozen=True, eq=False)
class DelayBytes:
    """Delays as bytes.

    Attributes
    ----------
    byte : ndarray of uint8, shape (n,)
        Values for the loop, 1 to 255.
    delays : ndarray, shape (n,)
        What the loop and the overhead then take, s.
    cut : ndarray of int
        Numbers (from 0) of delays that are longer than the loop can wait and were cut to the longest.
    resolution : ndarray, shape (n,)
        Time that one more in the byte adds, s.
    error : float
        Sum of the delays made minus those wanted, s.
    """

    byte: np.ndarray
    delays: np.ndarray
    cut: np.ndarray
    resolution: np.ndarray
    error: float


def delay_bytes(delays: np.ndarray, overhead: float = 0.0, carry: bool = True, cycle: float = CYCLE) -> DelayBytes:
    """The byte for each delay.

    Parameters
    ----------
    delays : ndarray, shape (n,)
        Wanted times between steps, s.
    overhead : float
        Time in s that each turn of the program takes beside the loop.
    carry : bool
        Hand what rounding leaves over to the next delay, so that the sum of all stays right.
    cycle : float
        Cycle of the processor, s.

    Raises
    ------
    FlexarmError
        If a delay is shorter than the shortest wait.

    Examples
    --------
    >>> found = delay_bytes(np.array([5e-3, 5e-3, 0.2]))
    >>> found.byte, found.cut
    (array([ 43,  42, 255], dtype=uint8), array([2]))
    """
    delays = np.asarray(delays, dtype=float)
    low, high = float(wait_time(FIRST, cycle)) + overhead, float(wait_time(LAST, cycle)) + overhead
    short = np.flatnonzero(delays < low * (1.0 - 1e-9))
    if len(short):
        worst = int(np.argmin(delays))
        raise FlexarmError(
            f"the motion is too fast for the delay byte: step {worst + 2} follows after {1e6 * delays[worst]:.1f} us, but "
            f"the shortest wait is {1e6 * low:.1f} us (byte 1{f' and {1e6 * overhead:g} us overhead' if overhead else ''}); "
            "give the move more time, or make the steps larger"
        )
    byte, made, cut, left = np.zeros(len(delays), dtype=np.uint8), np.zeros(len(delays)), [], 0.0
    for i, delay in enumerate(delays):
        if delay > high:
            byte[i], made[i], left = LAST, high, 0.0
            cut.append(i)
            continue
        byte[i] = _nearest(delay + left - overhead, cycle)
        made[i] = float(wait_time(int(byte[i]), cycle)) + overhead
        left = left + delay - made[i] if carry else 0.0
    resolution = (5.0 * byte.astype(float) + 16.0) * cycle
    return DelayBytes(byte, made, np.array(cut, dtype=np.int64), resolution, float(made.sum() - delays.sum()))


def _nearest(wait: float, cycle: float) -> int:
    """The byte whose wait is nearest, 1 to 255."""
    cycles = max(wait / cycle, 0.0)
    root = (np.sqrt(max(27.0**2 + 20.0 * (2.0 * cycles - 26.0), 0.0)) - 27.0) / 10.0
    near = [min(max(int(np.floor(root)) + k, FIRST), LAST) for k in (0, 1)]
    return min(near, key=lambda a: abs(float(wait_time(a, cycle)) - wait))
