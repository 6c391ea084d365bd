"""Options of the assumed-modes method."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from flexarm.arm.base import Part, Truth
from flexarm.arm.quantity import Inertia, Mass
from flexarm.methods.base import MethodOptions

ModeCount = Annotated[int, Field(ge=1, le=60)]
Kind = Literal["component", "clamped-free", "clamped-mass", "pinned-pinned", "pinned-free"]


TORSION, AXIAL = 2, 1
"""Shapes of links in space where nothing is said."""


class Shapes(Part):
    """A family of shapes with its figures; where there are none, a file writes its name alone."""

    type: Kind = Field(default="component", description="Family of shapes")
    mass: Mass | None = Field(
        default=None, description="clamped-mass: mass at the tip; that of all the tip carries when left out"
    )
    inertia: Inertia | Literal["carried"] = Field(
        default=0.0, description="clamped-mass: rotary inertia at the tip; carried means that of all the tip carries"
    )

    @model_validator(mode="after")
    def _fitting(self) -> Shapes:
        if self.type != "clamped-mass" and (self.mass is not None or self.inertia != 0.0):
            raise ValueError(f"shapes of type {self.type} have no mass or inertia at the tip; use clamped-mass")
        return self


class ModesOptions(MethodOptions):
    """What can be chosen for `modes`."""

    resolution: ModeCount | tuple[ModeCount, ...] = Field(
        default=4,
        description="Bending shapes per flexible link, in space in each of its two planes: one number, or one per link",
    )
    shapes: Kind | Shapes | dict[str, Kind | Shapes] = Field(
        default="component",
        description="component (two end shapes and clamped-clamped modes), clamped-free, clamped-mass, pinned-pinned or "
        "pinned-free; one for all links, or by link (component for those not named)",
    )
    axial_modes: Annotated[int, Field(ge=0, le=20)] | None = Field(
        default=None,
        description="Axial shapes per flexible link: even stretch, then sines (in space polynomials); 0: links keep their length; "
        "left out: 0 in the plane, 1 in space",
    )
    torsion_modes: Annotated[int, Field(ge=0, le=20)] | None = Field(
        default=None, description="In space: torsion shapes per flexible link, even twist first; left out: 2"
    )
    stiffening: Literal["auto", "none", "static", "second-order"] = Field(
        default="auto",
        description="How axial forces act on bending: none; static: geometric stiffness of the forces in the equilibrium "
        "of the start pose; second-order: shortening by bending in the kinematics, right in any motion; auto: second-order "
        "where gravity or turning loads the links",
    )
    rotary_inertia: Truth = Field(default=False, description="Rotary inertia of the cross sections")
    loops: Literal["closed", "cut-absolute", "cut-relative"] = Field(
        default="closed",
        description="cut: frequencies of the opened tree with every frame held, its angle absolute or relative to the "
        "section before it (how such mechanisms were once treated); such a model cannot be run",
    )
    integrator: Literal["auto", "lobatto", "radau"] = Field(
        default="auto",
        description="lobatto: order 4, keeps energy; radau: order 3, damps what is faster than the step; auto: radau if a law "
        "is sampled, whose torque jumps at every tick, else lobatto",
    )
    tolerance: Annotated[float, Field(gt=0.0, le=1e-4)] = Field(
        default=1e-11, description="Newton's method ends when corrections of positions (m, rad) are below this"
    )
    iterations: Annotated[int, Field(ge=2, le=100)] = Field(default=15, description="Most Newton iterations of a step")
    singular: Annotated[float, Field(ge=0.0, lt=0.1)] = Field(
        default=1e-3,
        description="The run stops when the smallest singular value of the loop equations is below this share of the "
        "largest; ten times as much gives a warning",
    )

    @property
    def stretches(self) -> int:
        """Axial shapes of links in the plane."""
        return self.axial_modes or 0

    def counts(self, bending: int) -> tuple[int, int, int]:
        """Shapes of a link in space: bending in each plane, torsion, axial."""
        torsion = TORSION if self.torsion_modes is None else self.torsion_modes
        return bending, torsion, AXIAL if self.axial_modes is None else self.axial_modes

    def coarser(self, times: int) -> Any:
        """The same with one bending shape less, `times` times."""
        return self._with_parts(lambda n: max(1, n - times))

    def finer(self, times: int) -> Any:
        """The same with two bending shapes more, `times` times: one of two neighbours may not take part in a motion."""
        return self._with_parts(lambda n: n + 2 * times)

    @field_validator("shapes", mode="before")
    @classmethod
    def _one_for_all(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, dict) and "type" in value:
            return Shapes.model_validate(value, context=info.context)
        return value

    def shapes_of(self, link: str) -> Shapes:
        """The family of a link."""
        found = self.shapes.get(link, "component") if isinstance(self.shapes, dict) else self.shapes
        return Shapes(type=found) if isinstance(found, str) else found
