"""Where the entries of the matrix lie in memory, and its factors.

A matrix is three arrays: its entries in one flat array; `spot`, (size, 2 b + 1), which says where the entry of row i and
column j is, at [i, j - i + b]; and the number of rows of each block. Usually the unknowns are a chain of blocks, a node
with the joint before it, in the tiles of `flexarm.numerics.blocklu`. Where many joints of rigid links come together
there are no blocks, and the flat array is a plain band.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial.mesh import Mesh
from flexarm.numerics import bandlu, blocklu
from flexarm.numerics.jit import njit_inside

Matrix = tuple[np.ndarray, np.ndarray, np.ndarray]


def make_matrix(mesh: Mesh) -> Matrix:
    """An empty matrix for the unknowns of a mesh."""
    b, n = mesh.half_width, mesh.size
    rows, columns = np.arange(n)[:, None], np.arange(n)[:, None] + np.arange(-b, b + 1)
    inside = (columns >= 0) & (columns < n)
    columns = np.clip(columns, 0, n - 1)
    if not len(mesh.blocks):
        spot = rows * (2 * b + 1) + np.arange(2 * b + 1)
        return np.zeros(n * (2 * b + 1)), spot, mesh.blocks
    block = np.repeat(np.arange(len(mesh.blocks)), mesh.blocks)
    place = np.arange(n) - (np.cumsum(mesh.blocks) - mesh.blocks)[block]
    i, j, apart = place[rows], place[columns], block[columns] - block[rows]
    within = np.where(apart < 0, blocklu.BEFORE + blocklu.EDGE * j + i, blocklu.EDGE * i + j)
    within += np.where(apart == 0, blocklu.OWN, 0) + np.where(apart > 0, blocklu.BEHIND, 0)
    spot = np.where(inside & (np.abs(apart) < 2), blocklu.TILE * block[rows] + within, -1)
    return blocklu.tiles_for(len(mesh.blocks)), spot, mesh.blocks


def empty_like(matrix: Matrix) -> Matrix:
    """Another matrix of the same places, of zeros."""
    return np.zeros_like(matrix[0]), matrix[1], matrix[2]


def dense(matrix: Matrix) -> np.ndarray:
    """The full matrix (size, size)."""
    flat, spot, _ = matrix
    n, b = len(spot), spot.shape[1] // 2
    full = np.zeros((n, n))
    for k in range(2 * b + 1):
        rows = np.arange(max(0, b - k), min(n, n + b - k))
        full[rows, rows + k - b] = np.where(spot[rows, k] >= 0, flat[spot[rows, k]], 0.0)
    return full


@njit_inside
def factor(matrix):
    """Factor in place; False if there is a vanishing pivot."""
    if matrix[2].shape[0]:
        return blocklu.factor(matrix[0], matrix[2]) < 0
    return bandlu.factor(matrix[0].reshape(matrix[1].shape)) < 0


@njit_inside
def solve(matrix, x):
    """Overwrite x with the solution of the factored system."""
    if matrix[2].shape[0]:
        blocklu.solve(matrix[0], matrix[2], x)
    else:
        bandlu.solve(matrix[0].reshape(matrix[1].shape), x)
