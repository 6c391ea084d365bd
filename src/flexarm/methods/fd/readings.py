"""Rows that turn the state into physical readings: displacement and slope along the link, strain, joint, tip."""

from __future__ import annotations

import numpy as np

from flexarm.arm import Link
from flexarm.methods.base import Gauge, Watch
from flexarm.methods.fd import layout as at
from flexarm.methods.fd.layout import HUB, MOTOR, NODE, SUMS
from flexarm.methods.fd.system import System, curvature_rows
from flexarm.numerics.jit import njit


def displacement_rows(system: System, fractions: np.ndarray, derivative: int = 0) -> np.ndarray:
    """Rows (k, N) for displacement (or slope, derivative 1) at fractions of the length: spline with end slopes."""
    from scipy.interpolate import CubicSpline

    n, size = system.grid.n, system.size
    nodes, ends = np.zeros((n + 1, size)), np.zeros((2, size))
    nodes[np.arange(n + 1), NODE + np.arange(n + 1)] = 1.0
    ends[0, HUB] = ends[1, NODE + n + 1] = 1.0
    spline = CubicSpline(system.grid.x, nodes, bc_type=((1, ends[0]), (1, ends[1])))
    return spline(np.asarray(fractions) * system.grid.length, derivative)


def moment_rows(system: System, fractions: np.ndarray) -> np.ndarray:
    """Rows (k, 2 N + SUMS) for the elastic bending moment, linear between nodes."""
    grid, size = system.grid, system.size
    rows = np.zeros((grid.n + 1, 2 * size + SUMS))
    rows[:, :size] = grid.EI[:, None] * curvature_rows(grid, system.hub_state, system.tip_state)
    if not system.hub_state:
        rows[0, 2 * size + at.ROOT_MOMENT] = 1.0
    if not system.tip_state:
        rows[grid.n, 2 * size + at.TIP_MOMENT] = 1.0
    place = np.asarray(fractions, dtype=float) * grid.n
    i = np.minimum(place.astype(int), grid.n - 1)
    share = (place - i)[:, None]
    return (1.0 - share) * rows[i] + share * rows[i + 1]


def strain_rows(system: System, link: Link, gauges: tuple[Gauge, ...]) -> np.ndarray:
    """Rows (gauges, 2 N + SUMS) for strain: -z M / EI on top (positive y), +z M / EI at the bottom."""
    if not gauges:
        return np.zeros((0, 2 * system.size + SUMS))
    places = np.array([gauge.at for gauge in gauges])
    figures = link.figures(places)
    sign = np.array([1.0 if gauge.side == "bottom" else -1.0 for gauge in gauges])
    return (sign * figures["fibre"] / figures["EI"])[:, None] * moment_rows(system, places)


def sensor_rows(system: System, link: Link, watch: Watch) -> np.ndarray:
    """Rows (sensors, 2 N + SUMS) of the point sensors."""
    rows = np.zeros((len(watch.sensors), 2 * system.size + SUMS))
    for k, sensor in enumerate(watch.sensors):
        if sensor.kind == "strain":
            rows[k] = strain_rows(system, link, (Gauge(sensor.name, sensor.link, sensor.at),))[0]
        else:
            order = int(sensor.kind == "slope")
            rows[k, HUB] = -1.0 if order else -sensor.at * system.grid.length
            rows[k, : system.size] += displacement_rows(system, np.array([sensor.at]), int(sensor.kind == "slope"))[0]
    return rows


def measured(system: System, link: Link, watch: Watch) -> tuple[tuple[str, ...], np.ndarray]:
    """Names and rows (k, 2 N + SUMS) of what a controller can read."""
    size = system.size
    rows: list[np.ndarray] = []
    names: list[str] = []

    def add(name: str, *entries: tuple[int, float]) -> None:
        row = np.zeros(2 * size + SUMS)
        for place, value in entries:
            row[place] += value
        names.append(name)
        rows.append(row)

    tip, length = NODE + system.grid.n, system.grid.length
    add(f"{link.name}.position", (HUB, 1.0))
    add(f"{link.name}.velocity", (size + HUB, 1.0))
    add(f"{link.name}.motor_position", (MOTOR, 1.0))
    add(f"{link.name}.motor_velocity", (size + MOTOR, 1.0))
    add(f"{link.name}.chord_position", (tip, 1.0 / length))
    add(f"{link.name}.chord_velocity", (size + tip, 1.0 / length))
    add(f"{link.name}.torque", (2 * size + at.TORQUE, 1.0))
    add("tip.travel", (tip, 1.0))
    add("tip.velocity", (size + tip, 1.0))
    add("tip.deflection", (tip, 1.0), (HUB, -length))
    names += [gauge.name for gauge in watch.gauges] + [sensor.name for sensor in watch.sensors]
    table = np.vstack([*rows, strain_rows(system, link, watch.gauges), sensor_rows(system, link, watch)])
    return tuple(names), np.ascontiguousarray(table)


@njit
def read(rows, x, out):
    """``out = rows x`` on the leading entries of x."""
    for k in range(rows.shape[0]):
        total = 0.0
        for j in range(rows.shape[1]):
            total += rows[k, j] * x[j]
        out[k] = total
