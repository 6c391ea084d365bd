"""Reading files up to a size, writing them as a whole or not at all, and never over others unless that is wanted."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flexarm.errors import DiskFull, OutputError


def read_whole(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes.

    Raises
    ------
    OSError
        If it cannot be read, is no regular file (a folder, a pipe or a device has no end), or is larger.
    """
    # a pipe without a writer would be waited for: it is opened without waiting, and looked at before it is read
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is a folder, a pipe or a device, not a file")
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most / 1e6:g} MB")
    return content


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


def no_space(path: Path, needed: int) -> bool:
    """True if the disk of `path` has less than `needed` bytes left."""
    return shutil.disk_usage(path.absolute().parent).free < needed


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
        kind = DiskFull if error.errno == errno.ENOSPC else OutputError
        raise kind(f"'{path}' cannot be written: {reason(error)}.") from error
    finally:
        temporary.unlink(missing_ok=True)
