"""Cross sections: by shape or by their figures, uniform or changing along the link.

Bending of planar arms happens in the local x-y plane: `inertia` is the second moment of area for it (about the
local z axis) and `height` is measured in that plane. `inertia_y` is the one for bending in the x-z plane.
"""

from __future__ import annotations

import itertools
import math
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Area, AreaMoment, Fraction, PositiveLength, Quantity


class SectionValues(NamedTuple):
    """Figures of a cross section in SI units, named as in `Profile`; each a float, or an array over stations."""

    area: Any
    inertia: Any
    inertia_y: Any
    torsion: Any
    shear_factor: Any
    fibre: Any
    fibre_y: Any
    """Distance of the outer fibre for bending in the x-z plane."""


def _rectangle_torsion(width: float, height: float) -> float:
    """Saint-Venant torsion constant of a solid rectangle (series solution)."""
    a, b = max(width, height), min(width, height)
    series = sum(math.tanh(n * math.pi * a / (2 * b)) / n**5 for n in range(1, 12, 2))
    return a * b**3 / 3.0 * (1.0 - 192.0 / math.pi**5 * b / a * series)


def cowper_rectangle(nu: float) -> float:
    """Cowper's shear coefficient of a solid rectangle."""
    return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu)


def cowper_tube(nu: float, inner_over_outer: float) -> float:
    """Cowper's shear coefficient of a round tube; 0 for the ratio gives the solid circle."""
    m2 = inner_over_outer**2
    square = (1.0 + m2) ** 2
    return 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m2)


class Profile(Part):
    """One cross section. Give `shape` and its dimensions, or `area` and `inertia` and what else is known.

    Examples
    --------
    >>> round(Profile(shape="rectangle", width=0.05, height=0.05).values(0.25).shear_factor, 4)
    0.8475
    """

    shape: Literal["rectangle", "circle", "tube", "given"] = Field(default="given", description="Kind of section")
    width: PositiveLength | None = Field(default=None, description="Rectangle: size across the bending plane")
    height: PositiveLength | None = Field(default=None, description="Rectangle: size in the bending plane")
    diameter: PositiveLength | None = Field(default=None, description="Circle, tube: outer diameter")
    inner: PositiveLength | None = Field(default=None, description="Tube: inner diameter")
    thickness: PositiveLength | None = Field(default=None, description="Tube: wall thickness")
    area: Area | None = Field(default=None, description="Area")
    inertia: AreaMoment | None = Field(default=None, description="Second moment for bending in the x-y plane")
    inertia_y: AreaMoment | None = Field(default=None, description="The same for the x-z plane; default inertia")
    torsion: AreaMoment | None = Field(default=None, description="Torsion constant; default inertia + inertia_y")
    shear_factor: Annotated[float, Field(gt=0, le=1.5, allow_inf_nan=False), Quantity("1")] | None = Field(
        default=None, description="Shear coefficient; Cowper's formula of the shape, or 5/6, when left out"
    )
    fibre: PositiveLength | None = Field(
        default=None, description="Distance of the outer fibre for strain; half the height when left out"
    )

    @model_validator(mode="after")
    def _complete(self) -> Profile:
        wanted = {
            "rectangle": ("width", "height"),
            "circle": ("diameter",),
            "tube": ("diameter",),
            "given": ("area", "inertia"),
        }[self.shape]
        missing = [name for name in wanted if getattr(self, name) is None]
        if missing:
            raise ValueError(f"a section of shape '{self.shape}' also needs {' and '.join(missing)}")
        allowed = {
            "rectangle": {"width", "height"},
            "circle": {"diameter"},
            "tube": {"diameter", "inner", "thickness"},
            "given": {"area", "inertia", "inertia_y", "torsion"},
        }[self.shape] | {"shape", "shear_factor", "fibre"}
        extra = sorted(name for name in Profile.model_fields if name not in allowed and getattr(self, name) is not None)
        if extra:
            raise ValueError(f"a section of shape '{self.shape}' does not take {' or '.join(extra)}")
        if self.shape == "tube":
            if (self.inner is None) == (self.thickness is None):
                raise ValueError("a tube needs either inner or thickness")
            if not 0 < self._inner < self.diameter:  # type: ignore[operator]
                raise ValueError("the inner diameter of a tube must be positive and less than the outer one")
        return self

    @property
    def _inner(self) -> float:
        if self.shape != "tube":
            return 0.0
        assert self.diameter is not None
        return self.inner if self.inner is not None else self.diameter - 2.0 * (self.thickness or 0.0)

    def values(self, nu: float) -> SectionValues:
        """Figures of the section; `nu` is Poisson's ratio for Cowper's shear coefficient."""
        if self.shape == "rectangle":
            b, h = self.width or 0.0, self.height or 0.0
            area, inertia, inertia_y = b * h, b * h**3 / 12.0, h * b**3 / 12.0
            torsion, factor, fibre, fibre_y = _rectangle_torsion(b, h), cowper_rectangle(nu), h / 2, b / 2
        elif self.shape in ("circle", "tube"):
            outer, inner = self.diameter or 0.0, self._inner
            area = math.pi / 4 * (outer**2 - inner**2)
            inertia = inertia_y = math.pi / 64 * (outer**4 - inner**4)
            torsion, factor, fibre, fibre_y = (
                2 * inertia,
                cowper_tube(nu, inner / outer),
                outer / 2,
                outer / 2,
            )
        else:
            area, inertia = self.area or 0.0, self.inertia or 0.0
            inertia_y = self.inertia_y or inertia
            torsion = self.torsion or inertia + inertia_y
            # half the height of the rectangle that has this area and inertia
            fibre, fibre_y = math.sqrt(3.0 * inertia / area), math.sqrt(3.0 * inertia_y / area)
            factor = 5.0 / 6.0
        return SectionValues(
            area, inertia, inertia_y, torsion, self.shear_factor or factor, self.fibre or fibre, fibre_y
        )


