"""Laws of joints as rows for the kernels, the same for every method."""

from __future__ import annotations

import math

import numpy as np

from flexarm.drive import Law
from flexarm.numerics.laws import load_hydraulics, pack


def law_row(law: Law | None, smooth: float) -> np.ndarray:
    """The row of a law; without one the torque passes through.

    Parameters
    ----------
    law : Law or None
        From the wiring.
    smooth : float
        Rate over which dry friction changes its sign, rad/s or m/s.
    """
    if law is None:
        return pack(math.inf, 0.0, smooth, None)
    space = law.actuator
    actuator = None if space is None else (space.A, space.B, space.C, space.D)
    cylinder = None
    if law.cylinder is not None:
        cylinder = law.cylinder.row()
        load_hydraulics()
    return pack(law.limit, law.friction, smooth, actuator, cylinder, law.back_emf, law.torque_limit, law.disturbed)
