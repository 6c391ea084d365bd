"""Strains of the elements in many records at once."""

from __future__ import annotations

import numpy as np

from flexarm.methods.fem.spatial.element import S_SIZE, W_ROWS, small_strains, strains
from flexarm.methods.fem.spatial.layout import E_COUNT, E_FIRST, E_SECOND, E_SLIDES, M_LENGTH
from flexarm.numerics.jit import njit


@njit
def element_strains(own, elements, mfig, F, small, free, records, values):
    """Strains of the elements `own` into values[:, 1:, :6]; `free` (nt,) is the free length of a sliding link."""
    s, w, still = np.zeros(S_SIZE), np.zeros((W_ROWS, 9)), np.zeros((F, 6))
    for n in range(records.shape[0]):
        r = records[n, : 3 * F].copy().reshape((F, 3))
        R = records[n, 3 * F : 12 * F].copy().reshape((F, 9))
        th = records[n, 12 * F : 15 * F].copy().reshape((F, 3))
        for k in range(own.shape[0]):
            e = own[k]
            h = free[n] / elements[e, E_COUNT] if elements[e, E_SLIDES] else mfig[e, M_LENGTH]
            if small:
                small_strains(elements[e, E_FIRST], elements[e, E_SECOND], h, 0.0, False, r, R, th, still, still, w, s)
            else:
                strains(elements[e, E_FIRST], elements[e, E_SECOND], h, 0.0, False, r, R, still, w, s)
            for c in range(6):
                values[n, k + 1, c] = s[c]
