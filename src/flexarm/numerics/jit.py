"""The one door to Numba: `njit` with a cache that never serves stale code.

Numba's own cache looks at the file of the cached function only. A change in a *called* function of another file
goes unnoticed and old answers come back. Here the cache directory carries a hash of the sources of every file that
the kernels of a method may call, so any change leads to a new directory; another method's kernels stay as they are.
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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic

PACKAGE = Path(__file__).resolve().parent.parent
KEEP_DAYS = 30


def family_of(source: Path) -> str:
    """Whose kernels a file holds: the name of a method, or "" for what all methods share."""
    parts = source.relative_to(PACKAGE).parts if source.is_relative_to(PACKAGE) else ()
    return parts[1] if len(parts) > 2 and parts[0] == "methods" else ""


def kernel_sources(family: str = "") -> list[Path]:
    """Every source file whose kernels those of `family` may call: what all share, and its own folder. (Methods do not
    know each other.)"""
    shared = [*PACKAGE.glob("numerics/**/*.py"), *PACKAGE.glob("methods/*.py")]
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


@contextlib.contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Let Numba place the cache of the functions decorated meanwhile, and of no others."""
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _compiled(function: Callable[..., Any], within: str = "", **options: Any) -> Any:
    """`function` under Numba, cached with its family. Plain IEEE arithmetic, so that the same numbers come out however
    a run is cut into pieces. No wrapper for C is ever needed."""
    family = family_of(Path(function.__code__.co_filename).resolve())
    settings: Any = {"cache": True, "error_model": "numpy", "no_cfunc_wrapper": True, **options}
    with _cache_in(cache_folder(family) / within):
        return numba.njit(function, **settings)


def njit(function: Callable[..., Any]) -> Any:
    """Compile `function` with Numba, cached on disk."""
    return _compiled(function)


def njit_part(function: Callable[..., Any]) -> Any:
    """Like `njit`, for what only other kernels call: without the wrapper for calls from Python, which takes as long to
    compile as the function itself."""
    return _compiled(function, no_cpython_wrapper=True)


def njit_inline(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, for small pieces of hot loops: the compiler puts the body where it is called."""
    return _compiled(function, inline="always", no_cpython_wrapper=True)


def njit_inside(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, for the parts of a time loop: the code generator merges them into their caller, so that handing
    over many arrays costs nothing. The caller must `borrow` its arrays."""
    return _compiled(function, forceinline=True, no_cpython_wrapper=True)


def njit_anywhere(function: Callable[..., Any]) -> Any:
    """Like `njit_inside`, for what Python calls as well."""
    return _compiled(function, forceinline=True)


def callable_from_python(part: Any) -> Any:
    """A part of a kernel compiled once more with the wrapper that calls from Python need (without it they would end the
    process). Numba's cache does not tell the two apart, so it gets a folder of its own."""
    return _compiled(part.py_func, within="called")


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
    here take. The entry points of the time loops borrow their arrays; the caller keeps them alive.
    """

    def codegen(context, builder, signature, arguments):
        return _borrowed(context, builder, array, arguments[0])

    return array(array), codegen


@intrinsic
def borrow_each(typing_context, arrays):
    """`borrow` for every array of a tuple."""

    def codegen(context, builder, signature, arguments):
        from numba.core import cgutils

        values = cgutils.unpack_tuple(builder, arguments[0])
        parts = [_borrowed(context, builder, kind, value) for kind, value in zip(arrays.types, values, strict=True)]
        return context.make_tuple(builder, arrays, parts)

    return arrays(arrays), codegen
