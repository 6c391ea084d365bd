"""The method `segments` as a value: what it can do, and what is not supported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.base import Capabilities, Hints, Method, Watch
from flexarm.methods.segments.options import SegmentsOptions

if TYPE_CHECKING:
    from flexarm.drive import Wiring
    from flexarm.methods.segments.model import SegmentsModel


class FiniteSegments(Method):
    """Planar serial arms of rigid segments and springs."""

    name = "segments"
    title = "Finite segments: planar serial arms of rigid pieces and springs"
    reference = "H. Li and X. Zhang, flexible manipulators by the transfer matrix method with finite segments"
    Options = SegmentsOptions
    capabilities = Capabilities(
        planar=True, spatial=False, most_links=None, tree=False, loops=False, prismatic=False, torque_driven=True,
        motion_driven=True, flexible_joints=True, taper=True, payload_inertia=True, payload_offset=True,
        payload_change=True, gravity=True, damping=True, equilibrium_start=True, strain=True, patches=False,
        large_rotation=True, large_deformation=True, shear=False,
    )  # fmt: skip

    def build(
        self, arm: Arm, wiring: Wiring, options: Any, watch: Watch | None = None, hints: Hints | None = None
    ) -> SegmentsModel:
        """The model; arms that are not planar serial chains are refused."""
        self.check(arm, wiring, options)
        if options.variant == "paper":
            from flexarm.methods.segments.paper_model import PaperModel

            return PaperModel(arm, wiring, options, watch or Watch(), hints or Hints())
        from flexarm.methods.segments.model import SegmentsModel

        return SegmentsModel(arm, wiring, options, watch or Watch(), hints or Hints())

    def check(self, arm: Arm, wiring: Wiring, options: SegmentsOptions) -> None:
        """Refuse what this method cannot do."""
        if arm.spatial:
            raise CapabilityError("the method segments is planar; this arm is spatial", field="arm.links")
        if arm.loops:
            raise CapabilityError("the method segments has no closed loops", field="arm.loops")
        if not arm.serial:
            raise CapabilityError("the method segments needs links that stand tip to root", field="arm.links")
        for link in arm.links:
            if link.joint.backlash:
                raise CapabilityError(
                    "the method segments has no backlash; use modes", field=f"arm.links.{link.name}.joint.backlash"
                )
        if wiring.patches:
            raise CapabilityError("the method segments has no patches; use fd", field="drive.patch")
        for joint in wiring.joints:
            if joint.law is not None and joint.law.friction > 0.0:
                raise CapabilityError(
                    "the method segments has no dry friction; use fem, modes or ancf, or fd for one link",
                    field=f"arm.links.{joint.name}.joint.friction",
                )
            if joint.law is not None and joint.law.sensor == "chord":
                raise CapabilityError(
                    "the method segments has no chord sensor in this version; use hub or motor",
                    field="drive.control.sensor",
                )
        if isinstance(options.resolution, tuple) and len(options.resolution) != len(arm.links):
            raise CapabilityError(
                f"resolution needs one number, or {len(arm.links)}, one per link", field="method.resolution"
            )


METHOD = FiniteSegments()
