"""The one door to Numba: `njit` and its variants, with a cache on disk (`numerics.kernel_cache`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic

from flexarm.numerics.kernel_cache import KernelCache
from flexarm.numerics.parts import ApartCompiler, KernelCompiler, PartCompiler


def _compiled(
    function: Callable[..., Any], within: str = "", by: type[KernelCompiler] = KernelCompiler, **options: Any
) -> Any:
    """`function` under Numba, cached with its family. Plain IEEE arithmetic, so that the same numbers come out however
    a run is cut into pieces. No wrapper for C is ever needed. Kernels own no memory: without reference counts they
    compile and run faster."""
    part = issubclass(by, PartCompiler)
    settings: Any = {
        "error_model": "numpy",
        "no_cfunc_wrapper": True,
        "no_cpython_wrapper": part,
        "_nrt": False,
        **options,
    }
    kernel: Any = numba.njit(function, pipeline_class=by, **settings)
    kernel._cache = KernelCache(function, part, within)
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
    """Like `njit`, for what only other kernels call: it is optimised with them, and has neither machine code of its own nor a
    wrapper for calls from Python (`numerics.parts`)."""
    return _compiled(function, by=PartCompiler)


def njit_apart(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, for large parts of a time loop: it stays a function by itself. (Optimising takes more than twice as
    long for a function of twice the size.)"""
    return _compiled(function, by=ApartCompiler)


def njit_by_address(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, with machine code of its own that kernels call by its address (`numerics.on_demand`)."""
    return _compiled(function, no_cpython_wrapper=True)


def njit_inline(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, for small pieces of hot loops: the compiler puts the body where it is called."""
    return _compiled(function, by=PartCompiler, inline="always")


def njit_inside(function: Callable[..., Any]) -> Any:
    """Like `njit_part`, for the parts of a time loop: the code generator merges them into their caller, so that handing
    over many arrays costs nothing."""
    return _compiled(function, by=PartCompiler, forceinline=True)


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
