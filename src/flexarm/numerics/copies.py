"""Copies inside kernels, element by element: an assignment of slices would need room for arrays that overlap."""

from __future__ import annotations

from flexarm.numerics.jit import njit_inside


@njit_inside
def copy(source, target):
    """Copy a vector."""
    for k in range(source.shape[0]):
        target[k] = source[k]


@njit_inside
def copy_rows(source, target):
    """Copy a matrix."""
    for i in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[i, k] = source[i, k]
