"""The method `segments` as a value: what it can do, and what is not supported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.arm import Arm
from flexarm.methods.base import Capabilities, Method
from flexarm.methods.segments.options import SegmentsOptions

if TYPE_CHECKING:
    from flexarm.methods.segments.model import SegmentsModel


class FiniteSegments(Method):
    """Planar serial arms of rigid segments and springs."""

    name = "segments"
    title = "Finite segments: planar serial arms of rigid pieces and springs"
    reference = "H. Li and X. Zhang, flexible manipulators by the transfer matrix method with finite segments"
    Options = SegmentsOptions
    capabilities = Capabilities(friction=False, chord_control=False)

    def model_for(self, arm: Arm, options: SegmentsOptions) -> type[SegmentsModel]:
        """The sound form, or the document's own."""
        if options.variant == "paper":
            from flexarm.methods.segments.paper_model import PaperModel

            return PaperModel
        from flexarm.methods.segments.model import SegmentsModel

        return SegmentsModel


METHOD = FiniteSegments()
