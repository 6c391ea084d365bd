"""Places of axes on the paper, by arithmetic: labels, ticks, titles and legends take what their letters take.

The layouts of matplotlib lay out every text several times to measure it, which takes as long as the picture itself. Here the
width of a text is the sum of the advances of its letters, and what else stands beside axes says so with `reserve`.

Of every column of axes the widest left and right margin counts, of every row the highest above and below; what is left of
the paper is shared by the ratios of the grid.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.layout_engine import LayoutEngine

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE = 1.25
"""Height of a line of text over the size of its letters."""
TICK, GAP = 7.0 / 72, 3.5 / 72
"""Inches between axes and the numbers at their ticks, and between these and a label."""
EDGE = 0.04
"""Inches that stay free at the edges of the paper."""
BAR, BAR_GAP = 0.12, 0.1
"""Inches: thickness of a colour bar, and its distance from the axes."""


class Margins(NamedTuple):
    """Room beside axes in inches; the left one without the numbers at the ticks, which a column of axes has in common."""

    left: float
    right: float
    bottom: float
    top: float
    numbers: float


class Paper(LayoutEngine):
    """The layout of the house; see the module. Axes that stand in no grid stay where they are."""

    _adjust_compatible = False
    _colorbar_gridspec = False

    def __init__(self) -> None:
        super().__init__()
        self._reserved: WeakKeyDictionary[Axes, dict[str, float]] = WeakKeyDictionary()
        self._bars: WeakKeyDictionary[Axes, Axes] = WeakKeyDictionary()
        self._equal: WeakKeyDictionary[Axes, np.ndarray] = WeakKeyDictionary()
        self._beyond = {"top": 0.0, "bottom": 0.0}

    def reserve(self, axes: Axes, **inches: float) -> None:
        """Keep room beside axes, for a legend say: `left`, `right`, `top`, `bottom`."""
        self._reserved.setdefault(axes, {}).update(inches)

    def reserve_page(self, **inches: float) -> None:
        """Keep room at the `top` or `bottom` of the paper."""
        self._beyond.update(inches)

    def put_bar(self, bar: Axes, beside: Axes) -> None:
        """Let a colour bar stand to the right of axes, as high as they are."""
        self._bars[beside] = bar

    def keep_equal(self, axes: Axes) -> None:
        """Let axes have equal units on both sides: where there is room, they show more than their present limits."""
        self._equal[axes] = np.array([axes.get_xlim(), axes.get_ylim()])

    def execute(self, fig: Figure) -> None:
        """Place all axes of the figure's grid."""
        shown = [axes for axes in fig.axes if axes.get_subplotspec() is not None]
        if not shown:
            return
        for _ in range(2):  # which numbers stand at the ticks depends on the size of the axes
            self._place(fig, {axes: self._margins(axes) for axes in shown})
            for axes, limits in self._equal.items():
                self._widen(axes, limits, fig.get_size_inches())

    def _widen(self, axes: Axes, limits: np.ndarray, inches: np.ndarray) -> None:
        """Set limits with equal units that hold the given ones in their middle."""
        size = np.asarray(axes.get_position().size) * inches
        reach = 0.5 * size * float(np.max((limits[:, 1] - limits[:, 0]) / size))
        middle = limits.mean(axis=1)
        axes.set_xlim(middle[0] - reach[0], middle[0] + reach[0])
        axes.set_ylim(middle[1] - reach[1], middle[1] + reach[1])

    def _margins(self, axes: Axes) -> Margins:
        extra = self._reserved.get(axes, {})
        numbers, last = _numbers(axes)
        under = _tick_size(axes.xaxis) * LINE / 72 + TICK if _numbered(axes.xaxis) else 0.0
        below, beside = (_label_height(axis) for axis in (axes.xaxis, axes.yaxis))
        titles = [axes.get_title(loc=side) for side in ("left", "center", "right")]
        title = max((_height(text, float(axes.title.get_fontsize())) for text in titles if text), default=-GAP) + GAP
        bar = self._bars.get(axes)
        right = max(last, EDGE) + extra.get("right", 0.0) + (_bar_width(bar) if bar is not None else 0.0)
        return Margins(
            beside + extra.get("left", 0.0),
            right,
            under + below + extra.get("bottom", 0.0),
            EDGE + title + extra.get("top", 0.0),
            numbers,
        )

    def _place(self, figure: Figure, margins: dict[Axes, Margins]) -> None:
        wide, high = figure.get_size_inches()
        grid = next(iter(margins)).get_subplotspec().get_gridspec()  # type: ignore[union-attr]
        columns, rows = _spans(margins, "colspan", grid.ncols), _spans(margins, "rowspan", grid.nrows)
        numbers = _widest(columns, margins, "numbers", 0)
        left = [a + b for a, b in zip(_widest(columns, margins, "left", 0), numbers, strict=True)]
        right = _widest(columns, margins, "right", -1)
        top, bottom = _widest(rows, margins, "top", 0), _widest(rows, margins, "bottom", -1)
        title = figure.get_suptitle()
        head = _height(title, 8.0) + EDGE if title else 0.0
        x = _shares(wide - 2 * EDGE, left, right, grid.get_width_ratios() or [1.0] * grid.ncols)
        free = high - 2 * EDGE - head - sum(self._beyond.values())
        y = _shares(free, top, bottom, grid.get_height_ratios() or [1.0] * grid.nrows)
        for axes, own in margins.items():
            place = axes.get_subplotspec()
            assert place is not None
            x0, x1 = EDGE + x[place.colspan.start][0], EDGE + x[place.colspan.stop - 1][1]
            y1, y0 = (high - EDGE - head - self._beyond["top"] - part for part in
                      (y[place.rowspan.start][0], y[place.rowspan.stop - 1][1]))  # fmt: skip
            box = (x0 / wide, y0 / high, max(x1 - x0, 0.1) / wide, max(y1 - y0, 0.1) / high)
            axes.set_position(box, which="both")
            axes.yaxis.set_label_coords(-(numbers[place.colspan.start] + GAP) / max(x1 - x0, 0.1), 0.5)
            under = own.bottom - _label_height(axes.xaxis) - self._reserved.get(axes, {}).get("bottom", 0.0)
            axes.xaxis.set_label_coords(0.5, -(under + GAP) / max(y1 - y0, 0.1))
            bar = self._bars.get(axes)
            if bar is not None:
                start = x1 + BAR_GAP + self._reserved.get(axes, {}).get("right", 0.0)
                bar.set_position((start / wide, box[1], BAR / wide, box[3]), which="both")
                bar.yaxis.set_label_coords(1.0 + (_numbers(bar)[0] + GAP) / BAR, 0.5)


