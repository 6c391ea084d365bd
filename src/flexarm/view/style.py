"""The house style of all figures: sizes, fonts, colours, labels. The caller's own settings stay untouched."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    from flexarm.view.layout import Paper
    from flexarm.view.source import Source

P = ParamSpec("P")
R = TypeVar("R")
Size = Literal["wide", "column"]

WIDTHS: dict[str, float] = {"column": 3.5, "wide": 7.16}
"""Widths in inches of one column and of a full page in two-column journals."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")
"""Colours that people with any colour vision can tell apart (Okabe and Ito), the strongest first."""
INK = "#222222"
FAINT = "#8a8a8a"
SEQUENCE = "viridis"
"""Colour map for an ordered quantity such as time."""
BOTH_WAYS = "RdBu_r"
"""Colour map for a quantity with a sign."""
LEGEND_ROW = 0.146
"""Inches that a row of a legend takes."""
DPI = 200.0
"""Dots per inch of PNG files; for print there are pdf and svg."""


def settings() -> dict[str, Any]:
    """The matplotlib settings of the house, for ``matplotlib.rc_context``."""
    from cycler import cycler

    return {
        "font.family": "DejaVu Sans",  # comes with matplotlib, so pictures are the same on every machine
        "font.size": 8.0,
        "mathtext.fontset": "dejavusans",
        "axes.titlesize": 8.0,
        "axes.labelsize": 8.0,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.formatter.useoffset": False,
        "axes.formatter.limits": (-4, 5),
        "axes.prop_cycle": cycler(linestyle=["-", "--", "-."]) * cycler(color=COLOURS),
        "axes.xmargin": 0.0,
        "grid.color": "#e3e3e3",
        "grid.linewidth": 0.5,
        "lines.linewidth": 1.1,
        "lines.markersize": 3.5,
        "xtick.labelsize": 7.0,
        "ytick.labelsize": 7.0,
        "xtick.color": FAINT,
        "ytick.color": FAINT,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "legend.fontsize": 7.0,
        "legend.frameon": False,
        "figure.titlesize": 8.0,
        "figure.dpi": 100.0,
        "savefig.dpi": DPI,
        "savefig.facecolor": "white",
        "pdf.fonttype": 42,  # journals refuse Type 3 fonts
        "svg.fonttype": "path",  # looks the same where the font is missing
        "svg.hashsalt": "flexarm",  # the same figure is the same file
        "agg.path.chunksize": 20000,
    }


def styled(function: Callable[P, R]) -> Callable[P, R]:
    """Run a function with the house style, and leave the caller's settings as they were."""

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        import matplotlib

        with matplotlib.rc_context(settings()):  # type: ignore[arg-type]
            return function(*args, **kwargs)

    return wrapper


