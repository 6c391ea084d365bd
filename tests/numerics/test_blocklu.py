"""Chains of blocks against a dense solution."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.numerics import blocklu


@pytest.mark.parametrize("counts", [[6, 6, 6, 6], [7, 6, 8, 6, 1], [6], [1, 8, 6, 6, 7]])
def test_solution_of_a_chain(counts):
    rng = np.random.default_rng(5)
    starts = np.concatenate([[0], np.cumsum(counts)])
    full = np.zeros((starts[-1], starts[-1]))
    tiles = blocklu.tiles_for(len(counts))
    for m, rows in enumerate(counts):
        for near in (-1, 0, 1):
            if not 0 <= m + near < len(counts):
                continue
            block = rng.standard_normal((rows, counts[m + near])) + (20.0 * np.eye(rows) if near == 0 else 0.0)
            full[starts[m] : starts[m + 1], starts[m + near] : starts[m + near + 1]] = block
            place = m * blocklu.TILE + (blocklu.BEFORE, blocklu.OWN, blocklu.BEHIND)[near + 1]
            field = tiles[place : place + 64].reshape(8, 8)
            if near < 0:
                field[: counts[m - 1], :rows] = block.T
            else:
                field[:rows, : counts[m + near]] = block
    load = rng.standard_normal(starts[-1])
    x = load.copy()
    assert blocklu.factor(tiles, np.array(counts)) == -1
    blocklu.solve(tiles, np.array(counts), x)
    assert x == pytest.approx(np.linalg.solve(full, load), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("counts", [[6, 6, 6], [7, 7, 7]])
def test_vanishing_pivot_is_reported(counts):
    tiles = blocklu.tiles_for(3)
    for m in range(3):
        tiles[m * blocklu.TILE + blocklu.OWN : m * blocklu.TILE + blocklu.OWN + 64] = np.eye(8).ravel()
    tiles[blocklu.TILE + blocklu.OWN] = 0.0
    assert blocklu.factor(tiles, np.array(counts)) == 1
