"""Audits of energy and momentum on books that are known to balance, or not to."""

import numpy as np
import pytest
import xarray as xr

from flexarm.analysis.energy import audit, momentum
from flexarm.errors import FlexarmError

T = np.linspace(0.0, 1.0, 201)


def book(**kinds):
    values = np.stack([np.broadcast_to(v, T.shape) for v in kinds.values()], axis=1)
    return xr.Dataset({"energy": (("time", "kind"), values)}, {"time": T, "kind": list(kinds)})


def oscillator(lost=0.0):
    """A swing of 2 J that is pushed up to 3 J by work of 1 J, with a given unexplained loss."""
    level = 2.0 + T - lost * T
    kinetic = level * np.sin(9.0 * T) ** 2
    return {"kinetic": kinetic, "elastic": level - kinetic, "gravity": 0.0, "work": T}


def test_balanced_books():
    found = audit(book(**oscillator(), dissipated=0.0, numerical=0.0, residual=0.0))
    assert found.scale == pytest.approx(3.0)
    assert (found.relative_residual, found.drift, found.numerical_loss) == (0.0, 0.0, 0.0)
    assert "Of 3 J at play at most 0.0e+00" in found.sentence


def test_residual_is_worked_out_when_absent():
    assert audit(book(**oscillator())).relative_residual < 1e-15
    found = audit(book(**oscillator(lost=0.3)))
    assert found.largest_residual == pytest.approx(0.3)
    assert found.drift == pytest.approx(-0.3)
    assert found.scale == pytest.approx(2.7)
    assert found.relative_drift == pytest.approx(-0.3 / 2.7)
    # the same loss, owned up to
    owned = audit(book(**oscillator(lost=0.3), dissipated=0.1 * T, numerical=0.2 * T))
    assert owned.relative_residual < 1e-15
    assert owned.relative_numerical_loss == pytest.approx(0.2 / 2.7)
    assert "time scheme took out 7.4e-02" in owned.sentence
    assert "friction took out 3.7e-02" in owned.sentence


def test_given_residual_and_order_of_dimensions():
    data = book(**oscillator(), residual=1e-6 * np.sin(np.pi * T))
    for table in (data, data.transpose("kind", "time")):
        found = audit(table)
        assert found.largest_residual == pytest.approx(1e-6)
        assert found.drift == pytest.approx(0.0, abs=1e-20)


def test_scale_counts_work_that_goes_in_and_out():
    push = 5.0 * np.sin(np.pi * T)
    found = audit(book(kinetic=0.0, elastic=0.0, gravity=push, work=push))
    assert found.scale == pytest.approx(10.0, rel=1e-3)


def test_nothing_moved():
    found = audit(book(kinetic=0.0, elastic=0.0))
    assert found.relative_residual == 0.0
    assert "nothing moved" in found.sentence


def test_wrong_input_is_refused_in_words():
    for data, words in (
        (xr.Dataset(), "no 'energy'"),
        (book(kinetic=1.0), "lacks elastic"),
        (book(kinetic=np.nan, elastic=0.0), "not finite"),
    ):
        with pytest.raises(FlexarmError, match=words):
            audit(data)


def test_momentum():
    impulse = 0.1 * np.minimum(T, 0.3)
    data = xr.Dataset({"angular_momentum": ("time", 0.5 + impulse), "torque_impulse": ("time", impulse)})
    found = momentum(data)
    assert found is not None
    assert found.relative_residual < 1e-15
    assert found.scale == pytest.approx(0.53)
    data["angular_momentum"] = data["angular_momentum"] + xr.DataArray(0.002 * T, dims="time")
    found = momentum(data)
    assert found.drift == pytest.approx(0.002)
    assert found.relative_residual == pytest.approx(0.002 / 0.532)
    assert "3.8e-03 of 0.532 N m s" in found.sentence
    assert momentum(data.drop_vars("torque_impulse")) is None
    still = momentum(0.0 * data)
    assert still.relative_residual == 0.0
    assert "No angular momentum" in still.sentence
    with pytest.raises(FlexarmError, match="not finite"):
        momentum(np.nan * data)
