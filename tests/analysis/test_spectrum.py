"""Spectra and mode fits against signals of known content."""

import numpy as np
import pytest

from flexarm.analysis.exact_link import ExactLink
from flexarm.analysis.exact_response import exact_response
from flexarm.analysis.spectrum import fit_modes, peaks, spectrum
from flexarm.errors import FlexarmError

PAIR = (11.7413, 31.8651)


def decay(t, amplitude, hz, ratio=0.0, phase=0.0):
    w = 2.0 * np.pi * hz
    return amplitude * np.exp(-ratio * w * t) * np.cos(w * np.sqrt(1.0 - ratio**2) * t + phase)


@pytest.mark.parametrize("window", ["hann", "blackman", "flattop", "boxcar"])
def test_amplitude_of_a_sine_on_a_bin_is_its_peak(window):
    t = np.arange(2000) / 1000.0
    f, a = spectrum(t, 0.3 * np.sin(2 * np.pi * 25.0 * t), window=window, detrend="none")
    assert f[1] == pytest.approx(0.5)
    assert f[np.argmax(a)] == pytest.approx(25.0)
    assert a.max() == pytest.approx(0.3, rel=1e-6)


def test_constant_and_nyquist_are_not_doubled():
    t = np.arange(1000) / 1000.0
    signal = 2.0 + 0.5 * np.cos(np.pi * np.arange(1000))
    _, a = spectrum(t, signal, window="boxcar", detrend="none")
    assert (a[0], a[-1]) == (pytest.approx(2.0), pytest.approx(0.5))
    _, a = spectrum(t, signal, window="boxcar", detrend="constant")
    assert a[0] == pytest.approx(0.0, abs=1e-12)


def test_detrend_and_columns():
    t = np.arange(4000) / 1000.0
    wave = 0.01 * np.sin(2 * np.pi * 11.0 * t)
    f, a = spectrum(t, np.stack([wave, wave + 5.0 * t], axis=1))
    assert a.shape == (f.size, 2)
    np.testing.assert_allclose(a[:, 1], a[:, 0], atol=2e-6)
    low = f < 2.0
    for left in ("none", "constant"):
        assert spectrum(t, wave + 5.0 * t, detrend=left)[1][low].max() > 1.0


def test_peaks_between_bins():
    t = np.arange(10000) / 1000.0
    signal = 0.3 * np.sin(2 * np.pi * PAIR[0] * t) + 0.05 * np.sin(2 * np.pi * PAIR[1] * t + 1.0)
    hz, height = peaks(*spectrum(t, signal))
    np.testing.assert_allclose(hz, PAIR, atol=0.004)
    np.testing.assert_allclose(height, [0.3, 0.05], rtol=0.05)
    hz, height = peaks(*spectrum(t, signal, padding=4))
    np.testing.assert_allclose(hz, PAIR, atol=2e-4)
    np.testing.assert_allclose(height, [0.3, 0.05], rtol=2e-3)
    assert peaks(*spectrum(t, signal), n=1)[0] == pytest.approx([PAIR[0]], abs=0.004)
    assert peaks(*spectrum(t, signal), floor=0.5)[0].size == 1
    assert peaks(np.arange(5.0), np.zeros(5))[0].size == 0


def test_uneven_samples_are_interpolated_and_it_says_so():
    rng = np.random.default_rng(1)
    t = np.arange(5000) / 1000.0 + 2e-4 * rng.random(5000)
    with pytest.warns(UserWarning, match="unevenly sampled"):
        hz, height = peaks(*spectrum(t, np.sin(2 * np.pi * 20.0 * t), padding=4))
    assert hz == pytest.approx([20.0], abs=1e-3)
    assert height == pytest.approx([1.0], rel=2e-3)


@pytest.mark.parametrize("ratios", [(0.0, 0.0), (0.01, 0.02), (0.2, 0.05)])
def test_fit_of_a_short_clean_record(ratios):
    t = 2.0 + np.arange(600) / 1000.0
    signal = decay(t - 2.0, 5e-3, PAIR[0], ratios[0], 0.3) + decay(t - 2.0, 9e-4, PAIR[1], ratios[1], -1.0) + 0.17
    fit = fit_modes(t, signal, 2)
    np.testing.assert_allclose(fit.frequency, PAIR, rtol=1e-8)
    np.testing.assert_allclose(fit.damping_ratio, ratios, atol=1e-8)
    np.testing.assert_allclose(fit.amplitude, [5e-3, 9e-4], rtol=1e-7)
    np.testing.assert_allclose(fit.phase, [0.3, -1.0], atol=1e-7)
    np.testing.assert_allclose(fit.trend, [0.17, 0.0], atol=1e-10)
    np.testing.assert_allclose(fit.waves(t).sum(axis=0) + 0.17, signal, atol=1e-10)


