"""The load at the tip of a link."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import Field, field_validator

from flexarm.arm.base import Part
from flexarm.arm.body import Tensor, check_tensor, tensor_of
from flexarm.arm.quantity import Length, Mass


class Payload(Part):
    """A rigid body fixed to the tip of a link, its centre `offset` from the tip.

    One number for `offset` goes on along the link's beam; ``[x, y]`` or ``[x, y, z]`` places it freely in link axes (see
    `flexarm.rigid.beam`), as `Body.center` does from the joint. Three or six numbers of `inertia` are about those axes. An arm
    with a `tool` has both in the tool's frame.

    Examples
    --------
    >>> Payload(mass=0.05, offset=0.02).offset_vector
    (0.02, 0.0, 0.0)
    """

    link: str | None = Field(default=None, description="Link that carries it; default the last link")
    mass: Mass = Field(default=0.0, description="Mass")
    inertia: Tensor = Field(
        default=0.0,
        description="Rotary inertia about its own centre; in space three numbers or six (as of a body), about the link axes",
    )
    offset: Length | Annotated[tuple[Length, ...], Field(min_length=2, max_length=3)] = Field(
        default=0.0,
        description="Centre of mass from the tip: along the link, or in link axes; those of the tool if there is one",
    )

    _sound = field_validator("inertia")(check_tensor)

    @property
    def offset_vector(self) -> tuple[float, float, float]:
        """Offset of a planar arm as (x, y, z) in m; in space a single number goes along the beam (`rigid.beam.carried`)."""
        if isinstance(self.offset, tuple):
            x, y, *z = self.offset
            return (x, y, z[0] if z else 0.0)
        return (self.offset, 0.0, 0.0)

    @property
    def tensor(self) -> np.ndarray:
        """Inertia about its own centre, kg m^2, (3, 3)."""
        return tensor_of(self.inertia)

    @property
    def inertia_z(self) -> float:
        """Rotary inertia about the normal of a planar arm, kg m^2."""
        return self.inertia[2] if isinstance(self.inertia, tuple) else self.inertia
