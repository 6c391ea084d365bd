"""Figures into files, in the formats that papers and pages take."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.errors import OutputError
from flexarm.files import whole_file
from flexarm.view.style import DPI, styled

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
    dateless: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
    with whole_file(path, force) as temporary:
        if kind == "png":
            temporary.write_bytes(png(picture, title=title))
        else:
            picture.savefig(temporary, format=kind, metadata={"Title": title, **dateless[kind]})
    return path


@styled
def png(picture: Figure, dpi: float = DPI, title: str = "") -> bytes:
    """A figure as the content of a PNG file: drawn once (``savefig`` draws twice), packed quickly."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image, PngImagePlugin

    usual, canvas = picture.dpi, FigureCanvasAgg(picture)
    picture.set_dpi(dpi)
    try:
        canvas.draw()
        size = canvas.get_width_height(physical=True)
        image = Image.frombuffer("RGBA", size, canvas.buffer_rgba(), "raw", "RGBA", 0, 1).convert("RGB")
    finally:
        picture.set_dpi(usual)
        FigureCanvasAgg(picture)  # lets go of the drawn pixels
    words = PngImagePlugin.PngInfo()
    if title:
        words.add_text("Title", title)
    content = io.BytesIO()
    image.save(content, format="png", compress_level=1, dpi=(dpi, dpi), pnginfo=words)
    return content.getvalue()
