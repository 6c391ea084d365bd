"""Where the entries of the matrix lie in memory, and its factors.

Usually the unknowns are a chain of blocks, a node with the joint before it, in the tiles of `flexarm.numerics.blocklu`. Where
many joints of rigid links come together there are no blocks, and the entries are a plain band. The length of a beam that
slides as it is pushed is coupled with all of its nodes: such unknowns border the rest and are eliminated last (`bordered`).

Equations: S13, S14.
"""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial.bordered import begin_border, border_size, end_border, reduce_border, separate_border
from flexarm.methods.fem.spatial.mesh import Mesh
from flexarm.numerics import bandlu, blocklu
from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit_apart, njit_inside


class Matrix(Bundle):
    """A matrix: all its numbers in `entries`, the other arrays of floats share its memory.

    spot : (size, 2 half_width + 1), where the entry of row i and column j is, at [i, j - i + half_width]; blocks : rows of each
    block; border : unknowns that border the rest, with their rows, columns and what `bordered` makes of them.
    """

    entries: np.ndarray
    spot: np.ndarray
    blocks: np.ndarray
    border: np.ndarray
    border_rows: np.ndarray
    border_columns: np.ndarray
    border_answers: np.ndarray
    border_reduced: np.ndarray
    border_work: np.ndarray
    border_right: np.ndarray
    size: int
    half_width: int

    def on(self, entries: np.ndarray) -> Matrix:
        """A matrix of the same places whose numbers are in `entries`."""
        return place_matrix(entries, self.spot, self.blocks, self.border)

    def dense(self) -> np.ndarray:
        """The full matrix (size, size)."""
        n, b = self.size, self.half_width
        full = np.zeros((n, n))
        for k in range(2 * b + 1):
            rows = np.arange(max(0, b - k), min(n, n + b - k))
            place = self.spot[rows, k]
            full[rows, rows + k - b] = np.where(place >= 0, self.entries[place], 0.0)
        full[self.border] += self.border_rows
        full[:, self.border] += self.border_columns.T
        return full


def place_matrix(entries: np.ndarray, spot: np.ndarray, blocks: np.ndarray, border: np.ndarray) -> Matrix:
    """A matrix whose numbers are in `entries`: those of `spot`, then those of the border."""
    n, m = len(spot), len(border)
    shapes = ((m, n), (m, n), (m, n), (m, m), (m, m), (m,))
    parts, first = [], len(entries) - border_size(n, m)
    for shape in shapes:
        last = first + int(np.prod(shape))
        parts.append(entries[first:last].reshape(shape))
        first = last
    return Matrix(entries, spot, blocks, border, *parts, n, spot.shape[1] // 2)


def make_matrix(mesh: Mesh, border: list[int]) -> Matrix:
    """A matrix of zeros for the unknowns of a mesh, some of which border the rest."""
    b, n = mesh.half_width, mesh.size
    rows, columns = np.arange(n)[:, None], np.arange(n)[:, None] + np.arange(-b, b + 1)
    inside = (columns >= 0) & (columns < n)
    columns = np.clip(columns, 0, n - 1)
    if not len(mesh.blocks):
        count, spot = n * (2 * b + 1), rows * (2 * b + 1) + np.arange(2 * b + 1)
    else:
        block = np.repeat(np.arange(len(mesh.blocks)), mesh.blocks)
        place = np.arange(n) - (np.cumsum(mesh.blocks) - mesh.blocks)[block]
        i, j, apart = place[rows], place[columns], block[columns] - block[rows]
        within = np.where(apart < 0, blocklu.BEFORE + blocklu.EDGE * j + i, blocklu.EDGE * i + j)
        within += np.where(apart == 0, blocklu.OWN, 0) + np.where(apart > 0, blocklu.BEHIND, 0)
        spot = np.where(inside & (np.abs(apart) < 2), blocklu.TILE * block[rows] + within, -1)
        count = len(blocklu.tiles_for(len(mesh.blocks)))
    entries = np.zeros(count + border_size(n, len(border)))
    return place_matrix(entries, spot, mesh.blocks, np.array(border, dtype=np.int64))


@njit_inside
def add_entry(matrix, row, column, value):
    """Add to the entry of a row and a column, which are neighbours."""
    matrix.entries[matrix.spot[row, column - row + matrix.half_width]] += value


@njit_inside
def clear(matrix):
    """Set all entries to zero."""
    entries = matrix.entries
    for k in range(entries.shape[0]):
        entries[k] = 0.0


@njit_inside
def solve_rest(matrix, x):
    """Overwrite x with the solution of the factored system without its border."""
    if matrix.blocks.shape[0]:
        blocklu.solve(matrix.entries, matrix.blocks, x)
    else:
        n, wide = matrix.size, matrix.spot.shape[1]
        bandlu.solve(matrix.entries[: n * wide].reshape((n, wide)), x)


@njit_apart
def factor(matrix):
    """Factor in place; False if there is a vanishing pivot."""
    count, n, wide = matrix.border.shape[0], matrix.size, matrix.spot.shape[1]
    if count:
        separate_border(matrix)
    if matrix.blocks.shape[0]:
        good = blocklu.factor(matrix.entries, matrix.blocks) < 0
    else:
        good = bandlu.factor(matrix.entries[: n * wide].reshape((n, wide))) < 0
    if good and count:
        for m in range(count):
            solve_rest(matrix, matrix.border_answers[m])
        reduce_border(matrix)
    return good


@njit_apart
def solve(matrix, x):
    """Overwrite x with the solution of the factored system: the rest, and through its answers the border."""
    if matrix.border.shape[0]:
        begin_border(matrix, x)
    solve_rest(matrix, x)
    if matrix.border.shape[0]:
        end_border(matrix, x)
