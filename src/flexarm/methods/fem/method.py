"""The method `fem` as a value: what it can do, and what it does not support."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.base import Capabilities, Method
from flexarm.methods.fem.mesh import chain_order
from flexarm.methods.fem.options import FemOptions

if TYPE_CHECKING:
    from flexarm.drive import Wiring
    from flexarm.methods.fem.model import FemModel
    from flexarm.methods.fem.spatial.model import SpatialModel


class FiniteElements(Method):
    """Arms of geometrically exact Timoshenko beams: planar trees with closed loops, trees in space."""

    name = "fem"
    title = "Finite elements: planar trees and loops, trees in space"
    reference = "G. Naganathan, thesis on flexible manipulators, chapters II to V"
    Options = FemOptions
    capabilities = Capabilities(
        spatial=True, tree=True, loops=True, prismatic=True, sliding_beams=True, point_loads=True, shear=True
    )
    in_space = replace(
        capabilities,
        viscous=True,
        end_stops=True,
        loops=False,
        chord_readings=False,
        chord_control=False,
        steady_turn=False,
    )

    def model_for(self, arm: Arm, options: FemOptions) -> type[FemModel] | type[SpatialModel]:
        """Arms in space have a model of their own."""
        if arm.spatial:
            from flexarm.methods.fem.spatial.model import SpatialModel

            return SpatialModel
        from flexarm.methods.fem.model import FemModel

        return FemModel

    def check(self, arm: Arm, wiring: Wiring, options: FemOptions) -> None:
        """Refuse what theories and elements cannot do."""
        if arm.spatial:
            from flexarm.methods.fem.spatial.build import check_spatial

            check_spatial(arm, wiring, options)
            return
        if not arm.serial:
            self._check_tree(arm, wiring, options)
        if arm.payload_link.span <= 0.0:
            raise CapabilityError(
                "the method fem needs a length for the link at whose tip the payload sits",
                field=f"arm.links.{arm.payload_link.name}.length",
            )
        if options.theory == "quasi-static" and any(joint.mode != "motion" for joint in wiring.joints):
            raise CapabilityError(
                "theory quasi-static is for joints that follow a motion; use exact or linear", field="method.theory"
            )

    def _check_tree(self, arm: Arm, wiring: Wiring, options: FemOptions) -> None:
        """Refuse what only serial arms can have."""
        if options.theory not in ("exact", "link"):
            raise CapabilityError(
                f"theory {options.theory} is for serial arms; with loops or branches use exact or link",
                field="method.theory",
            )
        separate = [arm.links[i].name for i, goes_on in chain_order(arm) if not goes_on]
        for joint in wiring.joints:
            own = arm.link(joint.name).joint
            geared = own.gear is not None and own.rotor_inertia > 0.0
            if joint.name in separate and (joint.spring or geared):
                what = "series spring" if joint.spring else "rotor behind a gear"
                raise CapabilityError(
                    f"the method fem takes a {what} only at joints on the ground or on the tip of a link, one per "
                    f"tip; '{joint.name}' does not stand so: take it away, or use modes",
                    field=f"arm.links.{joint.name}.joint",
                )


METHOD = FiniteElements()
