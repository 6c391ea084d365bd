"""The method `ancf` as a value: what it can do, and what it does not support."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.ancf.options import AncfOptions
from flexarm.methods.base import Capabilities, Method

if TYPE_CHECKING:
    from flexarm.drive import Wiring
    from flexarm.methods.ancf.model import AncfModel


class AbsoluteNodalCoordinates(Method):
    """Planar serial arms that may bend as far as they like."""

    name = "ancf"
    title = "Absolute nodal coordinates: planar serial arms with large deformation"
    reference = "Q. Tian, Y. Zhang, L. Chen, J. Yang, tip tracking of flexible manipulators"
    Options = AncfOptions
    capabilities = Capabilities(rigid_links=False, shear=True)

    def model_for(self, arm: Arm, options: AncfOptions) -> type[AncfModel]:
        """A serial chain of flexible links."""
        from flexarm.methods.ancf.model import AncfModel

        return AncfModel

    def check(self, arm: Arm, wiring: Wiring, options: AncfOptions) -> None:
        """Refuse materials that the continuum element cannot have."""
        for link in arm.links:
            nu = link.material.nu if link.material is not None else 0.0
            if options.variant == "paper" and options.plane == "strain" and nu >= 0.5:
                raise CapabilityError(
                    "plane: strain needs a Poisson's ratio below 0.5; use plane: stress",
                    field=f"arm.links.{link.name}.material.nu",
                )


METHOD = AbsoluteNodalCoordinates()
