"""Lines and marks in m as a picture in SVG: to scale in the plane, seen from the side and above in space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BLUE, ORANGE, INK, FAINT = "#0072B2", "#D55E00", "#222222", "#8a8a8a"
MARGIN, FOOT = 14.0, 22.0
"""Pixels around the picture, and below it for the scale."""
TURN, TILT = -0.9, 0.35
"""Direction from which arms in space are seen, rad."""


@dataclass(frozen=True)
class Stroke:
    """A line through places in m, shape (n, 3)."""

    places: np.ndarray
    colour: str = BLUE
    width: float = 3.0
    dash: str = ""
    opacity: float = 1.0


@dataclass(frozen=True)
class Mark:
    """A place in m, shape (3,): round, or square for the ground."""

    place: np.ndarray
    square: bool = False
    fill: str = "#ffffff"


def svg(strokes: Sequence[Stroke], marks: Sequence[Mark] = (), size: tuple[int, int] = (420, 260)) -> str:
    """The picture, with a line that tells its scale; empty without any finite place."""
    places = np.concatenate([np.zeros((0, 3)), *(stroke.places for stroke in strokes)])
    places = places[np.isfinite(places).all(axis=1)]
    if not len(places):
        return ""
    spatial = bool(np.abs(places[:, 2]).max() > 1e-9 * max(np.abs(places).max(), 1e-300))
    flat = _flat(places, spatial)
    low, high = flat.min(axis=0), flat.max(axis=0)
    wide, tall = size[0] - 2 * MARGIN, size[1] - 2 * MARGIN - FOOT
    scale = float(min(wide / max(high[0] - low[0], 1e-12), tall / max(high[1] - low[1], 1e-12)))
    shift = np.array([size[0] / 2, (size[1] - FOOT) / 2]) - scale * (low + high) / 2 * [1, -1]

    def pixels(points: np.ndarray) -> np.ndarray:
        return shift + scale * _flat(points, spatial) * [1.0, -1.0]

    parts = [_line(stroke, pixels(stroke.places)) for stroke in strokes] + [
        _dot(mark, pixels(mark.place[None])[0]) for mark in marks
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" height="{size[1]}" '
        f'style="background:#fff;max-width:100%">{"".join(parts)}{_scale(scale, size)}</svg>'
    )


def _flat(places: np.ndarray, spatial: bool) -> np.ndarray:
    x, y, z = places.T
    if not spatial:
        return np.stack([x, y], axis=1)
    ct, st, ce, se = math.cos(TURN), math.sin(TURN), math.cos(TILT), math.sin(TILT)
    return np.stack([ct * y - st * x, ce * z - se * (ct * x + st * y)], axis=1)


def _line(stroke: Stroke, points: np.ndarray) -> str:
    listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points if math.isfinite(x) and math.isfinite(y))
    dash = f' stroke-dasharray="{stroke.dash}"' if stroke.dash else ""
    return (
        f'<polyline points="{listed}" fill="none" stroke="{stroke.colour}" stroke-width="{stroke.width:g}" '
        f'stroke-linecap="round" stroke-linejoin="round" opacity="{stroke.opacity:g}"{dash}/>'
    )


def _dot(mark: Mark, place: np.ndarray) -> str:
    x, y = place
    look = f'fill="{mark.fill}" stroke="{INK}" stroke-width="1.3"'
    if mark.square:
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {look}/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" {look}/>'


def _scale(scale: float, size: tuple[int, int]) -> str:
    most = 0.3 * size[0] / scale
    ten = 10.0 ** math.floor(math.log10(most))
    length = max(step * ten for step in (1, 2, 5) if step * ten <= most)
    y, text = size[1] - 8, f"{length:g} m" if length >= 1.0 else f"{1e3 * length:g} mm"
    line = f'<path d="M10 {y - 4}V{y}H{10 + length * scale:.1f}V{y - 4}" fill="none" stroke="{INK}"/>'
    return f'{line}<text x="14" y="{y - 4}" font-size="11" font-family="sans-serif" fill="{INK}">{text}</text>'
