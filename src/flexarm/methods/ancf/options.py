"""Options of the method."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from flexarm.methods.base import MethodOptions, SpectralRadius

Elements = Annotated[int, Field(ge=1, le=500)]


class AncfOptions(MethodOptions):
    """What can be chosen for `ancf`."""

    resolution: Elements | tuple[Elements, ...] = Field(
        default=8, description="Elements per link: one number, or one per link"
    )
    variant: Literal["sound", "paper"] = Field(
        default="sound", description="paper: the continuum element of the document, which locks"
    )
    element: Literal["auto", "shear", "cable"] = Field(
        default="auto",
        description="shear: deforms in shear; cable: does not, for slender links; auto: cable for links that are longer "
        "than 30 times their height",
    )
    plane: Literal["stress", "strain"] = Field(
        default="stress", description="variant paper: what the section does across its width"
    )
    evaluation: Literal["quadrature", "invariants"] = Field(
        default="quadrature",
        description="variant paper: forces by quadrature or by constant matrices; the same answers",
    )
    integrator: Literal["generalised-alpha", "trapezoidal", "conserving"] = Field(
        default="generalised-alpha",
        description="conserving: keeps energy and momentum of undriven arms however long the step",
    )
    spectral_radius: SpectralRadius = 0.9
    solver: Literal["modified", "newton", "broyden"] = Field(
        default="modified",
        description="modified: the tangent is cached as long as it serves; newton: a new one in every iteration; broyden: "
        "cached, with rank-one updates",
    )
    tolerance: Annotated[float, Field(gt=0.0, le=1e-3)] = Field(
        default=1e-11, description="A step ends when corrections are below this share of the arm's length"
    )
    iterations: Annotated[int, Field(ge=1, le=100)] = Field(default=20, description="Most iterations of a step")
    step_error: Annotated[float, Field(gt=0.0, le=1.0)] | None = Field(
        default=1e-3,
        description="Steps whose estimated position error is above this share of the arm's length are taken in parts; "
        "null: never; not for the conserving integrator",
    )
    energy_error: Annotated[float, Field(gt=0.0)] | None = Field(
        default=0.02,
        description="An arm without damping and control stops when the scheme has made or lost more than this share of "
        "the largest energy (after jumps: made); null: never",
    )

    @model_validator(mode="after")
    def _belong_together(self) -> AncfOptions:
        given = self.given()
        if self.variant == "paper" and "element" in given:
            raise ValueError("'element' is for variant: sound; the paper has one element")
        for name in ("plane", "evaluation"):
            if self.variant == "sound" and name in given:
                raise ValueError(f"'{name}' is for variant: paper")
        if self.integrator == "conserving" and "step_error" in given and self.step_error is not None:
            raise ValueError("'step_error' is not for integrator: conserving, which is made for long steps")
        if self.integrator == "conserving" and self.solver == "broyden":
            raise ValueError("integrator: conserving goes with solver: modified or newton")
        return self
