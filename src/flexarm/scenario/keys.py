"""Which keys are allowed at a place: the models, asked along the path of a validation error."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel


def allowed_keys(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    """Keys that the mapping at `location` may have, in the order of the models.

    Parameters
    ----------
    model : type
        Model of the whole.
    location : sequence
        Path of a validation error, without the wrong key itself; it may hold names of union branches.
    """
    names: list[str] = []
    for candidate in models_at(model, location):
        names.extend(name for name in field_keys(candidate) if name not in names)
    return names


def field_keys(model: type[BaseModel]) -> dict[str, Any]:
    """Keys in a file of the fields of a model, and the annotations of these fields."""
    return {field.alias or name: field.annotation for name, field in model.model_fields.items() if not field.exclude}


def models_at(model: type[BaseModel], location: Sequence[str | int]) -> list[type[BaseModel]]:
    """Models that may stand at a place."""
    candidates: list[Any] = [model]
    for step in location:
        following = [new for old in candidates for new in _below(old, step)]
        if following:
            candidates = following
        else:
            # the step names a branch of a union, not a key
            candidates = [c for c in candidates if _is_branch(c, step)] or candidates
    return [c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)]


def _below(candidate: Any, step: str | int) -> list[Any]:
    if isinstance(candidate, type) and issubclass(candidate, BaseModel):
        annotation = field_keys(candidate).get(step) if isinstance(step, str) else None
        return [] if annotation is None else unfold(annotation)
    origin, args = get_origin(candidate), get_args(candidate)
    if isinstance(step, int) and origin in (tuple, list) and args:
        return unfold(args[0])
    if isinstance(step, str) and origin is dict:
        return unfold(args[1])
    return []


def _is_branch(candidate: Any, label: str | int) -> bool:
    if not (isinstance(candidate, type) and issubclass(candidate, BaseModel)):
        return False
    literals = [annotation for annotation in field_keys(candidate).values() if get_origin(annotation) is Literal]
    return candidate.__name__ == label or any(label in get_args(literal) for literal in literals)


def unfold(annotation: Any) -> list[Any]:
    """Members of a union, without the wrapping of Annotated."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return unfold(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return [inner for arg in get_args(annotation) for inner in unfold(arg)]
    return [annotation]
