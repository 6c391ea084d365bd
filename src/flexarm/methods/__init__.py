"""The methods. Adding one means one new folder and one line in `_METHODS`."""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any

from flexarm.errors import CapabilityError

if TYPE_CHECKING:
    from flexarm.methods.base import Method

_METHODS = ("fd", "fem", "segments", "modes", "ancf")


def method_names() -> tuple[str, ...]:
    """Names of the methods that this version has."""
    return _METHODS


@functools.cache
def get_method(name: str) -> Method:
    """The method called `name`."""
    if name not in _METHODS:
        raise CapabilityError(
            f"there is no method '{name}' in this version; available: {', '.join(_METHODS)}",
            field="method.name",
        )
    return importlib.import_module(f"flexarm.methods.{name}").METHOD


def __getattr__(name: str) -> Any:
    """The folder of a method, imported when it is asked for."""
    if name in _METHODS:
        return importlib.import_module(f"flexarm.methods.{name}")
    raise AttributeError(f"module 'flexarm.methods' has no attribute '{name}'")
