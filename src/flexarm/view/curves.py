"""Curves over time, thinned to what print can show.

A curve with many more records than dots keeps the lowest and the highest record of every bucket (1/80 of an inch), so that no
peak is lost. Where it turns about more often than can be told apart, which would be a solid patch of ink, it is drawn as
its mean with a light band from the lowest to the highest value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.style import axes_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

PER_INCH = 80
"""Buckets along an inch of the time axis."""
MANY = 8
"""Records per bucket from which on a curve is thinned."""
WINDOW = 6
"""Buckets over which turns are counted; one turn per bucket on the average is too dense to be seen."""
VISIBLE = 0.004
"""Swings below this share of the curve's whole range are not visible anyway."""
BAND = 0.3
"""Opacity of the band."""


def curve(axes: Axes, time: np.ndarray, values: np.ndarray, *style: str, **look: Any) -> Line2D:
    """Draw values (n,) over times (n,), as ``axes.plot`` does; returns the line."""
    count = int(PER_INCH * axes_width(axes))
    if len(time) < 2 * count or not np.isfinite(values).all():
        return axes.plot(time, values, *style, **look)[0]
    bucket = np.clip((count * (time - time[0]) / (time[-1] - time[0])).astype(int), 0, count - 1)
    starts = np.flatnonzero(np.diff(bucket, prepend=-1))
    least, most = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    dense = _dense(values, bucket, starts, most - least)
    shown = np.where(np.repeat(dense, np.diff(starts, append=len(time))), _mean(values, starts), values)
    kept = _extremes(shown, bucket, starts) if len(time) > MANY * count else np.arange(len(time))
    (line,) = axes.plot(time[kept], shown[kept], *style, **look)
    if dense.any():
        middle = time[starts] + 0.5 * (time[-1] - time[0]) / count
        colour = line.get_color()
        axes.fill_between(middle, least, most, where=dense.tolist(), color=colour, alpha=BAND, lw=0, zorder=1.8)
    return line


def _dense(values: np.ndarray, bucket: np.ndarray, starts: np.ndarray, swing: np.ndarray) -> np.ndarray:
    """True for buckets in which the curve turns about too often to be followed, and visibly."""
    moves = np.flatnonzero(np.diff(values))
    signs = np.sign(np.diff(values)[moves])
    turns = moves[1:][signs[1:] != signs[:-1]]
    counts = np.bincount(bucket[turns], minlength=bucket[-1] + 1)[bucket[starts]]
    crowd = np.convolve(counts, np.ones(WINDOW), "same") >= WINDOW
    crowd &= np.convolve(swing, np.ones(WINDOW), "same") > WINDOW * VISIBLE * np.ptp(values)
    near = np.ones(2 * WINDOW + 1)  # gaps between dense stretches are closed, so that line and band do not alternate
    return np.convolve(np.convolve(crowd, near, "same") == 0, near, "same") == 0


def _mean(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Mean over the window around every bucket, given at each of its records."""
    sizes = np.diff(starts, append=len(values))
    sums, counts = (
        np.convolve(part, np.ones(WINDOW), "same") for part in (np.add.reduceat(values, starts), sizes.astype(float))
    )
    return np.repeat(sums / counts, sizes)


def _extremes(values: np.ndarray, bucket: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Indices of the first and last record, and of the lowest and highest of each bucket, in order."""
    order = np.lexsort((values, bucket))
    return np.unique([0, *order[starts], *order[np.append(starts[1:], len(values)) - 1], len(values) - 1])
