"""Parts of kernels that are compiled only for the arms that need them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numba import types

from flexarm.numerics.jit import njit
from flexarm.numerics.on_demand import njit_on_demand


@njit_on_demand(types.UniTuple(types.float64, 2))
def sum_and_first(values, factor):
    total = 0.0
    for k in range(values.shape[0]):
        total += factor * values[k]
    return total, values[0]


@njit_on_demand(types.float64)
def never_loaded(value):
    return value


@njit
def caller(values, factor, part):
    if part > 0:
        return never_loaded((factor,))
    total, first = sum_and_first((values, factor))
    return total + 10.0 * first


def test_a_part_works_once_it_is_loaded_and_says_so_before():
    values = np.array([1.0, 2.0, 3.0])
    with pytest.raises(RuntimeError, match="sum_and_first is not loaded"):
        caller(values, 2.0, 0)
    sum_and_first.load(values, 2.0)
    assert caller(values, 2.0, 0) == 12.0 + 10.0
    with pytest.raises(RuntimeError, match="never_loaded is not loaded"):
        caller(values, 2.0, 1)


def test_a_part_loaded_for_other_types_is_not_called():
    sum_and_first.load(np.zeros((2, 2)).ravel(), 2.0)
    assert caller(np.ones(2), 1.0, 0) == 12.0
    sum_and_first.load(types.float64[::1], types.int64)
    with pytest.raises(RuntimeError, match="sum_and_first is not loaded"):
        caller(np.ones(2), 1.0, 0)


RUN = """
import flexarm as fa
from flexarm.methods.fem.quasi_static import quasi_static_deformation
from flexarm.numerics.laws import _law_step, hydraulic_step

def run(scenario, method, changes):
    fa.simulate(fa.load(scenario).with_({"time.end": 0.01, **changes}), method)
    print(*(bool(part.cell[1]) for part in (_law_step, hydraulic_step, quasi_static_deformation)))

run("naganathan-flexible", "fem", {})
run("naganathan-flexible", "fem", {"method.theory": "quasi-static"})
run("ralf-hydraulic", "modes", {})
"""


def test_a_run_loads_what_its_arm_needs():
    done = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[-4:-1] == ["False False False", "False False True", "True True True"]
