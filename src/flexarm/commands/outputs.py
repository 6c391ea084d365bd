"""Files of a run: where they go, what may be replaced, and writing them one after the other."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flexarm.commands.console import json_text
from flexarm.commands.options import checked_formats, listed
from flexarm.errors import DiskFull, FlexarmError, OutputError
from flexarm.files import reason, write_text

if TYPE_CHECKING:
    from flexarm.result import Result
    from flexarm.simulation.progress import Progress

DATA, SUMMARY, SCENARIO, TABLE = "run.nc", "summary.json", "scenario.yaml", "run.csv"
FILM, VIDEO = "animation.gif", "animation.mp4"
PART = "run-shortened.nc"
"""What is written of the data if the disk is full."""


@dataclass
class Wanted:
    """What shall be written.

    Attributes
    ----------
    folder : Path or None
        None writes nothing.
    figures : list of str or None
        Names; None means all that the result has data for, an empty list none.
    films : tuple of str
        Names of the films.
    """

    folder: Path | None
    figures: list[str] | None
    formats: list[str]
    films: tuple[str, ...] = ()
    csv: bool = False
    force: bool = False


@dataclass
class Written:
    """What was written, and why it stopped if it did."""

    files: list[Path] = field(default_factory=list)
    trouble: str = ""


def default_folder(source: str, tail: str = "") -> Path:
    """``results/<name>`` for a bundled name or a path."""
    return Path("results") / ((Path(source).stem or "scenario") + tail)


def checked_figures(text: str, known: list[str]) -> list[str] | None:
    """Names of figures: None for all; refuses unknown ones with the nearest known name."""
    names = listed(text)
    if names == ["all"]:
        return None
    if names == ["none"]:
        return []
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean '{near[0]}'? Figures are" if near else "figures are"
            raise FlexarmError(f"there is no figure '{name}'; {hint} all, none, {', '.join(known)}", field="--figures")
    return names


def checked_films(animation: bool, video: bool) -> tuple[str, ...]:
    """Names of the films that are wanted; refuses MP4 where it cannot be written."""
    if video:
        from flexarm.view.animation import require_video

        require_video()
    return (FILM,) * animation + (VIDEO,) * video


def wanted_files(
    folder: Path | None, figures: str, formats: str, films: tuple[str, ...] = (), csv: bool = False, force: bool = False
) -> Wanted:
    """What is asked for, checked before any work is done."""
    from flexarm.view.registry import FIGURES

    wanted = Wanted(folder, checked_figures(figures, list(FIGURES)), checked_formats(formats), films, csv, force)
    if folder is not None:
        check_folder(folder, force)
    return wanted


def check_folder(folder: Path, force: bool) -> None:
    """Refuse a folder that holds something, or that cannot be written to."""
    if folder.exists():
        if not folder.is_dir():
            raise OutputError(f"'{folder}' is a file; give a folder with --out")
        if any(folder.iterdir()) and not force:
            raise OutputError(
                f"the folder '{folder}' already holds files; choose another with --out, or replace them with --force"
            )
    check_place(folder)


def check_place(folder: Path) -> None:
    """Refuse a folder that is there and cannot be written to, or that could not be made."""
    above = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not above.is_dir():
        raise OutputError(f"the folder '{folder}' cannot be made, because '{above}' is a file; choose another place")
    if not os.access(above, os.W_OK | os.X_OK):
        raise OutputError(f"the folder '{folder}' cannot be written to; choose another place")


def write(
    wanted: Wanted,
    result: Result,
    summary: dict[str, Any],
    frequencies: Any = None,
    progress: Progress = lambda stage, done, total: None,
) -> Written:
    """Write data first and pictures last; stops at the first trouble, keeping what is written."""
    done = Written()
    if wanted.folder is None:
        return done
    try:
        _write_data(wanted, result, summary, done.files)
        _write_pictures(wanted, result, frequencies, progress, done.files)
    except DiskFull as error:
        done.trouble = f"{error} {_write_rest(wanted, result, done.files)}"
    except OutputError as error:
        done.trouble = str(error)
    return done


def _write_data(wanted: Wanted, result: Result, summary: dict[str, Any], files: list[Path]) -> None:
    folder, force = wanted.folder, wanted.force
    assert folder is not None
    if force:
        _clear(folder)
    files.append(write_text(folder / SUMMARY, json_text(summary) + "\n", force))
    files.append(write_text(folder / SCENARIO, result.scenario.to_yaml(), force))
    files.append(result.save(folder / DATA, force))
    if wanted.csv:
        files.append(result.to_csv(folder / TABLE, force))


def _write_rest(wanted: Wanted, result: Result, files: list[Path]) -> str:
    """After the disk is full: a shortened record if the whole one is not there, and a sentence about what was kept."""
    assert wanted.folder is not None
    what = ""
    if wanted.folder / DATA not in files:
        try:
            path, every = result.save_part(wanted.folder / PART, wanted.force)
        except OutputError:
            pass
        else:
            files.append(path)
            records = "all records" if every == 1 else f"one record of {every}"
            what = f" ({PART} holds {records}, without the fields along the links)"
    kept = ", ".join(path.name for path in files) or "nothing"
    return f"Kept: {kept}{what}; make space, or choose another place with --out"


def _write_pictures(
    wanted: Wanted,
    result: Result,
    frequencies: Any,
    progress: Progress,
    files: list[Path],
) -> None:
    from flexarm.view.animation import animate
    from flexarm.view.registry import available, draw

    folder = wanted.folder
    assert folder is not None
    names = available(result, frequencies) if wanted.figures is None else wanted.figures
    if names:
        files += draw(
            result, names, folder, wanted.formats, wanted.force, frequencies,
            progress=progress,
        )  # fmt: skip
    files += [animate(result, folder / film, force=wanted.force, progress=progress) for film in wanted.films]


def _clear(folder: Path) -> None:
    """Take away what an earlier run left, so that no figure of it stands beside the new ones."""
    from flexarm.view.files import FORMATS
    from flexarm.view.registry import FIGURES

    pictures = [f"{name}.{kind}" for name in FIGURES for kind in FORMATS]
    for name in (DATA, PART, SUMMARY, SCENARIO, TABLE, FILM, VIDEO, *pictures):
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"'{folder / name}' cannot be replaced: {reason(error)}.") from error
