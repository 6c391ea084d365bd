"""The cache of compiled kernels: never stale, the same for every copy of the package, and of limited size.

Numba's own cache looks at the file of the cached function only. A change in a *called* function of another file
goes unnoticed and old answers come back. Here the cache directory carries a hash of the sources of every file that
the kernels of a method may call, so any change leads to a new directory; another method's kernels stay as they are.
The directory is told to Numba function by function, and does not depend on where the package is installed: a second
environment with the same sources compiles nothing.

Every compiled form is one file, named after what it was compiled for and written as a whole: processes that compile at once
write the same files. (Numba numbers its files by a common list, and two processes may give one number to two forms.)
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pickle
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import caching
from numba.core.serialize import dumps

from flexarm.errors import FlexarmError
from flexarm.numerics.parts import rebuild_part

PACKAGE = Path(__file__).resolve().parent.parent
KEEP_DAYS, MEGABYTES = 30, 500.0
"""How long kernels are kept that nobody uses, and how much of them."""
TIMES = "seconds.json"
"""File of the times that compiling took."""


def family_of(source: Path) -> str:
    """Whose kernels a file holds: the name of a method, or "" for what all methods share."""
    parts = source.relative_to(PACKAGE).parts if source.is_relative_to(PACKAGE) else ()
    return parts[1] if len(parts) > 2 and parts[0] == "methods" else ""


def kernel_sources(family: str = "") -> list[Path]:
    """Every source file whose kernels those of `family` may call: what all share, and its own folder. (Methods do not
    know each other, and what stands above their folders is not compiled.)"""
    shared = PACKAGE.glob("numerics/**/*.py")
    return sorted([*shared, *(PACKAGE.glob(f"methods/{family}/**/*.py") if family else [])])


@functools.cache
def source_hash(family: str = "") -> str:
    """Hash of the kernel sources of a family, of Numba and of Python."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for path in kernel_sources(family):
        digest.update(str(path.relative_to(PACKAGE)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def _cache_root() -> Path:
    """FLEXARM_CACHE_DIR, else the user's cache folder, else a folder for temporary files."""
    given = os.environ.get("FLEXARM_CACHE_DIR")
    base = Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "flexarm"
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=base):
            return base
    except OSError:
        return Path(tempfile.gettempdir()) / f"flexarm-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"


@functools.cache
def cache_root() -> Path:
    """The folder of all compiled kernels."""
    return _cache_root()


def size_limit() -> float:
    """Bytes that kernels on disk may take: FLEXARM_CACHE_SIZE in MB, else 500 MB."""
    given = os.environ.get("FLEXARM_CACHE_SIZE", "")
    try:
        megabytes = float(given or MEGABYTES)
    except ValueError:
        megabytes = -1.0
    if not megabytes >= 0.0:
        raise FlexarmError(f"FLEXARM_CACHE_SIZE is {given!r}: give the size of the kernel cache in MB, as in 500")
    return 1e6 * megabytes


def size_on_disk(folder: Path) -> int:
    """Bytes of all files in a folder."""
    sizes = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # another process may have removed it
            sizes += path.stat().st_size if path.is_file() else 0
    return sizes


def make_room(root: Path) -> None:
    """Remove the kernels of other sources that were not used for 30 days, then those used longest ago until the rest, those
    in use included, keeps to the limit."""
    ages: list[tuple[float, Path]] = []
    for folder in root.glob("kernels-*"):
        with contextlib.suppress(OSError):
            ages.append((folder.stat().st_mtime, folder))
    left, oldest = size_limit(), time.time() - KEEP_DAYS * 86400
    for used, folder in sorted(ages, reverse=True):
        left -= size_on_disk(folder)
        if used < oldest or left < 0.0:
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def cache_folder(family: str = "") -> Path:
    """The folder of compiled kernels that belongs to the present sources of a family."""
    folder = cache_root() / f"kernels-{family or 'shared'}-{source_hash(family)}"
    with contextlib.suppress(OSError):
        if not folder.exists():
            make_room(cache_root())
            folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    return folder


def last_times() -> dict[str, float]:
    """Processor seconds that compiling took last time, by the name of a set of kernels."""
    with contextlib.suppress(OSError, ValueError):
        found = json.loads((cache_root() / TIMES).read_text(encoding="utf-8"))
        return {str(name): float(spent) for name, spent in found.items()}
    return {}


def note_time(name: str, spent: float) -> None:
    """Remember it."""
    with contextlib.suppress(OSError):
        whole = cache_root() / f"{TIMES}.{uuid.uuid4().hex[:16]}"
        whole.write_text(json.dumps({**last_times(), name: round(spent, 2)}), encoding="utf-8")
        whole.replace(cache_root() / TIMES)


def cache_is_warm(family: str = "") -> bool:
    """True if compiled kernels of the present sources of a family are on disk."""
    return any(cache_folder(family).rglob("*.nbc"))


@functools.cache
def _contents_hash(source: Path) -> bytes:
    """Hash of what a file holds: neither its place nor its date counts."""
    return hashlib.sha256(source.read_bytes()).digest()


class _FolderLocator(caching._CacheLocator):
    """Tells Numba where the compiled forms of one kernel are, the same for every copy of the package."""

    def __init__(self, function: Callable[..., Any], source: Path, folder: Path):
        self._py_file, self._source, self._line = str(source), source, function.__code__.co_firstlineno
        if source.is_relative_to(PACKAGE):
            below = "-".join(source.relative_to(PACKAGE).parent.parts)
        else:
            below = self.get_suitable_cache_subpath(str(source))
        self._folder = folder / below

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> bytes:
        return _contents_hash(self._source)

    def get_disambiguator(self) -> str:
        return str(self._line)


class _KernelFiles(caching.CompileResultCacheImpl):
    """Names of the files of one kernel; what they hold is Numba's affair."""

    def __init__(self, function: Callable[..., Any], source: Path, folder: Path):
        self._lineno = function.__code__.co_firstlineno
        self._locator = _FolderLocator(function, source, folder)
        self._filename_base = self.get_filename_base(
            f"{source.stem}.{function.__qualname__}", getattr(sys, "abiflags", "")
        )


class _PartFiles(_KernelFiles):
    """The same of a part of kernels."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        return rebuild_part(target_context, payload)


class _Forms:
    """The compiled forms of one kernel on disk."""

    def __init__(self, folder: Path, name: str, source_stamp: bytes):
        self._folder, self._name, self._stamp = folder, name, source_stamp

    def _path(self, key: Any) -> Path:
        kinds, *rest = key
        text = f"{[str(getattr(kind, 'key', kind)) for kind in kinds]} {rest}"
        return self._folder / f"{self._name}.{hashlib.sha256(text.encode() + self._stamp).hexdigest()[:16]}.nbc"

    def load(self, key: Any) -> Any:
        """What was saved for `key`; None if nothing was, or if it cannot be read."""
        with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
            stored, form = pickle.loads(self._path(key).read_bytes())
            if stored == (key, self._stamp):
                return pickle.loads(form)
        return None

    def save(self, key: Any, form: Any) -> None:
        """Write it as a whole or not at all."""
        path = self._path(key)
        part = path.with_suffix(f".{uuid.uuid4().hex[:16]}")
        try:
            part.write_bytes(dumps(((key, self._stamp), dumps(form))))
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget all of them."""
        for path in self._folder.glob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)


class KernelCache(caching.FunctionCache):
    """The cache of one kernel, or of a part of kernels; Numba's global settings, which threads share, are left alone.

    within : folder below that of its family
    """

    def __init__(self, function: Callable[..., Any], part: bool, within: str = ""):
        source = Path(function.__code__.co_filename).resolve()
        files = _PartFiles if part else _KernelFiles
        self._impl_class: Any = functools.partial(files, source=source, folder=cache_folder(family_of(source)) / within)
        super().__init__(function)
        self._cache_file = _Forms(
            Path(self._cache_path), self._impl.filename_base, self._impl.locator.get_source_stamp()
        )
