"""Writing files as a whole or not at all, and never over others unless that is wanted."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flexarm.errors import OutputError


def refuse_existing(path: Path, force: bool) -> None:
    """Refuse to write over a file unless that is wanted."""
    if path.is_dir():
        raise OutputError(f"'{path}' is a folder; give the name of a file.")
    if path.exists() and not force:
        raise OutputError(f"'{path}' already exists; choose another place, or force it to be replaced.")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"The folder '{folder}' cannot be made: {reason(error)}.") from error


def write_text(path: Path, text: str, force: bool = False) -> Path:
    """Write a text file in UTF-8, as a whole or not at all."""
    with whole_file(path, force) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


def reason(error: OSError) -> str:
    """Why the system refused, in lower case for use inside a sentence."""
    text = error.strerror or str(error) or type(error).__name__
    return text[:1].lower() + text[1:]


@contextmanager
def whole_file(path: Path, force: bool = False) -> Iterator[Path]:
    """Give a temporary name beside `path`; on success it becomes `path`, on failure it vanishes.

    Parameters
    ----------
    path : Path
        The file to be written.
    force : bool
        Whether an existing file may be replaced.

    Raises
    ------
    OutputError
        If the file exists already, or if the system refuses to write (a full disk, say).
    """
    refuse_existing(path, force)
    make_folder(path.parent)
    temporary = path.with_name(f".{path.stem}-{secrets.token_hex(4)}{path.suffix}")
    try:
        yield temporary
        refuse_existing(path, force)  # another process may have written it meanwhile
        os.replace(temporary, path)
    except OSError as error:
        raise OutputError(f"'{path}' cannot be written: {reason(error)}.") from error
    finally:
        temporary.unlink(missing_ok=True)
