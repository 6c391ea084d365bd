"""The load at the tip of a link."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from flexarm.arm.base import Part
from flexarm.arm.quantity import Inertia, Length, Mass


class Payload(Part):
    """A rigid body fixed to the tip of a link, its centre `offset` from the tip.

    One number for `offset` goes on along the link's beam; ``[x, y]`` or ``[x, y, z]`` places it freely in link axes (see
    `flexarm.rigid.beam`), as `Body.center` does from the joint. Three numbers of `inertia` are about those axes.

    Examples
    --------
    >>> Payload(mass=0.05, offset=0.02).offset_vector
    (0.02, 0.0, 0.0)
    """

    link: str | None = Field(default=None, description="Link that carries it; default the last link")
    mass: Mass = Field(default=0.0, description="Mass")
    inertia: Inertia | Annotated[tuple[Inertia, ...], Field(min_length=3, max_length=3)] = Field(
        default=0.0, description="Rotary inertia about its own centre; three numbers in space, about the link axes"
    )
    offset: Length | Annotated[tuple[Length, ...], Field(min_length=2, max_length=3)] = Field(
        default=0.0, description="Centre of mass from the tip: along the link, or in link axes"
    )

    @property
    def offset_vector(self) -> tuple[float, float, float]:
        """Offset of a planar arm as (x, y, z) in m; in space a single number goes along the beam (`rigid.beam.carried`)."""
        if isinstance(self.offset, tuple):
            x, y, *z = self.offset
            return (x, y, z[0] if z else 0.0)
        return (self.offset, 0.0, 0.0)

    @property
    def inertia_z(self) -> float:
        """Rotary inertia about the normal of a planar arm, kg m^2."""
        return self.inertia[2] if isinstance(self.inertia, tuple) else self.inertia
