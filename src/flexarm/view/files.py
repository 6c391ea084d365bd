"""Figures into files, in the formats that papers and pages take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.errors import OutputError
from flexarm.files import whole_file
from flexarm.view.style import styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "pdf", "svg")


def checked_formats(formats: str | Sequence[str]) -> list[str]:
    """Formats of figures, each once; refuses unknown ones."""
    kinds = [formats] if isinstance(formats, str) else list(dict.fromkeys(formats))
    for kind in kinds:
        if kind not in FORMATS:
            raise OutputError(f"There is no figure format '{kind}'; formats are {', '.join(FORMATS)}.")
    return kinds


@styled
def save(picture: Figure, path: str | Path, force: bool = False, title: str = "") -> Path:
    """Write a figure to a file whose name ends in .png, .pdf or .svg: as a whole or not at all."""
    path = Path(path)
    kind = path.suffix[1:].lower()
    if kind not in FORMATS:
        raise OutputError(f"'{path.name}' should end in {', '.join('.' + f for f in FORMATS)}.")
    # without dates the same figure gives the same file
    dateless: dict[str, dict[str, Any]] = {"png": {}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}
    with whole_file(path, force) as temporary:
        picture.savefig(temporary, format=kind, metadata={"Title": title, **dateless[kind]})
    return path
