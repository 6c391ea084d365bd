"""The comparison of a log with a run as words, and as one HTML page that needs no other file."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from flexarm.view.page import image, page, png_data, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.analysis.log_comparison import LogComparison
    from flexarm.analysis.ringdown import Ringdown


def log_facts(found: LogComparison) -> list[tuple[str, str]]:
    """What the comparison found, as pairs of a name and a text."""
    unit = "" if found.unit == "1" else f" {found.unit}"
    size, suffix = (1e6, " µm/m") if found.unit == "1" else (1.0, unit)
    facts = [
        ("log", f"{found.log}, {len(found.time)} samples from {found.time[0]:.4g} to {found.time[-1]:.4g} s"),
        ("compared with", found.signal),
        ("lag", f"{1e3 * found.lag:.4g} ms (positive: the log is late)"),
        ("scale", f"{found.scale:.4g} (measured over simulated, least squares)"),
        ("offset", f"{size * found.offset:.4g}{suffix}"),
        (
            "peaks",
            f"measured {size * found.peak_measured:.4g}{suffix}, simulated {size * found.peak_simulated:.4g}{suffix}, "
            f"ratio {found.peak_ratio:.4g}",
        ),
        (
            "normalised rms error",
            f"{_percent(found.nrmse)} with lag and offset taken off, {_percent(found.nrmse_scaled)} with the scale too, "
            f"{_percent(found.nrmse_raw)} as they stand",
        ),
        ("correlation", f"{found.correlation:.4g}"),
        ("spectrum, measured", _hertz(found.peaks_measured)),
        ("spectrum, simulated", _hertz(found.peaks_simulated)),
    ]
    for who, ring in (("measured", found.ring_measured), ("simulated", found.ring_simulated)):
        if ring is not None:
            facts.append((f"ring-down, {who}", _ring(ring)))
    return facts


def _percent(value: float) -> str:
    return f"{100.0 * value:.3g} %" if math.isfinite(value) else "not known"


def _hertz(values: list[float]) -> str:
    return "peaks at " + ", ".join(f"{hz:.4g}" for hz in values) + " Hz" if values else "no peaks"


def _ring(ring: Ringdown) -> str:
    return f"{ring.frequency:.5g} Hz, damping ratio {100.0 * ring.damping_ratio:.3g} %"


def log_page(found: Sequence[LogComparison], figures: Sequence[dict[str, Figure]], title: str) -> str:
    """One HTML page with the facts, the notes and the figures of each column in it."""
    parts = "".join(map(_column, found, figures))
    return page(title, f"<h1>{html.escape(title)}</h1>{parts}")


def _column(found: LogComparison, figures: dict[str, Figure]) -> str:
    notes = "".join(f"<li>{html.escape(note)}</li>" for note in found.notes)
    pictures = "".join(
        f"<h2>{html.escape(name)}</h2>{image(name, png_data(figure))}" for name, figure in figures.items()
    )
    told = f"<h2>Notes</h2><ul>{notes}</ul>" if notes else ""
    return f"{table(log_facts(found))}{told}{pictures}"
