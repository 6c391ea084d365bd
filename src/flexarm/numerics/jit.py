"""The one door to Numba: `njit` with a cache that never serves stale code.

Numba's own cache looks at the file of the cached function only. A change in a *called* function of another file
goes unnoticed and old answers come back. Here the cache directory carries a hash of the sources of every file that
the kernels of a method may call, so any change leads to a new directory; another method's kernels stay as they are.
The directory is told to Numba function by function, and does not depend on where the package is installed: a second
environment with the same sources compiles nothing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import caching
from numba.extending import intrinsic

PACKAGE = Path(__file__).resolve().parent.parent
KEEP_DAYS = 30


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
    """The folder of all compiled kernels; those that have not been used for long are dropped on the way."""
    root = _cache_root()
    with contextlib.suppress(OSError):
        _drop_old(root)
    return root


def _drop_old(root: Path) -> None:
    oldest = time.time() - KEEP_DAYS * 86400
    for folder in root.glob("kernels-*"):
        if folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def cache_folder(family: str = "") -> Path:
    """The folder of compiled kernels that belongs to the present sources of a family."""
    folder = cache_root() / f"kernels-{family or 'shared'}-{source_hash(family)}"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    return folder


def cache_is_warm(family: str = "") -> bool:
    """True if compiled kernels of the present sources of a family are on disk."""
    return any(cache_folder(family).rglob("*.nbi"))


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


class _KernelCache(caching.FunctionCache):
    """The cache of one kernel in a given folder; Numba's global settings, which threads share, are left alone."""

    def __init__(self, function: Callable[..., Any], source: Path, folder: Path):
        self._impl_class: Any = functools.partial(_KernelFiles, source=source, folder=folder)
        super().__init__(function)


def _compiled(function: Callable[..., Any], within: str = "", **options: Any) -> Any:
    """`function` under Numba, cached with its family. Plain IEEE arithmetic, so that the same numbers come out however
    a run is cut into pieces. No wrapper for C is ever needed. Kernels own no memory: without reference counts they
    compile and run faster."""
    source = Path(function.__code__.co_filename).resolve()
    settings: Any = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False, **options}
    kernel: Any = numba.njit(function, **settings)
    kernel._cache = _KernelCache(function, source, cache_folder(family_of(source)) / within)
    return kernel


def _holds_array(kind: Any) -> bool:
    """Whether a value of this compiled type is an array, or a tuple with one in it."""
    return isinstance(kind, numba.types.Array) or any(map(_holds_array, getattr(kind, "types", ())))


def _without_arrays(kernel: Any) -> Any:
    """The kernel, which refuses to be compiled if it returns arrays: Python would get the wrong ones."""
    add = kernel.add_overload

    def add_checked(found: Any) -> None:
        if _holds_array(found.signature.return_type):
            raise TypeError(f"{kernel.__name__} returns an array, and Python would get the wrong one: use njit_views")
        add(found)

    kernel.add_overload = add_checked
    return kernel


def njit(function: Callable[..., Any]) -> Any:
    """Compile `function` with Numba, cached on disk. It allocates nothing and returns no arrays (see `njit_views`)."""
    return _without_arrays(_compiled(function))


def njit_views(function: Callable[..., Any]) -> Any:
    """Like `njit`, for what hands parts of its arrays back to Python."""
    return _compiled(function, _nrt=True)


def njit_part(function: Callable[..., Any]) -> Any:
    """Like `njit`, for what only other kernels call: without the wrapper for calls from Python, which takes as long to
    compile as the function itself."""
    return _compiled(function, no_cpython_wrapper=True)


def njit_inline(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, for small pieces of hot loops: the compiler puts the body where it is called."""
    return _compiled(function, inline="always", no_cpython_wrapper=True)


def njit_inside(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, for the parts of a time loop: the code generator merges them into their caller, so that handing
    over many arrays costs nothing."""
    return _compiled(function, forceinline=True, no_cpython_wrapper=True)


def njit_anywhere(function: Callable[..., Any]) -> Any:
    """Like `njit_inside`, for what Python calls as well."""
    return _without_arrays(_compiled(function, forceinline=True))


def callable_from_python(part: Any, views: bool = False) -> Any:
    """A part of a kernel compiled once more with the wrapper that calls from Python need (without it they would end the
    process); `views`: it hands parts of its arrays back. Numba's cache does not tell such copies apart, so they get a
    folder of their own."""
    kernel = _compiled(part.py_func, within="called", _nrt=views)
    return kernel if views else _without_arrays(kernel)


def _borrowed(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    old = context.make_array(kind)(context, builder, value)
    new = context.make_array(kind)(context, builder)
    for name in ("nitems", "itemsize", "data", "shape", "strides"):
        setattr(new, name, getattr(old, name))
    new.meminfo = old.meminfo.type(None)
    new.parent = old.parent.type(None)
    return new._getvalue()


YES, NO = np.ones(1, dtype=np.bool_), np.zeros(1, dtype=np.bool_)
"""Truth values for arguments of kernels, as YES[0] and NO[0]. A plain True would be a type of its own to the compiler, and every
function that is handed it would be compiled twice."""


@intrinsic
def borrow(typing_context, array):
    """The same array without a reference count.

    Handing a counted array to another compiled function costs two atomic operations, which is more than most kernels
    here take. Arrays are counted only where views are handed to Python; elsewhere this changes nothing.
    """

    def codegen(context, builder, signature, arguments):
        return _borrowed(context, builder, array, arguments[0])

    return array(array), codegen
