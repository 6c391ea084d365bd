"""Cross sections: by shape or by their properties, uniform or changing along the link.

Bending of planar arms happens in the local x-y plane: `inertia` is the second moment of area for it (about the
local z axis) and `height` is measured in that plane. `inertia_y` is the one for bending in the x-z plane.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.quantity import Area, AreaMoment, Fraction, PositiveLength, Quantity
from flexarm.arm.section_properties import ALWAYS, SHAPES, SectionValues, section_properties

if TYPE_CHECKING:
    ShapeName = str
else:
    ShapeName = Literal[tuple(SHAPES)]


class Profile(Part):
    """One cross section. Give `shape` and its dimensions, or `area` and `inertia` and what else is known.

    Examples
    --------
    >>> round(Profile(shape="rectangle", width=0.05, height=0.05).values(0.25).shear_factor, 4)
    0.8475
    """

    shape: ShapeName = Field(default="given", description="Kind of section")
    width: PositiveLength | None = Field(
        default=None, description="Outer size across the bending plane; not of round ones"
    )
    height: PositiveLength | None = Field(
        default=None, description="Outer size in the bending plane; not of round ones"
    )
    diameter: PositiveLength | None = Field(default=None, description="Circle, tube: outer diameter")
    inner: PositiveLength | None = Field(default=None, description="Tube: inner diameter")
    thickness: PositiveLength | None = Field(default=None, description="Tube, box: wall thickness")
    inner_width: PositiveLength | None = Field(default=None, description="Hollow rectangle: width of the hole")
    inner_height: PositiveLength | None = Field(default=None, description="Hollow rectangle: height of the hole")
    flange: PositiveLength | None = Field(default=None, description="I, C: thickness of the flanges, which lie across")
    web: PositiveLength | None = Field(
        default=None, description="I, C: thickness of the web, which stands along the height"
    )
    area: Area | None = Field(default=None, description="Area")
    inertia: AreaMoment | None = Field(default=None, description="Second moment for bending in the x-y plane")
    inertia_y: AreaMoment | None = Field(default=None, description="The same for the x-z plane; default inertia")
    torsion: AreaMoment | None = Field(
        default=None, description="Torsion constant; that of the shape, or inertia + inertia_y, when left out"
    )
    shear_factor: Annotated[float, Field(gt=0, le=1.5, allow_inf_nan=False), Quantity("1")] | None = Field(
        default=None, description="Shear coefficient; Cowper's formula of the shape, or 5/6, when left out"
    )
    shear_factor_z: Annotated[float, Field(gt=0, le=1.5, allow_inf_nan=False), Quantity("1")] | None = Field(
        default=None, description="The same in the x-z plane; shear_factor where that is given"
    )
    fibre: PositiveLength | None = Field(
        default=None, description="Distance of the outer fibre for strain; half the height when left out"
    )

    @model_validator(mode="after")
    def _complete(self) -> Profile:
        rule = SHAPES[self.shape]
        missing = [name for name in rule.needs if getattr(self, name) is None]
        if missing:
            raise ValueError(f"a section of shape '{self.shape}' also needs {' and '.join(missing)}")
        allowed = {*rule.needs, *rule.takes, *ALWAYS}
        extra = sorted(name for name in self.sizes if name not in allowed)
        if extra:
            raise ValueError(f"a section of shape '{self.shape}' does not take {' or '.join(extra)}")
        if obstacle := rule.obstacle(self.sizes):
            raise ValueError(obstacle)
        return self

    @property
    def sizes(self) -> dict[str, float]:
        """The dimensions and properties that are given."""
        return {name: value for name in SIZES if (value := getattr(self, name)) is not None}

    def values(self, nu: float) -> SectionValues:
        """Properties of the section; `nu` is Poisson's ratio for Cowper's shear coefficient."""
        return section_properties(self.shape, self.sizes, nu)


SIZES = tuple(name for name in Profile.model_fields if name != "shape")


class Station(Profile):
    """A cross section at a fraction `at` of the link's length."""

    at: Fraction = Field(description="Fraction of the link's length, 0 at the joint, 1 at the tip")


class Section(Part):
    """The cross section along a link: one profile, or stations between which dimensions change linearly.

    Two stations with the same `at` make a step. Between stations of one shape the *dimensions* are interpolated
    (a taper in height gives a cubic inertia); between stations of given properties the properties are.

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

    @property
    def steps(self) -> tuple[float, ...]:
        """Those of them where the sizes jump."""
        pairs = itertools.pairwise(self.stations)
        inside = {a.at for a, b in pairs if 0.0 < a.at == b.at < 1.0}
        return tuple(at for at in sorted(inside) if len({s for s in self.stations if s.at == at}) > 1)

    def values(self, nu: float, fractions: Any, side: Literal["left", "right"] = "right") -> SectionValues:
        """Section properties at `fractions` of the length; at a step, those on the given side.

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
        x = np.atleast_1d(np.asarray(fractions, dtype=float))
        parts = np.empty((len(SectionValues._fields), x.size))
        spans = self._spans(x, side) if len(self.stations) > 2 else None
        for k in (0,) if spans is None else np.unique(spans):
            there: Any = slice(None) if spans is None else spans == k
            a, b = self.stations[k : k + 2]
            if b.at == a.at:
                sizes: dict[str, Any] = (a if side == "left" else b).sizes
            else:
                w, ends = (x[there] - a.at) / (b.at - a.at), b.sizes
                sizes = {name: u if u == ends[name] else (1.0 - w) * u + w * ends[name] for name, u in a.sizes.items()}
            for row, value in zip(parts, section_properties(a.shape, sizes, nu), strict=True):
                row[there] = value
        return SectionValues(*parts)

    def _spans(self, x: np.ndarray, side: Literal["left", "right"]) -> np.ndarray:
        """Which station lies before each place."""
        places = np.array([station.at for station in self.stations])
        spans = np.clip(np.searchsorted(places, x, side) - 1, 0, len(places) - 2)
        for k in range(len(places) - 2):
            if places[k + 1] == places[k]:
                spans[spans == k] += 1
        return spans
