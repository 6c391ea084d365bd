"""What the parts of a paper share: numbers stored beside the code, and runs that are made once."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def stored(folder: str, name: str = "numbers.json") -> Any:
    """A JSON file in the folder of a paper: numbers of the document, reference values, misprints."""
    return json.loads(files(f"flexarm.papers.{folder}").joinpath(name).read_text(encoding="utf-8"))


class Cache:
    """Things that are made once and cached by their inputs."""

    def __init__(self) -> None:
        self._cached: dict[Any, Any] = {}

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, made when the key is asked for first."""
        if key not in self._cached:
            self._cached[key] = make()
        return self._cached[key]