def new_figure(size: Size, height: float) -> Figure:
    """An empty figure with the layout of the house and its own Agg canvas, so that no window system and no pyplot is involved.

    Parameters
    ----------
    size : {"wide", "column"}
        Width: a full page or one column.
    height : float
        Height in inches.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from flexarm.view.layout import Paper

    figure = Figure(figsize=(WIDTHS[size], height), layout=Paper())  # type: ignore[arg-type]
    FigureCanvasAgg(figure)
    return figure


def grid_of_axes(
    size: Size, rows: int, columns: int = 1, row_height: float = 1.6, **options: Any
) -> tuple[Figure, list[list[Axes]]]:
    """A figure with `rows` x `columns` axes; `options` go to ``Figure.subplots``."""
    figure = new_figure(size, 0.7 + row_height * rows)
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, [list(row) for row in axes]


def headline(figure: Figure, result: Source | None, what: str = "") -> float:
    """Say above the axes what was computed, and by which method; returns the height of the text in inches."""
    attributes = result.data.attrs if result is not None else {}
    parts = [str(attributes["title"])] if attributes.get("title") else []
    if attributes.get("method"):
        parts.append(f"method {attributes['method']}")
    text = ": ".join(part for part in (what, ", ".join(parts)) if part)
    lines = textwrap.wrap(text, int(15.0 * figure.get_figwidth()))
    high = figure.get_figheight()
    figure.suptitle("\n".join(lines), x=0.01, y=1.0 - 0.05 / high, ha="left", va="top", color=INK)
    return 0.08 + 0.14 * len(lines)


def axis_label(long_name: str, unit: str, letters: int = 26) -> str:
    """``Long name (unit)``, with a capital, in several lines if it is long; the unit never stands alone."""
    name, glue = long_name[:1].upper() + long_name[1:], "\N{NO-BREAK SPACE}"
    lines = textwrap.wrap(f"{name}{glue}({unit})", letters, break_on_hyphens=False, break_long_words=False)
    return "\n".join(lines).replace(glue, " ")


def legend_above(
    axes: Axes, handles: list | None = None, labels: list[str] | None = None, least: int = 2, grow: bool = True
) -> None:
    """A legend on top of the axes, where it cannot hide data; none for fewer than `least` lines.

    With `grow` the figure becomes higher by its second and further rows, so that the axes do not shrink.
    """
    if handles is None or labels is None:
        handles, labels = axes.get_legend_handles_labels()
    if len(handles) < least:
        return
    room = axes_width(axes)
    most = next((n for n in range(len(labels), 1, -1) if legend_width(labels, n) <= room), 1)
    columns = -(-len(labels) // -(-len(labels) // most))  # as many rows, but evenly filled
    axes.legend(
        handles, labels, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2, borderpad=0.1,
        ncols=columns, handlelength=1.8, columnspacing=1.4,
    )  # fmt: skip
    rows = -(-len(labels) // columns)
    paper_of(axes).reserve(axes, top=0.05 + LEGEND_ROW * rows)
    figure = axes.get_figure(root=True)
    if grow and figure is not None:
        figure.set_figheight(figure.get_figheight() + LEGEND_ROW * (rows - 1))


def paper_of(axes: Axes) -> Paper:
    """The layout of the house to which axes belong."""
    figure = axes.get_figure(root=True)
    paper: Any = figure.get_layout_engine() if figure is not None else None
    return paper


def colour_bar(axes: Axes, colours: ScalarMappable, label: str) -> Axes:
    """A bar to the right of axes that tells what colours mean."""
    import numpy as np

    figure = axes.get_figure(root=True)
    assert figure is not None
    low, high = (float(value) for value in colours.get_clim())  # type: ignore[arg-type]
    bar = figure.add_axes((0.0, 0.0, 0.1, 0.1), label="<colorbar>")
    bar.imshow(
        np.linspace(0.0, 1.0, 256)[:, None], colours.get_cmap(), aspect="auto", origin="lower", extent=(0, 1, low, high)
    )
    bar.grid(False)
    bar.set_xticks([])
    bar.yaxis.tick_right()
    bar.yaxis.set_label_position("right")
    bar.set_ylabel(label)
    for side in ("left", "bottom"):
        bar.spines[side].set_visible(False)
    paper_of(axes).put_bar(bar, axes)
    return bar


def axes_width(axes: Axes) -> float:
    """Width in inches of axes in a grid, roughly: without the room for labels."""
    grid, figure = axes.get_subplotspec(), axes.get_figure(root=True)
    return (figure.get_figwidth() if figure else 3.5) / (grid.get_gridspec().ncols if grid else 1) - 0.6


def legend_width(labels: list[str], columns: int) -> float:
    """Width in inches of a legend with letters of 7 points that is filled column by column."""
    base, longer = divmod(len(labels), columns)  # the first columns take what does not divide evenly
    starts = [i * base + min(i, longer) for i in range(columns + 1)]
    groups = [labels[i:j] for i, j in pairwise(starts)]
    return sum(0.45 + 0.06 * max(len(label) for label in group) for group in groups)


def time_axis(axes: Axes, time: Any) -> None:
    """Limits and label of a horizontal time axis in seconds."""
    if time[-1] > time[0]:
        axes.set_xlim(float(time[0]), float(time[-1]))
    axes.set_xlabel("Time (s)")
