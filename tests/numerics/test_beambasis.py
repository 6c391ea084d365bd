"""Smooth piecewise polynomials: continuity, derivatives, completeness."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.numerics.beambasis import BeamBasis


def test_value_and_slope_are_continuous_and_nodal():
    basis = BeamBasis([0.0, 0.3, 1.0], 4)
    for order in (0, 1):
        left, right = basis.evaluate([0.3 - 1e-12], order), basis.evaluate([0.3 + 1e-12], order)
        assert np.abs(left - right).max() < 1e-9
    for node, x in enumerate((0.0, 0.3, 1.0)):
        value, slope = basis.node(node)
        assert basis.evaluate([x])[0, value] == pytest.approx(1.0) and basis.evaluate([x], 1)[
            0, slope
        ] == pytest.approx(1.0)
        assert np.abs(np.delete(basis.evaluate([x])[0], value)).max() < 1e-12


@pytest.mark.parametrize("order", [1, 2])
def test_derivatives(order):
    basis, x, step = BeamBasis([0.0, 0.3, 1.0], 5), np.linspace(0.02, 0.98, 15), 1e-5
    lower = (basis.evaluate(x + step, order - 1) - basis.evaluate(x - step, order - 1)) / (2 * step)
    assert np.abs(lower - basis.evaluate(x, order)).max() < 1e-4 * np.abs(lower).max()


def test_polynomials_are_represented_exactly():
    basis = BeamBasis([0.0, 0.4, 1.0], 5)  # degree 3 + 5
    x, w = basis.gauss()
    table, wanted = basis.evaluate(x), x**8 - 2.0 * x**5 + x
    coefficients = np.linalg.lstsq(table, wanted, rcond=None)[0]
    assert np.abs(table @ coefficients - wanted).max() < 1e-12
    assert w.sum() == pytest.approx(1.0)
