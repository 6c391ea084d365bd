"""Natural frequencies and damping against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.numerics.eigen import undamped_modes, vibration


def chain(n: int) -> np.ndarray:
    return 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)


def test_chain_of_springs():
    """omega_k = 2 sqrt(k/m) sin(k pi / (2 (n + 1)))."""
    n = 12
    found = vibration(0.5 * np.eye(n), np.zeros((n, n)), 80.0 * chain(n))
    exact = 2 * np.sqrt(160.0) * np.sin(np.arange(1, n + 1) * np.pi / (2 * (n + 1)))
    assert 2 * np.pi * found.hz == pytest.approx(exact, rel=1e-12)
    assert found.rigid == 0 and not np.any(found.damping) and len(found.unstable) == 0
    shape = np.sin(np.arange(1, n + 1) * np.pi / (n + 1))
    assert found.vectors[:, 0] / found.vectors[:, 0].max() == pytest.approx(shape / shape.max(), rel=1e-9)


@pytest.mark.parametrize("damped", [False, True])
def test_free_chain_has_one_rigid_motion(damped):
    n = 8
    K = 80.0 * chain(n)
    K[0, 0] = K[-1, -1] = 80.0
    found = vibration(np.eye(n), 1e-3 * K if damped else np.zeros((n, n)), K, 3)
    assert found.rigid == 1
    exact = 2 * np.sqrt(80.0) * np.sin(np.arange(1, 4) * np.pi / (2 * n))
    assert 2 * np.pi * found.hz == pytest.approx(exact, rel=1e-9)
    assert found.damping == pytest.approx(0.5e-3 * exact if damped else np.zeros(3), rel=1e-7, abs=1e-12)


def test_one_oscillator_with_damping():
    found = vibration(np.array([[2.0]]), np.array([[0.8]]), np.array([[50.0]]))
    assert found.hz[0] == pytest.approx(5.0 / (2 * np.pi)) and found.damping[0] == pytest.approx(0.8 / (2 * 2 * 5))


def test_overdamped_modes_are_not_vibrations():
    found = vibration(np.eye(2), np.diag([100.0, 0.1]), np.diag([4.0, 9.0]))
    assert found.hz == pytest.approx([3.0 / (2 * np.pi)])


def test_massless_coordinate_follows():
    """Two springs in series through a massless node: k/2, with or without a damper there."""
    M, K = np.diag([1.0, 0.0]), 100.0 * np.array([[1.0, -1.0], [-1.0, 2.0]])
    found = vibration(M, np.zeros((2, 2)), K)
    assert found.hz == pytest.approx([np.sqrt(50.0) / (2 * np.pi)])
    damped = vibration(M, np.diag([0.0, 1e-3]), K)
    assert damped.hz == pytest.approx([np.sqrt(50.0) / (2 * np.pi)], rel=1e-5) and damped.damping[0] > 0


def test_unstable_roots_are_told():
    standing = vibration(np.eye(2), np.zeros((2, 2)), np.diag([-4.0, 9.0]))
    assert standing.unstable == pytest.approx([2.0])
    driven = vibration(np.eye(1), np.array([[-0.2]]), np.array([[9.0]]))
    assert driven.unstable.real == pytest.approx([0.1, 0.1]) and driven.damping[0] < 0


def test_stiffness_that_is_not_symmetric():
    """Feedback from another place: the eigenvalues are those of the full matrix."""
    K = np.array([[5.0, 1.0], [2.0, 8.0]])
    found = vibration(np.eye(2), np.zeros((2, 2)), K)
    assert 2 * np.pi * found.hz == pytest.approx(np.sqrt(np.sort(np.linalg.eigvals(K))), rel=1e-9)


@pytest.mark.parametrize("held", [0.0, 0.5])
@pytest.mark.parametrize("damped", [0.0, 1e-6])
def test_soft_modes_beside_hard_ones(held, damped):
    """Two stiff groups of three masses joined by a soft spring, free or held by a softer one: two bodies on springs."""
    K = np.zeros((6, 6))
    for i, k in enumerate([1e13, 1e13, 20.0, 1e13, 1e13]):
        K[i : i + 2, i : i + 2] += k * np.array([[1.0, -1.0], [-1.0, 1.0]])
    K[0, 0] += held
    found = vibration(np.eye(6), damped * np.diag([0.0, 0, 0, 1, 0, 0]), K, 2)
    bodies = np.linalg.eigvalsh(np.array([[held + 20.0, -20.0], [-20.0, 20.0]]) / 3.0)
    assert found.rigid == (held == 0.0) and len(found.unstable) == 0
    assert 2 * np.pi * found.hz[: 2 - found.rigid] == pytest.approx(np.sqrt(bodies[found.rigid :]), rel=1e-3)


@pytest.mark.parametrize("damper", [0.0, 5.0])
def test_damped_arms_whose_sections_hardly_shear_keep_their_low_modes(damper):
    """Sections a thousand times as stiff put overdamped roots some 1e14 times above the first frequency."""
    strip = {"section": {"shape": "rectangle", "width": 0.02, "height": 0.006}, "material": "steel"}
    links = [{"name": name, "length": 0.8, "joint": {"hub_inertia": 0.01}, **strip} for name in "abc"]
    links[1]["joint"] |= {"stiffness": 500.0, "damping": damper}
    arm = fa.Arm(links=links, damping={"time": 4e-4}, payload={"mass": 0.5})
    shearing, stiff = (
        fa.frequencies(arm, method="fem", joints="locked", n=3, options={"resolution": 8, "beams": beams})
        for beams in ("timoshenko", "euler-bernoulli")
    )
    assert stiff.hz == pytest.approx(shearing.hz, rel=1e-3)
    assert stiff.damping == pytest.approx(shearing.damping, rel=5e-3)


def test_rounding_that_happens_to_be_positive_does_not_drown_the_modes():
    """A free chain whose stiffness has a rigid motion of 1e-25 in place of 0: its modes stay mass-normalised and right."""
    n = 12
    K = 1e6 * (2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    K[0, 0] = K[-1, -1] = 1e6
    for k in range(1, 40):
        K2 = K.copy()
        K2[0, 0] += 1e-10 * k  # about the last digit
        found = undamped_modes(np.eye(n), K2)
        assert found.vectors.T @ found.vectors == pytest.approx(np.eye(n), abs=1e-6)
        exact = 4e6 * np.sin(np.arange(1, n) * np.pi / (2 * n)) ** 2
        assert np.sort(found.square)[1:] == pytest.approx(exact, rel=1e-9)