class Station(Profile):
    """A cross section at a fraction `at` of the link's length."""

    at: Fraction = Field(description="Fraction of the link's length, 0 at the joint, 1 at the tip")


class Section(Part):
    """The cross section along a link: one profile, or stations between which dimensions change linearly.

    Two stations with the same `at` make a step. Between stations of one shape the *dimensions* are interpolated
    (a taper in height gives a cubic inertia); between stations of given figures the figures are.

    Examples
    --------
    >>> rod = {"shape": "circle"}
    >>> taper = Section.model_validate([{"at": 0.0, "diameter": 0.02, **rod}, {"at": 1.0, "diameter": 0.01, **rod}])
    >>> taper.uniform, (1e6 * taper.values(0.3, [0.0, 0.5, 1.0]).area).round(1).tolist()
    (False, [314.2, 176.7, 78.5])
    """

    stations: tuple[Station, ...] = Field(description="Cross sections along the link, from 0 to 1")

    @model_validator(mode="before")
    @classmethod
    def _from_short_form(cls, value: Any) -> Any:
        if isinstance(value, Profile):
            value = value.model_dump(exclude_none=True)
        if isinstance(value, dict) and "stations" not in value:
            value = [{"at": 0.0, **value}, {"at": 1.0, **value}]
        if isinstance(value, (list, tuple)):
            return {"stations": list(value)}
        return value

    @model_validator(mode="after")
    def _ordered(self) -> Section:
        places = [station.at for station in self.stations]
        if len(places) < 2 or places[0] != 0.0 or places[-1] != 1.0:
            raise ValueError("stations must begin at 0 and end at 1")
        if any(b < a for a, b in itertools.pairwise(places)):
            raise ValueError("stations must be in order of 'at'")
        for a, b in zip(self.stations, self.stations[1:], strict=False):
            if a.at < b.at and (a.shape != b.shape or (a.inner is None) != (b.inner is None)):
                raise ValueError(
                    f"stations at {a.at:g} and {b.at:g} differ in kind; between two stations only sizes may change "
                    "(put two stations at one place for a step)"
                )
            one_sided = [f for f in Profile.model_fields if (getattr(a, f) is None) != (getattr(b, f) is None)]
            if a.at < b.at and one_sided:
                raise ValueError(
                    f"stations at {a.at:g} and {b.at:g}: give {' and '.join(one_sided)} at both of them, or at none"
                )
        return self

    @property
    def uniform(self) -> bool:
        """True if the section is the same all along the link."""
        first = self.stations[0].model_dump(exclude={"at"})
        return all(station.model_dump(exclude={"at"}) == first for station in self.stations[1:])

    @property
    def breaks(self) -> tuple[float, ...]:
        """Fractions strictly inside the link where the section has a kink or a step."""
        return tuple(sorted({s.at for s in self.stations if 0.0 < s.at < 1.0}))

    def values(self, nu: float, fractions: Any, side: Literal["left", "right"] = "right") -> SectionValues:
        """Section figures at `fractions` of the length; at a step, those on the given side.

        Parameters
        ----------
        nu : float
            Poisson's ratio of the material.
        fractions : array_like, shape (n,)
            Places in 0..1.
        side : {"left", "right"}
            Which limit to take at a step.

        Returns
        -------
        SectionValues
            Arrays of shape (n,).
        """
        rows = [self._at(float(x), side).values(nu) for x in np.atleast_1d(np.asarray(fractions, dtype=float))]
        return SectionValues(*(np.array(column) for column in zip(*rows, strict=True)))

    def _at(self, x: float, side: str) -> Profile:
        places = np.array([station.at for station in self.stations])
        if side == "right":
            k = int(np.clip(np.searchsorted(places, x, "right") - 1, 0, len(places) - 2))
        else:
            k = int(np.clip(np.searchsorted(places, x, "left") - 1, 0, len(places) - 2))
        while k + 2 < len(places) and places[k + 1] == places[k]:
            k += 1
        a, b = self.stations[k], self.stations[k + 1]
        if b.at == a.at:
            return a if side == "left" else b
        w = (x - a.at) / (b.at - a.at)
        mixed: dict[str, Any] = {"shape": a.shape}
        for name in Profile.model_fields:
            u, v = getattr(a, name), getattr(b, name)
            if name != "shape" and u is not None and v is not None:
                mixed[name] = u if u == v else (1.0 - w) * u + w * v
        return Profile.model_construct(**{**dict.fromkeys(Profile.model_fields), **mixed})
