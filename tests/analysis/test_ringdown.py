"""Damping from free decays of known damping."""

import math

import numpy as np
import pytest

from flexarm.analysis.ringdown import ringdown
from flexarm.errors import FlexarmError


def decay(t, amplitude, hz, ratio, phase=0.0):
    w = 2.0 * np.pi * hz
    return amplitude * np.exp(-ratio * w * t) * np.cos(w * np.sqrt(1.0 - ratio**2) * t + phase)


T = np.arange(3000) / 1000.0


@pytest.mark.parametrize("ratio", [0.002, 0.02, 0.1])
def test_one_mode(ratio):
    found = ringdown(T, decay(T, 0.02, 11.8, ratio, 0.7))
    decrement = 2 * math.pi * ratio / math.sqrt(1 - ratio**2)
    assert found.frequency == pytest.approx(11.8, rel=1e-9)
    assert found.damping_ratio == pytest.approx(ratio, rel=1e-7)
    assert found.log_decrement == pytest.approx(decrement, rel=1e-7)
    assert found.decay_rate == pytest.approx(2 * math.pi * 11.8 * ratio, rel=1e-7)
    assert found.amplitude == pytest.approx(0.02, rel=1e-7)
    assert found.quality == pytest.approx(0.5 / ratio, rel=1e-7)
    assert found.peak_log_decrement == pytest.approx(decrement, rel=1e-3)
    assert found.peak_damping_ratio == pytest.approx(ratio, rel=1e-3)
    assert found.residual < 1e-9


def test_two_modes_an_offset_and_noise():
    rng = np.random.default_rng(3)
    clean = 0.17 + decay(T, 5e-3, 11.8, 0.01, 0.3) + decay(T, 2e-3, 32.2, 0.015, 1.0)
    found = ringdown(T, clean + 1e-4 * rng.standard_normal(T.size))
    assert found.frequency == pytest.approx(11.8, rel=1e-4)
    assert found.damping_ratio == pytest.approx(0.01, rel=0.02)
    assert found.peak_damping_ratio == pytest.approx(0.01, rel=0.05)
    assert found.peaks > 20
    assert 0.01 < found.residual < 0.2


def test_the_dominant_mode_is_the_one_with_most_energy_not_the_first():
    found = ringdown(T, decay(T, 1e-3, 11.8, 0.01) + decay(T, 5e-3, 32.2, 0.02))
    assert found.frequency == pytest.approx(32.2, rel=1e-6)
    assert found.damping_ratio == pytest.approx(0.02, rel=1e-5)
    assert found.peak_damping_ratio == pytest.approx(0.02, rel=5e-3)


def test_modes_says_how_many_are_taken_apart_before_peaks_are_read():
    signal = decay(T, 5e-3, 11.8, 0.01) + decay(T, 1e-3, 15.0, 0.001)
    apart, together = (ringdown(T, signal, modes=n).peak_damping_ratio for n in (2, 1))
    assert apart == pytest.approx(0.01, rel=1e-3)
    assert abs(together - 0.01) > 5e-4


def test_start_leaves_out_the_driven_part():
    """A push until 0.5 s, then a free decay."""
    free = decay(T - 0.5, 0.01, 11.8, 0.02, 0.2)
    signal = np.where(T < 0.5, 0.01 * math.cos(0.2) * (T / 0.5) ** 2, free)
    found = ringdown(T, signal, start=0.5)
    assert found.damping_ratio == pytest.approx(0.02, rel=1e-6)
    assert found.amplitude == pytest.approx(0.01, rel=1e-6)
    assert abs(ringdown(T, signal).damping_ratio - 0.02) > 1e-5


def test_growth_has_negative_damping_and_few_swings_have_no_decrement():
    growing = ringdown(T, np.exp(0.5 * T) * np.cos(60.0 * T))
    assert growing.decay_rate == pytest.approx(-0.5, rel=1e-6)
    assert growing.peak_log_decrement < 0.0
    short = T[:100]
    found = ringdown(short, decay(short, 1.0, 11.8, 0.02))
    assert found.damping_ratio == pytest.approx(0.02, rel=1e-6)
    assert found.peaks < 3
    assert math.isnan(found.peak_log_decrement)
    assert math.isnan(found.peak_damping_ratio)


def test_wrong_input_is_refused_in_words():
    for call, words in (
        (lambda: ringdown(T, np.full(T.size, 0.3)), "no vibration"),
        (lambda: ringdown(T, np.cos(70 * T), start=4.0), "must lie in the record"),
        (lambda: ringdown(T, np.cos(70 * T), start=2.995), "at least"),
        (lambda: ringdown(T, np.stack([T, T], axis=1)), "one signal"),
    ):
        with pytest.raises(FlexarmError, match=words):
            call()
