"""When the drives of a program act: from which change on, and until when."""

from __future__ import annotations

import itertools

import numpy as np

from flexarm.drive import POSITION, Program

SAMPLES = 2001
"""Looks at the drives between two jumps."""
MOST_LOOKS = 100_000
"""Looks at the drives in all: a stepping motor has thousands of jumps."""
FAINT = 1e-3
"""Change of a command, as a share of its largest size, that counts as none."""


def acting(program: Program, end: float) -> tuple[float, float]:
    """Times in s at which commands, torques and gains first change, and from which on they stay as they are until `end`.

    A position that is held is no change, a velocity that is kept neither. Both are 0 if nothing changes.
    """
    edges = [0.0, *program.jumps(end), end]
    looks = max(9, min(SAMPLES, MOST_LOOKS // len(edges)))
    pieces = [(_looks(a, b, looks, program.finest), 0.5 * (a + b)) for a, b in itertools.pairwise(edges)]
    times = np.concatenate([piece for piece, _ in pieces])
    rows = np.concatenate([program.table(piece, inside) for piece, inside in pieces])
    rows = np.delete(rows, POSITION, axis=2).reshape(len(times), -1)
    size = np.abs(rows).max(axis=0, initial=0.0)
    early = np.flatnonzero(np.any(np.abs(rows - rows[0]) > 1e-9 * size, axis=1))
    late = np.flatnonzero(np.any(np.abs(rows - rows[-1]) > FAINT * size, axis=1))
    return float(times[early[0] - 1]) if len(early) else 0.0, float(times[late[-1] + 1]) if len(late) else 0.0


def _looks(start: float, stop: float, count: int, finest: float) -> np.ndarray:
    """Times to look at the drives: evenly spread, and close after `start`, where a motor's step is soon over."""
    close = start + finest * np.arange(1, 33) if np.isfinite(finest) else np.zeros(0)
    return np.union1d(np.linspace(start, stop, count), close[close < stop])
