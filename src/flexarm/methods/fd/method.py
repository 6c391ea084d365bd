"""The method `fd` as a value: what it can do, and what it does not support."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError
from flexarm.methods.base import Capabilities, Method
from flexarm.methods.capabilities import able
from flexarm.methods.fd.options import FdOptions
from flexarm.methods.fd.pushes import across_share

if TYPE_CHECKING:
    from flexarm.methods.fd.model import FdModel


class FiniteDifferences(Method):
    """One Euler-Bernoulli link on a grid of nodes."""

    name = "fd"
    title = "Finite differences: one Euler-Bernoulli link with hub and payload"
    reference = "Tokhi and Azad, Research Report 541, University of Sheffield, 1994"
    Options = FdOptions
    capabilities = Capabilities(
        most_links=1, rigid_links=False, couples=False, steady_turn=False, large_rotation=False, large_deformation=False
    )

    def model_for(self, arm: Arm, options: FdOptions) -> type[FdModel]:
        """One link on a grid."""
        from flexarm.methods.fd.model import FdModel

        return FdModel

    def check(self, arm: Arm, wiring: Wiring, options: FdOptions) -> None:
        """Refuse forces that only pull: the link keeps its length."""
        for patch in wiring.patches:
            if patch.kind == "force" and abs(across_share(patch, arm.pose[0] if arm.pose else 0.0)) < 1e-12:
                others = [name for name in able(arm, Wiring(wiring.joints)) if name != self.name]
                raise CapabilityError(
                    f"the method fd bends the link across itself and does not feel a force along it; use {', '.join(others)}",
                    field="drive.patch.direction",
                )


METHOD = FiniteDifferences()
