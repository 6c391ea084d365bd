"""A command behind an input shaper: sum_i A_i r(t - t_i), in analytic pieces as r itself, so nothing is resampled.

Each piece of the sum begins where a shifted piece of r begins. Polynomials are moved to the new starts, sines of one frequency are added
up as complex numbers S exp(i phi).
"""

from __future__ import annotations

import numpy as np

from flexarm.drive.impulses import Impulses
from flexarm.drive.piecewise import DEGREE, Row, Wave
from flexarm.drive.signal import PieceSignal

CLOSE = 1e-12
"""Starts of pieces whose distance is below this, in s and as a share of the time, are one."""


def shaped(source: PieceSignal, impulses: Impulses | None) -> PieceSignal:
    """The command `source` behind a shaper; itself without one.

    Examples
    --------
    >>> from flexarm.drive.impulses import shaper_impulses
    >>> step = PieceSignal([Row(0.0, (1.0,))], orders=1)
    >>> shaped(step, shaper_impulses("zvd", 1.0)).evaluate([0.1, 0.6, 1.1], 0.1)[0]
    array([0.25, 0.25, 0.25])
    >>> shaped(step, shaper_impulses("zvd", 1.0)).breaks(2.0)
    [0.5, 1.0]
    """
    if impulses is None:
        return source
    pieces, broken = source.pieces, source.jumps()[0]
    begins = pieces.start.copy()
    begins[0] = -np.inf
    starts = _distinct(np.concatenate([pieces.start[1:] + time for time in impulses.times]))
    jumps = _distinct(np.concatenate([broken + time for time in impulses.times])) if len(broken) else broken
    poly = np.zeros((len(starts), DEGREE + 1))
    waves: list[dict[float, complex]] = [{} for _ in starts]
    for share, time in zip(impulses.amplitudes, impulses.times, strict=True):
        which = np.searchsorted(begins + time, starts + CLOSE * (1.0 + starts), "right") - 1
        since = np.where(which > 0, starts - (pieces.start[which] + time), 0.0)
        poly += share * _moved(pieces.poly[which], since)
        for amplitude, omega, phase in pieces.waves:
            for k in np.flatnonzero(amplitude[which]).tolist():
                piece, turned = which[k], phase[which[k]] + omega[which[k]] * since[k]
                at = waves[k]
                at[omega[piece]] = at.get(omega[piece], 0j) + share * amplitude[piece] * np.exp(1j * turned)
    smooth = ~np.any(np.abs(starts[:, None] - jumps) <= CLOSE * (1.0 + starts[:, None]), axis=1)
    rows = [
        Row(start, tuple(row), tuple(Wave(abs(s), omega, float(np.angle(s))) for omega, s in sines.items()), bool(calm))
        for start, row, sines, calm in zip(starts.tolist(), poly.tolist(), waves, smooth, strict=True)
    ]
    return PieceSignal(rows, initial=source.initial, orders=source.orders, finest=source.finest)


def _distinct(times: np.ndarray) -> np.ndarray:
    """Times in order, one of each group that differs by rounding only."""
    ordered = np.sort(times)
    return ordered[np.concatenate([[True], np.diff(ordered) > CLOSE * (1.0 + ordered[1:])])]


def _moved(poly: np.ndarray, since: np.ndarray) -> np.ndarray:
    """Coefficients (n, DEGREE + 1), lowest first, of the same polynomials counted from `since` (n,) after their starts."""
    moved = poly.copy()
    for first in range(DEGREE):
        for k in range(DEGREE - 1, first - 1, -1):
            moved[:, k] += since * moved[:, k + 1]
    return moved
