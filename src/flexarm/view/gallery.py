"""A page of runs, each with its moving arm, figures, numbers in sentences, its file and the command that runs it.

The page is written anew whenever another run is done. While some are still coming it looks every other second whether there are
more (a script beside it says how many), and if so loads itself again.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flexarm.files import write_text
from flexarm.view.page import page
from flexarm.view.player import player_script

PAGE, SCRIPT, COUNT = "index.html", "player.js", "done.js"
STYLE = """
body{font:16px/1.5 sans-serif;max-width:66em;margin:0 auto;padding:0 1em 4em;color:#222;background:#fafafa}
h1{margin:1em 0 .2em}h2{margin:0;font-size:1.25em}
section{margin:1.6em 0;padding:1em 1.1em;background:#fff;border:1px solid #e2e2e2;border-radius:8px}
.from{color:#666;margin:.1em 0 .8em;font-size:.9em}.coming{color:#666;font-style:italic}.failed{color:#b00020}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19em),1fr));gap:1em;margin:1em 0}
figure{margin:0}figcaption{font-size:.85em;color:#666}figure img{width:100%;display:block}
pre{overflow:auto;background:#f4f4f4;padding:.8em 1em;border-radius:6px;font-size:13px;line-height:1.35}
.command{background:#222;color:#eee}summary{cursor:pointer}nav a{margin-right:1.1em;white-space:nowrap}
@media (max-width:40em){section{padding:.8em .6em}body{padding:0 .4em 3em}}
"""
PLAY = """
const seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
  if (!target.player && isIntersecting) {
    target.player = FlexarmPlayer(target, JSON.parse(document.getElementById(target.dataset.of).textContent));
    target.wanted = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  }
  if (!target.player) return;
  if (!isIntersecting) { target.wanted = target.player.state.playing; target.player.pause(); }
  else if (target.wanted) target.player.play();
}));
document.querySelectorAll(".player").forEach((element) => seen.observe(element));
"""
LOOK = """
setInterval(() => {
  const script = document.createElement("script");
  script.src = `COUNT?${Date.now()}`;
  script.onload = () => { script.remove(); if (window.flexarmDone > NOW) location.reload(); };
  document.head.append(script);
}, 2000);
"""


@dataclass(frozen=True)
class Piece:
    """One run on the page.

    Attributes
    ----------
    name : str
        Of the scenario; also the folder of its files beside the page.
    title, source, about : str
        What it is, where it comes from, and what it shows.
    sentences : tuple of str
        What was found.
    trouble : str
        How it failed, if it did.
    film : dict or None
        What the player shows (`player_data`).
    pictures : tuple of (str, str)
        Names of picture files in its folder, and what they show.
    text, command : str
        The scenario file, and the command that runs it.
    """

    name: str
    title: str
    source: str = ""
    about: str = ""
    sentences: tuple[str, ...] = ()
    trouble: str = ""
    film: dict[str, Any] | None = None
    pictures: tuple[tuple[str, str], ...] = ()
    text: str = ""
    command: str = ""


@dataclass
class Gallery:
    """The page, written anew with every run that is done.

    Attributes
    ----------
    folder : Path
        Where it is written.
    title, intro : str
        What stands above the runs.
    planned : sequence of Piece
        All runs in the order of the page, with name and title; what is done replaces them.
    """

    folder: Path
    title: str
    intro: str
    planned: Sequence[Piece]
    done: dict[str, Piece] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The page."""
        return self.folder / PAGE

    def add(self, *pieces: Piece, ended: bool = False) -> None:
        """Put runs on the page and write it; `ended`: nothing more will come."""
        self.done.update({piece.name: piece for piece in pieces})
        write_text(self.folder / SCRIPT, player_script(), force=True)
        write_text(self.path, self.html(ended), force=True)
        write_text(self.folder / COUNT, f"window.flexarmDone = {len(self.done) + ended};\n", force=True)

    def html(self, ended: bool = False) -> str:
        """The whole page."""
        coming = [piece for piece in self.planned if piece.name not in self.done]
        links = "".join(f'<a href="#{piece.name}">{html.escape(piece.title)}</a> ' for piece in self.planned)
        body = f"<h1>{html.escape(self.title)}</h1><p>{html.escape(self.intro)}</p>"
        if coming:
            state = "were not computed" if ended else "are still being computed; this page loads itself again with each"
            count = f"{len(coming)} of {len(self.planned)}"
            body += f'<p class="coming">{count} {state}: {html.escape(", ".join(p.title for p in coming))}.</p>'
        body += f"<nav>{links}</nav>"
        body += "".join(_section(self.done.get(piece.name), piece, ended) for piece in self.planned)
        look = LOOK.replace("COUNT", COUNT).replace("NOW", str(len(self.done))) if coming and not ended else ""
        body += f'<script src="{SCRIPT}"></script><script>{PLAY}{look}</script>'
        return page(self.title, body, STYLE)


def _section(piece: Piece | None, planned: Piece, ended: bool) -> str:
    """One run as HTML; without it a place for it."""
    title = html.escape(planned.title)
    if piece is None:
        state = "not computed" if ended else "still being computed"
        return f'<section id="{planned.name}"><h2>{title}</h2><p class="coming">{state}</p></section>'
    parts = [f'<section id="{piece.name}"><h2>{title}</h2>']
    parts += [f'<p class="from">{html.escape(piece.source)}</p>'] if piece.source else []
    parts += [f'<p class="failed">{html.escape(piece.trouble)}</p>'] if piece.trouble else []
    if piece.film is not None:
        data = json.dumps(piece.film, separators=(",", ":")).replace("<", "\\u003c")
        parts.append(f'<div class="player" data-of="{piece.name}-film" style="min-height:180px"></div>')
        parts.append(f'<script type="application/json" id="{piece.name}-film">{data}</script>')
    parts += [f"<p>{html.escape(' '.join(piece.sentences))}</p>"] if piece.sentences else []
    if piece.pictures:
        shown = "".join(_picture(piece.name, file, words) for file, words in piece.pictures)
        parts.append(f'<div class="figures">{shown}</div>')
    parts += [f'<pre class="command">{html.escape(piece.command)}</pre>'] if piece.command else []
    if piece.text:
        parts.append(f"<details><summary>The scenario file</summary><pre>{html.escape(piece.text)}</pre></details>")
    parts += [f"<details><summary>About it</summary><p>{html.escape(piece.about)}</p></details>"] if piece.about else []
    return "".join(parts) + "</section>"


def _picture(folder: str, file: str, words: str) -> str:
    address = f"{folder}/{file}"
    image = f'<img loading="lazy" alt="{html.escape(words)}" src="{address}">'
    return f'<figure><a href="{address}">{image}</a><figcaption>{html.escape(words)}</figcaption></figure>'
