"""What theories, elements and sliding links of arms in space do not support."""

from __future__ import annotations

from flexarm.arm import Arm, Link
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.fem.options import FemOptions
from flexarm.methods.fem.spatial.travel import limits


def check_spatial(arm: Arm, wiring: Wiring, options: FemOptions) -> None:
    """Refuse what theories, elements and sliding links cannot do."""
    _check_options(arm, options)
    modes = {joint.name: joint for joint in wiring.joints}
    for link in arm.links:
        wired = modes.get(link.name)
        _check_link(link, wired is not None and (wired.mode != "motion" or wired.spring), options)
    for joint in wiring.joints:
        if joint.spring and joint.mode != "motion" and arm.link(joint.name).joint.rotor_inertia == 0.0:
            raise CapabilityError(
                "a torque on a joint with a spring needs a rotor to act on",
                field=f"arm.links.{joint.name}.joint.rotor_inertia",
            )
    for number, patch in enumerate(wiring.patches):
        link = arm.link(patch.link)
        if link.flexible and link.joint.type == "prismatic" and (patch.start, patch.stop) != (1.0, 1.0):
            raise CapabilityError(
                f"the material of the sliding link '{link.name}' moves on beneath a load on it; put it at the tip",
                field=f"drive.{number}.patch",
            )
    if options.theory == "quasi-static" and any(j.mode != "motion" or j.spring for j in wiring.joints):
        raise CapabilityError(
            "theory quasi-static is for joints that follow a motion without springs; use exact or linear",
            field="method.theory",
        )


def _check_options(arm: Arm, options: FemOptions) -> None:
    if options.order != 1:
        raise CapabilityError("spatial arms have elements of order 1; raise the resolution", field="method.order")
    if options.integration == "exact":
        raise CapabilityError("spatial arms have corrected and reduced integration only", field="method.integration")
    if options.beams != "timoshenko":
        raise CapabilityError("spatial arms have beams that shear, timoshenko, only", field="method.beams")
    if options.theory == "link":
        raise CapabilityError(
            "theory link is for planar arms; spatial arms have exact, linear and quasi-static", field="method.theory"
        )
    if not any(link.flexible for link in arm.links):
        raise CapabilityError("an arm without any flexible link has nothing to bend", field="arm.links")


def _check_link(link: Link, deviates: bool, options: FemOptions) -> None:
    where = f"arm.links.{link.name}"
    if link.joint.type != "prismatic":
        return
    if link.flexible and deviates and options.theory == "linear":
        raise CapabilityError(
            f"theory linear is about a motion that the sliding link '{link.name}' does not follow: use exact, or give its "
            "joint a motion without servo and spring",
            field="method.theory",
        )
    if not link.flexible and link.section is not None and link.joint.retracted == "massless":
        raise CapabilityError(
            "a rigid link that slides moves as a whole: say retracted: rigid", field=f"{where}.joint.retracted"
        )
    least, most = limits(link)
    if least >= most:
        raise CapabilityError(
            f"the sliding link '{link.name}' has {most:.4g} m of material, less than the shortest beam of {least:.4g} m",
            field=f"{where}.length",
        )
