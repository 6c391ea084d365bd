"""Chords of links (the line from root to tip) as sensors: readings, their slopes, and their rows in linear models.

Equations: E23.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.fem import layout as at
from flexarm.numerics.jit import njit_inside, njit_part

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


@njit_inside
def chord(part, now, i):
    """Angle of the line from a link's root to its last node, unwound by the angle of the first section, and its rate."""
    q, v, r, t, base = now.q, now.v, part.joint[i, at.J_FROM], part.joint[i, at.J_TO], part.joint[i, at.J_BASE]
    x, y, dx, dy = q[t], q[t + 1], v[t], v[t + 1]
    if r >= 0:
        x, y, dx, dy = x - q[r], y - q[r + 1], dx - v[r], dy - v[r + 1]
    phi = now.frame[at.ANGLE, i]
    if base >= 0:
        phi += q[base]
    c, s = math.cos(phi), math.sin(phi)
    return phi + math.atan2(c * y - s * x, c * x + s * y), (x * dy - y * dx) / (x * x + y * y)


@njit_part
def chord_slope(part, now, i, sign, dy, dv, speed, row):
    """Add the derivative of a torque by all unknowns to `row`, for slopes dy and dv by the chord of link i and its rate."""
    q, v, r, t = now.q, now.v, part.joint[i, at.J_FROM], part.joint[i, at.J_TO]
    x, y, dx, dz = q[t], q[t + 1], v[t], v[t + 1]
    if r >= 0:
        x, y, dx, dz = x - q[r], y - q[r + 1], dx - v[r], dz - v[r + 1]
    square = x * x + y * y
    xx, xy = 2.0 * x * y / (square * square), (y * y - x * x) / (square * square)
    wx = sign * (-(dy + speed * dv) * y / square + dv * (xx * dx + xy * dz))
    wy = sign * ((dy + speed * dv) * x / square + dv * (xy * dx - xx * dz))
    row[t] += wx
    row[t + 1] += wy
    if r >= 0:
        row[r] -= wx
        row[r + 1] -= wy


def chord_joints(model: FemModel) -> list[str]:
    """Joints whose law reads a chord."""
    return [j.name for j in model.wiring.joints if j.law is not None and j.law.sensor == "chord"]


def _line(model: FemModel, values: np.ndarray, i: int) -> np.ndarray:
    """From a link's first to its last node, of positions or rates (size,), (2,)."""
    first, last = model.parts.joint[i, [at.J_FROM, at.J_TO]]
    return values[last : last + 2] - (values[first : first + 2] if first >= 0 else 0.0)


def read_chord(model: FemModel, x: np.ndarray, name: str) -> tuple[float, float]:
    """Angle of a link's chord against that of the link that carries it, and its rate."""
    i = model.arm.index(name)
    total, rate = 0.0, 0.0
    for link, sign in ((i, 1.0), (int(model.parts.joint[i, at.J_PARENT]), -1.0)):
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
    for link, sign in ((i, 1.0), (int(model.parts.joint[i, at.J_PARENT]), -1.0)):
        if link < 0:
            continue
        c = _line(model, x, link)
        turned = sign * np.array([-c[1], c[0]]) / (c @ c)
        for node, share in ((at.J_TO, 1.0), (at.J_FROM, -1.0)):
            k = model.parts.joint[link, node]
            if k >= 0:
                row[k : k + 2] += share * turned
    return row
