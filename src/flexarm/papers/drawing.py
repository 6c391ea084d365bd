"""The figures of a paper into files, with their captions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.errors import OutputError
from flexarm.files import make_folder, refuse_existing, write_text
from flexarm.view.files import checked_formats, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexarm.papers.paper import Drawing, Paper


def draw_figures(
    paper: Paper,
    folder: str | Path,
    formats: str | Sequence[str] = ("png",),
    force: bool = False,
    names: Sequence[str] | None = None,
    progress: Callable[[int, int, str], Any] | None = None,
    drawn: Callable[[Drawing, Figure], Any] | None = None,
) -> list[Path]:
    """Write the figures of a paper as ``<name>.<format>``, and ``captions.md``.

    Nothing is written if a name or a format is unknown, or if a file is there already and `force` is false.

    Parameters
    ----------
    paper : Paper
        From `get_paper`.
    folder : str or Path
        Where; made if it does not exist.
    formats : str or sequence of str
        Any of png, pdf, svg.
    force : bool
        Whether existing files may be replaced.
    names : sequence of str, optional
        Which figures; all by default.
    progress : callable, optional
        Called with (done, all, what) after each figure.
    drawn : callable, optional
        Called with each figure and its picture, once its files are written.

    Returns
    -------
    list of Path
        The files, captions last.
    """
    folder = Path(folder)
    chosen = _chosen(paper, names)
    kinds = checked_formats(formats)
    captions = folder / "captions.md"
    for path in [folder / f"{item.name}.{kind}" for item in chosen for kind in kinds] + [captions]:
        refuse_existing(path, force)
    make_folder(folder)
    written: list[Path] = []
    for done, item in enumerate(chosen, start=1):
        picture = item.draw()
        written += [
            save(picture, folder / f"{item.name}.{kind}", force, title=f"{paper.title}: {item.name}") for kind in kinds
        ]
        if drawn is not None:
            drawn(item, picture)
        if progress is not None:
            progress(done, len(chosen), item.name)
    return [*written, write_text(captions, _captions(paper, chosen), force)]


def _chosen(paper: Paper, names: Sequence[str] | None) -> list[Drawing]:
    drawings = {item.name: item for item in paper.figures()}
    if names is None:
        return list(drawings.values())
    for name in names:
        if name not in drawings:
            raise OutputError(f"The paper '{paper.id}' has no figure '{name}'; it has {', '.join(drawings)}.")
    return [drawings[name] for name in dict.fromkeys(names)]


def _captions(paper: Paper, drawings: Sequence[Drawing]) -> str:
    lines = [f"# Figures: {paper.title}", "", f"After {paper.source}.", ""]
    for item in drawings:
        lines += [f"- **{item.name}**: {item.caption}"]
    return "\n".join(lines) + "\n"
