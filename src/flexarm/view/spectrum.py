"""Figure: amplitude spectrum of the tip's vibration, with natural frequencies marked."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.view.source import (
    Source,
    active_axes,
    has,
    link_length,
    names,
    require,
    times,
    values,
)
from flexarm.view.style import (
    FAINT,
    INK,
    LEGEND_ROW,
    Size,
    axis_label,
    grid_of_axes,
    headline,
    legend_width,
    paper_of,
    styled,
)
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FLOOR = 1e-5
"""Amplitudes below this share of the largest are not shown."""
LOBES, STANDS_OUT, BEYOND = 4, 3.0, 1.25
"""Points on either side over which side lobes are joined; how much higher than its surroundings a peak is that counts as content;
where the axis ends, as a multiple of the last content."""
GAP, CLOSE = {"wide": 0.022, "column": 0.055}, {"wide": 0.02, "column": 0.04}
"""Shares of the axis: least distance of two numbers above it, and of two peaks that can be told apart."""
MOST_TOLD = 4
"""Frequencies beyond the content that are told."""


@styled
def spectrum(
    result: Source,
    size: Size = "wide",
    frequencies: Any = None,
    highest: float | None = None,
) -> Figure:
    """Amplitude spectrum of the tip deflection, of a single link that of its deformation, as far as it holds something.

    Side lobes that stand too close to be told apart are drawn as the line through their tops.

    Parameters
    ----------
    result : Source
        A result with ``tip_deflection``, or with ``deflection`` or ``travel`` of a single link.
    size : {"wide", "column"}
        Width of the figure.
    frequencies : sequence of float, or Frequencies, optional
        Natural frequencies in Hz to be marked; zeros (rigid modes) are left out, and those beyond the content are told in the
        legend. Without them the highest peaks of the spectrum are marked.
    highest : float, optional
        End of the frequency axis in Hz; otherwise where the content ends.
    """
    from flexarm.analysis.spectrum import peaks
    from flexarm.analysis.spectrum import spectrum as amplitude_spectrum

    signals = tip_signals(result)
    f, lines = amplitude_spectrum(times(result), np.stack(list(signals.values()), axis=1))
    f, lines = f[1:], lines[1:]  # the mean is no vibration
    total = np.linalg.norm(lines, axis=1)
    found = frequencies is None
    marks = hertz(peaks(f, total, n=4)[0] if found else frequencies)
    end = min(content_end(f, total) if highest is None else highest, float(f[-1]))
    figure, rows = grid_of_axes(size, 1, row_height=2.6)
    axes = rows[0][0]
    factor, unit = scale("m", lines)
    for label, line in zip(signals, lines.T, strict=True):
        kept = tops(f, line, CLOSE[size] * end)
        axes.plot(f[kept], factor * line[kept], label=label)
    axes.set_xlim(0.0, end)
    peak = factor * float(lines.max())
    if peak > 0.0:  # an arm at rest has nothing to show on a logarithmic scale
        axes.set_yscale("log")
        axes.set_ylim(FLOOR * peak, 2.0 * peak)
    axes.set_xlabel("Frequency (Hz)")
    axes.set_ylabel(axis_label(f"amplitude of the {next(iter(signals)).partition(',')[0]}", unit))
    shown, beyond = [mark for mark in marks if mark <= end], [mark for mark in marks if mark > end]
    _mark(axes, shown, GAP[size])
    head = headline(figure, result)
    _legend(
        axes, head, "peak of the spectrum" if found else _words(shown, beyond), bool(shown or (beyond and not found))
    )
    return figure


def content_end(f: np.ndarray, amplitude: np.ndarray) -> float:
    """Frequency up to which there is something to see: a thousandth of the largest amplitude, or a peak that stands out."""
    if not amplitude.max() > 0.0:
        return float(f[-1])
    from scipy.signal import find_peaks

    strong = f[amplitude > 1e-3 * amplitude.max()]
    around = np.stack([np.roll(np.pad(amplitude, LOBES), k)[LOBES:-LOBES] for k in range(-LOBES, LOBES + 1)])
    level = np.log(np.maximum(around.max(axis=0), 1e-300))  # without the gaps between side lobes
    found = f[
        find_peaks(level, np.log(3.0 * FLOOR * amplitude.max()), prominence=np.log(STANDS_OUT), plateau_size=1)[0]
    ]
    return max(BEYOND * float(max([*strong[-1:], *found[-1:]])), float(f[min(10, len(f) - 1)]))


def tops(f: np.ndarray, line: np.ndarray, gap: float) -> np.ndarray:
    """Indices of the points to be drawn: of peaks that are closer than `gap` (Hz) to the next one only their tops."""
    inner = line[1:-1]
    peaks = 1 + np.flatnonzero((inner >= line[:-2]) & (inner > line[2:]))
    keep = np.ones(len(f), dtype=bool)
    for a, b in itertools.pairwise(peaks):
        if f[b] - f[a] < gap:
            keep[a + 1 : b] = False
    return np.flatnonzero(keep)


def _words(shown: list[float], beyond: list[float]) -> str:
    if not beyond:
        return "natural frequency"
    listed = [f"{mark:.4g}" for mark in beyond[:MOST_TOLD]] + ["…"] * (len(beyond) > MOST_TOLD)
    return f"natural frequency ({', '.join(listed)} Hz {'do' if len(beyond) > 1 else 'does'} not show)"


def _legend(axes: Axes, head: float, words: str, marked: bool) -> None:
    """A legend between the title, which takes `head` inches, and the marks above the axes."""
    handles, labels = axes.get_legend_handles_labels()
    if marked:
        handles += axes.plot([], [], "--", color=FAINT, lw=0.8)
        labels.append(words)
    figure = axes.get_figure(root=True)
    assert figure is not None
    room = figure.get_figwidth() - 0.3
    rows = 0
    if len(handles) > 1:
        columns = next((n for n in range(len(labels), 1, -1) if legend_width(labels, n) <= room), 1)
        rows = -(-len(labels) // columns)
        figure.legend(
            handles, labels, loc="upper left", bbox_to_anchor=(0.0, 1.0 - head / figure.get_figheight()), ncols=columns,
            borderaxespad=0.2, borderpad=0.1, handlelength=1.8, columnspacing=1.4,
        )  # fmt: skip
    paper_of(axes).reserve(axes, top=LEGEND_ROW * rows + (0.62 if marked else 0.1))


def tip_signals(result: Source) -> dict[str, np.ndarray]:
    """The vibration of the tip in m by label: one signal for a single link, else one per axis."""
    data = result.data
    single = data.sizes.get("link", 1) == 1 and data.sizes.get("joint", 1) == 1
    if single and has(result, "deflection"):
        return {"link deformation": values(result, "deflection")[:, 0, -1]}
    if single and has(result, "travel") and has(result, "joint_position"):
        length = link_length(result, 0)
        if length is not None:
            return {"link deformation": values(result, "travel") - length * values(result, "joint_position")[:, 0]}
    require(result, "spectrum", "tip_deflection")
    array, letters = values(result, "tip_deflection"), names(result, "axis")
    return {f"tip deflection, {letters[i]}": array[:, i] for i in active_axes(array)}


def hertz(frequencies: Any) -> list[float]:
    """Positive frequencies in Hz, lowest first, from a sequence or from a Frequencies object."""
    if frequencies is None:
        return []
    listed: Sequence[float] = getattr(frequencies, "hz", frequencies)
    return sorted(float(f) for f in np.ravel(np.asarray(listed, dtype=float)) if np.isfinite(f) and f > 1e-6)


def _mark(axes: Axes, marks: list[float], gap: float) -> None:
    """Dashed lines at frequencies in Hz, with their values above the axes, kept apart."""
    from matplotlib.collections import LineCollection

    left, right = axes.get_xlim()
    at = [(f - left) / (right - left) for f in marks]
    places = spread(at, gap)
    for f, place in zip(marks, places, strict=True):
        axes.axvline(f, color=FAINT, lw=0.8, ls="--", zorder=1.5)
        axes.text(
            place,
            1.06,
            f"{f:.4g} Hz",
            transform=axes.transAxes,
            rotation=90,
            ha="center",
            va="bottom",
            fontsize=6.5,
            color=INK,
        )
    leads = [[(x, 1.0), (place, 1.05)] for x, place in zip(at, places, strict=True)]
    axes.add_collection(
        LineCollection(leads, colors=FAINT, linewidths=0.6, transform=axes.transAxes, clip_on=False), autolim=False
    )


def spread(places: Sequence[float], gap: float) -> list[float]:
    """Move ascending `places` as little as needed: at least `gap` between neighbours, none left of 0."""
    moved = [float(place) for place in places]
    for _ in range(200):
        close = [i for i in range(len(moved) - 1) if moved[i + 1] - moved[i] < gap * 0.999]
        if not close:
            break
        for i in close:
            push = 0.5 * (gap - (moved[i + 1] - moved[i]))
            moved[i], moved[i + 1] = moved[i] - push, moved[i + 1] + push
    for i, place in enumerate(moved):  # none may leave the axes on the left, where the scale is
        moved[i] = max(place, 0.5 * gap if i == 0 else moved[i - 1] + gap)
    return moved
