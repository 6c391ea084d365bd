"""The method `fd` as a value: what it can do, and what it does not support, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.methods.base import Capabilities, Method
from flexarm.methods.fd.options import FdOptions

if TYPE_CHECKING:
    from flexarm.methods.fd.model import FdModel


class FiniteDifferences(Method):
    """One Euler-Bernoulli link on a grid of nodes."""

    name = "fd"
    title = "Finite differences: one Euler-Bernoulli link with hub and payload"
    reference = "Tokhi and Azad, Research Report 541, University of Sheffield, 1994"
    Options = FdOptions
    capabilities = Capabilities(
        most_links=1, rigid_links=False, patches=True, large_rotation=False, large_deformation=False
    )

    def model_for(self, arm: Arm, options: FdOptions) -> type[FdModel]:
        """One link on a grid."""
        from flexarm.methods.fd.model import FdModel

        return FdModel


METHOD = FiniteDifferences()
