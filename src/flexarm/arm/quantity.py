"""Physical quantities as field types of the arm and drive models.

The models hold plain floats in SI units. A `Quantity` annotation says which unit a field has, so that the
scenario reader can turn ``960 mm`` into ``0.96``, the JSON schema can say what to write, and a bare number that
is implausible can be questioned. The reader passes itself in the validation context under the key ``quantity``;
without it (models built in Python) only numbers are taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic_core import core_schema

NUMBER = r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?"


@dataclass(frozen=True)
class Quantity:
    """Marks a float field with its SI unit.

    Parameters
    ----------
    unit : str
        SI unit of the stored float. Several units separated by ``|`` mean that the field may hold any of them
        (an angle or a length, say); each is then stored in its own SI unit.
    plausible : (float, float), optional
        Range of magnitudes in which a bare number (no unit written) is believed.
    """

    unit: str
    plausible: tuple[float, float] | None = None

    def read(self, value: Any, info: ValidationInfo) -> Any:
        """The number behind `value`, in SI units; refuses what is not a number."""
        reader = (info.context or {}).get("quantity")
        if reader is not None:
            return reader(value, self)
        if isinstance(value, (bool, str)):
            raise ValueError(f"write a plain number in {self.unit}")
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return core_schema.with_info_before_validator_function(self.read, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        number = handler(schema["schema"])
        text = {"type": "string", "pattern": f"^\\s*{NUMBER}\\s*\\S+.*$"}
        hint = f"a number in {self.unit.replace('|', ' or ')}, or a text such as '1 {self.unit.split('|')[0]}'"
        return {"anyOf": [number, text], "description": hint}


def _float(unit: str, plausible: tuple[float, float] | None = None, **bounds: Any) -> Any:
    return Annotated[float, Field(allow_inf_nan=False, **bounds), Quantity(unit, plausible)]


LENGTHS = (1e-5, 200.0)

Number = _float("1")
Length = _float("m", LENGTHS)
PositiveLength = _float("m", LENGTHS, gt=0)
Area = _float("m^2", (1e-10, 2.0), gt=0)
AreaMoment = _float("m^4", (1e-18, 1.0), gt=0)
Mass = _float("kg", (1e-7, 1e5), ge=0)
Inertia = _float("kg*m^2", (1e-12, 1e6), ge=0)
InertiaProduct = _float("kg*m^2", (0.0, 1e6))
"""An entry of an inertia tensor, which may be negative beside its diagonal."""
Density = _float("kg/m^3", (10.0, 3e4), gt=0)
Modulus = _float("Pa", (1e3, 2e12), gt=0)
Angle = _float("rad", (0.0, 100.0))
PositiveTime = _float("s", (1e-9, 1e5), gt=0)
Duration = _float("s", (0.0, 1e5), ge=0)
Frequency = _float("Hz", gt=0)
Acceleration = _float("m/s^2", (0.0, 1e4))
Fraction = _float("1", ge=0, le=1)
PositiveFraction = _float("1", gt=0, le=1)
Ratio = _float("1", ge=0, lt=1)
"""A share of one, for example a damping ratio; files may write ``5 %``."""
