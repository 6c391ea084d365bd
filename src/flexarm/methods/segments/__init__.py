"""`segments`: planar serial arms of rigid segments and torsion springs, after Li and Zhang.

Models any number of links in a plane with revolute joints; links may be flexible (any taper in bending stiffness and mass) or
rigid. Joints are driven by motion, by torque, by a servo or a control law, with or without a series spring; hubs, rotors, motor
masses, lumps, payload with inertia and offset, gravity, Kelvin-Voigt damping. Segments do not stretch or shear.

Every link is a row of rigid pieces with springs between them that have the compliance of the beam. The unknowns are the
absolute angles of the pieces; forces go from the tip to the root and back (Riccati), so that a step costs the same per segment
however many there are, and no step is too small:

    (m, qx, qy) = S (d ax, d ay, d theta) + e   from tip to root,    corrections of the angles from root to tip

Half pieces at both ends of a link make the error fall with the square of the segment's length. The scheme of the document
itself (transfer matrices of 7 x 7, histories of x, y and angle) is there as variant paper, with its end treatment and its
numerical damping.

Where to find it (equations: docs/methods/segments.md): `segmentation` makes pieces and springs (G1, G3), `chain` joins them to an
arm (G2), `sweep` holds the two sweeps (G4 to G11), `drives` the motors (G10, G11, G17), `stepping` the time step (G12 to
G14), `step_end` torques and energies (G15, G16), `linear` equilibrium and frequencies (G18, G19), `model` payloads that arrive
(G20) and the automatic step, `observe` what is read off, `prediction` what the scheme does to a vibration (G21, G22),
`elements`, `transfer` and `paper` the document's scheme (G23 to G31).

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
