"""Modes from a free decay, against stated figures and exact decays."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.measured import Log
from flexarm.view.identified import modes_figure

RATIO = 0.01


def decay(frequencies, amplitudes, time, ratio=RATIO):
    w = 2.0 * np.pi * np.asarray(frequencies)[:, None]
    swing = np.exp(-ratio * w * time) * np.cos(w * np.sqrt(1.0 - ratio**2) * time)
    return np.asarray(amplitudes) @ swing


@pytest.fixture(scope="module")
def stated(reference):
    """The noisy decay of three modes of the reference, and its figures."""
    given = reference["era"]
    time = 1e-3 * np.arange(2000)
    values = decay(given["f_true"], [1e-3, 3e-4, 1e-4], time) + np.random.default_rng(2024).normal(0.0, 1e-5, 2000)
    assert values.sum() == pytest.approx(given["y_sum_check"], rel=1e-8)
    return time, values, given


@pytest.mark.parametrize("rows", [300, 600])
def test_eigensystem_realisation_gives_the_stated_figures(stated, rows):
    time, values, given = stated
    found, wanted = fa.identify_modes((time, values), 3, "era", rows=rows), given[f"era_order6_rows{rows}"]
    np.testing.assert_allclose(found.frequency, wanted["f"], rtol=1e-6)
    np.testing.assert_allclose(found.damping_ratio, wanted["zeta"], rtol=1e-6)
    size = np.sqrt(np.mean(values**2))
    np.testing.assert_allclose(size * found.singular_values[:8], wanted["singular_values_1_8"], rtol=1e-6)


def test_fit_of_damped_sines_gives_the_stated_figures(stated):
    time, values, given = stated
    found, wanted = fa.identify_modes((time, values), 3, "fit", sigma=1e-5), given["nls"]
    np.testing.assert_allclose(found.frequency, wanted["f"], rtol=1e-7)
    np.testing.assert_allclose(found.damping_ratio, wanted["zeta"], rtol=1e-5)
    np.testing.assert_allclose(found.sd_frequency, wanted["sd_f"], rtol=1e-5)
    np.testing.assert_allclose(found.sd_damping_ratio, wanted["sd_zeta"], rtol=1e-5)
    assert found.chi_square == pytest.approx(wanted["reduced_chi2"], rel=1e-6)


def test_number_of_modes_is_seen_in_the_singular_values(stated):
    time, values, given = stated
    np.testing.assert_allclose(fa.identify_modes((time, values)).frequency, given["nls"]["f"], rtol=1e-7)
    clean = decay(given["f_true"], [1.0, 1e-3, 1e-4], time)
    assert len(fa.identify_modes((time, clean), method="era").frequency) == 3


def test_clean_decay_is_exact(stated):
    time, _, given = stated
    found = fa.identify_modes((time, decay(given["f_true"], [1e-3, 3e-4, 1e-4], time)), 3, "era")
    np.testing.assert_allclose(found.frequency, given["f_true"], rtol=1e-12)
    np.testing.assert_allclose(found.damping_ratio, RATIO, rtol=1e-11)


def test_columns_of_one_log_share_their_modes_and_keep_their_shapes():
    time, random = 2e-3 * np.arange(800), np.random.default_rng(5)
    shapes = np.array([[1.0, -0.4], [0.5, 1.0]])  # (mode, column)
    values = np.stack([decay([4.0, 17.0], shapes[:, k], time) for k in range(2)], axis=1)
    values = values * [1e-3, 2.0] + [5e-3, 0.0] + random.normal(0.0, 1.0, (800, 2)) * [1e-6, 2e-3]
    logs = [Log(name, time + 3.0, values[:, k]) for k, name in enumerate(("strain", "angle"))]
    found = fa.identify_modes(logs, 2)
    np.testing.assert_allclose(found.frequency, [4.0, 17.0], atol=4.0 * found.sd_frequency.max())
    np.testing.assert_allclose(found.damping_ratio, RATIO, atol=4.0 * found.sd_damping_ratio.max())
    np.testing.assert_allclose(found.amplitude, np.abs(shapes) * [1e-3, 2.0], rtol=5e-3)
    np.testing.assert_allclose(found.shapes.real, shapes * [1e-3, 2.0] / [[-0.8], [2.0]], rtol=5e-3, atol=1e-5)
    np.testing.assert_allclose(found.offset, [5e-3, 0.0], atol=5e-4)
    np.testing.assert_allclose(found.sigma, [1e-6, 2e-3], rtol=0.1)
    assert found.columns == ("strain", "angle") and "damping ratio 1.000" in repr(found)
    assert len(modes_figure(found).axes) == 5


def test_stated_deviations_are_those_of_many_logs():
    time, random = 1e-3 * np.arange(1000), np.random.default_rng(11)
    clean = decay([12.0, 33.0], [1.0, 0.3], time)
    many = [fa.identify_modes((time, clean + random.normal(0.0, 0.02, 1000)), 2, rows=60) for _ in range(40)]
    scatter = np.std([found.frequency for found in many], axis=0)
    np.testing.assert_allclose(scatter, many[0].sd_frequency, rtol=0.4)  # 40 logs fix it to 11 %


def test_forced_part_of_a_log_is_left_out():
    time = 1e-3 * np.arange(3000)
    values = np.where(time < 1.0, 5.0 * time**2, decay([8.0], [1.0], time - 1.0) + 5.0)
    found = fa.identify_modes((time, values), 1, "era", start=1.0)
    assert found.frequency[0] == pytest.approx(8.0, rel=1e-9) and found.offset[0] == pytest.approx(5.0)
    assert found.time[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n": 0}, "number of modes"),
        ({"sigma": 0.0}, "must be positive; leave it out"),
        ({"method": "erra"}, "did you mean 'era'"),
        ({"rows": 3, "n": 3}, "rows .3. must lie between"),
        ({"start": 9.0}, "must lie in the log"),
        ({"log": (np.arange(100.0), np.zeros(100))}, "is zero: leave it out"),
        ({"log": (np.arange(100.0), np.exp(0.05 * np.arange(100.0)))}, "no vibration that dies out"),
        ({"log": 3}, "see flexarm.read_log"),
    ],
)
def test_bad_input_gets_a_sentence(change, words):
    time = 1e-2 * np.arange(200)
    given = {"log": (time, decay([5.0], [1.0], time)), "n": 1, **change}
    with pytest.raises(fa.FlexarmError, match=words):
        fa.identify_modes(**given)
