"""The methods. Adding one means one new folder and one line in `_METHODS`."""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING

from flexarm.errors import CapabilityError

if TYPE_CHECKING:
    from flexarm.methods.base import Method

_METHODS = ("fd", "fem", "ancf")


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
