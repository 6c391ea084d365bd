"""Chords of links (the line from root to tip) as sensors: readings, and their rows in linear models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.fem import layout as at

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


def chord_joints(model: FemModel) -> list[str]:
    """Joints whose law reads a chord."""
    return [j.name for j in model.wiring.joints if j.law is not None and j.law.sensor == "chord"]


def _line(model: FemModel, values: np.ndarray, i: int) -> np.ndarray:
    """From a link's first to its last node, of positions or rates (size,), (2,)."""
    first, last = model.joint[i, [at.J_FROM, at.J_TO]]
    return values[last : last + 2] - (values[first : first + 2] if first >= 0 else 0.0)


def read_chord(model: FemModel, x: np.ndarray, name: str) -> tuple[float, float]:
    """Angle of a link's chord against that of the link that carries it, and its rate."""
    i = model.arm.index(name)
    total, rate = 0.0, 0.0
    for link, sign in ((i, 1.0), (int(model.joint[i, at.J_PARENT]), -1.0)):
        if link < 0:
            continue
        base = float(model.reader.root_angle(x[None, : model.record_width], link)[0])
        c, d = _line(model, x, link), _line(model, x[model.size :], link)
        along, across = np.cos(base) * c[0] + np.sin(base) * c[1], np.cos(base) * c[1] - np.sin(base) * c[0]
        total += sign * (base + np.arctan2(across, along))
        rate += sign * (c[0] * d[1] - c[1] * d[0]) / (c @ c)
    return float(total), float(rate)


def chord_row(model: FemModel, x: np.ndarray, i: int) -> np.ndarray:
    """Change of the reading of link i's chord per unknown, (size,)."""
    row = np.zeros(model.size)
    for link, sign in ((i, 1.0), (int(model.joint[i, at.J_PARENT]), -1.0)):
        if link < 0:
            continue
        c = _line(model, x, link)
        turned = sign * np.array([-c[1], c[0]]) / (c @ c)
        for node, share in ((at.J_TO, 1.0), (at.J_FROM, -1.0)):
            k = model.joint[link, node]
            if k >= 0:
                row[k : k + 2] += share * turned
    return row
