"""A run that was stopped and goes on from its checkpoint is the uninterrupted one, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from generic_arms import BUNDLED, short, short_run

import flexarm as fa
from interrupting import interrupted_after


@pytest.mark.parametrize("name", BUNDLED)
def test_restart_is_bit_equal(name, tmp_path):
    plan, whole, path = short(name), short_run(name), tmp_path / "run.npz"
    part = fa.simulate(plan, checkpoint=path, chunk=5, **interrupted_after(3))
    assert part.outcome is fa.Outcome.CANCELLED
    assert part.data.sizes["time"] <= whole.data.sizes["time"] and float(part.data["time"][-1]) < plan.time.end
    again = fa.simulate(plan, resume=path, chunk=31)
    assert set(again.data.variables) == set(whole.data.variables)
    for variable, values in whole.data.variables.items():
        np.testing.assert_array_equal(again.data[variable].values, values.values, err_msg=str(variable))
