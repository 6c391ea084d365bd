"""Exact steps of damped oscillators under a load that is linear, or a cubic, within the step.

For  q'' + d q' + w^2 q = p(t)  and a step h in which, with s running from 0 to 1,

    p = p0 (1 - s) + p1 s + b1 s (1 - s) + b2 s (1 - s) (1 - 2 s),

the step is  (q1, v1) = Phi (q0, v0) + G0 p0 + G1 p1 + H1 b1 + H2 b2 .

The coefficients come from one matrix exponential per oscillator, so rigid (w = 0), under-damped, critical,
over-damped and falling modes (w^2 < 0) need no cases.
"""

from __future__ import annotations

import numpy as np

SHAPES = np.array([[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 1.0, -2.0, 0.0], [0.0, 1.0, -6.0, 12.0]])
"""Value and derivatives at s = 0 of the four shapes of the load: 1 - s, s, s (1 - s), s (1 - s) (1 - 2 s)."""


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
    ndarray, shape (m, 12)
        Rows ``Phi00 Phi01 Phi10 Phi11 G0q G0v G1q G1v H1q H1v H2q H2v``.
    """
    from scipy.linalg import expm

    rows = np.empty((len(square), 12))
    for k, (w2, d) in enumerate(zip(square, damping, strict=True)):
        # state (q, v, load and its three derivatives) in time units of h
        system = np.diag([h, h, 1.0, 1.0, 1.0], 1)
        system[1, :2] = -w2 * h, -d * h
        e = expm(system)[:2]
        rows[k, :4] = e[:, :2].ravel()
        rows[k, 4:] = (SHAPES @ e[:, 2:].T).ravel()
    return rows