def _spans(margins: dict[Axes, Margins], name: str, count: int) -> list[list[Axes]]:
    """Axes that stand in every row or column."""
    return [[axes for axes in margins if k in getattr(axes.get_subplotspec(), name)] for k in range(count)]


def _widest(groups: list[list[Axes]], margins: dict[Axes, Margins], side: str, end: int) -> list[float]:
    """Largest margin on one side of every row or column, of axes that begin (0) or end (-1) there."""
    span = "rowspan" if side in ("top", "bottom") else "colspan"
    return [
        max(
            (getattr(margins[axes], side) for axes in group if getattr(axes.get_subplotspec(), span)[end] == k),
            default=0.0,
        )
        for k, group in enumerate(groups)
    ]


def _shares(whole: float, before: list[float], after: list[float], ratios: Any) -> list[tuple[float, float]]:
    """Begin and end of every row or column, when what margins leave of `whole` is shared by `ratios`."""
    inner = whole - sum(before) - sum(after)
    sizes = np.asarray(ratios, dtype=float) / np.sum(ratios) * max(inner, 0.1)
    found, at = [], 0.0
    for size, a, b in zip(sizes, before, after, strict=True):
        found.append((at + a, at + a + float(size)))
        at += a + float(size) + b
    return found


def _bar_width(bar: Axes) -> float:
    return BAR_GAP + BAR + _numbers(bar)[0] + _label_height(bar.yaxis)


def _numbered(axis: Any) -> bool:
    """Whether an axis shows numbers at its ticks."""
    shown = axis.get_tick_params()
    sides = ("labelleft", "labelright") if axis.axis_name == "y" else ("labelbottom",)
    return axis.get_visible() and any(shown.get(side, False) for side in sides)


def _tick_size(axis: Any) -> float:
    return float(FontProperties(size=axis.get_tick_params().get("labelsize", 7.0)).get_size_in_points())


def _tick_texts(axis: Any) -> list[str]:
    low, high = sorted(axis.get_view_interval())
    slack = 1e-9 * (high - low)
    places = [place for place in axis.get_majorticklocs() if low - slack <= place <= high + slack]
    return list(axis.get_major_formatter().format_ticks(places)) if len(places) else []


def _numbers(axes: Axes) -> tuple[float, float]:
    """Inches that the numbers of the y axis take with their ticks, and half of the widest of the x axis."""
    beside = last = 0.0
    if _numbered(axes.yaxis):
        size = _tick_size(axes.yaxis)
        beside = TICK + max((width(text, size) for text in _tick_texts(axes.yaxis)), default=0.0)
    if _numbered(axes.xaxis):
        size = _tick_size(axes.xaxis)
        last = 0.5 * max((width(text, size) for text in _tick_texts(axes.xaxis)), default=0.0)
    return beside, last


def _label_height(axis: Any) -> float:
    text = axis.get_label_text()
    return _height(text, axis.label.get_fontsize()) + GAP if text and axis.get_visible() else 0.0


def _height(text: str, points: float) -> float:
    return (1 + text.count("\n")) * LINE * points / 72


def width(text: str, points: float) -> float:
    """Width in inches of the widest line of a text in letters of so many points; of formulas roughly."""
    plain = re.sub(r"\\mathdefault|[${}^\\]", "", text)
    return max(sum(map(_advance, line)) for line in plain.split("\n")) * points / 72


@lru_cache(maxsize=1000)
def _advance(letter: str) -> float:
    """Width of a letter over the size of the letters."""
    font = get_font(findfont(FontProperties(family="DejaVu Sans")))
    font.set_size(100.0, 72.0)
    return float(font.load_char(ord(letter)).linearHoriAdvance) / 65536 / 100
