"""Sequences of profiles become one signal."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flexarm.drive.piecewise import Row
from flexarm.drive.profiles.base import Shape
from flexarm.drive.signal import PieceSignal


def check_sequence(items: Sequence[Shape]) -> None:
    """Refuse a sequence that is empty, or in which something follows an item that never ends."""
    if not items:
        raise ValueError("an empty list moves nothing: give at least one profile")
    for number, item in enumerate(items[:-1], 1):
        if math.isinf(item.length):
            raise ValueError(
                f"item {number} of the sequence never ends, so item {number + 1} would never begin: give its duration"
            )


def motion_signal(items: Sequence[Shape], initial: float) -> PieceSignal:
    """Position of a joint that stands at `initial` (rad or m) before t = 0.

    Each item begins where the one before has come to; while an item waits, the one before goes on
    (a joint that was brought to a speed keeps it).
    """
    return PieceSignal(rows_of(items, initial), initial=initial, finest=_finest(items))


def torque_signal(items: Sequence[Shape]) -> PieceSignal:
    """Torque or force, zero where no item acts. Only jumps of its value are breaks."""
    return PieceSignal(rows_of(items, 0.0), orders=1, finest=_finest(items))


def _finest(items: Sequence[Shape]) -> float:
    return min((item.finest for item in items), default=math.inf)


def rows_of(items: Sequence[Shape], initial: float) -> list[Row]:
    """Pieces of a sequence from t = 0 on, where the value is `initial`."""
    rows, end = [Row(0.0, (initial,))], 0.0
    for item in items:
        begin = end + item.start
        value = rows[-1].value(begin - rows[-1].start)
        new = item.rows(begin, value)
        # what the item before left behind lasts until the first new piece
        rows = [row for row in rows if row.start < new[0].start] + new
        end = begin + item.length
    return rows