def test_fit_of_other_trends_and_counts():
    t = np.arange(600) / 1000.0
    signal = decay(t, 1.0, PAIR[0]) + decay(t, 0.2, PAIR[1])
    fit = fit_modes(t, signal + 0.17 + 3.0 * t, 2, trend="linear")
    np.testing.assert_allclose(fit.frequency, PAIR, rtol=1e-7)
    np.testing.assert_allclose(fit.trend, [0.17, 3.0], rtol=1e-6)
    np.testing.assert_allclose(fit_modes(t, signal, 2, trend="none").frequency, PAIR, rtol=1e-9)
    assert fit_modes(t, signal, 1).frequency == pytest.approx([PAIR[0]], rel=1e-9)
    assert fit_modes(t, signal, 5).frequency.size == 2
    still = fit_modes(t, np.full(600, 0.3), 2)
    assert (still.frequency.size, still.trend[0], still.residual) == (0, pytest.approx(0.3), 0.0)
    assert fit_modes(t, np.zeros(600), 2).frequency.size == 0


def test_fit_resolves_what_the_spectrum_cannot():
    t = np.arange(600) / 1000.0
    signal = decay(t, 1.0, 11.0) + decay(t, 0.7, 11.8, phase=1.0)
    assert peaks(*spectrum(t, signal))[0].size == 1
    np.testing.assert_allclose(fit_modes(t, signal, 2).frequency, [11.0, 11.8], rtol=1e-6)


@pytest.mark.parametrize(("noise", "tolerance"), [(1e-3, 1e-4), (1e-2, 1e-3), (5e-2, 5e-3), (0.2, 2e-2)])
def test_fit_degrades_with_noise_in_proportion(noise, tolerance):
    t = np.arange(600) / 1000.0
    clean = decay(t, 1.0, PAIR[0], 0.01) + decay(t, 0.4, PAIR[1], 0.01, 0.5)
    for seed in range(4):
        fit = fit_modes(t, clean + noise * np.random.default_rng(seed).standard_normal(600), 2)
        np.testing.assert_allclose(fit.frequency, PAIR, rtol=tolerance)
        np.testing.assert_allclose(fit.damping_ratio, 0.01, atol=tolerance)
        assert 0.5 * noise < fit.residual < 3.0 * noise


def test_fit_reads_the_exact_frequencies_from_a_simulated_free_motion():
    link = ExactLink(0.96, 3.6917964, 0.16678424, hub_inertia=5.86e-4)
    t = np.linspace(0.6, 1.2, 1201)
    tip = exact_response(link, [(0.0, 0.1), (0.3, -0.1), (0.6, 0.0)], t + 1e-9, modes=12).tip
    np.testing.assert_allclose(fit_modes(t, tip, 2).frequency, link.frequencies(2), rtol=1e-4)
    np.testing.assert_allclose(fit_modes(t, tip, 4).frequency, link.frequencies(4), rtol=1e-4)


def test_wrong_input_is_refused_in_words():
    t = np.arange(100) / 100.0
    for call, words in (
        (lambda: spectrum(t, t[:-1]), "equal length"),
        (lambda: spectrum(t[:3], t[:3]), "at least 8"),
        (lambda: spectrum(t, np.where(t > 0.5, np.nan, t)), "not finite"),
        (lambda: spectrum(t[::-1], t), "increase"),
        (lambda: spectrum(t, t, window="round"), "window: it is one of"),
        (lambda: spectrum(t, t, detrend="cubic"), "detrend"),
        (lambda: spectrum(t, t, padding=0), "padding"),
        (lambda: peaks(t, t[1:]), "equal length"),
        (lambda: peaks(t, t, floor=2.0), "between 0 and 1"),
        (lambda: fit_modes(t, t, 0), "at least 1"),
        (lambda: fit_modes(t, t, 2, trend="bent"), "trend"),
        (lambda: fit_modes(t, np.stack([t, t], axis=1), 2), "one signal"),
        (lambda: fit_modes(t[:10], t[:10], 2), "at least 14"),
    ):
        with pytest.raises(FlexarmError, match=words):
            call()
