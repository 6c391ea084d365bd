"""A changed scenario as a file that extends the one it came from."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flexarm.scenario.dump import file_form, write_yaml
from flexarm.scenario.model import Scenario
from flexarm.scenario.reader import load


def extension_text(base: Scenario, changed: Scenario, head: Mapping[str, Any], folder: Path) -> str:
    """The text of the file: name and other entries of `head`, `extends`, and what is different; complete if `base` is no file, or was
    changed since it was read.

    Parameters
    ----------
    base, changed : Scenario
        Where it came from, and what it has become.
    head : mapping
        ``name`` and ``about``.
    folder : Path
        Where the file will stand.
    """
    if not base.source or load(base.source) != base:
        return write_yaml({**file_form(changed), **head})
    path = Path(base.source)
    extends = os.path.relpath(path, folder) if path.is_file() else base.source
    return write_yaml({**head, "extends": Path(extends).as_posix(), **_different(base.tree, changed.tree)})


def _different(base: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Entries that are new or different; lists as a whole, and none for what was taken away, as `extends` wants it."""
    found: dict[str, Any] = {}
    for key in [*changed, *(key for key in base if key not in changed)]:
        old, new = base.get(key), changed.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            if inner := _different(old, new):
                found[key] = inner
        elif old != new:
            found[key] = new
    return {key: value for key, value in found.items() if key not in ("name", "about")}
