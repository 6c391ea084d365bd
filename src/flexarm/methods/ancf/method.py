"""The method `ancf` as a value: what it can do, and what is not supported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.ancf.options import AncfOptions
from flexarm.methods.base import Capabilities, Hints, Method, Watch

if TYPE_CHECKING:
    from flexarm.drive import Wiring
    from flexarm.methods.ancf.model import AncfModel


class AbsoluteNodalCoordinates(Method):
    """Planar serial arms that may bend as far as they like."""

    name = "ancf"
    title = "Absolute nodal coordinates: planar serial arms with large deformation"
    reference = "Q. Tian, Y. Zhang, L. Chen, J. Yang, tip tracking of flexible manipulators"
    Options = AncfOptions
    capabilities = Capabilities(
        planar=True, spatial=False, most_links=None, tree=False, loops=False, prismatic=False, torque_driven=True,
        motion_driven=True, flexible_joints=True, taper=True, payload_inertia=True, payload_offset=True,
        payload_change=True, gravity=True, damping=True, equilibrium_start=True, strain=True, patches=True,
        large_rotation=True, large_deformation=True, shear=True,
    )  # fmt: skip

    def build(
        self, arm: Arm, wiring: Wiring, options: Any, watch: Watch | None = None, hints: Hints | None = None
    ) -> AncfModel:
        """The model; arms that are not planar serial chains of flexible links are not supported."""
        self.check(arm, options)
        from flexarm.methods.ancf.model import AncfModel

        return AncfModel(arm, wiring, options, watch or Watch(), hints or Hints())

    def check(self, arm: Arm, options: AncfOptions) -> None:
        """Refuse what this method cannot do."""
        if arm.spatial:
            raise CapabilityError("the method ancf is planar; this arm is spatial", field="arm.links")
        if arm.loops:
            raise CapabilityError("the method ancf has no closed loops", field="arm.loops")
        if not arm.serial:
            raise CapabilityError("the method ancf needs links that stand tip to root", field="arm.links")
        for link in arm.links:
            if not link.flexible:
                raise CapabilityError("the method ancf has no rigid links; use fem", field=f"arm.links.{link.name}")
            if link.joint.backlash:
                raise CapabilityError("the method ancf has no backlash", field=f"arm.links.{link.name}.joint.backlash")
            nu = link.material.nu if link.material is not None else 0.0
            if options.variant == "paper" and options.plane == "strain" and nu >= 0.5:
                raise CapabilityError(
                    "plane: strain needs a Poisson's ratio below 0.5; use plane: stress",
                    field=f"arm.links.{link.name}.material.nu",
                )
        if isinstance(options.resolution, tuple) and len(options.resolution) != len(arm.links):
            raise CapabilityError(
                f"resolution needs one number, or {len(arm.links)}, one per link", field="method.resolution"
            )


METHOD = AbsoluteNodalCoordinates()
