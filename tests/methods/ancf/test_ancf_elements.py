"""The elements by themselves: forces, tangents, conserving forces."""

import numpy as np
import pytest
from ancf_arms import bar, build

from flexarm.methods.ancf import beam, beam_mean, beam_tangent, cable, continuum, invariants
from flexarm.methods.ancf.mesh import hermite
from flexarm.numerics.jit import callable_from_python

LENGTH = 0.7
STRAIGHT = np.array([0, 0, 1, 0, LENGTH, 0, 1, 0, 0, 1, 0, 1.0])
KINDS = ("cable", "shear", "continuum", "invariants")
CABLE = callable_from_python(cable.cable_forces)
FORCES = (
    callable_from_python(beam.beam_forces),
    callable_from_python(continuum.continuum_forces),
    callable_from_python(invariants.invariant_forces),
)
TANGENTS = (
    callable_from_python(beam_tangent.beam_tangent),
    callable_from_python(continuum.continuum_tangent),
    callable_from_python(invariants.invariant_tangent),
)
MEANS = (callable_from_python(beam_mean.beam_mean), callable_from_python(continuum.continuum_mean))


def points():
    """Shapes and stiffness of the continuum's points."""
    shape, stiffness = [], []
    for x, w in zip(*np.polynomial.legendre.leggauss(5), strict=True):
        for y, v in zip(*np.polynomial.legendre.leggauss(3), strict=True):
            xi, height = 0.5 * (1 + x), 0.1 * y
            shape.append([*hermite(xi, LENGTH)[1], -height / LENGTH, height / LENGTH, 0, 0, 0, 0, 1 - xi, xi])
            stiffness.append(w * v * np.array([2.0, 1.0, 0.7]))
    return np.array(shape), np.array(stiffness)


MODEL = build(bar(LENGTH, {"E": 1.0, "nu": 0.25, "density": 1.0}), variant="paper", resolution=1)
M, W = MODEL.parts, MODEL.workspace
M.connection[0] = 0, 2, 4, 6, 8, 10
M.axial[0], M.shear[0], M.bending[0], M.thickness[0] = [1.3, 2.1, 1.7], [0.9, 1.1], [2.4, 1.2], [1.9, 2.2]
M.point[0], M.point_stiffness[0] = points()
M.gram[0] = invariants.constant_matrix(*points())


def element(kind, e, d, beta):
    """The arm of one element with vectors e and d, and which kernel is its own."""
    M.kind[0], M.damping_time[0], W.e[:], W.d[:] = KINDS.index(kind), beta, e, d
    return max(0, KINDS.index(kind) - 1)


def forces(kind, e, d, beta):
    """Energy, power, forces."""
    own = element(kind, e, d, beta)
    if kind == "cable":
        F = np.zeros(12)
        return *CABLE(M, 0, e, d, F), F
    return *FORCES[own](M, W, 0), W.F.copy()


def tangent(kind, e, d, beta, speed):
    TANGENTS[element(kind, e, d, beta)](M, W, 0, speed)
    return W.K.copy()


def mean(kind, e0, e1, beta=0.0, h=0.1):
    MEANS[element(kind, e0, e1, beta)](M, W, 0, beta, h)
    return W.F.copy()


@pytest.fixture
def bent():
    generator = np.random.default_rng(4)
    return STRAIGHT + 0.15 * generator.normal(size=12), generator.normal(size=12), generator.normal(size=12)


def turned(e, angle):
    c, s = np.cos(angle), np.sin(angle)
    return (e.reshape(-1, 2) @ np.array([[c, s], [-s, c]])).ravel()


@pytest.mark.parametrize("kind", KINDS)
def test_forces_are_the_gradient_of_the_energy_and_tangents_that_of_the_forces(kind, bent):
    e, d, _ = bent
    beta, speed, eps = 0.3, 2.5, 1e-6
    F = forces(kind, e, d, 0.0)[2]
    _, power, both = forces(kind, e, d, beta)
    gradient = [
        (forces(kind, e + eps * u, d, 0)[0] - forces(kind, e - eps * u, d, 0)[0]) / (2 * eps) for u in np.eye(12)
    ]
    assert pytest.approx(gradient, abs=1e-7) == F
    assert power == pytest.approx((both - F) @ d, rel=1e-12)
    assert power > 0

    def total(a, b):
        return forces(kind, a, b, beta)[2]

    numeric = [
        (total(e + eps * u, d + speed * eps * u) - total(e - eps * u, d - speed * eps * u)) / (2 * eps)
        for u in np.eye(12)
    ]
    K = tangent(kind, e, d, beta, speed)
    assert pytest.approx(np.transpose(numeric), abs=1e-6 * np.abs(K).max()) == K


@pytest.mark.parametrize("kind", KINDS)
def test_a_moved_and_turned_element_is_not_strained(kind):
    e = turned(STRAIGHT, 2.1) + np.tile([0.3, -0.4], 6) * np.array([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0])
    spin = turned(e, np.pi / 2)
    energy, power, F = forces(kind, e, spin, 1.0)
    assert abs(energy) < 1e-14
    assert abs(power) < 1e-13
    assert np.abs(F).max() < 1e-13
    stiff = np.linalg.eigvalsh(tangent(kind, e, 0 * e, 0.0, 0.0))
    idle = 4 if kind == "cable" else 0  # section vectors that a cable does not have
    assert np.sum(np.abs(stiff) < 1e-10 * stiff.max()) == 3 + idle


@pytest.mark.parametrize("kind", KINDS[:3])
def test_mean_forces_do_the_work_of_the_energy_and_leave_momentum_alone(kind, bent):
    e, d, other = bent
    for step in (0.2, 1e-5):
        after = turned(e + step * d, 10 * step)
        F = mean(kind, e, after)
        change = forces(kind, after, d, 0)[0] - forces(kind, e, d, 0)[0]
        assert F @ (after - e) == pytest.approx(change, rel=1e-12, abs=1e-14)
        middle = 0.5 * (e + after)
        assert sum(middle[2 * j] * F[2 * j + 1] - middle[2 * j + 1] * F[2 * j] for j in range(6)) == pytest.approx(
            0, abs=1e-12
        )
        assert np.abs(F[0:2] + F[4:6]).max() < 1e-12
    assert mean(kind, e, e + 1e-7 * other) == pytest.approx(forces(kind, e, d, 0)[2], abs=1e-5)


def test_a_cable_is_the_beam_without_shear(bent):
    e, d, _ = bent
    e[8:10], e[10:12] = turned(e[2:8], np.pi / 2)[[0, 1]], turned(e[2:8], np.pi / 2)[[4, 5]]
    for k in (8, 10):
        e[k : k + 2] /= np.linalg.norm(e[k : k + 2])
    energy, _, F = forces("cable", e, 0 * d, 0.0)
    stored, _, other = forces("shear", e, 0 * d, 0.0)
    assert energy == pytest.approx(stored, rel=1e-12)
    assert F[[0, 1, 4, 5]] == pytest.approx(other[[0, 1, 4, 5]], rel=1e-12)


def test_invariants_and_quadrature_give_the_same_numbers(bent):
    e, d, _ = bent
    one, two = forces("continuum", e, d, 0.3), forces("invariants", e, d, 0.3)
    for a, b in zip(one, two, strict=True):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-12)
