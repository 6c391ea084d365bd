"""The elements by themselves: forces, tangents, conserving forces."""

import numpy as np
import pytest

from flexarm.methods.ancf import beam, beam_mean, beam_tangent, cable, continuum, invariants
from flexarm.methods.ancf.mesh import hermite

LENGTH = 0.7
STRAIGHT = np.array([0, 0, 1, 0, LENGTH, 0, 1, 0, 0, 1, 0, 1.0])
KINDS = ("cable", "shear", "continuum", "invariants")
HP = np.array([hermite(x, LENGTH)[1] for x in beam.PLACE])
HPP = np.array([hermite(x, LENGTH)[2] for x in beam.PLACE[3:]])
FIG = np.array([1.3, 2.1, 1.7, 0.9, 1.1, 2.4, 1.2, 1.9, 2.2])


def points():
    """Shapes and stiffness of the continuum's points."""
    shape, fig = [], []
    for x, w in zip(*np.polynomial.legendre.leggauss(5), strict=True):
        for y, v in zip(*np.polynomial.legendre.leggauss(3), strict=True):
            xi, height = 0.5 * (1 + x), 0.1 * y
            shape.append([*hermite(xi, LENGTH)[1], -height / LENGTH, height / LENGTH, 0, 0, 0, 0, 1 - xi, xi])
            fig.append(w * v * np.array([2.0, 1.0, 0.7]))
    return np.array(shape), np.array(fig)


SHAPE, STIFF = points()
GRAM = invariants.constant_matrix(SHAPE, STIFF)


def forces(kind, e, d, beta):
    """Energy, power, elastic and damping forces."""
    F, G, scratch = np.zeros(12), np.zeros(12), np.zeros((44, 24))
    if kind in ("cable", "shear"):
        energy = beam.beam_forces(kind == "shear", e, HP, HPP, LENGTH, FIG, F)
        power = beam.beam_damping(kind == "shear", e, d, HP, HPP, LENGTH, FIG, beta, G)
    elif kind == "continuum":
        energy, power = continuum.continuum_forces(e, d, SHAPE, STIFF, beta, F, G)
    else:
        energy, power = invariants.invariant_forces(e, d, GRAM, beta, 0.5 * STIFF[:, 0].sum(), F, G, scratch)
    return energy, power, F, G


def tangent(kind, e, d, beta, speed):
    K, scratch = np.zeros((12, 12)), np.zeros((44, 24))
    if kind in ("cable", "shear"):
        parts = np.zeros((10, 12)), np.zeros((16, 12))
        beam_tangent.beam_tangent(kind == "shear", e, d, HP, HPP, LENGTH, FIG, beta, speed, K, *parts)
    elif kind == "continuum":
        continuum.continuum_tangent(e, d, SHAPE, STIFF, beta, speed, K, scratch)
    else:
        invariants.invariant_tangent(e, d, GRAM, beta, speed, K, scratch)
    return K


def mean(kind, e0, e1, beta=0.0, h=0.1):
    F = np.zeros(12)
    if kind in ("cable", "shear"):
        beam_mean.beam_mean(kind == "shear", e0, e1, HP, HPP, LENGTH, FIG, beta, h, F)
    else:
        continuum.continuum_mean(e0, e1, SHAPE, STIFF, beta, h, F)
    return F


@pytest.fixture
def bent():
    generator = np.random.default_rng(4)
    return STRAIGHT + 0.15 * generator.normal(size=12), generator.normal(size=12), generator.normal(size=12)


def turned(e, angle):
    c, s = np.cos(angle), np.sin(angle)
    return (e.reshape(6, 2) @ np.array([[c, s], [-s, c]])).ravel()


@pytest.mark.parametrize("kind", KINDS)
def test_forces_are_the_gradient_of_the_energy_and_tangents_that_of_the_forces(kind, bent):
    e, d, _ = bent
    beta, speed, eps = 0.3, 2.5, 1e-6
    _, power, F, G = forces(kind, e, d, beta)
    gradient = [
        (forces(kind, e + eps * u, d, 0)[0] - forces(kind, e - eps * u, d, 0)[0]) / (2 * eps) for u in np.eye(12)
    ]
    assert pytest.approx(gradient, abs=1e-7) == F
    assert power == pytest.approx(G @ d, rel=1e-12)
    assert power > 0

    def total(a, b):
        return sum(forces(kind, a, b, beta)[2:])

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
    energy, power, F, _ = forces(kind, e, spin, 1.0)
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


def test_the_fused_cable_is_the_beam_without_shear(bent):
    e, d, _ = bent
    F, G = np.zeros(12), np.zeros(12)
    energy, power = cable.cable_forces(e, d, HP, HPP, FIG, 0.3, F, G)
    for found, wanted in zip((energy, power, F, G), forces("cable", e, d, 0.3), strict=True):
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert cable.cable_forces(e, d, HP, HPP, FIG, 0.0, F, G) == (pytest.approx(energy), 0.0)
    assert not np.any(G)


def test_invariants_and_quadrature_give_the_same_numbers(bent):
    e, d, _ = bent
    one, two = forces("continuum", e, d, 0.3), forces("invariants", e, d, 0.3)
    for a, b in zip(one, two, strict=True):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-12)
