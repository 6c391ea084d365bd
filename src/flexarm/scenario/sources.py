"""Where scenarios come from: the bundled library, or files."""

from __future__ import annotations

import os
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from pathlib import Path

from flexarm.errors import ScenarioError
from flexarm.scenario.node import Node
from flexarm.scenario.yaml_tree import file_text, read_file, read_text

SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class Source:
    """A scenario as it was found.

    Attributes
    ----------
    node : Node
        Its data, `extends` not yet followed.
    name : str
        Bundled name, or path as given.
    folder : Path or None
        Folder from which its relative paths count; None for bundled ones.
    key : str
        Same for the same file, however it was named.
    """

    node: Node
    name: str
    folder: Path | None
    key: str


@lru_cache(maxsize=1)
def bundled_names() -> tuple[str, ...]:
    """Names of the bundled scenarios, in alphabetical order."""
    return tuple(sorted(entry.name[: -len(".yaml")] for entry in _library().iterdir() if entry.name.endswith(".yaml")))


def _library():  # type: ignore[no-untyped-def]
    return resources.files("flexarm.scenario") / "library"


def is_path(name: str) -> bool:
    """True if a text means a file and not a bundled scenario."""
    return name.lower().endswith(SUFFIXES) or "/" in name or os.sep in name


def find(name: str | Path, folder: Path | None = Path()) -> Source:
    """The scenario of a bundled name or a path.

    Parameters
    ----------
    name : str or Path
        Bundled name, path of a YAML file, or the name of such a file in `folder` without its ending.
    folder : Path or None
        Where relative paths begin; None if there is no such place, so that only bundled names can be found.
    """
    text = str(name)
    beside = None if is_path(text) or text in bundled_names() else _beside(text, folder)
    if beside is not None:
        name = beside
    if isinstance(name, Path) or is_path(text):
        if folder is None:
            raise ScenarioError(
                f"'{text}' is a file, but this scenario has no folder to look in: use a bundled name "
                f"({', '.join(bundled_names())})"
            )
        path = folder / name
        try:
            key = str(path.resolve())
        except (OSError, ValueError, RuntimeError):
            key = str(path)
        return Source(read_file(path, str(path)), str(path), path.parent, key)
    if text in bundled_names():
        return Source(read_text(_bundled_text(text), f"{text}.yaml"), text, None, f"bundled {text}")
    raise ScenarioError(_unknown(text))


def source_text(name: str) -> str:
    """The file of a scenario as it stands: bundled, or a path as `find` takes it."""
    if name in bundled_names():
        return _bundled_text(name)
    path = find(name).name
    return file_text(Path(path), path)


def _bundled_text(name: str) -> str:
    return (_library() / f"{name}.yaml").read_text(encoding="utf-8")


def _beside(name: str, folder: Path | None) -> Path | None:
    """The file of that name in `folder`, its ending left out; a bundled name comes first."""
    if folder is None:
        return None
    return next((Path(name + s) for s in SUFFIXES if _exists(folder / (name + s))), None)


def _unknown(name: str) -> str:
    near = get_close_matches(name, bundled_names(), 3, 0.5)
    if near:
        hint = f"did you mean {' or '.join(repr(n) for n in near)}?"
    else:
        hint = f"there are {', '.join(bundled_names())}."
    return f"there is no bundled scenario '{name[:80]}'; {hint} The path of a file must end in .yaml"


def _exists(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
