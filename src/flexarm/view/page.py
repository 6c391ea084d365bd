"""One HTML page that needs no other file: the frame, pictures inside it, tables."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from flexarm.view.files import png

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAIN = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "td{padding:.15em 1em .15em 0;vertical-align:top}img{width:100%}"
)
"""The style of a short page."""


def page(title: str, body: str, style: str = PLAIN) -> str:
    """A whole page in English; `body` is HTML, `title` a text."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>{style}</style></head>\n<body>{body}</body></html>\n"
    )


def png_data(figure: Figure, dpi: int = 130) -> str:
    """A figure as the address of an image that holds its own data."""
    return "data:image/png;base64," + base64.b64encode(png(figure, dpi)).decode("ascii")


def image(name: str, data: str) -> str:
    """An image whose data stand in the page."""
    return f'<img alt="{html.escape(name)}" src="{data}">'


def table(rows: Iterable[Sequence[str]], head: Sequence[str] = (), raw: bool = False) -> str:
    """A table of texts, with or without a head; with `raw` the cells of its rows are HTML already."""
    top = f"<thead>{_row(head, 'th')}</thead>" if head else ""
    return f"<table>{top}<tbody>{''.join(_row(row, 'td', raw) for row in rows)}</tbody></table>"


def _row(cells: Sequence[str], kind: str, raw: bool = False) -> str:
    return "<tr>" + "".join(f"<{kind}>{cell if raw else html.escape(cell)}</{kind}>" for cell in cells) + "</tr>"
