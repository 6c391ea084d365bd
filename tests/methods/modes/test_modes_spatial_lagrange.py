"""The equations of motion in space are Lagrange's: checked by differences of the energies, on an arm with everything on it."""

from __future__ import annotations

import numpy as np
import pytest
from modes_arms import model_of

import flexarm as fa

ARM = """
name: Everything in space
arm:
  gravity: [1.0, -2.0, -9.81]
  damping: {time: 1e-4 s}
  payload: {mass: 0.7, inertia: [0.003, 0.002, 0.004], offset: [0.05, -0.04, 0.03]}
  links:
    - name: column
      section: {shape: rectangle, width: 40 mm, height: 15 mm}
      material: steel
      joint: {hub_inertia: 0.02, rotor_inertia: 1e-4, gear: {ratio: -40}, dh: {d: 0.4, a: 0.3, alpha: 80 deg}}
      masses: [{at: 0.3, mass: 0.5, inertia: 0.001}]
    - name: slide
      flexible: false
      body: {mass: 0.8, center: [0.02, 0.01, -0.1], inertia: [0.01, 0.012, 0.003]}
      length: 0.6 m
      joint: {type: prismatic, position: 0.2 m, motor_mass: 0.4, motor_inertia: 0.001, dh: {alpha: -50 deg, a: 0.05}}
    - name: upper
      section: {shape: tube, diameter: 40 mm, thickness: 2 mm}
      material: aluminium
      joint: {hub_inertia: 0.01, rotor_inertia: 2e-3, stiffness: 4e3, gear: {ratio: 7}, motor_mass: 0.6, dh: {a: 0.5, alpha: 30 deg, theta: 20 deg}}
    - name: bracket
      flexible: false
      body: {mass: 0.3, center: [0.05, 0, 0.02], inertia: 1e-3}
      joint: {type: fixed, position: 25 deg, dh: {a: 0.1, alpha: 40 deg}}
    - name: fore
      section: {stations: [{at: 0, shape: rectangle, width: 30 mm, height: 8 mm}, {at: 1, shape: rectangle, width: 18 mm, height: 6 mm}]}
      material: aluminium
      joint: {rotor_inertia: 5e-3, dh: {a: 0.4}}
method: {name: modes, resolution: 2, torsion_modes: 1, axial_modes: 1}
time: {end: 1 ms, step: 1 ms}
"""


@pytest.fixture(scope="module", params=["second-order", "none"])
def model(request):
    """Coordinates are moved so far that every term counts."""
    return model_of(fa.loads(ARM), stiffening=request.param, resolution=2, torsion_modes=1)


@pytest.fixture(scope="module")
def point(model):
    rng = np.random.default_rng(3)
    size = np.where(np.arange(model.size) < len(model.parts.link), 1.0, 0.05)
    return size * rng.normal(size=model.size), 3.0 * size * rng.normal(size=model.size)


def test_velocity_terms_and_weight(model, point):
    q, v = point
    unit, step = np.eye(model.size), 1e-3

    def difference(function):
        near, far = (function(s * step) - function(-s * step) for s in (1.0, 2.0))
        return (8.0 * near - far) / (12.0 * step)

    momentum = difference(lambda t: model.mass_matrix(q + t * v) @ v)
    energies = [difference(lambda t, k=k: np.array(model.evaluate_pose(q + t * unit[k], v))) for k in range(model.size)]
    kinetic, potential = np.array(energies).T
    expected = momentum - kinetic + potential
    assert np.abs(model.bias(q, v) - expected).max() < 1e-8 * np.abs(expected).max()


def test_mass_matrix_is_that_of_the_kinetic_energy_and_positive(model, point):
    q, v = point
    kinetic, _ = model.evaluate_pose(q, v)
    M = model.work.mass
    assert kinetic == pytest.approx(0.5 * v @ M @ v, rel=1e-14)
    assert np.abs(M - M.T).max() == 0.0 and np.linalg.eigvalsh(M).min() > 0.0
    assert np.linalg.eigvalsh(model.mass_matrix(20.0 * q)).min() > 0.0
