"""Options of the finite-difference method."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from flexarm.methods.base import MethodOptions


class FdOptions(MethodOptions):
    """What can be chosen for `fd`."""

    resolution: Annotated[int, Field(ge=4, le=2000)] = Field(  # type: ignore[assignment]
        default=40, description="Number of sections along the link"
    )
    variant: Literal["sound", "paper"] = Field(
        default="sound",
        description="sound: centred closure with hub and tip rotation as states, second order; "
        "paper: one-sided slopes at hub and tip as in the report, first order",
    )
    scheme: Literal["auto", "leapfrog", "newmark", "exact"] = Field(
        default="auto",
        description="leapfrog: explicit, limited step; newmark: implicit, any step; "
        "exact: modal, exact in time; auto: the cheapest that fits, with the reason in the notes",
    )
    modes: Annotated[int, Field(ge=1)] | None = Field(
        default=None, description="exact: how many of the lowest modes to keep; default all"
    )
    tip: Literal["free", "pinned"] = Field(
        default="free", description="free carries the payload; pinned holds the tip where it starts"
    )

    def coarser(self, times: int) -> Any:
        """A grid has at least four sections."""
        found = super().coarser(times)
        return found if found is not None and found.resolution >= 4 else None

    @field_validator("resolution", mode="before")
    @classmethod
    def _one_link(cls, value: Any) -> Any:
        """One number per link is one number here."""
        return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value

    @model_validator(mode="after")
    def _modes_need_exact(self) -> FdOptions:
        if self.modes is not None and self.scheme != "exact":
            raise ValueError("'modes' goes with scheme: exact")
        return self
