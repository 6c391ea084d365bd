"""Options of the finite-element method."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from flexarm.methods.base import MethodOptions, SpectralRadius
from flexarm.methods.left_out import Counted

Elements = Annotated[int, Field(ge=1, le=2000)]


class FemOptions(MethodOptions):
    """What can be chosen for `fem`."""

    resolution: Elements | tuple[Elements, ...] = Field(
        default=8, description="Elements per link: one number, or one per link"
    )
    order: Literal[1, 2, 3] = Field(default=1, description="Polynomial order of the elements")
    integration: Literal["reduced", "exact"] = Field(
        default="reduced",
        description="reduced: as many points as the order, free of locking; exact: shows shear locking",
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


def counted_by(options: FemOptions) -> Counted:
    """What beams and theory count of every link."""
    order = None if options.theory == "exact" else 1
    return Counted(options.beams == "timoshenko", options.beams != "inextensible", order)
