"""`segments`: planar serial arms of rigid segments and torsion springs, after Li and Zhang.

Models any number of links in a plane with revolute joints; links may be flexible (any taper in bending stiffness and mass) or
rigid. Joints are driven by motion, by torque, by a servo or a control law, with or without a series spring; hubs, rotors, motor
masses, lumps, payload with inertia and offset, gravity, Kelvin-Voigt damping. Segments do not stretch or shear.

Every link is a row of rigid pieces with springs between them that have the compliance of the beam. The unknowns are the
absolute angles of the pieces; forces are carried from the tip to the root and back (Riccati), so that a step costs the same
per segment however many there are, and no step is too small:

    (m, qx, qy) = S (d ax, d ay, d theta) + e   from tip to root,    corrections of the angles from root to tip

Half pieces at both ends of a link make the error fall with the square of the segment's length. The scheme of the document
itself (transfer matrices of 7 x 7, histories of x, y and angle) is there as variant paper, with its end treatment and its
numerical damping.

Where to find it: `cutting` makes pieces and springs, `chain` joins them to an arm, `sweep` holds the two sweeps, `stepping`
the time step, `settle` torques and energies, `linear` equilibrium and frequencies, `observe` the signals, `transfer` the
matrices to print and multiply, `paper` the document's scheme.

Reference: H. Li and X. Zhang, a method for modeling flexible manipulators: transfer matrix method with finite segments. What
it prints wrongly is listed on the theory page.
"""

import importlib
from typing import Any

from flexarm.methods.segments.method import METHOD

__all__ = ["METHOD", "prediction", "transfer"]


def __getattr__(name: str) -> Any:
    if name in ("prediction", "transfer"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
