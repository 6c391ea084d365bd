"""Parts of kernels: optimised with the kernels that hold them, never by themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import float64

from flexarm.numerics.jit import njit, njit_apart, njit_inside, njit_part


@njit_part
def square(x):
    if x < 0.0:
        raise ValueError("below zero")
    return x * x


@njit_inside
def fourth(x):
    return square(square(x))


@njit_apart
def sum_of_fourths(values):
    total = 0.0
    for k in range(values.shape[0]):
        total += fourth(values[k])
    return total


@njit
def mean(values):
    return sum_of_fourths(values) / values.shape[0]


def code_of(name: str) -> tuple[int, set[str]]:
    """Address of the machine code of a kernel, 0 without, and the names of all functions in it."""
    (found,) = globals()[name].overloads.values()
    address = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    defined = {one.name for one in found.library._final_module.functions if not one.is_declaration}
    return address, {one.split("B")[0] for one in defined}


def test_only_what_python_calls_has_machine_code():
    assert mean(np.array([1.0, 2.0, 3.0])) == pytest.approx(98.0 / 3.0, rel=1e-15)
    for name, kind in {"square": float64, "fourth": float64, "sum_of_fourths": float64[::1]}.items():
        globals()[name].compile((kind,))  # which a kernel from the cache does not ask for
    assert [bool(code_of(name)[0]) for name in ("square", "fourth", "sum_of_fourths", "mean")] == [
        False,
        False,
        False,
        True,
    ]


FRESH = """
import sys; sys.path.insert(0, sys.argv[1])
import numpy as np, test_parts as t
print(t.mean(np.arange(3.0)), *(any(part in name for name in t.code_of("mean")[1]) for part in ("sum_of_fourths", "6fourth")))
"""


def test_a_large_part_stays_a_function_and_small_ones_are_merged(tmp_path):
    environment = {**os.environ, "FLEXARM_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", FRESH, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == [repr(17.0 / 3.0), "True", "False"]


def test_an_error_of_a_part_reaches_python():
    with pytest.raises(ValueError, match="below zero"):
        mean(np.array([1.0, -1.0]))
