"""One name for kernels of several kinds of bundles."""

from __future__ import annotations

import pytest

from flexarm.numerics.bundle import Bundle
from flexarm.numerics.by_kind import ByKind
from flexarm.numerics.jit import njit, njit_part


class Line(Bundle):
    length: float


class Square(Bundle):
    side: float


class Circle(Bundle):
    radius: float


@njit_part
def size_of_line(part, times):
    return times * part.length


@njit_part
def size_of_square(part, times):
    return times * part.side**2


size = ByKind(Line=size_of_line, Square=size_of_square)


@njit
def larger(part):
    return size(part, 2.0)


def test_the_kernel_of_the_kind_is_called():
    assert larger(Line(length=3.0)) == 6.0 and larger(Square(side=3.0)) == 18.0


def test_other_kinds_are_not_compiled():
    with pytest.raises(TypeError):
        larger(Circle(radius=1.0))
