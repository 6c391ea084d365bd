"""The comparison of a log with a run as words, and as one HTML page that needs no other file."""

from __future__ import annotations

import base64
import html
import io
import math
from typing import TYPE_CHECKING

from flexarm.view.style import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.analysis.log_comparison import LogComparison
    from flexarm.analysis.ringdown import Ringdown

_STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "td{padding:.15em 1em .15em 0;vertical-align:top}img{width:100%}"
)


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


@styled
def log_page(found: LogComparison, figures: dict[str, Figure], title: str) -> str:
    """One HTML page with the facts, the notes and the figures in it."""
    rows = "".join(f"<tr><td>{html.escape(a)}</td><td>{html.escape(b)}</td></tr>" for a, b in log_facts(found))
    notes = "".join(f"<li>{html.escape(note)}</li>" for note in found.notes)
    pictures = "".join(
        f'<h2>{html.escape(name)}</h2><img alt="{html.escape(name)}" src="data:image/png;base64,{_png(figure)}">'
        for name, figure in figures.items()
    )
    head = html.escape(title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{head}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{head}</h1><table>{rows}</table>{f'<h2>Notes</h2><ul>{notes}</ul>' if notes else ''}{pictures}"
        "</body></html>\n"
    )


def _png(figure: Figure) -> str:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=130, metadata={"Software": None})
    return base64.b64encode(data.getvalue()).decode("ascii")
