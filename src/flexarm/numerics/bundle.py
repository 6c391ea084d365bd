"""Many arrays handed to kernels as one address.

Every array that a compiled function is handed travels as seven numbers, and every call and every line that names it is
paid for when the function is compiled. A bundle lists the places and sizes of its arrays in a table; kernels get the
address of the table, and `bundle.name` reads the array from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model, typeof_impl, unbox
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype


class BundleType(types.Type):
    """What the compiler knows of a bundle: names, dimensions and kinds of numbers of its arrays."""

    def __init__(self, label: str, fields: tuple[tuple[str, int, str], ...]) -> None:
        self.label, self.fields = label, fields
        super().__init__(name=f"{label}({len(fields)})")

    @property
    def key(self) -> tuple[Any, ...]:
        """Bundles with equal fields are alike."""
        return self.label, self.fields

    def array(self, name: str) -> types.Array | None:
        """Type of an array."""
        return next((types.Array(from_dtype(np.dtype(d)), n, "C") for f, n, d in self.fields if f == name), None)

    def place(self, name: str) -> int:
        """Where its address stands in the table; its shape follows."""
        place = 0
        for field, dimensions, _ in self.fields:
            if field == name:
                break
            place += 1 + dimensions
        return place


class Bundle:
    """Arrays that kernels receive as one argument; subclasses name them as annotations, in order.

    The arrays are C-contiguous and stay where they are: what is written to them is seen by the kernels, another array
    needs another bundle.
    """

    def __init__(self, *arrays: np.ndarray) -> None:
        names = tuple(type(self).__annotations__)
        table: list[int] = []
        for name, array in zip(names, arrays, strict=True):
            if not array.flags.c_contiguous:
                raise ValueError(f"{name} is not contiguous")
            setattr(self, name, array)
            table += [array.ctypes.data, *array.shape]
        self._table = np.array(table, dtype=np.int64)
        self.address = int(self._table.ctypes.data)
        fields = tuple((name, a.ndim, a.dtype.str) for name, a in zip(names, arrays, strict=True))
        self._numba_type_ = BundleType(type(self).__name__, fields)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has arrays, and so a table, of its own."""
        return type(self), tuple(getattr(self, name) for name in type(self).__annotations__)


@typeof_impl.register(Bundle)
def _type_of(value: Bundle, context: Any) -> BundleType:
    return value._numba_type_


@register_model(BundleType)
class _BundleModel(models.PrimitiveModel):
    """An address."""

    def __init__(self, manager: Any, kind: BundleType) -> None:
        from llvmlite import ir

        super().__init__(manager, kind, ir.IntType(64).as_pointer())


@unbox(BundleType)
def _address_of(kind: BundleType, value: Any, c: Any) -> Any:
    from numba.extending import NativeValue

    number = c.pyapi.object_getattr_string(value, "address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, c.context.get_value_type(kind)))


@infer_getattr
class _Attributes(AttributeTemplate):
    key = BundleType

    def _array(self, value: BundleType, name: str) -> types.Array | None:
        return value.array(name)

    generic_resolve: Any = _array


@lower_getattr_generic(BundleType)
def _read(context: Any, builder: Any, kind: BundleType, value: Any, name: str) -> Any:
    """The array, from the table; the table never changes, so the compiler may read it once."""
    array = kind.array(name)
    assert array is not None
    whole = context.get_value_type(types.intp)

    def number(place: int) -> Any:
        found = builder.load(builder.gep(value, [whole(place)]))
        found.set_metadata("invariant.load", builder.module.add_metadata([]))
        return found

    place, size = kind.place(name), context.get_abi_sizeof(context.get_data_type(array.dtype))
    shape = [number(place + 1 + k) for k in range(array.ndim)]
    strides: list[Any] = []
    step = whole(size)
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    data = builder.inttoptr(number(place), context.get_data_type(array.dtype).as_pointer())
    made = context.make_array(array)(context, builder)
    populate_array(made, data, shape, strides, whole(size), None)
    return made._getvalue()
