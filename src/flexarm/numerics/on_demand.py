"""Kernels that are compiled only for the arms that need them.

A time loop in compiled code names everything that any arm may need, and the compiler pays for all of it before the first
run. What few arms have, such as cylinders with oil, is therefore called through a cell of memory with the address of the
compiled part. The cell is filled when a model asks for the part; the others never compile it.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import typeof
from numba.core import cgutils, types
from numba.extending import intrinsic

from flexarm.numerics.jit import njit_by_address

WORD = ir.IntType(64)


def _stamp(arguments: tuple[types.Type, ...]) -> int:
    """A number for the types of arguments, never 0: who calls a part and who loaded it must mean the same ones."""
    text = " ".join(str(getattr(kind, "key", kind)) for kind in arguments)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "little") + 1


def njit_on_demand(returns: types.Type) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function on demand; `returns` is the type of its result.

    Kernels call it with one tuple of its arguments. Before such a kernel runs, Python calls its `load` with examples of
    these arguments, or with their types; a kernel that calls a part which is not loaded raises RuntimeError.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        kernel = njit_by_address(function)
        symbol = f"{function.__module__}.{function.__qualname__}"
        cell = (ctypes.c_int64 * 2)()
        llvm.add_symbol(symbol, ctypes.addressof(cell))

        def load(*examples: Any) -> None:
            """Compile the part, or read it from the cache, and tell the kernels where it is."""
            arguments = tuple(one if isinstance(one, types.Type) else typeof(one) for one in examples)
            if cell[1] != _stamp(arguments):
                kernel.compile(arguments)
                found = kernel.overloads[arguments]
                cell[0] = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
                cell[1] = _stamp(arguments)

        @intrinsic
        def call(typing_context, given):
            arguments = tuple(map(types.unliteral, given))

            def codegen(context, builder, signature, values):
                place = builder.module.globals.get(symbol)
                if place is None:
                    place = ir.GlobalVariable(builder.module, ir.ArrayType(WORD, 2), symbol)
                address, stamp = (builder.load(builder.gep(place, [WORD(0), WORD(k)])) for k in (0, 1))
                with cgutils.if_unlikely(builder, builder.icmp_unsigned("!=", stamp, WORD(_stamp(arguments)))):
                    context.call_conv.return_user_exc(builder, RuntimeError, (f"{symbol} is not loaded",))
                kind = context.call_conv.get_function_type(returns, arguments)
                target = builder.inttoptr(address, kind.as_pointer())
                parts = cgutils.unpack_tuple(builder, values[0], len(arguments))
                status, result = context.call_conv.call_function(builder, target, returns, arguments, parts)
                with cgutils.if_unlikely(builder, status.is_error):
                    context.call_conv.return_status_propagate(builder, status)
                return result

            return returns(given), codegen

        part: Any = call
        part.load, part.cell = load, cell  # the cell must live as long as the kernels that read it
        return part

    return decorate
