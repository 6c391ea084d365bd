"""Arrays and numbers that reach a kernel as one address."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.jit import njit, njit_part


class Pair(Bundle):
    """A table, a vector of whole numbers, and a block."""

    table: np.ndarray
    count: np.ndarray
    block: np.ndarray


@njit_part
def add(pair, k):
    """Add a number of the block to a column of the table."""
    for i in range(pair.table.shape[0]):
        pair.table[i, k] += pair.block[1, k, pair.count[0]]


@njit
def columns(pair):
    """Change every column; the sum of the sizes."""
    for k in range(pair.table.shape[1]):
        add(pair, k)
    return pair.table.size + pair.count.shape[0] + pair.block.shape[2]


class Spring(Bundle):
    """An array between two numbers."""

    preload: float
    rates: np.ndarray
    count: int


@njit
def pull(spring, x):
    """Force of `count` springs."""
    total = spring.preload
    for k in range(spring.count):
        total += spring.rates[k] * x
    return total


@pytest.fixture
def pair() -> Pair:
    return Pair(np.zeros((4, 3)), np.array([1], dtype=np.int64), np.arange(12.0).reshape(2, 3, 2))


def test_kernels_read_and_write_the_arrays(pair):
    assert columns(pair) == 12 + 1 + 2
    assert np.array_equal(pair.table, np.tile([7.0, 9.0, 11.0], (4, 1)))


def test_other_sizes_need_no_other_kernel(pair):
    columns(pair)
    known = len(columns.signatures)
    small = Pair(np.zeros((1, 1)), np.array([0, 5], dtype=np.int64), np.ones((2, 1, 1)))
    assert columns(small) == 1 + 2 + 1 and small.table[0, 0] == 1.0
    assert len(columns.signatures) == known


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))])
def test_a_copy_has_arrays_of_its_own(pair, copied):
    other = copied(pair)
    columns(other)
    assert other.table.any() and not pair.table.any()


def test_arrays_with_gaps_and_missing_arrays_are_refused():
    with pytest.raises(ValueError, match="block is not contiguous"):
        Pair(np.zeros((4, 3)), np.zeros(1, dtype=np.int64), np.zeros((2, 3, 4))[:, :, ::2])
    with pytest.raises(TypeError, match="Pair takes table, count, block"):
        Pair(np.zeros((4, 3)))


def test_numbers_are_read_by_kernels_and_set_by_python():
    spring = Spring(preload=0.5, rates=np.array([1.0, 2.0, 4.0]), count=2)
    assert pull(spring, 10.0) == 30.5
    spring.preload, spring.count = 1.5, 3
    other = pickle.loads(pickle.dumps(spring))
    assert pull(spring, 10.0) == pull(other, 10.0) == 71.5
    other.count = 0
    assert (pull(other, 10.0), spring.count, len(pull.signatures)) == (1.5, 3, 1)


class Machine(Bundle):
    """Bundles and an array."""

    spring: Spring
    pair: Pair
    speed: np.ndarray


@njit
def run(machine):
    """Read a number and write to an array of inner bundles."""
    machine.pair.table[0, 0] = pull(machine.spring, machine.speed[0])
    return machine.spring.count


def test_bundles_within_a_bundle(pair):
    machine = Machine(Spring(1.0, np.array([2.0, 3.0]), 2), pair, np.array([10.0]))
    assert run(machine) == 2 and pair.table[0, 0] == 51.0
    machine.spring.preload = 0.0
    other = pickle.loads(pickle.dumps(machine))
    run(other)
    assert pair.table[0, 0] == 51.0 and other.pair.table[0, 0] == 50.0
