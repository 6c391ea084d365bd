"""Mass matrix, velocity terms and gravity of random trees against Lagrange's equations of their material points."""

from __future__ import annotations

import numpy as np
import pytest
from lagrange import Energies
from modes_arms import model_of, random_tree

FAMILIES = {
    "a": {"type": "clamped-mass", "mass": 1.0}, "c": "pinned-pinned", "d": "component", "e": "pinned-free",
}  # fmt: skip


def of(seed: int, **options):
    model = model_of(random_tree(seed), **{"resolution": 2, "shapes": FAMILIES, "stiffening": "none", **options})
    rng = np.random.default_rng(100 + seed)
    q, v = 0.3 * rng.standard_normal(model.size), rng.standard_normal(model.size)
    return model, q, v


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("axial", [0, 2])
def test_mass_bias_and_gravity(seed, axial):
    model, q, v = of(seed, axial_modes=axial)
    energies = Energies(model)
    M, h = energies.mass_matrix(q).real, energies.bias(q, v)
    assert np.abs(model.mass_matrix(q) - M).max() < 1e-12 * np.abs(M).max()
    assert np.abs(model.bias(q, v) - h).max() < 1e-12 * np.abs(h).max()
    weight = energies.bias(q, 0.0 * v)
    assert np.abs(model.bias(q, 0.0 * v) - weight).max() < 1e-12 * np.abs(weight).max()
    assert model.evaluate_pose(q)[1] == pytest.approx(float(energies.energies(q, v)[1].real), rel=1e-12)


@pytest.mark.parametrize("axial", [0, 1])
def test_kinematics_of_second_order_leave_nothing_out(axial):
    """However far the links bend, so the mass matrix is that of an energy."""
    model, q, v = of(3, stiffening="second-order", shapes="component", axial_modes=axial)
    energies = Energies(model)
    M, h = energies.mass_matrix(q).real, energies.bias(q, v)
    assert np.abs(model.mass_matrix(q) - M).max() < 1e-12 * np.abs(M).max()
    assert np.abs(model.bias(q, v) - h).max() < 1e-12 * np.abs(h).max()
    assert np.linalg.eigvalsh(model.mass_matrix(3.0 * q)).min() > 0.0


def test_stiffness_of_weight_is_the_derivative_of_the_weight():
    from flexarm.methods.modes.equilibrium import load_stiffness

    for order in ("none", "second-order"):
        model, q, _ = of(4, stiffening=order)
        energies, n = Energies(model), model.size
        K = load_stiffness(model, q, np.zeros(0))
        step = 1e-6
        columns = [
            (model.bias(q + step * e, np.zeros(n)) - model.bias(q - step * e, np.zeros(n))) / (2 * step)
            for e in np.eye(n)
        ]
        assert np.abs(K - np.array(columns).T).max() < 1e-7 * np.abs(K).max()
        assert np.abs(K - K.T).max() < 1e-12 * np.abs(K).max()
        assert energies.model is model
