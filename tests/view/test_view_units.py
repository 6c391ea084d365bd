"""Units in print: the prefix follows the data, and the numbers stay the same quantity."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.view.style import axis_label
from flexarm.view.units import pretty, scale


@pytest.mark.parametrize(
    ("peak", "units", "value", "text"),
    [
        (0.0123, "m", 12.3, "mm"),
        (0.96, "m", 0.96, "m"),
        (3e-6, "m", 3.0, "µm"),
        (5200.0, "m", 5200.0, "m"),
        (0.02, "m/s", 20.0, "mm/s"),
        (np.pi / 6, "rad", 30.0, "°"),
        (2 * np.pi, "rad/s", 360.0, "°/s"),
        (1e-3, "rad", 1.0, "mrad"),
        (0.1, "N*m", 100.0, "mN·m"),
        (9000.0, "N*m", 9.0, "kN·m"),
        (250.0, "N*m", 250.0, "N·m"),
        (2e-9, "J", 2.0, "nJ"),
        (4e-15, "J", 4.0, "fJ"),
        (71.1e9, "Pa", 71.1, "GPa"),
        (4e-5, "m/m", 40.0, "µm/m"),
        (0.004, "kg*m^2", 0.004, "kg·m²"),
        (0.004, "m^2", 0.004, "m²"),
        (0.3, "1", 0.3, "–"),
    ],
)
def test_the_prefix_suits_the_largest_value(peak, units, value, text):
    factor, unit = scale(units, [0.0, -peak, 0.5 * peak])
    assert unit == text
    assert factor * peak == pytest.approx(value)


def test_zero_and_missing_values_keep_a_plain_unit():
    assert scale("m", np.zeros(3)) == (1.0, "m")
    assert scale("m", [np.nan, np.nan]) == (1.0, "m")
    assert scale("rad", np.zeros(2)).text == "°"
    assert scale("m", [np.nan, 0.002]).text == "mm"


def test_arrays_on_one_axis_share_the_unit_of_the_largest():
    assert scale("m", [1e-6], [2e-3]).text == "mm"


@given(st.floats(1e-8, 1e8))
def test_forces_are_shown_as_numbers_between_a_half_and_a_thousand(peak):
    factor, unit = scale("N", [peak])
    power = {"GN": 1e9, "MN": 1e6, "kN": 1e3, "N": 1.0, "mN": 1e-3, "µN": 1e-6, "nN": 1e-9}[unit]
    assert 0.5 <= factor * peak < 1000.0 * (1 + 1e-12)
    assert factor * power == pytest.approx(1.0)


def test_long_labels_are_wrapped_and_keep_the_unit_with_a_word():
    assert axis_label("tip position", "mm") == "Tip position (mm)"
    assert axis_label("joint velocity, link side", "°/s") == "Joint velocity, link\nside (°/s)"
    assert axis_label("strain at the gauge upper-root", "µm/m") == "Strain at the gauge\nupper-root (µm/m)"


def test_print_form():
    assert pretty("N*m*s/rad") == "N·m·s/rad"
    assert pretty("m**-1") == "m⁻¹"
