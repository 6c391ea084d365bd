"""Many arrays and numbers handed to kernels as one address.

Every array that a compiled function is handed travels as seven numbers, and every call and every line that names it is
paid for when the function is compiled. A bundle lists the places and sizes of its arrays in a table; kernels get the
address of the table, and `bundle.name` reads the array from there. Single numbers travel the same way, and so do other
bundles: every bundle that Python hands to a kernel costs most of a microsecond, so a kernel that is called for single
steps takes one with all others in it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model, typeof_impl, unbox
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

NUMBERS = {"float": np.float64, "int": np.int64}
"""Annotations of single numbers; everything else is an array."""


class BundleType(types.Type):
    """What the compiler knows of a bundle: names, dimensions (0: a single number) and kinds of numbers of its fields; the kind
    of a bundle within it is its type."""

    def __init__(self, label: str, fields: tuple[tuple[str, int, Any], ...]) -> None:
        self.label, self.fields = label, fields
        super().__init__(name=f"{label}({len(fields)})")

    @property
    def key(self) -> tuple[Any, ...]:
        """Bundles with equal fields are alike."""
        return self.label, self.fields

    def member(self, name: str) -> types.Type | None:
        """Type of an array, of a number or of a bundle."""
        for field, dimensions, kind in self.fields:
            if field == name:
                if isinstance(kind, BundleType):
                    return kind
                number = from_dtype(np.dtype(kind))
                return types.Array(number, dimensions, "C") if dimensions else number
        return None

    def place(self, name: str) -> int:
        """Where its address stands in the table; its shape follows."""
        place = 0
        for field, dimensions, _ in self.fields:
            if field == name:
                break
            place += 1 + dimensions
        return place


class Bundle:
    """Arrays, numbers and bundles that kernels receive as one argument; subclasses name them as annotations, in order, after
    those of the bundle that they are derived from.

    The arrays are C-contiguous and stay where they are: what is written to them is seen by the kernels, another array
    needs another bundle. Numbers are annotated as `float` or `int`; Python sets them as attributes, kernels only read them.

    Examples
    --------
    >>> class Spring(Bundle):
    ...     stiffness: np.ndarray
    ...     preload: float
    >>> spring = Spring(np.ones(3), preload=2.0)
    >>> spring.preload = 3.0
    >>> spring.stiffness, spring.preload
    (array([1., 1., 1.]), 3.0)
    """

    kinds: ClassVar[dict[str, Any]] = {}
    """Annotations of all fields."""

    def __init_subclass__(cls) -> None:
        cls.kinds = cls.kinds | cls.__annotations__
        for name, kind in cls.__annotations__.items():
            if name == "address":
                raise TypeError(f"{cls.__name__} cannot hold an 'address': that is its own")
            if _word(kind) in NUMBERS:
                setattr(cls, name, _number(name))

    def __init__(self, *values: Any, **named: Any) -> None:
        kinds = self.kinds
        given = dict(zip(kinds, values, strict=False)) | named
        if len(values) + len(named) != len(kinds) or given.keys() != kinds.keys():
            raise TypeError(f"{type(self).__name__} takes {', '.join(kinds)}")
        self._slots: dict[str, np.ndarray] = {}
        table: list[int] = []
        fields: list[tuple[str, int, Any]] = []
        for name, kind in kinds.items():
            if isinstance(given[name], Bundle):
                setattr(self, name, given[name])
                table.append(given[name].address)
                fields.append((name, 0, given[name]._numba_type_))
                continue
            number = NUMBERS.get(_word(kind))
            array = given[name] if number is None else np.full(1, given[name], dtype=number)
            if not array.flags.c_contiguous:
                raise ValueError(f"{name} is not contiguous")
            if number is None:
                setattr(self, name, array)
            else:
                self._slots[name] = array
            table += [array.ctypes.data, *(array.shape if number is None else ())]
            fields.append((name, array.ndim if number is None else 0, array.dtype.str))
        self._table = np.array(table, dtype=np.int64)
        self.address = int(self._table.ctypes.data)
        self._numba_type_ = BundleType(type(self).__name__, tuple(fields))

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has arrays, and so a table, of its own."""
        return type(self), tuple(getattr(self, name) for name in self.kinds)


def _word(kind: Any) -> str:
    """An annotation as text, whether it was postponed or not."""
    return kind if isinstance(kind, str) else kind.__name__


def _number(name: str) -> property:
    """An attribute that reads and writes the place of a single number."""

    def read(self: Bundle) -> Any:
        return self._slots[name][0].item()

    def write(self: Bundle, value: float) -> None:
        self._slots[name][0] = value

    return property(read, write)


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

    def _member(self, value: BundleType, name: str) -> types.Type | None:
        return value.member(name)

    generic_resolve: Any = _member


@lower_getattr_generic(BundleType)
def _read(context: Any, builder: Any, kind: BundleType, value: Any, name: str) -> Any:
    """The array, number or bundle, from the table; neither changes while a kernel runs, so the compiler may read them once."""
    member, place = kind.member(name), kind.place(name)
    assert member is not None
    whole = context.get_value_type(types.intp)

    def constant(pointer: Any) -> Any:
        found = builder.load(pointer)
        found.set_metadata("invariant.load", builder.module.add_metadata([]))
        return found

    def entry(k: int) -> Any:
        return constant(builder.gep(value, [whole(k)]))

    if isinstance(member, BundleType):
        return builder.inttoptr(entry(place), context.get_value_type(member))
    if not isinstance(member, types.Array):
        return constant(builder.inttoptr(entry(place), context.get_value_type(member).as_pointer()))
    number = context.get_data_type(member.dtype)
    size = context.get_abi_sizeof(number)
    shape = [entry(place + 1 + k) for k in range(member.ndim)]
    strides: list[Any] = []
    step = whole(size)
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    made = context.make_array(member)(context, builder)
    populate_array(made, builder.inttoptr(entry(place), number.as_pointer()), shape, strides, whole(size), None)
    return made._getvalue()
