"""Curves through a few stations: a cubic spline, whose second derivative is continuous; at a corner two of them meet.

On pieces of length h_i the slopes m_i of the spline through y_i follow from

    m_(i-1)/h_(i-1) + 2 (1/h_(i-1) + 1/h_i) m_i + m_(i+1)/h_i = 3 (y_i - y_(i-1))/h_(i-1)^2 + 3 (y_(i+1) - y_i)/h_i^2 ,

and at both ends from the parabola through the last three stations. All is linear in y, so that one matrix serves all curves.
"""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np

FINE = 8
"""Pieces between two stations."""
SPARSE = 0.4
"""Stations of which less than this share are vertices belong to polygons."""
CORNER = 0.5
"""A curve has a corner where its chord turns by more than this, rad, and much more than beside it."""


def refine(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places between stations `s` (ns,), shape (nf,), and the matrix (nf, ns) that takes values at the stations there."""
    return _refine(tuple(float(x) for x in s))


@lru_cache(maxsize=64)
def _refine(stations: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    s, n = np.array(stations), len(stations)
    if n < 3:
        return s, np.eye(n)
    h = np.diff(s)
    left, right = np.zeros((n, n)), np.zeros((n, n))
    for i in range(1, n - 1):
        left[i, i - 1 : i + 2] = 1.0 / h[i - 1], 2.0 / h[i - 1] + 2.0 / h[i], 1.0 / h[i]
        right[i, i - 1 : i + 2] = -3.0 / h[i - 1] ** 2, 3.0 / h[i - 1] ** 2 - 3.0 / h[i] ** 2, 3.0 / h[i] ** 2
    for end, near, far in ((0, 1, 2), (n - 1, n - 2, n - 3)):
        a, b = s[near] - s[end], s[far] - s[end]
        left[end, end] = 1.0
        right[end, [end, near, far]] = -1.0 / a - 1.0 / b, b / (a * (b - a)), -a / (b * (b - a))
    slopes = np.linalg.solve(left, right)
    t = np.linspace(0.0, 1.0, FINE, endpoint=False)[:, None]
    rows = []
    for i in range(n - 1):
        ends = np.eye(n)[[i, i + 1]]
        rows.append(
            (1 + 2 * t) * (1 - t) ** 2 * ends[0]
            + t**2 * (3 - 2 * t) * ends[1]
            + h[i] * (t * (1 - t) ** 2 * slopes[i] - t**2 * (1 - t) * slopes[i + 1])
        )
    places = np.concatenate([*(s[i] + h[i] * t[:, 0] for i in range(n - 1)), s[-1:]])
    return places, np.concatenate([*rows, np.eye(n)[-1:]])


def curve_matrix(s: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """The matrix (nf, ns) that makes smooth curves of values at stations, for one link whose `lines` are (..., ns, axes).

    Values with one axis, a deflection say, have no corners.
    """
    lines = lines.reshape(-1, *lines.shape[-2:])
    cuts = [0, *(corners(lines[0]) if lines.shape[-1] > 1 else []), len(s) - 1]
    rows = []
    for a, b in itertools.pairwise(cuts):
        used = a + knots(lines[:, a : b + 1])
        piece = refine(s[used])[1]
        whole = np.zeros((len(piece), len(s)))
        whole[:, used] = piece
        rows.append(whole if b == len(s) - 1 else whole[:-1])
    return np.concatenate(rows)


def knots(lines: np.ndarray) -> np.ndarray:
    """Indices of the stations through which curves (m, ns, axes) are drawn: all, or where polygons have their vertices.

    Methods with straight elements know no more than those; stations between them lie on the chords.
    """
    count = lines.shape[1]
    bend = np.abs(np.diff(lines, n=2, axis=1)).max(axis=(0, 2))
    if (
        count < 4
        or not np.isfinite(bend).all()
        or not bend.max() > 1e-9 * np.ptp(lines.reshape(-1, lines.shape[-1]), axis=0).max()
    ):
        return np.arange(count)
    inner = 1 + np.flatnonzero(bend > 0.01 * bend.max())
    return np.array([0, *inner, count - 1]) if len(inner) < SPARSE * count else np.arange(count)


def corners(line: np.ndarray) -> list[int]:
    """Indices of stations at which a line (ns, 3) has a corner."""
    chords = np.diff(line, axis=0)
    sizes = np.linalg.norm(chords, axis=1)
    if len(line) < 3 or not np.isfinite(sizes).all() or (sizes <= 0.0).any():
        return []
    along = chords / sizes[:, None]
    turns = np.arccos(np.clip(np.sum(along[1:] * along[:-1], axis=1), -1.0, 1.0))
    beside = 0.5 * (np.concatenate([[0.0], turns[:-1]]) + np.concatenate([turns[1:], [0.0]]))
    return [int(i) + 1 for i in np.flatnonzero((turns > CORNER) & (turns > 2.5 * beside))]
