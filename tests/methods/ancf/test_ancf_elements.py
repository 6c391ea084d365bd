"""The elements by themselves: forces, tangents, conserving forces."""

import numpy as np
import pytest

from flexarm.methods.ancf import beam_tangent, cable, continuum, invariants
from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.beam import PLACE, beam_forces
from flexarm.methods.ancf.beam_mean import beam_mean
from flexarm.methods.ancf.mesh import hermite
from flexarm.numerics.jit import callable_from_python

LENGTH = 0.7
STRAIGHT = np.array([0, 0, 1, 0, LENGTH, 0, 1, 0, 0, 1, 0, 1.0])
KINDS = ("cable", "shear", "continuum", "invariants")
ELEMENT = np.array([[0, 2, 4, 6, 8, 10, 0, 0]])
CABLE, BEAM = callable_from_python(cable.cable_forces), callable_from_python(beam_forces)
CONTINUUM, INVARIANTS = (
    callable_from_python(continuum.continuum_forces),
    callable_from_python(invariants.invariant_forces),
)
BEAM_TANGENT, BEAM_MEAN = callable_from_python(beam_tangent.beam_tangent), callable_from_python(beam_mean)
CONTINUUM_TANGENT = callable_from_python(continuum.continuum_tangent)
INVARIANT_TANGENT = callable_from_python(invariants.invariant_tangent)
CONTINUUM_MEAN = callable_from_python(continuum.continuum_mean)


def figures(beta):
    """Figures of an element, as the kernels read them."""
    stiff = [1.3, 2.1, 1.7, 0.9, 1.1, 2.4, 1.2, 1.9, 2.2]
    slopes = [hermite(x, LENGTH)[1] for x in PLACE]
    return np.concatenate([[LENGTH, beta], stiff, *slopes, *(hermite(x, LENGTH)[2] for x in PLACE[3:])])


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
BLOCK = np.zeros((at.GRAM + at.POINT, 21))
BLOCK[: at.GRAM] = invariants.constant_matrix(SHAPE, STIFF)
BLOCK[at.GRAM :, :12], BLOCK[at.GRAM :, 12:15] = SHAPE, STIFF


def forces(kind, e, d, beta):
    """Energy, power, forces."""
    F, scratch = np.zeros(12), np.zeros((44, 24))
    if kind == "cable":
        found = CABLE(ELEMENT, figures(beta)[None], 0, e, d, F)
    elif kind == "shear":
        found = BEAM(e, d, figures(beta), F)
    elif kind == "continuum":
        found = CONTINUUM(e, d, BLOCK, beta, F)
    else:
        found = INVARIANTS(e, d, BLOCK, beta, 0.5 * STIFF[:, 0].sum(), F, scratch)
    return *found, F


def tangent(kind, e, d, beta, speed):
    K, scratch = np.zeros((12, 24)), np.zeros((44, 24))
    if kind in ("cable", "shear"):
        BEAM_TANGENT(kind == "shear", e, d, figures(beta), speed, K, np.zeros((10, 24)), scratch)
    elif kind == "continuum":
        CONTINUUM_TANGENT(e, d, BLOCK, beta, speed, K, scratch)
    else:
        INVARIANT_TANGENT(e, d, BLOCK, beta, speed, K, scratch)
    return K[:, :12]


def mean(kind, e0, e1, beta=0.0, h=0.1):
    F = np.zeros(12)
    if kind in ("cable", "shear"):
        BEAM_MEAN(kind == "shear", e0, e1, figures(beta), beta, h, F)
    else:
        CONTINUUM_MEAN(e0, e1, BLOCK, beta, h, F)
    return F


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
