"""One BLAS thread while small matrices are worked on.

Matrices of an arm have tens or hundreds of rows: threads of a BLAS wait for each other longer than they compute, up to twenty
times on a busy machine. The number of threads belongs to the whole process, so calls that overlap in several Python threads
count how many they are: the first one takes the number down, the last one puts back what it found.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_lock = threading.Lock()
_inside = 0
_found: list[tuple[Any, int]] = []


@functools.cache
def _libraries() -> list[Any]:
    """Those that NumPy and SciPy have loaded, each with threads of its own."""
    import numpy.linalg  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


def _set(library: Any, threads: int) -> None:
    """From whichever thread: newer versions of threadpoolctl listen to the first one that asked until it is cleared."""
    clear = getattr(library, "clear_controlling_thread", None)
    if clear:
        clear(force=True)
    library.set_num_threads(threads)
    if clear:
        clear(force=True)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Work in here calls the BLAS with one thread, whatever other threads of Python do."""
    global _inside
    with _lock:
        if _inside == 0:
            _found[:] = [(library, library.get_num_threads()) for library in _libraries()]
            for library, _ in _found:
                _set(library, 1)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                for library, threads in _found:
                    _set(library, threads)


def with_one_blas_thread(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator of what works on small matrices."""

    @functools.wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with one_blas_thread():
            return function(*args, **kwargs)

    return limited
