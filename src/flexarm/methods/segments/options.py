"""Options of the finite segments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from flexarm.methods.base import MethodOptions, SpectralRadius

Segments = Annotated[int, Field(ge=1, le=5000)]
FEWEST = 2


class SegmentsOptions(MethodOptions):
    """What can be chosen for `segments`."""

    resolution: Segments | tuple[Segments, ...] = Field(
        default=20, description="Segments per link, at least 2: one number, or one per link"
    )
    variant: Literal["sound", "paper"] = Field(
        default="sound",
        description="sound: angles alone are stepped, Newton's method, any step; paper: the scheme of the document with "
        "transfer matrices and histories of x, y and angle",
    )
    ends: Literal["half", "both", "root", "literal"] | None = Field(
        default=None,
        description="What stands at the ends of a link: half segments (half, default), half springs (both), one at the root "
        "(root), or nothing as the document has it (literal, default of variant paper)",
    )
    springs: Literal["exact", "series"] = Field(
        default="exact",
        description="Springs of a tapered link: integral of 1/EI (exact), or EI at the middle of the segments (series)",
    )
    integrator: Literal["newmark", "generalised-alpha"] = Field(
        default="newmark", description="Time scheme; variant paper is always newmark"
    )
    beta: float | None = Field(
        default=None, gt=0, le=2, description="Newmark's beta; default 1/4, with variant paper 0.7"
    )
    gamma: float | None = Field(
        default=None, ge=0, le=2, description="Newmark's gamma; default 1/2, with variant paper 0.8; more damps"
    )
    spectral_radius: SpectralRadius = 0.9
    tolerance: Annotated[float, Field(gt=0.0, le=1e-3)] = Field(
        default=1e-10, description="Newton's method ends when no angle is corrected by more than this, rad"
    )
    iterations: Annotated[int, Field(ge=1, le=100)] = Field(default=12, description="Most Newton passes of a step")
    arms: Literal["taylor", "frozen", "newton"] = Field(
        default="taylor",
        description="Variant paper, lever arms of the forces: expanded about the last step (taylor), kept from it (frozen), "
        "or iterated (newton)",
    )
    solution: Literal["product", "riccati"] = Field(
        default="product",
        description="Variant paper: matrices multiplied out (product), or swept from tip to root, safe for any step (riccati)",
    )

    @model_validator(mode="after")
    def _consistent(self) -> SegmentsOptions:
        counts = self.resolution if isinstance(self.resolution, tuple) else (self.resolution,)
        if min(counts) < FEWEST:
            raise ValueError(f"resolution: a link needs at least {FEWEST} segments to bend, not {min(counts)}")
        paper = self.variant == "paper"
        if not paper:
            wrong = [name for name in ("arms", "solution") if name in self.given()]
            if wrong:
                raise ValueError(f"{' and '.join(wrong)}: only with variant paper")
        elif self.integrator != "newmark":
            raise ValueError("integrator: variant paper knows newmark alone; choose variant sound")
        if self.integrator == "newmark":
            check_newmark(*self.newmark)
        elif self.beta is not None or self.gamma is not None:
            raise ValueError("beta and gamma belong to integrator newmark; generalised-alpha has spectral_radius")
        return self

    @property
    def newmark(self) -> tuple[float, float]:
        """beta and gamma of Newmark's scheme."""
        paper = self.variant == "paper"
        beta = self.beta if self.beta is not None else 0.7 if paper else 0.25
        gamma = self.gamma if self.gamma is not None else 0.8 if paper else 0.5
        return beta, gamma

    @property
    def scheme(self) -> tuple[float, float, float, float]:
        """beta, gamma, alpha_m, alpha_f of the time scheme."""
        if self.integrator == "newmark":
            return (*self.newmark, 0.0, 0.0)
        rho = self.spectral_radius
        am, af = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
        return 0.25 * (1.0 - am + af) ** 2, 0.5 - am + af, am, af

    @property
    def end_rule(self) -> str:
        """What stands at the ends of a link."""
        return self.ends or ("literal" if self.variant == "paper" else "half")


def check_newmark(beta: float, gamma: float) -> None:
    """Refuse a pair that is not stable for every step."""
    if gamma < 0.5:
        raise ValueError(f"gamma is {gamma:g}: below 1/2 Newmark's scheme feeds energy in and every vibration grows")
    if 2.0 * beta < gamma:
        raise ValueError(
            f"beta is {beta:g}, but 2 beta must not be below gamma ({gamma:g}): else the fast modes of the segments grow "
            f"without bound; give beta of at least {gamma / 2:g}"
        )
