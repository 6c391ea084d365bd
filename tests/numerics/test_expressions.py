"""Formulas of a state: values, derivatives and rates against NumPy and finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.numerics.expressions import Graph

RATES = {0: 4, 1: 5, 2: 6, 3: 7}


def formulas(x):
    """A few formulas of four numbers, which NumPy or a graph works out."""
    a, b, c, d = x[0], x[1], x[2], x[3]
    angle = 0.5 * a - b + 0.25
    along, across = 2.0 + np.cos(angle) * c, np.sin(angle) * d - c
    return [
        3.0 * a - 2.0 * (b - 1.0),
        along * across / (4.0 + d * d),
        np.arctan2(across, along) - a,
        np.sqrt(along**2 + across**2),
        1.0 / along,
        -(a + b) + (c - a) * 2.0,
    ]


@pytest.fixture
def state() -> np.ndarray:
    return np.random.default_rng(3).normal(size=8)


@pytest.fixture
def graph() -> Graph:
    return Graph(RATES)


def test_values_are_those_of_numpy_for_one_state_and_for_many(graph, state):
    tape = graph.tape([*formulas([graph.state(k) for k in range(4)]), 7.0])
    assert np.allclose(tape.values(state), [*formulas(state), 7.0], rtol=1e-14)
    many = np.random.default_rng(4).normal(size=(5, 8))
    assert np.allclose(tape.values(many), [[*formulas(row), 7.0] for row in many], rtol=1e-13)
    out = np.zeros(tape.size)
    tape.read(state, out)
    assert np.array_equal(out, tape.values(state))


def test_derivatives_and_rates_are_those_of_differences(graph, state):
    found = formulas([graph.state(k) for k in range(4)])
    slopes = graph.tape(found).derivatives(state)
    step = 1e-6
    for k in range(8):
        ahead, behind = state.copy(), state.copy()
        ahead[k] += step
        behind[k] -= step
        numerical = (np.array(formulas(ahead)) - np.array(formulas(behind))) / (2 * step)
        assert np.allclose(slopes[:, k], numerical, atol=1e-8)
    rates = graph.tape([graph.rate(f) for f in found]).values(state)
    assert np.allclose(rates, slopes[:, :4] @ state[4:], rtol=1e-12)
    assert graph.rate(2.0) == 0.0


def test_object_arrays_and_rows_work_as_numbers_do(graph, state):
    weights = np.random.default_rng(5).normal(size=(2, 3, 8))
    weights[0, 1, 2:] = 0.0
    rows = graph.rows(weights, constants=1.5)
    mixed = np.cos(rows) * np.array([1.0, 2.0, 3.0]) - rows[:, :1]
    expected = np.cos(weights @ state + 1.5) * np.array([1.0, 2.0, 3.0]) - (weights @ state + 1.5)[:, :1]
    assert np.allclose(graph.tape(mixed.ravel()).values(state), expected.ravel(), rtol=1e-13)


def test_shared_parts_are_worked_out_once(graph):
    angle = graph.state(0) + graph.state(1)
    again = graph.state(0) + graph.state(1)
    tape = graph.tape([np.cos(angle), np.cos(again), np.cos(angle) * 2.0])
    assert len(tape.operations.code) == 3
    assert 0.0 * graph.state(0) == 0.0
    with pytest.raises(ValueError, match="squares"):
        angle**3


def test_cubics_in_cells_with_their_rates_and_derivatives():
    """S^3 - S in two cells, of which the second is written about its own begin, and a line below."""
    table = np.array([[-9.0, 8.0, -1.0, 0.0, 0.0], [-1.0, 0.0, 2.0, -3.0, 1.0], [0.5, -0.375, -0.25, 1.5, 1.0]])
    graph = Graph(RATES)
    line = graph.constant(-1.0) - graph.piecewise(table, graph.state(0))
    tape = graph.tape([line, graph.rate(line)])
    for place in (-4.0, -0.7, 0.2, 0.5, 1.3):
        x = np.array([place, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0])
        value, slope = (place**3 - place, 3.0 * place**2 - 1.0) if place >= -1.0 else (8.0 - (place + 9.0), -1.0)
        assert tape.values(x) == pytest.approx([-1.0 - value, -2.0 * slope])
        assert tape.derivatives(x)[0, 0] == pytest.approx(-slope)


def test_a_rate_may_be_a_formula():
    """A rotation matrix in the plane, whose entries turn into each other."""
    rates = {0: lambda: -graph.state(2) * graph.state(1), 1: lambda: graph.state(2) * graph.state(0)}
    graph = Graph(rates)
    c, s = graph.state(0), graph.state(1)
    angle = np.arctan2(s, c)
    tape = graph.tape([graph.rate(angle), graph.rate(c * s)])
    assert tape.values(np.array([0.6, 0.8, 3.0])) == pytest.approx([3.0, 3.0 * (0.36 - 0.64)])
