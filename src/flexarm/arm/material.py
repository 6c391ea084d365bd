"""Link materials: Young's modulus, density, Poisson's ratio."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Density, Modulus

LIBRARY: dict[str, dict[str, float]] = {
    "aluminium": {"E": 70e9, "density": 2700.0, "nu": 0.33},
    "steel": {"E": 207e9, "density": 7850.0, "nu": 0.30},
    "stainless-steel": {"E": 193e9, "density": 8000.0, "nu": 0.29},
    "titanium": {"E": 114e9, "density": 4430.0, "nu": 0.34},
    "brass": {"E": 102e9, "density": 8500.0, "nu": 0.34},
    "carbon-fibre": {"E": 130e9, "density": 1600.0, "nu": 0.30, "G": 5e9},
    "glass-fibre": {"E": 40e9, "density": 1900.0, "nu": 0.26, "G": 4.5e9},
    "acrylic": {"E": 3.1e9, "density": 1190.0, "nu": 0.37},
    "abs": {"E": 2.2e9, "density": 1040.0, "nu": 0.35},
    "spruce": {"E": 11e9, "density": 430.0, "nu": 0.37, "G": 0.7e9},
}
"""Typical handbook values; a careful study states its own. Fibre composites are taken along the fibres."""
SOURCES: dict[str, str] = {
    "aluminium": "wrought alloys such as 6061 and 6082; E and density as in Eurocode 9 (EN 1999-1-1), other tables 69 to 72 GPa",
    "steel": "carbon steel; E as in Shigley's Mechanical Engineering Design, table of physical constants; Eurocode 3 takes 210 GPa",
    "stainless-steel": "austenitic, 304 (1.4301); data sheets of makers, 190 to 200 GPa",
    "titanium": "alloy Ti-6Al-4V, annealed; data sheets of makers, 110 to 119 GPa",
    "brass": "free-cutting brass, CuZn39Pb3; data sheets of makers, 96 to 105 GPa",
    "carbon-fibre": "unidirectional, fibres of standard modulus in epoxy, 60 % by volume; along the fibres; 120 to 140 GPa",
    "glass-fibre": "unidirectional, E-glass in epoxy, 55 % by volume; along the fibres; 38 to 45 GPa",
    "acrylic": "PMMA, cast; data sheets of makers, 2.8 to 3.3 GPa; it creeps",
    "abs": "ABS, moulded; data sheets of makers, 1.9 to 2.6 GPa; printed parts are softer",
    "spruce": "along the grain; near EN 338 class C24 (11 GPa, 0.69 GPa, 420 kg/m³); wood scatters by a fifth",
}
"""What each is, and where its values come from or which range is tabulated."""


class Material(Part):
    """An isotropic elastic material, or one with its own shear modulus.

    Examples
    --------
    >>> Material.named("steel").E
    207000000000.0
    >>> round(Material(E=70e9, density=2700, nu=0.25).shear_modulus / 1e9, 6)
    28.0
    """

    name: str = Field(default="", description="Name of a library material, or a label of your own")
    E: Modulus = Field(description="Young's modulus")
    density: Density = Field(description="Mass per volume")
    nu: Annotated[float, Field(gt=-1, le=0.5)] = Field(default=0.3, description="Poisson's ratio")
    G: Modulus | None = Field(default=None, description="Shear modulus; E/(2(1+nu)) when left out")
    strength: Modulus | None = Field(
        default=None, description="Largest normal stress that it bears, for the margin of a run"
    )

    @model_validator(mode="before")
    @classmethod
    def _from_library(cls, value: Any) -> Any:
        """A name alone, or a mapping that starts from a named material, is filled from the library."""
        if isinstance(value, str):
            value = {"name": value}
        if isinstance(value, dict) and isinstance(value.get("name"), str):
            known = LIBRARY.get(value["name"])
            if known is not None:
                return {**known, **value}
            if not {"E", "density"} <= value.keys():
                raise ValueError(
                    f"unknown material '{value['name']}'; known are {', '.join(sorted(LIBRARY))}; or give E and density"
                )
        return value

    @classmethod
    def named(cls, name: str) -> Material:
        """The library material called `name`."""
        return cls.model_validate(name)

    @property
    def shear_modulus(self) -> float:
        """G in Pa, from E and nu unless it was given."""
        return self.G if self.G is not None else self.E / (2.0 * (1.0 + self.nu))
