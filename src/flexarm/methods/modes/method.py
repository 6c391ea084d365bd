"""The method `modes` as a value: what it can do, and what it refuses in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flexarm.arm import Arm
from flexarm.errors import CapabilityError
from flexarm.methods.base import Capabilities, Hints, Method, Watch
from flexarm.methods.modes.options import ModesOptions

if TYPE_CHECKING:
    from flexarm.drive import Wiring
    from flexarm.methods.modes.model import ModesModel


class AssumedModes(Method):
    """Planar trees with closed loops, links that bend in assumed shapes."""

    name = "modes"
    title = "Assumed modes: planar trees with closed loops"
    reference = "J. W. Lee, J. D. Huggins and W. J. Book, experimental verification of a large flexible manipulator"
    Options = ModesOptions
    capabilities = Capabilities(
        planar=True, spatial=False, most_links=None, tree=True, loops=True, prismatic=False, torque_driven=True,
        motion_driven=True, flexible_joints=True, taper=True, payload_inertia=True, payload_offset=True,
        payload_change=True, gravity=True, damping=True, equilibrium_start=True, strain=True, patches=False,
        large_rotation=True, large_deformation=False, shear=False,
    )  # fmt: skip

    def build(
        self, arm: Arm, wiring: Wiring, options: Any, watch: Watch | None = None, hints: Hints | None = None
    ) -> ModesModel:
        """The model; spatial arms are refused."""
        self.check(arm, wiring, options)
        from flexarm.methods.modes.model import ModesModel

        return ModesModel(arm, wiring, options, watch or Watch(), hints or Hints())

    def check(self, arm: Arm, wiring: Wiring, options: ModesOptions) -> None:
        """Refuse what this method cannot do."""
        if arm.spatial:
            raise CapabilityError("the method modes is planar; this arm is spatial: use fem", field="arm.links")
        if wiring.patches:
            raise CapabilityError("the method modes has no patches; use fd", field="drive.patch")
        for joint in wiring.joints:
            if joint.law is not None and joint.law.sensor == "chord" and joint.law.period == 0:
                raise CapabilityError(
                    "the method modes has no chord sensor in a continuous law; use hub or motor",
                    field="drive.control.sensor",
                )
        if isinstance(options.resolution, tuple) and len(options.resolution) != len(arm.links):
            raise CapabilityError(
                f"resolution needs one number, or {len(arm.links)}, one per link", field="method.resolution"
            )
        if isinstance(options.shapes, dict):
            flexible = [link.name for link in arm.links if link.flexible]
            for name in options.shapes:
                if name not in flexible:
                    raise CapabilityError(
                        f"there is no flexible link '{name}'; the arm has {', '.join(flexible) or 'none'}",
                        field=f"method.shapes.{name}",
                    )


METHOD = AssumedModes()
