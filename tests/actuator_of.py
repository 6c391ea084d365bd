"""Actuators as a file describes them."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from flexarm.drive.actuators import Actuator, AnyActuator


def actuator_of(**fields: Any) -> Actuator:
    """The actuator with these fields."""
    return TypeAdapter(AnyActuator).validate_python(fields)
