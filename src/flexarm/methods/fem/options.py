"""Options of the finite-element method."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from flexarm.methods.base import MethodOptions, SpectralRadius
from flexarm.methods.left_out import Counted

Elements = Annotated[int, Field(ge=1, le=2000)]


class FemOptions(MethodOptions):
    """What can be chosen for `fem`."""

    resolution: Elements | tuple[Elements, ...] = Field(
        default=8, description="Elements per link: one number, or one per link"
    )
    order: Literal[1, 2, 3] = Field(default=1, description="Polynomial order of the elements")
    integration: Literal["corrected", "reduced", "exact"] = Field(
        default="corrected",
        description="corrected: one point in two-node elements, with the bending that it does not see and with masses in the nodes, "
        "of fourth order; reduced: as many points as the order, free of locking, what is meant when a resolution is given; exact: "
        "shows shear locking",
    )
    beams: Literal["timoshenko", "euler-bernoulli", "inextensible"] = Field(
        default="timoshenko",
        description="timoshenko: sections shear and have rotary inertia; euler-bernoulli: a thousand times stiffer in shear and "
        "with a thousandth of the rotary inertia; inextensible: the same, and a thousand times stiffer along the axis",
    )
    theory: Literal["exact", "link", "linear", "quasi-static"] = Field(
        default="exact",
        description="exact: geometrically exact; link: small strains in frames that ride on the links' bases; linear: "
        "small displacements about the commanded motion; quasi-static: the same without the inertia of deformation",
    )
    integrator: Literal["generalised-alpha", "newmark"] = Field(
        default="generalised-alpha", description="newmark: average acceleration, no numerical loss in linear motion"
    )
    spectral_radius: SpectralRadius = 0.9
    tolerance: Annotated[float, Field(gt=0.0, le=1e-3)] = Field(
        default=1e-10, description="When Newton's method ends, see criterion"
    )
    criterion: Literal["increment", "energy"] = Field(
        default="increment",
        description="increment: corrections below tolerance times the arm's length; energy: work of the correction below "
        "tolerance times that of the first one",
    )
    iterations: Annotated[int, Field(ge=1, le=100)] = Field(default=12, description="Most Newton iterations of a step")

    @model_validator(mode="before")
    @classmethod
    def _own_mesh(cls, values: Any) -> Any:
        """A mesh that is left to the program is corrected; one that is asked for is that of the document."""
        if isinstance(values, dict) and "integration" not in values:
            plain = "resolution" in values or values.get("order", 1) != 1
            return {**values, "integration": "reduced" if plain else "corrected"}
        return values

    @model_validator(mode="after")
    def _correctable(self) -> FemOptions:
        if self.integration == "corrected" and self.order > 1:
            raise ValueError("integration: corrected is for elements of order 1; use reduced")
        return self

    def mesh(self, resolution: Any) -> dict[str, Any]:
        """What to write in a file for the same elements in another number."""
        return {**super().mesh(resolution), "method.integration": self.integration}

    @property
    def mesh_order(self) -> int:
        """Order of natural frequencies in the mesh."""
        return 4 if self.integration == "corrected" else 2 * self.order


def counted_by(options: FemOptions) -> Counted:
    """What beams and theory count of every link."""
    order = None if options.theory == "exact" else 1
    return Counted(options.beams == "timoshenko", options.beams != "inextensible", order)
