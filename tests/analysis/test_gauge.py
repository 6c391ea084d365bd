"""The virtual strain gauge: bridges against resistor networks, converter codes, saturation."""

from __future__ import annotations

import numpy as np
import pytest

import flexarm as fa
from flexarm.analysis.gauge import GaugeChain, read_gauge
from flexarm.errors import FlexarmError

BOTH = [{"link": "link", "at": 0.1, "name": "up"}, {"link": "link", "at": 0.1, "side": "bottom", "name": "down"}]


@pytest.fixture(scope="module")
def run():
    return fa.simulate(fa.load("tokhi-azad").with_({"output.gauges": BOTH, "time.end": 0.3}))


def network(arms, excitation):
    """Voltage between the middles of two dividers, by Kirchhoff's laws for the four node currents."""
    r1, r2, r3, r4 = arms
    # left node: r1 to the top, r2 to the ground; right node: r4 to the top, r3 to the ground
    matrix = np.diag([1 / r1 + 1 / r2, 1 / r4 + 1 / r3])
    left, right = np.linalg.solve(matrix, [excitation / r1, excitation / r4])
    return left - right


@pytest.mark.parametrize(
    "bridge, arms",
    [
        ("quarter", lambda a, b: (350, 350 * (1 + a), 350, 350)),
        ("half", lambda a, b: (350 * (1 + b), 350 * (1 + a), 350, 350)),
        ("full", lambda a, b: (350 * (1 + b), 350 * (1 + a), 350 * (1 + b), 350 * (1 + a))),
    ],
)
def test_bridges_are_those_of_four_resistors(bridge, arms):
    chain = GaugeChain(2.1, bridge, excitation=3.0, gain=50.0, offset=0.2)
    for top, bottom in ((1e-3, -1e-3), (4e-3, 1e-3), (-2e-2, 1.5e-2)):
        wanted = 50.0 * network(arms(2.1 * top, 2.1 * bottom), 3.0) + 0.2
        assert float(chain.volts(np.array(top), np.array(bottom))) == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("bridge", ["quarter", "half", "full"])
def test_volts_lead_back_to_the_strain(bridge):
    chain = GaugeChain(bridge=bridge, gain=77.0, offset=-0.3, excitation=2.5)
    strain = np.linspace(-3e-3, 3e-3, 7)
    np.testing.assert_allclose(chain.strain_of(chain.volts(strain, -strain)), strain, rtol=1e-10, atol=1e-15)


def test_half_and_full_bridges_do_not_see_stretching():
    stretch = np.array([1e-4])
    assert GaugeChain(bridge="half").volts(stretch, stretch)[0] == 0.0
    assert GaugeChain().volts(stretch)[0] != 0.0


def test_the_converter_rounds_and_holds_at_its_ends():
    chain = GaugeChain(bits=12, low=-5.0, high=5.0)
    assert chain.lsb == pytest.approx(10 / 4096)
    volts = np.array([-9.0, -5.0, 0.0, 0.6 * chain.lsb, 5.0 - chain.lsb, 5.0, 9.0])
    assert chain.counts(volts).tolist() == [0, 0, 2048, 2049, 4095, 4095, 4095]
    assert chain.saturated(volts).tolist() == [True, False, False, False, False, True, True]
    inner = np.linspace(-4.9, 4.9, 999)
    assert np.abs(chain.volts_of(chain.counts(inner)) - inner).max() <= 0.5 * chain.lsb * (1 + 1e-9)
    assert GaugeChain(bits=16).resolution == pytest.approx(GaugeChain(bits=12).resolution / 16)


def test_a_run_is_read_through_the_chain(run):
    reading = read_gauge(run, "up", GaugeChain(bridge="half", gain=500.0))
    strain = run.data["strain"].sel(gauge="up").values
    np.testing.assert_array_equal(reading.strain, strain)
    # 5 V * 500 * k e / 2 for pure bending
    np.testing.assert_allclose(reading.volts, 2500.0 * strain, rtol=1e-9, atol=1e-12)
    table = np.genfromtxt(reading.to_csv().splitlines(), delimiter=",", skip_header=1)
    np.testing.assert_allclose(table[:, 1], 1e6 * strain, rtol=1e-6, atol=1e-9)
    assert reading.to_csv().startswith("time [s],strain [um/m],output [V],reading [counts]")
    below = read_gauge(run, "down", GaugeChain(bridge="half", gain=500.0))
    np.testing.assert_allclose(below.volts, -reading.volts, atol=1e-12)


def test_saturation_and_waste_are_told(run):
    loud = read_gauge(run, "up", GaugeChain(gain=1e5))
    assert loud.saturated.sum() > 10 and "lower the gain" in loud.notes[0]
    faint = read_gauge(run, "up", GaugeChain(gain=0.1))
    assert "a higher gain would show more" in faint.notes[0] and not faint.saturated.any()


def test_readings_at_other_times(run):
    times = np.array([0.0111, 0.0777, 0.2003])
    reading = read_gauge(run, "up", times=times)
    np.testing.assert_allclose(
        reading.strain, np.interp(times, run.data["time"], run.data["strain"].sel(gauge="up")), rtol=0.02
    )
    with pytest.raises(FlexarmError, match=r"within the run, from 0 to 0.3 s"):
        read_gauge(run, "up", times=[0.5])


@pytest.mark.parametrize(
    "change, words",
    [
        ({"bridge": "third"}, "one of quarter, half, full"),
        ({"gain": 0.0}, "gain: it must be a finite number and not zero"),
        ({"bits": 0}, "1 to 32 bits"),
        ({"low": 5.0, "high": -5.0}, "range must rise"),
        ({"excitation": float("nan")}, "excitation"),
    ],
)
def test_refused_chains(change, words):
    with pytest.raises(FlexarmError, match=words):
        GaugeChain(**change)


def test_what_is_missing_is_named(run):
    with pytest.raises(FlexarmError, match="there is no gauge 'x'; there are up, down"):
        read_gauge(run, "x")
    one = fa.simulate(fa.load("tokhi-azad").with_({"time.end": 0.05}))
    with pytest.raises(FlexarmError, match=r"needs gauges on both sides: add \{link: link, at: 0.5, side: bottom\}"):
        read_gauge(one, None, GaugeChain(bridge="full"))
    bare = fa.simulate(fa.load("tokhi-azad").with_({"time.end": 0.05, "output.gauges": []}))
    with pytest.raises(FlexarmError, match="has no strain gauge"):
        read_gauge(bare)
