"""The method `fd` as a value: what it can do, and what it refuses in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.base import Capabilities, Hints, Method, Watch
from flexarm.methods.fd.options import FdOptions

if TYPE_CHECKING:
    from flexarm.drive import Wiring
    from flexarm.methods.fd.model import FdModel


class FiniteDifferences(Method):
    """One Euler-Bernoulli link on a grid of nodes."""

    name = "fd"
    title = "Finite differences: one Euler-Bernoulli link with hub and payload"
    reference = "Tokhi and Azad, Research Report 541, University of Sheffield, 1994"
    Options = FdOptions
    capabilities = Capabilities(
        planar=True, spatial=False, most_links=1, tree=False, loops=False, prismatic=False, torque_driven=True,
        motion_driven=True, flexible_joints=True, taper=True, payload_inertia=True, payload_offset=True,
        payload_change=True, gravity=True, damping=True, equilibrium_start=True, strain=True, patches=True,
        large_rotation=False, large_deformation=False, shear=False,
    )  # fmt: skip

    def build(
        self,
        arm: Arm,
        wiring: Wiring,
        options: FdOptions,
        watch: Watch | None = None,
        hints: Hints | None = None,
    ) -> FdModel:
        """The model; arms that are not one flexible planar link are refused."""
        self.check(arm)
        from flexarm.methods.fd.model import FdModel

        return FdModel(arm, wiring, options, watch or Watch(), hints or Hints())

    def check(self, arm: Arm) -> None:
        """Refuse what finite differences of one link cannot do."""
        link = arm.links[0]
        if arm.spatial:
            raise CapabilityError("the method fd is planar; this arm is spatial (dh or prismatic)", field="arm.links")
        if len(arm.links) > 1:
            raise CapabilityError(f"the method fd models one link, this arm has {len(arm.links)}", field="arm.links")
        if arm.loops:
            raise CapabilityError("the method fd has no loops", field="arm.loops")
        if not link.flexible:
            raise CapabilityError("the method fd needs a flexible link", field=f"arm.links.{link.name}.flexible")
        if link.joint.backlash:
            raise CapabilityError(
                "the method fd is linear and has no backlash", field=f"arm.links.{link.name}.joint.backlash"
            )


METHOD = FiniteDifferences()
