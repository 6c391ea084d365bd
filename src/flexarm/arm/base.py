"""The base class of everything in `arm` and `drive`: frozen, strict about names."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, Strict

Truth = Annotated[bool, Strict()]
"""true or false; a number or a text is none."""

Label = Annotated[str, Field(min_length=1, max_length=100)]
"""A name that stands in results and figures."""


class Part(BaseModel):
    """A frozen, validated description. Unknown fields are refused; values are SI floats."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        validate_default=True,
        arbitrary_types_allowed=False,
        populate_by_name=True,
        defer_build=True,  # most parts are only ever used within others, whose rules hold theirs
    )
