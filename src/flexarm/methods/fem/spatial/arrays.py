"""Views of the state vector, and scratch arrays, for the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.methods.fem.spatial.lanes import make_lanes
from flexarm.methods.fem.spatial.layout import FRAME, SUMS
from flexarm.methods.fem.spatial.stock import Z_SIZE
from flexarm.numerics.jit import borrow, njit, njit_part


@njit
def views(x, F, L):
    """r, R, th, v, j, frame, sums, a, A, ja, fc, fd, jc, jd as arrays that share the memory of x."""
    n = 21 * F + (4 + FRAME) * L + SUMS
    m = n + 12 * F + 4 * L
    k = m + 12 * F
    return (
        x[: 3 * F].reshape((F, 3)),
        x[3 * F : 12 * F].reshape((F, 9)),
        x[12 * F : 15 * F].reshape((F, 3)),
        x[15 * F : 21 * F].reshape((F, 6)),
        x[21 * F : 21 * F + 4 * L].reshape((4, L)),
        x[21 * F + 4 * L : 21 * F + (4 + FRAME) * L].reshape((FRAME, L)),
        x[21 * F + (4 + FRAME) * L : n],
        x[n : n + 6 * F].reshape((F, 6)),
        x[n + 6 * F : n + 12 * F].reshape((F, 6)),
        x[n + 12 * F : m].reshape((4, L)),
        x[m : m + 6 * F].reshape((F, 6)),
        x[m + 6 * F : k].reshape((F, 6)),
        x[k : k + 4 * L].reshape((4, L)),
        x[k + 4 * L : k + 8 * L].reshape((4, L)),
    )


@njit_part
def borrowed_parts(p):
    """The constant arrays without reference counts."""
    return (
        borrow(p[0]), borrow(p[1]), borrow(p[2]), borrow(p[3]), borrow(p[4]), borrow(p[5]), borrow(p[6]), borrow(p[7]),
        borrow(p[8]), borrow(p[9]), borrow(p[10]), borrow(p[11]), borrow(p[12]),
    )  # fmt: skip


@njit_part
def borrowed_scratch(p):
    """The scratch arrays without reference counts."""
    return (
        borrow(p[0]), borrow(p[1]), borrow(p[2]), borrow(p[3]), borrow(p[4]), borrow(p[5]), borrow(p[6]), borrow(p[7]),
        borrow(p[8]), borrow(p[9]), borrow(p[10]), borrow(p[11]), borrow(p[12]), borrow(p[13]),
    )  # fmt: skip


@njit_part
def borrowed_solver(p):
    """The arrays of the solver without reference counts."""
    matrix = (borrow(p[2][0]), borrow(p[2][1]), borrow(p[2][2]))
    return (
        borrow(p[0]), borrow(p[1]), matrix, borrow(p[3]), borrow(p[4]), borrow(p[5]), borrow(p[6]), borrow(p[7]),
        borrow(p[8]), borrow(p[9]), borrow(p[10]), borrow(p[11]), borrow(p[12]), borrow(p[13]), borrow(p[14]),
        borrow(p[15]), borrow(p[16]),
    )  # fmt: skip


def record_width(F: int, L: int) -> int:
    """Numbers in a record."""
    return 21 * F + (4 + FRAME) * L + SUMS


def moving_size(F: int, L: int) -> int:
    """Numbers in a state without the kept tangent."""
    return record_width(F, L) + 24 * F + 12 * L


def make_scratch(F: int, L: int, elements: np.ndarray, moved_by: np.ndarray, plain: np.ndarray) -> tuple[Any, ...]:
    """lanes, w, K, axis, lever, phi, phi0, nr, nv, na, tv, ta, T, z; T is the identity for nodes (`plain`), z see `stock`.

    phi, phi0 : (L, 5) actual and nominal joint positions, rates and accelerations, cosine and sine.
    """
    T = np.zeros((F, 6, max(6, moved_by.shape[1])))
    T[plain, np.arange(6)[:, None], np.arange(6)[:, None]] = 1.0
    shapes = ((1, 9), (12, 12), (F, 3), (F, 3), (L, 5), (L, 5), (F, 3), (F, 6), (F, 6), (F, 6), (F, 6))
    arrays = [np.zeros(shape) for shape in shapes]
    arrays[4][:, 3] = arrays[5][:, 3] = 1.0
    return (make_lanes(elements), *arrays, T, np.zeros((len(elements), Z_SIZE)))
