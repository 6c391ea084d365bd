"""The base class of everything in the packages `arm` and `drive`: frozen, strict about names."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """A frozen, validated description. Unknown fields are refused; values are SI floats."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_default=True,
        arbitrary_types_allowed=False,
        populate_by_name=True,
    )
