"""Compiled functions that kernels call by an address which they are handed at run time.

A kernel that names another one holds its code and is compiled with it. One that is handed an address is compiled once, whatever
it calls: the loop over control ticks serves every method and every law so.
"""

from __future__ import annotations

from typing import Any

from numba import typeof
from numba.core import cgutils, types
from numba.extending import intrinsic


def address_of(kernel: Any, returns: types.Type, *examples: Any) -> int:
    """Where the compiled form of a kernel for these arguments (or types) stands; it is compiled, or read from the cache.

    Refuses a kernel whose result is not of the type `returns`: who calls it would read something else.
    """
    arguments = tuple(one if isinstance(one, types.Type) else typeof(one) for one in examples)
    if arguments not in kernel.overloads:
        kernel.compile(arguments)
    found = kernel.overloads[arguments]
    if found.signature.return_type != returns:
        raise TypeError(f"{kernel.__name__} returns {found.signature.return_type}, not {returns}")
    return int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))


def call_by_address(returns: types.Type) -> Any:
    """What kernels call as ``call(address, (arguments, ...))``; `returns` is the type of the result.

    The arguments must be of the types for which the address was asked. The address of a bundle may stand for the bundle.
    """

    @intrinsic
    def call(typing_context, address, given):
        arguments = tuple(given)

        def codegen(context, builder, signature, values):
            kind = context.call_conv.get_function_type(returns, arguments)
            target = builder.inttoptr(values[0], kind.as_pointer())
            parts = cgutils.unpack_tuple(builder, values[1], len(arguments))
            status, result = context.call_conv.call_function(builder, target, returns, arguments, parts)
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return result

        return returns(address, given), codegen

    return call
