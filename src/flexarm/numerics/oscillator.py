"""Exact steps of damped oscillators under a load that varies linearly within the step.

For  q'' + d q' + w^2 q = p(t),  p linear between p0 and p1 over the step h,

    (q1, v1) = Phi (q0, v0) + G0 p0 + G1 p1 .

The coefficients come from one matrix exponential per oscillator, so rigid (w = 0), under-damped, critical and
over-damped modes need no cases.
"""

from __future__ import annotations

import numpy as np


def exact_step(square: np.ndarray, damping: np.ndarray, h: float) -> np.ndarray:
    """Step coefficients of independent oscillators.

    Parameters
    ----------
    square : ndarray, shape (m,)
        Squared undamped angular frequencies w^2 in rad^2/s^2; 0 for a rigid mode, negative for one that runs away.
    damping : ndarray, shape (m,)
        The factor d of q' in 1/s.
    h : float
        Step in s.

    Returns
    -------
    ndarray, shape (m, 8)
        Rows ``Phi00 Phi01 Phi10 Phi11 G0q G0v G1q G1v``.
    """
    from scipy.linalg import expm

    rows = np.empty((len(square), 8))
    for k, (w2, d) in enumerate(zip(square, damping, strict=True)):
        # state (q, v, p, slope * h) in time units of h
        system = np.array(
            [
                [0.0, h, 0.0, 0.0],
                [-w2 * h, -d * h, h, 0.0],
                [0.0, 0.0, 0.0, 1.0],
                [0.0, 0.0, 0.0, 0.0],
            ]
        )
        e = expm(system)
        rows[k] = [
            e[0, 0], e[0, 1], e[1, 0], e[1, 1],
            e[0, 2] - e[0, 3], e[1, 2] - e[1, 3], e[0, 3], e[1, 3],
        ]  # fmt: skip
    return rows
