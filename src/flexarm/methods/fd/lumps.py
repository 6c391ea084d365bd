"""Lumps with rotary inertia inside the link, each with a slope of its own.

The moment of the link jumps where such a lump sits. Nodes see the jump smeared over two cells, so a couple there would
bend the grid too little: by the difference of the integrals of the squared moment, which is ``c dx / EI`` with the
shares c below for a lump at the fraction s of a section. A joint of that compliance between the lump's slope and the
slope of the nodes puts it right, and the grid stays of second order.

    inside the link            c = 1/4 + s (1 - s) / 2
    first section              c = s - 3 s^2 / 4             (hub slope is a coordinate)
    last section               the same with 1 - s           (tip slope is a coordinate)
    last section, free tip     c = 1/2 + s - (1 + s)^2 / 4   (slope of the last section)

Equations: F13.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fd import layout as at
from flexarm.methods.fd.grid import Grid
from flexarm.methods.fd.layout import HUB, NODE


def lump_rows(grid: Grid, hub_state: bool, tip_state: bool) -> tuple[np.ndarray, np.ndarray]:
    """Rows (lumps, N) that give slope of the nodes less slope of the lump, and the stiffness between them (N m/rad)."""
    rows, stiffness = np.zeros((len(grid.lump_place), grid.size)), np.zeros(len(grid.lump_place))
    for k, place in enumerate(grid.lump_place):
        i = min(int(place), grid.n - 1)
        s = place - i
        rows[k] = (1.0 - s) * _node_slope(grid, i, hub_state, tip_state)
        rows[k] += s * _node_slope(grid, i + 1, hub_state, tip_state)
        rows[k, NODE] = 0.0  # y_0 = 0
        rows[k, NODE + grid.n + 2 + k] = -1.0
        compliance = (1.0 - s) / grid.EI[i] + s / grid.EI[i + 1]
        stiffness[k] = 1.0 / (grid.dx * compliance * _share(grid, i, s, hub_state, tip_state))
    return rows, stiffness


def _node_slope(grid: Grid, i: int, hub_state: bool, tip_state: bool) -> np.ndarray:
    row, n, dx = np.zeros(grid.size), grid.n, grid.dx
    if i == 0 and hub_state:
        row[HUB] = 1.0
    elif i == n and tip_state:
        row[NODE + n + 1] = 1.0
    else:
        left, right = max(i - 1, 0), min(i + 1, n)
        row[NODE + right], row[NODE + left] = 1.0 / ((right - left) * dx), -1.0 / ((right - left) * dx)
    return row


def _share(grid: Grid, i: int, s: float, hub_state: bool, tip_state: bool) -> float:
    if i == 0:
        return s - 0.75 * s * s if hub_state else 1.5 - s - 0.25 * (2.0 - s) ** 2
    if i == grid.n - 1:
        return (1.0 - s) - 0.75 * (1.0 - s) ** 2 if tip_state else 0.5 + s - 0.25 * (1.0 + s) ** 2
    return 0.25 + 0.5 * s * (1.0 - s)


def lump_table(grid: Grid, hub_state: bool, tip_state: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same for the kernels: stiffness (lumps,), then up to five coordinates and their weights (lumps, 5)."""
    rows, stiffness = lump_rows(grid, hub_state, tip_state)
    places = np.zeros((len(rows), at.LUMP_POINTS), dtype=np.int64)
    weights = np.zeros(places.shape)
    for k, row in enumerate(rows):
        found = np.flatnonzero(row)
        found = found[found != NODE + grid.n + 2 + k]
        places[k, : len(found)], weights[k, : len(found)] = found, row[found]
    return stiffness, places, weights
