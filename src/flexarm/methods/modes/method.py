"""The method `modes` as a value: what it can do, and what is not supported."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.base import Capabilities, Method
from flexarm.methods.modes.options import ModesOptions

if TYPE_CHECKING:
    from flexarm.drive import Wiring
    from flexarm.methods.modes.model import ModesModel


class AssumedModes(Method):
    """Planar trees with closed loops, trees in space, links that bend in assumed shapes."""

    name = "modes"
    title = "Assumed modes: planar trees with closed loops, trees in space"
    reference = "J. W. Lee, J. D. Huggins and W. J. Book, experimental verification of a large flexible manipulator"
    Options = ModesOptions
    capabilities = Capabilities(
        spatial=True, tree=True, loops=True, backlash=True, chord_control=False, large_deformation=False
    )
    in_space = replace(capabilities, loops=False, prismatic=True, chord_readings=False, patches=False, shear=True)

    def model_for(self, arm: Arm, options: ModesOptions) -> type[ModesModel]:
        """A tree with closed loops, or a tree in space."""
        if arm.spatial:
            from flexarm.methods.modes.spatial.model import SpatialModesModel

            return SpatialModesModel
        from flexarm.methods.modes.model import ModesModel

        return ModesModel

    def check(self, arm: Arm, wiring: Wiring, options: ModesOptions) -> None:
        """Refuse shapes for links that are not there, and what has no meaning in space or in the plane."""
        if arm.spatial:
            from flexarm.methods.modes.spatial.check import check_spatial

            check_spatial(arm, options)
        elif options.torsion_modes is not None:
            raise CapabilityError("a planar arm does not twist: leave it out", field="method.torsion_modes")
        if isinstance(options.shapes, dict):
            flexible = [link.name for link in arm.links if link.flexible]
            for name in options.shapes:
                if name not in flexible:
                    raise CapabilityError(
                        f"there is no flexible link '{name}'; the arm has {', '.join(flexible) or 'none'}",
                        field=f"method.shapes.{name}",
                    )


METHOD = AssumedModes()
