"""The shapes that a path can have, found by their name."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from flexarm.drive.paths.shapes import CirclePath, LinePath, PathShape, PolygonPath, SplinePath, SquarePath
from flexarm.drive.paths.table import TablePath

PATH_SHAPES = ("circle", "line", "polygon", "spline", "square", "table")


def _known(value: Any) -> Any:
    """Say in words which shapes there are."""
    if isinstance(value, PathShape):
        return value
    if not isinstance(value, dict):
        raise ValueError("write the path as a mapping, for example {shape: circle, center: [...], radius: ...}")
    name, listed = value.get("shape"), ", ".join(PATH_SHAPES)
    if name is None:
        raise ValueError(f"the path needs a shape: {listed}")
    if name not in PATH_SHAPES:
        near = get_close_matches(str(name), PATH_SHAPES, 1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        raise ValueError(f"a path cannot have the shape '{name}'{hint}; it can be {listed}")
    return value


TipPath = Annotated[
    Annotated[CirclePath | LinePath | PolygonPath | SplinePath | SquarePath | TablePath, Field(discriminator="shape")],
    BeforeValidator(_known),
]
"""A path as a scenario describes it."""
