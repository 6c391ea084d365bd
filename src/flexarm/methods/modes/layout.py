"""How the numbers of the modal arm lie in the state vector.

x = [q | v | a | lambda | torques | sums | loads] for `size` coordinates, `rows` loop equations and the joints: positions, velocities
and accelerations of the coordinates, forces of the loops, two torques of every joint, sums over the run, sizes of the loads on
links. Coordinates that
the equations of motion decide come first, prescribed ones last.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexarm.numerics.jit import njit_inside

TORQUE, DRIVE, JOINT_ROWS = range(3)
"""Torques of a joint, each of length `joints`: through the joint; of the motor without friction."""

WORK, LOST, NUMERICAL, ENERGY, POWER, LOSS, STORING, HALVED, CLOCK, SIGMA, SIGMA_TIME, SIGMA_LOOP, GAP, SUMS = range(14)
"""Sums over the run (J): work of the drives, losses, gain of the scheme, stored energy; at the step point (W): power of
the drives, loss, power that goes into store; steps halved, time (s), smallest ratio of singular values of the loops, when
and in which loop it was, largest loop error (m)."""

STEP_POINT = np.zeros(1, dtype=np.int64)
"""Row of the step point among the stages, as STEP_POINT[0]: a plain 0 would be a type of its own to the compiler."""

BY_READING, BY_RATE, BY_MOTOR_RATE, BY_TWIST, SLOPES = range(5)
"""Slopes of a joint: of its torque by what the law reads, its rate and the motor's rate; of its spring with play."""


L_LOAD, L_KIND, L_POINT = range(3)
"""Columns of `load` (points, 3): which load, its kind, point."""
L_WORLD, L_TURNING, L_MOMENT = range(3)
"""Kinds of loads: forces that keep their direction or turn with the section, moments. `load_data` (points, 2): direction times share, or
the share of a moment."""


class Now(NamedTuple):
    """Named parts of a state vector: views, so that writing to them writes the state."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    torques: np.ndarray
    sums: np.ndarray
    loads: np.ndarray


@njit_inside
def views(part, x):
    """The named parts of a state vector."""
    n, lam = part.size, 3 * part.size
    torques = lam + part.rows
    sums = torques + JOINT_ROWS * part.link.shape[0]
    return Now(
        x[:n], x[n : 2 * n], x[2 * n : lam], x[lam:torques], x[torques:sums], x[sums : sums + SUMS], x[sums + SUMS :]
    )


def slices(size: int, rows: int, joints: int, loads: int) -> dict[str, slice]:
    """The same parts for Python, by name."""
    ends = np.cumsum([0, size, size, size, rows, JOINT_ROWS * joints, SUMS, loads]).tolist()
    return {name: slice(*span) for name, span in zip(Now._fields, pairwise(ends), strict=True)}
