"""Figure: amplitude spectrum of the tip's vibration, with natural frequencies marked."""

from __future__ import annotations

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
from flexarm.view.style import FAINT, INK, Size, axis_label, grid_of_axes, headline, paper_of, styled
from flexarm.view.units import scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FLOOR = 1e-5
"""Amplitudes below this share of the largest are not shown."""


@styled
def spectrum(
    result: Source,
    size: Size = "wide",
    frequencies: Any = None,
    highest: float | None = None,
) -> Figure:
    """Amplitude spectrum of the tip deflection, of a single link that of its deformation.

    Parameters
    ----------
    result : Source
        A result with ``tip_deflection``, or with ``deflection`` or ``travel`` of a single link.
    size : {"wide", "column"}
        Width of the figure.
    frequencies : sequence of float, or Frequencies, optional
        Natural frequencies in Hz to be marked; zeros (rigid modes) are left out. Without them the highest
        peaks of the spectrum are marked.
    highest : float, optional
        End of the frequency axis in Hz; otherwise chosen from the marks and the data.
    """
    from flexarm.analysis.spectrum import peaks
    from flexarm.analysis.spectrum import spectrum as amplitude_spectrum

    signals = tip_signals(result)
    f, lines = amplitude_spectrum(times(result), np.stack(list(signals.values()), axis=1))
    f, lines = f[1:], lines[1:]  # the mean is no vibration
    total = np.linalg.norm(lines, axis=1)
    found = frequencies is None
    marks = hertz(peaks(f, total, n=4)[0] if found else frequencies)
    end = min(highest if highest is not None else _end(f, total, [] if found else marks), float(f[-1]))
    figure, rows = grid_of_axes(size, 1, row_height=2.5)
    axes = rows[0][0]
    factor, unit = scale("m", lines)
    for label, line in zip(signals, lines.T, strict=True):
        axes.plot(f, factor * line, label=label)
    axes.set_xlim(0.0, end)
    peak = factor * float(lines.max())
    if peak > 0.0:  # an arm at rest has nothing to show on a logarithmic scale
        axes.set_yscale("log")
        axes.set_ylim(FLOOR * peak, 2.0 * peak)
    axes.set_xlabel("Frequency (Hz)")
    axes.set_ylabel(axis_label(f"amplitude of the {next(iter(signals)).partition(',')[0]}", unit))
    words = "peak of the spectrum" if found else "natural frequency"
    _mark(axes, [mark for mark in marks if mark <= end], 0.022 if size == "wide" else 0.055, words)
    if len(axes.get_legend_handles_labels()[0]) > 1:
        axes.legend(loc="upper right", frameon=True, edgecolor="none", framealpha=0.85)
    paper_of(axes).reserve(axes, top=0.65)
    headline(figure, result)
    return figure


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


def _end(f: np.ndarray, amplitude: np.ndarray, marks: list[float]) -> float:
    """Frequency up to which there is something to see: a thousandth of the largest amplitude, or a mark."""
    strong = np.flatnonzero(amplitude > 1e-3 * amplitude.max())
    last = 1.3 * float(f[strong[-1]]) if strong.size else float(f[-1])
    return max(last, 1.15 * max(marks, default=0.0), float(f[min(10, len(f) - 1)]))


def _mark(axes: Axes, marks: list[float], gap: float, words: str) -> None:
    """Dashed lines at frequencies in Hz, with their values above the axes, kept apart."""
    left, right = axes.get_xlim()
    places = spread([(f - left) / (right - left) for f in marks], gap)
    for i, (f, place) in enumerate(zip(marks, places, strict=True)):
        axes.axvline(f, color=FAINT, lw=0.8, ls="--", zorder=1.5, label=words if i == 0 else None)
        axes.annotate(
            f"{f:.4g} Hz", xy=(f, 1.0), xycoords=axes.get_xaxis_transform(), xytext=(place, 1.06),
            textcoords="axes fraction", rotation=90, ha="center", va="bottom", fontsize=6.5, color=INK,
            arrowprops={"arrowstyle": "-", "color": FAINT, "lw": 0.6, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip


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
