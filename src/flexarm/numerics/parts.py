"""Parts of kernels: what only other kernels call is never made into machine code of its own.

Numba optimises every compiled function, makes machine code of it, and hands the optimised form to each of its callers, where
all of it is optimised once more: a function six calls below a time loop is paid for seven times. A part is kept as it was
lowered, with what it calls beside it, and is optimised where a kernel that Python calls holds it.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Iterator
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, compiler


class Flags(compiler.Flags):
    """Options of a compilation, compared by those that are set: Numba compares them hundreds of times per function, and reads
    every option there is."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(Flags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and self._values == other._values


class Compiling:
    """How long this process has been compiling kernels."""

    def __init__(self) -> None:
        self.seconds, self._depth = 0.0, 0
        """Processor time, s; kernels that a kernel calls are compiled within it."""

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """A compilation, perhaps within another one. Hardly anything that the compiler makes is garbage before it is done, so
        looking for garbage meanwhile, a seventh of the time, is left out."""
        began, self._depth, collects = time.process_time(), self._depth + 1, gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                self.seconds += time.process_time() - began
            if collects:
                gc.enable()


compiling = Compiling()


class KernelCompiler(compiler.Compiler):
    """Numba's compiler, timed."""

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any, return_type: Any, flags: Any, locals: Any
    ):
        super().__init__(typingctx, targetctx, library, args, return_type, Flags(flags), locals)

    def compile_extra(self, func: Any) -> Any:
        with compiling.timed():
            return super().compile_extra(func)


class _Nowhere:
    """Where the environment of a part would be set, if it had machine code."""

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: kernels that hold the part have the place."""


class PartLibrary(codegen.JITCodeLibrary):
    """The code of a part and of what it calls, to be linked into kernels."""

    codegen: Any = _Nowhere()

    def finalize(self) -> None:
        """Only put together."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: it has no machine code."""
        self._ensure_finalized()
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """For the cache."""
        return self.name, "part", self._get_module_for_linking().as_bitcode()

    @classmethod
    def restored(cls, generator: Any, name: str, bitcode: bytes) -> PartLibrary:
        """As it was before `serialize_using_object_code`."""
        library = cls(generator, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        return library


class ApartLibrary(PartLibrary):
    """The same of a part that stays a function by itself in the kernels that hold it."""

    def add_ir_module(self, ir_module: Any) -> None:
        for function in ir_module.functions:
            if not function.is_declaration and "alwaysinline" not in function.attributes:
                function.attributes.add("noinline")
        super().add_ir_module(ir_module)


class PartCompiler(KernelCompiler):
    """Numba's compiler, which puts its code into the library of a part."""

    library: type[PartLibrary] = PartLibrary

    def define_pipelines(self) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class ApartCompiler(PartCompiler):
    """The same of a part that stays apart."""

    library = ApartLibrary


def rebuild_part(target_context: Any, payload: Any) -> Any:
    """The compiled form of a part, from what Numba's cache holds of it."""
    (name, _, bitcode), fndesc, environment, signature, objectmode, lifted, annotation, reload_init, environments = (
        payload
    )
    for function in reload_init:
        function()
    library = PartLibrary.restored(target_context.codegen(), name, bitcode)
    return compiler.compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=target_context.get_executable(library, fndesc, environment),
        fndesc=fndesc,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload_init,
        referenced_envs=environments,
    )
