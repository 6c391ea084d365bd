"""Filters: gain, absence of delay, and the separation of a record into its parts."""

import numpy as np
import pytest

from flexarm.analysis.filters import bandpass, highpass, lowpass, separate_modes
from flexarm.errors import FlexarmError

T = np.arange(4001) / 1000.0
MIDDLE = (T > 0.5) & (T < 3.5)


def sine(hz):
    return np.sin(2 * np.pi * hz * T + 0.4)


@pytest.mark.parametrize("order", [2, 4])
def test_gain_follows_butterworth_without_delay(order):
    """Forwards and backwards: gain 1/(1 + (f/fc)^(2 order)), with the frequencies warped by sampling."""
    for hz in (5.0, 10.0, 15.0, 30.0):
        ratio = np.tan(np.pi * hz / 1000.0) / np.tan(np.pi * 15.0 / 1000.0)
        gain = 1.0 / (1.0 + ratio ** (2 * order))
        np.testing.assert_allclose(lowpass(T, sine(hz), 15.0, order)[MIDDLE], gain * sine(hz)[MIDDLE], atol=2e-4)
        np.testing.assert_allclose(
            highpass(T, sine(hz), 15.0, order)[MIDDLE], (1.0 - gain) * sine(hz)[MIDDLE], atol=2e-4
        )


def test_bandpass_keeps_its_band_in_place():
    signal = sine(3.0) + sine(12.0) + sine(60.0)
    np.testing.assert_allclose(bandpass(T, signal, 6.0, 25.0)[MIDDLE], sine(12.0)[MIDDLE], atol=0.02)


def test_polynomials_pass_a_lowpass():
    ramp = 0.3 + 2.0 * T
    np.testing.assert_allclose(lowpass(T, ramp, 5.0), ramp, atol=1e-9)
    np.testing.assert_allclose(highpass(T, ramp, 5.0), 0.0, atol=1e-9)
    parabola = (T - 2.0) ** 2
    np.testing.assert_allclose(lowpass(T, parabola, 5.0)[MIDDLE], parabola[MIDDLE], atol=1e-6)


def test_separation_restores_the_signal_and_its_parts():
    rigid = 0.09 * (1.0 - np.cos(2 * np.pi * 0.25 * T))
    parts = [rigid, 5e-3 * sine(11.8), 9e-4 * sine(32.2), 3e-4 * sine(58.3), 1e-4 * sine(200.0)]
    signal = np.sum(parts, axis=0)
    found = separate_modes(T, signal, [11.8, 32.2, 58.3])
    assert len(found) == 5
    np.testing.assert_allclose(np.sum(found, axis=0), signal, atol=1e-15)
    for part, wanted, tolerance in zip(found, parts, (2e-4, 2e-4, 1e-4, 6e-5, 6e-5), strict=True):
        np.testing.assert_allclose(part[MIDDLE], wanted[MIDDLE], atol=tolerance)


def test_higher_order_separates_close_modes_better():
    near, far = 1e-2 * sine(20.0), 1e-2 * sine(30.0)
    errors = [np.abs(separate_modes(T, near + far, [20.0, 30.0], n)[1] - near)[MIDDLE].max() for n in (2, 4, 8)]
    assert errors[0] > 1.5 * errors[1] > 3.0 * errors[2]


def test_separation_of_columns_and_of_one_mode():
    both = np.stack([sine(11.8) + 1.0, 2.0 * sine(11.8)], axis=1)
    rigid, mode, rest = separate_modes(T, both, 11.8)
    np.testing.assert_allclose(rigid[MIDDLE], np.tile([1.0, 0.0], (MIDDLE.sum(), 1)), atol=0.02)
    np.testing.assert_allclose(mode[MIDDLE] + rest[MIDDLE], both[MIDDLE] - rigid[MIDDLE], atol=1e-12)
    np.testing.assert_allclose(mode[:, 1][MIDDLE], 2.0 * sine(11.8)[MIDDLE], atol=0.03)


def test_wrong_input_is_refused_in_words():
    uneven = T + 2e-4 * np.sin(T)
    for call, words in (
        (lambda: lowpass(T, T, 500.0), "half the sampling rate"),
        (lambda: highpass(T, T, -1.0), "half the sampling rate"),
        (lambda: lowpass(T[:100], T[:100], 5.0), "needs at least 0.4 s"),
        (lambda: lowpass(uneven, T, 5.0), "evenly spaced"),
        (lambda: separate_modes(uneven, T, [11.0]), "evenly spaced"),
        (lambda: bandpass(T, T, 20.0, 10.0), "must lie below"),
        (lambda: lowpass(T, T, 5.0, order=0), "order"),
        (lambda: separate_modes(T, T, [11.0, 700.0]), "leave it out"),
        (lambda: separate_modes(T, T, [30.0, 11.0]), "ascending"),
        (lambda: separate_modes(T, T, []), "at least one"),
        (lambda: separate_modes(T[:100], T[:100], [11.0]), "longer record"),
    ):
        with pytest.raises(FlexarmError, match=words):
            call()
