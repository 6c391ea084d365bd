"""Links: flexible beams or rigid bodies, with named points and lumped masses."""

from __future__ import annotations

import itertools
import math
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from flexarm.arm.base import Part, Truth
from flexarm.arm.damping import Damping
from flexarm.arm.joint import Joint
from flexarm.arm.material import Material
from flexarm.arm.quantity import Fraction, Inertia, Length, Mass, PositiveLength
from flexarm.arm.section import Section
from flexarm.numerics.gauss import gauss


def _plain_name(name: str) -> str:
    if not name or not all(c.isalnum() or c in "-_" for c in name):
        raise ValueError(f"'{name}' is not a name: use letters, digits, '-' and '_'")
    if len(name) > 100:
        raise ValueError("a name has at most 100 characters")
    if name in ("ground", "tip", "root"):
        raise ValueError(f"'{name}' has a meaning of its own: choose another name")
    return name


Name = Annotated[str, AfterValidator(_plain_name)]
Place: TypeAlias = Fraction | str
"""Where on a link: ``tip``, ``root``, a fraction of the length, or the name of one of its points."""
Point = Annotated[tuple[Length, ...], Field(min_length=2, max_length=3)]


class Lump(Part):
    """A mass fixed to a link."""

    at: Place = Field(default="tip", description="tip, root, fraction of the length, or a named point")
    mass: Mass = Field(description="Mass")
    inertia: Inertia = Field(default=0.0, description="Rotary inertia about its own centre")


class Body(Part):
    """Mass properties of a rigid link."""

    mass: Mass = Field(description="Mass")
    center: Point = Field(default=(0.0, 0.0), description="Centre of mass from the joint, in link axes")
    inertia: Inertia | Annotated[tuple[Inertia, ...], Field(min_length=3, max_length=3)] = Field(
        default=0.0, description="About the centre of mass; three numbers in space, about the link axes"
    )


class Link(Part):
    """One link with the joint at its root. The link runs along its local x axis.

    Examples
    --------
    >>> link = Link(name="fore", length=1.0, material="steel", section={"shape": "circle", "diameter": 0.02})
    >>> round(link.mass, 4)
    2.4662
    """

    name: Name = Field(description="Name; the joint at its root has the same name")
    parent: str | None = Field(default=None, description="Link that carries it, or ground; default the previous")
    at: Place = Field(default="tip", description="Where on the parent: tip, fraction or named point")
    joint: Joint = Field(default_factory=Joint, description="Joint at the root")
    length: PositiveLength | None = Field(default=None, description="Length; from dh when left out")
    flexible: Truth = Field(default=True, description="Beam that bends, or rigid")
    section: Section | None = Field(default=None, description="Cross section along the link")
    material: Material | None = Field(default=None, description="Material by name or by its figures")
    body: Body | None = Field(default=None, description="Mass properties of a rigid link")
    points: dict[Name, Point] = Field(default_factory=dict, description="Named points in link axes")
    masses: tuple[Lump, ...] = Field(default=(), description="Lumped masses")
    damping: Damping | None = Field(default=None, description="Kelvin-Voigt damping; default that of the arm")

    @model_validator(mode="after")
    def _consistent(self) -> Link:
        if self.flexible:
            missing = [name for name in ("section", "material") if getattr(self, name) is None]
            if missing:
                raise ValueError(f"flexible link '{self.name}' needs {' and '.join(missing)} (or say flexible: false)")
            if self.body is not None:
                raise ValueError(
                    f"'body' is for rigid links: say flexible: false for '{self.name}', or give section and material"
                )
            if self.span <= 0:
                raise ValueError(f"flexible link '{self.name}' needs a length (or dh with a or d)")
        elif self.body is not None and (self.section is not None or self.material is not None):
            raise ValueError(f"rigid link '{self.name}': give either body, or section and material")
        elif (self.section is None) != (self.material is None):
            raise ValueError(f"link '{self.name}': section and material belong together")
        if self.joint.dh is not None and self.length is not None and self.joint.type != "prismatic":
            reach = abs(self.joint.dh.a) + abs(self.joint.dh.d)
            if not math.isclose(reach, self.length, rel_tol=1e-9):
                raise ValueError(f"length of '{self.name}' contradicts its dh (a and d make {reach:g} m)")
        for lump in self.masses:
            self.check_place(lump.at)
        return self

    @property
    def span(self) -> float:
        """Length of the beam in m (for a prismatic link the material that exists); 0 for a bare rigid body."""
        if self.length is not None:
            return self.length
        dh = self.joint.dh
        return abs(dh.a) + abs(dh.d) if dh is not None else 0.0

    def check_place(self, place: Place) -> None:
        """Refuse a place that this link does not have."""
        if isinstance(place, str) and place not in ("tip", "root") and place not in self.points:
            known = ", ".join(["tip", "root", *self.points])
            raise ValueError(f"link '{self.name}' has no point '{place}'; it has {known}, or give a fraction")

    def place(self, place: Place) -> tuple[float, float, float]:
        """Coordinates of a place in the axes of the undeformed link, in m."""
        self.check_place(place)
        if isinstance(place, str):
            if place in self.points:
                x, y, *z = self.points[place]
                return (x, y, z[0] if z else 0.0)
            return (self.span if place == "tip" else 0.0, 0.0, 0.0)
        return (place * self.span, 0.0, 0.0)

    def properties(self, fractions: Any, side: Literal["left", "right"] = "right") -> dict[str, np.ndarray]:
        """Stiffness and mass per length at fractions of the length.

        Returns
        -------
        dict of arrays, shape (n,)
            ``EA`` N, ``EI`` and ``EI_y`` N m^2, ``GJ`` N m^2, ``GA`` and ``GA_z`` (with the shear coefficients along y and z) N,
            ``rhoA`` kg/m, ``rhoI``, ``rhoI_y`` and ``rhoJ`` kg m (rotary inertia per length), ``fibre`` m.
        """
        if self.section is None or self.material is None:
            raise ValueError(f"link '{self.name}' has no section and material")
        m, v = self.material, self.section.values(self.material.nu, fractions, side)
        return {
            "EA": m.E * v.area,
            "EI": m.E * v.inertia,
            "EI_y": m.E * v.inertia_y,
            "GJ": m.shear_modulus * v.torsion,
            "GA": m.shear_modulus * v.area * v.shear_factor,
            "GA_z": m.shear_modulus * v.area * v.shear_factor_z,
            "rhoA": m.density * v.area,
            "rhoI": m.density * v.inertia,
            "rhoI_y": m.density * v.inertia_y,
            "rhoJ": m.density * (v.inertia + v.inertia_y),
            "fibre": v.fibre,
        }

    def integrate(self, names: tuple[str, ...], power: int = 0) -> tuple[float, ...]:
        """Integrals of ``x^power * property(x)`` over the length, exact for any taper between stations."""
        assert self.section is not None
        edges = np.array([0.0, *self.section.breaks, 1.0])
        nodes, weights = gauss(6)
        totals = np.zeros(len(names))
        for a, b in itertools.pairwise(edges):
            x = 0.5 * (a + b) + 0.5 * (b - a) * nodes
            properties = self.properties(x)
            w = 0.5 * (b - a) * self.span * weights * (x * self.span) ** power
            totals += [np.sum(w * properties[name]) for name in names]
        return tuple(totals.tolist())

    @property
    def mass(self) -> float:
        """Mass of the link itself in kg, without lumps, motor and payload."""
        if self.body is not None:
            return self.body.mass
        return self.integrate(("rhoA",))[0] if self.section is not None else 0.0
