"""Where the entries of the matrix lie in memory, and its factors.

A matrix is three arrays: its entries in one flat array; `spot`, (size, 2 b + 1), which says where the entry of row i and
column j is, at [i, j - i + b]; and the number of rows of each block. Usually the unknowns are a chain of blocks, a node
with the joint before it, in the tiles of `flexarm.numerics.blocklu`. Where many joints of rigid links come together
there are no blocks, and the flat array is a plain band.

The length of a beam that slides as it is pushed is coupled with all of its nodes. Such unknowns are *edges*: their rows
and columns lie behind the rest in the flat array, and are eliminated last (`edges`). The last row of `spot` tells the
number of unknowns and of edges, where the rows of edges begin, and which unknowns they are.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial.edges import begin_edges, end_edges, reduce_edges, room_for, set_aside
from flexarm.methods.fem.spatial.mesh import Mesh
from flexarm.numerics import bandlu, blocklu
from flexarm.numerics.jit import njit_inside

Matrix = tuple[np.ndarray, np.ndarray, np.ndarray]


def make_matrix(mesh: Mesh, edges: list[int]) -> Matrix:
    """An empty matrix for the unknowns of a mesh, some of which are edges."""
    b, n = mesh.half_width, mesh.size
    rows, columns = np.arange(n)[:, None], np.arange(n)[:, None] + np.arange(-b, b + 1)
    inside = (columns >= 0) & (columns < n)
    columns = np.clip(columns, 0, n - 1)
    if not len(mesh.blocks):
        flat, spot = np.zeros(n * (2 * b + 1)), rows * (2 * b + 1) + np.arange(2 * b + 1)
    else:
        block = np.repeat(np.arange(len(mesh.blocks)), mesh.blocks)
        place = np.arange(n) - (np.cumsum(mesh.blocks) - mesh.blocks)[block]
        i, j, apart = place[rows], place[columns], block[columns] - block[rows]
        within = np.where(apart < 0, blocklu.BEFORE + blocklu.EDGE * j + i, blocklu.EDGE * i + j)
        within += np.where(apart == 0, blocklu.OWN, 0) + np.where(apart > 0, blocklu.BEHIND, 0)
        spot = np.where(inside & (np.abs(apart) < 2), blocklu.TILE * block[rows] + within, -1)
        flat = blocklu.tiles_for(len(mesh.blocks))
    last = np.zeros((1, 2 * b + 1), dtype=np.int64)
    last[0, : 3 + len(edges)] = n, len(edges), len(flat), *edges
    return np.concatenate([flat, np.zeros(room_for(n, len(edges)))]), np.concatenate([spot, last]), mesh.blocks


def empty_like(matrix: Matrix) -> Matrix:
    """Another matrix of the same places, of zeros."""
    return np.zeros_like(matrix[0]), matrix[1], matrix[2]


def dense(matrix: Matrix) -> np.ndarray:
    """The full matrix (size, size)."""
    flat, spot, _ = matrix
    n, b = int(spot[-1, 0]), spot.shape[1] // 2
    full = np.zeros((n, n))
    for k in range(2 * b + 1):
        rows = np.arange(max(0, b - k), min(n, n + b - k))
        full[rows, rows + k - b] = np.where(spot[rows, k] >= 0, flat[spot[rows, k]], 0.0)
    count, base = spot[-1, 1:3]
    for m, p in enumerate(spot[-1, 3 : 3 + count]):
        full[p] += flat[base + m * n : base + (m + 1) * n]
        full[:, p] += flat[base + (count + m) * n : base + (count + m + 1) * n]
    return full


@njit_inside
def solve_rest(matrix, x):
    """Overwrite x with the solution of the factored system without edges."""
    if matrix[2].shape[0]:
        blocklu.solve(matrix[0], matrix[2], x)
    else:
        n, wide = matrix[1][-1, 0], matrix[1].shape[1]
        bandlu.solve(matrix[0][: n * wide].reshape((n, wide)), x)


@njit_inside
def factor(matrix):
    """Factor in place; False if there is a vanishing pivot."""
    flat, spot = matrix[0], matrix[1]
    n, count, wide = spot[-1, 0], spot[-1, 1], spot.shape[1]
    if count:
        set_aside(flat, spot)
    if matrix[2].shape[0]:
        good = blocklu.factor(flat, matrix[2]) < 0
    else:
        good = bandlu.factor(flat[: n * wide].reshape((n, wide))) < 0
    if good and count:
        answers = flat[spot[-1, 2] + 2 * count * n :]
        for m in range(count):
            solve_rest(matrix, answers[m * n : (m + 1) * n])
        reduce_edges(flat, spot)
    return good


@njit_inside
def solve(matrix, x):
    """Overwrite x with the solution of the factored system: the rest, and through its answers the edges."""
    if matrix[1][-1, 1]:
        begin_edges(matrix[0], matrix[1], x)
    solve_rest(matrix, x)
    if matrix[1][-1, 1]:
        end_edges(matrix[0], matrix[1], x)
