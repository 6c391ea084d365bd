"""Steps of a fit, and what it is worth, without any arm."""

from __future__ import annotations

import numpy as np
import pytest

from flexarm.control.gauss_newton import least_squares
from flexarm.control.judgement import information, whiteness


def test_frequencies_alone_tell_ratios_only(reference):
    """Log sensitivities of six frequencies to EI, mass per length, payload and hub, each known to 1e-5."""
    given = reference["identifiability_frequencies"]
    weighted = np.array(given["log_sensitivity_rows_modes1to6_cols_EI_rhoA_Mp_Ih"]) / 1e-5
    found = information(weighted, ["EI", "rhoA", "Mp", "Ih"], 1.0)
    assert np.isinf(np.diag(found.covariance)).all()
    (blind,) = found.blind
    assert blind.names == ("EI", "rhoA", "Mp", "Ih") and len(blind.known) == 3
    assert {words.split(" / ")[1] for words, _ in blind.known} < {*blind.names} and "^" not in str(blind)
    values = np.linalg.svd(weighted, compute_uv=False)
    assert all(1.0 / values[0] < sd < 3.0 / values[2] for _, sd in blind.known)


def test_a_single_number_that_is_not_told_is_named_alone():
    weighted = np.hstack([np.random.default_rng(1).normal(size=(50, 2)), np.zeros((50, 1))]) * 100.0
    found = information(weighted, ["a", "b", "c"], 1.0)
    assert [blind.names for blind in found.blind] == [("c",)] and "nothing about c" in str(found.blind[0])
    np.testing.assert_allclose(found.covariance[:2, :2], np.linalg.inv(weighted[:, :2].T @ weighted[:, :2]))


def test_whiteness_counts_independent_samples():
    """Noise that is carried over by a share a from sample to sample has (1 - a)/(1 + a) of them."""
    noise, a = np.random.default_rng(3).normal(size=20000), 0.6
    coloured = np.zeros_like(noise)
    for k in range(1, len(noise)):
        coloured[k] = a * coloured[k - 1] + noise[k]
    assert whiteness(coloured).effective == pytest.approx(20000 * (1 - a) / (1 + a), rel=0.1)
    drawn = [whiteness(row).probability for row in noise.reshape(100, 200)]
    assert 0.35 < np.mean(drawn) < 0.65 and np.mean(np.array(drawn) < 0.05) < 0.15


@pytest.mark.parametrize("off", [0.8, 1.25])
def test_a_model_that_is_out_of_phase_by_several_swings_is_led_into_the_right_valley(off):
    """Frequency off by 20 % over 20 swings: from there the sum of squares has several valleys on the way."""
    time, calls = np.linspace(0.0, 1.0, 800), []
    data = 2.0 * np.exp(-time) * np.cos(2.0 * np.pi * 20.0 * time) + np.random.default_rng(2).normal(0.0, 0.05, 800)

    def residuals(x):
        calls.append(x)
        return data - x[1] * np.exp(-time) * np.cos(2.0 * np.pi * 20.0 * x[0] * time)

    def jacobian(x, r):
        return np.stack([(r - residuals(x + 1e-6 * step)) / 1e-6 for step in np.eye(2)], axis=1)

    def spread(r, inside):
        return np.full(len(r), 0.05)

    limits = np.full(2, -np.inf), np.full(2, np.inf)
    found = least_squares(
        residuals, jacobian, np.array([off, 1.0]), *limits, np.abs, time, [(slice(0, 800), True)], spread, 40
    )
    assert found.converged
    np.testing.assert_allclose(found.x, [1.0, 2.0], rtol=5e-3)
    local = least_squares(residuals, jacobian, np.array([off, 1.0]), *limits, np.abs, np.zeros(800),
                          [(slice(0, 800), True)], spread, 40)  # fmt: skip
    assert abs(local.x[0] - 1.0) > 0.05  # the whole record at once ends in a wrong one
