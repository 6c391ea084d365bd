"""Numbers with units."""

import math
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexarm.arm.quantity import Quantity
from flexarm.scenario.unit_words import unit_of
from flexarm.scenario.units import QuantityError, read_quantity

LENGTH = Quantity("m", (1e-5, 200.0))


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("960 mm", "m", 0.96),
        ("960mm", "m", 0.96),
        ("1.2m", "m", 1.2),
        ("96 cm", "m", 0.96),
        ("10 ft", "m", 3.048),
        ("2 in", "m", 0.0508),
        ("61.544 mm^2", "m^2", 6.1544e-05),
        ("51.924 mm^4", "m^4", 5.1924e-11),
        ("3 mm²", "m^2", 3e-6),
        ("20 g", "kg", 0.02),
        ("20g", "kg", 0.02),
        ("1 ms", "s", 1e-3),
        ("5 us", "s", 5e-6),
        ("5 µs", "s", 5e-6),
        ("2 min", "s", 120.0),
        ("71.1 GPa", "Pa", 71.1e9),
        ("5 %", "1", 0.05),
        ("5%", "1", 0.05),
        ("0.1 N*m", "N*m", 0.1),
        ("0.1 N m", "N*m", 0.1),
        ("0.1 N.m", "N*m", 0.1),
        ("2 kN", "N", 2000.0),
        ("5.86e-4 kg*m^2", "kg*m^2", 5.86e-4),
        ("2.71 g/cm^3", "kg/m^3", 2710.0),
        ("9.81 m/s^2", "m/s^2", 9.81),
        ("9.81 m*s^-2", "m/s^2", 9.81),
        ("180 deg", "rad", math.pi),
        ("180 °", "rad", math.pi),
        ("1 turn", "rad", 2 * math.pi),
        ("60 rpm", "rad/s", 2 * math.pi),
        ("12 Hz", "Hz", 12.0),
        ("1 kHz", "Hz", 1000.0),
        ("3 1/s", "Hz", 3.0),
        ("100 N*m/rad", "N*m/rad", 100.0),
        ("1 N*m/deg", "N*m/rad", 180 / math.pi),
        ("2 N*m*s/rad", "N*m*s/rad", 2.0),
        ("−30 deg", "rad", -math.pi / 6),
    ],
)
def test_common_units(text, unit, value):
    assert read_quantity(text, Quantity(unit)) == pytest.approx(value, rel=1e-15)


def test_decimal_units_are_exact():
    assert read_quantity("960 mm", LENGTH) == 0.96
    assert read_quantity("61.544 mm^2", Quantity("m^2")) == 6.1544e-05
    assert read_quantity("0.3 ms", Quantity("s")) == 0.0003


def test_rates_given_for_a_frequency_are_divided_by_two_pi():
    assert read_quantity("10 rad/s", Quantity("Hz")) == pytest.approx(10 / (2 * math.pi))
    assert read_quantity("600 rpm", Quantity("Hz")) == pytest.approx(10.0)


def test_rare_units_come_from_pint():
    assert read_quantity("1 slug*ft^2", Quantity("kg*m^2")) == pytest.approx(1.3558179483)
    assert read_quantity("1 furlong", LENGTH) == pytest.approx(201.168, rel=1e-4)
    assert read_quantity("100 gon", Quantity("rad")) == pytest.approx(math.pi / 2)


def test_common_units_do_not_import_pint():
    code = (
        "import sys; from flexarm.scenario.units import read_quantity; "
        "from flexarm.arm.quantity import Quantity; "
        "read_quantity('5 N*mm/deg', Quantity('N*m/rad')); assert 'pint' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_alternatives_all_fit():
    either = Quantity("rad|m")
    assert read_quantity("180 deg", either) == pytest.approx(math.pi)
    assert read_quantity("5 mm", either) == 0.005
    with pytest.raises(QuantityError, match="wants rad or m"):
        read_quantity("5 kg", either)


def test_wrong_dimension_names_what_is_wanted():
    with pytest.raises(QuantityError) as caught:
        read_quantity("5 kg", LENGTH)
    assert caught.value.about("length") == "length wants m (for example '0.96 m'), not '5 kg'"


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("30 deg", "1"),
        ("30 deg", "m"),
        ("1 m", "rad"),
        ("5 %", "rad"),
        ("1 Hz", "rad/s"),
        ("3 N*m", "N*m/rad"),
        ("5 %", "m"),
    ],
)
def test_angles_and_numbers_are_different_things(text, unit):
    with pytest.raises(QuantityError):
        read_quantity(text, Quantity(unit))


def test_implausible_bare_number_gets_a_suggestion():
    with pytest.raises(QuantityError) as caught:
        read_quantity(960, LENGTH)
    assert caught.value.about("length") == (
        "length = 960 m is implausible; a bare number is in m: did you mean '960 mm'? "
        "To insist, write the unit: '960 m'"
    )
    assert read_quantity("960 m", LENGTH) == 960.0
    with pytest.raises(QuantityError, match=r"'71.1 GPa'"):
        read_quantity(71.1, Quantity("Pa", (1e3, 2e12)))
    with pytest.raises(QuantityError, match=r"1000000000 m is implausible; a bare number is in m\. To insist"):
        read_quantity(1e9, LENGTH)


def test_plausible_bare_numbers_are_si():
    assert read_quantity(0.96, LENGTH) == 0.96
    assert read_quantity("0.96", LENGTH) == 0.96
    assert read_quantity(0, LENGTH) == 0
    assert read_quantity(-0.5, LENGTH) == -0.5


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9 m",
        "(1+1) m",
        "__import__('os') m",
        "1/2 m",
        "2*3 m",
        "1+1 m",
        "m",
        "",
        "  ",
        "1,000 mm",
        "1 m^99",
        "1 m^2^2",
        "5 m(",
        "1 m*m*m*m*m*m*m*m*m*m*m*m*m",
        "0x10 m",
        "1e9999 m",
        "1e300 Gm",
        "1e31 m",
        "1e-200 m",
        "1 m; 2 m",
        "1 m 5",
        "nan m",
        "inf m",
        "1 nan",
        "1 dB",
        "1 degC",
        "١ m",
        "1 ｍ",
        "5 kgs",
    ],
)
def test_anything_else_is_refused_in_words(text):
    with pytest.raises(QuantityError, match=r"wants m \(for example '0.96 m'\)|too large|beyond what can be computed"):
        read_quantity(text, LENGTH)


def test_arithmetic_is_told_apart():
    with pytest.raises(QuantityError, match="arithmetic is not computed"):
        read_quantity("9**9**9 m", LENGTH)
    with pytest.raises(QuantityError, match="decimal point"):
        read_quantity("1,5 m", LENGTH)
    with pytest.raises(QuantityError, match="did you mean 'kg'"):
        read_quantity("5 kgs", Quantity("kg"))


def test_true_is_not_one():
    with pytest.raises(QuantityError, match="not true"):
        read_quantity(True, LENGTH)


@given(st.floats(-1e6, 1e6), st.sampled_from(["mm", "cm", "m", "km", "in", "ft"]))
def test_reading_is_multiplying(number, word):
    value = read_quantity(f"{number!r} {word}", Quantity("m"))
    assert value == pytest.approx(number * float(unit_of(word).factor), rel=1e-14, abs=1e-300)


@given(st.text(max_size=40))
def test_any_text_gives_a_number_or_a_sentence(text):
    for unit in ("m", "1", "Hz", "rad|m", "N*m/rad"):
        try:
            assert math.isfinite(read_quantity(text, Quantity(unit)))
        except QuantityError as error:
            assert "{}" not in error.about("x") or "{}" in text
