"""One name for several kernels: which of them is called follows from the bundle that comes first.

A time loop that serves two kinds of models calls `evaluate(part, ...)`; the compiler looks at the kind of `part` and calls the kernel
of that kind, as if its name stood there. Nothing is decided at run time, and nothing is compiled for kinds that are not used.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import models, register_model, typeof_impl

from flexarm.numerics.bundle import BundleType


class ByKind:
    """Kernels by the name of the bundle class of their first argument, as ``size = ByKind(Line=size_of_line, Square=size_of_square)``."""

    def __init__(self, **kernels: Any) -> None:
        self.kernels = kernels


class ByKindType(types.Callable, types.Dummy):  # type: ignore[misc]
    """What the compiler knows of it."""

    def __init__(self, choice: ByKind) -> None:
        self.choice = choice
        super().__init__(name=f"ByKind({', '.join(choice.kernels)}, {id(choice)})")

    @property
    def key(self) -> int:
        """Every choice is a type of its own."""
        return id(self.choice)

    def _chosen(self, kinds: Any) -> Any:
        """The type of the kernel for arguments of these types."""
        first = kinds[0]
        kernel = self.choice.kernels.get(first.label) if isinstance(first, BundleType) else None
        if kernel is None:
            raise TypeError(f"no kernel for {first}")
        return types.Dispatcher(kernel)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """The signature of the kernel that is called."""
        return self._chosen(args).get_call_type(context, args, kws)

    def get_call_signatures(self) -> tuple[list[Any], bool]:
        """Not known before the arguments are."""
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        """The compiled form that is called."""
        return self._chosen(sig.args).get_impl_key(sig)


@typeof_impl.register(ByKind)
def _type_of(value: ByKind, context: Any) -> ByKindType:
    return ByKindType(value)


register_model(ByKindType)(models.OpaqueModel)
