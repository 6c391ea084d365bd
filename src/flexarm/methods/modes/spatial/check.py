"""What the options of `modes` cannot be, and what its arms cannot have, in space."""

from __future__ import annotations

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.modes.options import ModesOptions


def check_spatial(arm: Arm, options: ModesOptions) -> None:
    """Refuse what has no meaning in space."""
    if "shapes" in options.given():
        raise CapabilityError(
            "links in space bend in polynomials of the moment: 'shapes' is for arms in the plane", field="method.shapes"
        )
    if options.stiffening == "static":
        raise CapabilityError(
            "static geometric stiffness is for arms in the plane; use second-order or none", field="method.stiffening"
        )
    if options.loops != "closed":
        raise CapabilityError("an arm in space has no loops to open here: leave it out", field="method.loops")
    if "rotary_inertia" in options.model_fields_set and not options.rotary_inertia:
        raise CapabilityError(
            "torsion in space lives on the rotary inertia of the sections: leave it out or say true",
            field="method.rotary_inertia",
        )
    for link in arm.links:
        for name in ("hub_inertia", "rotor_inertia"):
            if link.joint.type == "prismatic" and getattr(link.joint, name):
                raise CapabilityError(
                    "a sliding joint has no rotary inertia about its axis: use motor_mass",
                    field=f"arm.links.{link.name}.joint.{name}",
                )
