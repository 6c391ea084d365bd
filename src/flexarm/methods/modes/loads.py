"""Loads that drives put on links: forces that keep their direction or turn with a section, and moments.

Equations: M3, M11.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from flexarm.methods.modes import layout as at
from flexarm.methods.modes.kinematics import move_point
from flexarm.numerics.law_rows import FORCE
from flexarm.numerics.on_demand import njit_on_demand

if TYPE_CHECKING:
    from flexarm.methods.modes.model import ModesModel


@njit_on_demand(types.float64)
def add_loads(part, work, q, v, row):
    """Add the loads of a drive row to work.balance; returns their power. Uses the frame of a loop's end."""
    first, spare, power = row.shape[0] - part.loads, part.parent.shape[0], 0.0
    for n in range(part.load.shape[0]):
        size, kind, point = (
            row[first + part.load[n, at.L_LOAD], FORCE],
            part.load[n, at.L_KIND],
            part.load[n, at.L_POINT],
        )
        move_point(part, work, point, q, v, spare)
        fx, fy, moment = size * part.load_data[n, 0], size * part.load_data[n, 1], 0.0
        if kind == at.L_MOMENT:
            fx, fy, moment = 0.0, 0.0, fx
        elif kind == at.L_TURNING:
            c, s = math.cos(work.angle[spare]), math.sin(work.angle[spare])
            fx, fy = c * fx - s * fy, s * fx + c * fy
        b = part.owner[point]
        for m in range(part.column_count[b]):
            k = part.columns[b, m]
            push = work.J[spare, 0, k] * fx + work.J[spare, 1, k] * fy + work.J[spare, 2, k] * moment
            work.balance[k] += push
            power += push * v[k]
    return power


def pushed(
    model: ModesModel, q: np.ndarray, loads: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, float, bool, int]]:
    """Of all loads at the pose that was looked at last: rows of x, y and angle of the point (3, size), force (2,), moment, whether it
    turns with the section, and the point."""
    part, work = model.parts, model.work
    for (load, kind, point), (x, y) in zip(part.load, part.load_data, strict=True):
        b, size = int(part.owner[point]), loads[load]
        own, n, columns = model.modal_coordinates(b), part.count[b], part.columns[b, : part.column_count[b]]
        bent = part.second[point, :, :n, :n] @ q[own] if model.second_order else np.zeros((2, n))
        s = part.s[point, :, :n]
        rho, s = part.r0[point] + (s + 0.5 * bent) @ q[own], s + bent
        turn = np.array([[work.cos[b], -work.sin[b]], [work.sin[b], work.cos[b]]])
        arm, rows = turn @ rho, np.zeros((3, model.size))
        rows[:, columns] = work.J[b][:, columns]
        rows[0], rows[1] = rows[0] - arm[1] * rows[2], rows[1] + arm[0] * rows[2]
        rows[:2, own] += turn @ s
        rows[2, own] += part.slope[point, :n]
        angle = work.angle[b] + float(part.slope[point, :n] @ q[own])
        force = size * np.array([x, y])
        if kind == at.L_TURNING:
            force = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ force
        moment = size * x if kind == at.L_MOMENT else 0.0
        yield rows, force if kind != at.L_MOMENT else np.zeros(2), moment, kind == at.L_TURNING, int(point)
