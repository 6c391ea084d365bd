"""Links: flexible beams or rigid bodies, with named points and frames and lumped masses."""

from __future__ import annotations

import itertools
import math
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from flexarm.arm.base import Part, Truth
from flexarm.arm.body import Body, Lump, Place, Point
from flexarm.arm.damping import Damping
from flexarm.arm.joint import Joint
from flexarm.arm.material import Material
from flexarm.arm.pose import Direction, Place3, Pose
from flexarm.arm.quantity import PositiveLength
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
NEAR = 0.99
"""Cosine beyond which a beam lies along the link's y axis."""


class Beam(Part):
    """The straight beam inside a link, in link axes; what lies between it and the joints is rigid."""

    begin: Place3 = Field(default=(0.0, 0.0, 0.0), alias="from", description="Where it begins")
    end: Place3 = Field(alias="to", description="Where it ends")
    up: Direction | None = Field(
        default=None,
        description="Direction of the section's y axis; default the link's y axis, or z for a beam along that",
    )

    @model_validator(mode="after")
    def _runs(self) -> Beam:
        if self.length <= 0.0:
            raise ValueError("a beam begins and ends at different places")
        run = np.subtract(self.end, self.begin)
        if self.up is not None and np.linalg.norm(np.cross(self.up, run)) <= 1e-9 * self.length * np.linalg.norm(
            self.up
        ):
            raise ValueError("'up' lies across the beam, not along it, and is not zero")
        return self

    @property
    def length(self) -> float:
        """Distance of its ends, m."""
        return math.dist(self.begin, self.end)

    @property
    def axes(self) -> np.ndarray:
        """Rotation (3, 3) whose columns are the beam axes in link axes: x along the beam, y up, z across."""
        x = np.subtract(self.end, self.begin) / self.length
        up = self.up if self.up is not None else (0.0, 1.0, 0.0) if abs(x[1]) < NEAR else (0.0, 0.0, 1.0)
        y = np.array(up) - x * float(x @ np.array(up))
        y /= np.linalg.norm(y)
        return np.column_stack([x, y, np.cross(x, y)])


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
    length: PositiveLength | None = Field(default=None, description="Length; from dh or beam when left out")
    beam: Beam | None = Field(
        default=None, description="Where the beam lies in the link, in space; along x from the joint when left out"
    )
    flexible: Truth = Field(default=True, description="Beam that bends, or rigid")
    section: Section | None = Field(default=None, description="Cross section along the link")
    material: Material | None = Field(default=None, description="Material by name or by its figures")
    body: Body | None = Field(default=None, description="Mass properties of a rigid link")
    points: dict[Name, Point] = Field(default_factory=dict, description="Named points in link axes")
    frames: dict[Name, Pose] = Field(default_factory=dict, description="Named frames in link axes, in space")
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
                raise ValueError(f"flexible link '{self.name}' needs a length (or a beam, or dh with a or d)")
        elif self.body is not None and (self.section is not None or self.material is not None):
            raise ValueError(f"rigid link '{self.name}': give either body, or section and material")
        elif (self.section is None) != (self.material is None):
            raise ValueError(f"link '{self.name}': section and material belong together")
        if self.joint.dh is not None and self.length is not None and self.joint.type != "prismatic":
            reach = abs(self.joint.dh.a) + abs(self.joint.dh.d)
            if not math.isclose(reach, self.length, rel_tol=1e-9):
                raise ValueError(f"length of '{self.name}' contradicts its dh (a and d make {reach:g} m)")
        if self.beam is not None:
            self._check_beam()
        twice = sorted(set(self.points) & set(self.frames))
        if twice:
            raise ValueError(f"link '{self.name}' has both a point and a frame '{twice[0]}'")
        for lump in self.masses:
            self.check_place(lump.at)
        return self

    def _check_beam(self) -> None:
        for given, words in (
            (self.joint.dh is not None, "dh says where its beam runs: give either dh or beam"),
            (self.length is not None, "its beam has the length from 'from' to 'to': leave 'length' out"),
            (self.joint.type == "prismatic", "its beam comes out of the sliding joint along the axis: give 'length'"),
        ):
            if given:
                raise ValueError(f"link '{self.name}': {words}")

    @property
    def span(self) -> float:
        """Length of the beam in m (for a prismatic link the material that exists); 0 for a bare rigid body."""
        if self.length is not None:
            return self.length
        if self.beam is not None:
            return self.beam.length
        dh = self.joint.dh
        return abs(dh.a) + abs(dh.d) if dh is not None else 0.0

    def check_place(self, place: Place) -> None:
        """Refuse a place that this link does not have."""
        if isinstance(place, str) and place not in ("tip", "root", *self.points, *self.frames):
            known = ", ".join(["tip", "root", *self.points, *self.frames])
            raise ValueError(f"link '{self.name}' has no point '{place}'; it has {known}, or give a fraction")

    def place(self, place: Place) -> tuple[float, float, float]:
        """Coordinates of a place in the axes of the undeformed link, in m."""
        self.check_place(place)
        if isinstance(place, str):
            if place in self.points:
                x, y, *z = self.points[place]
                return (x, y, z[0] if z else 0.0)
            if place in self.frames:
                x, y, z = self.frames[place].xyz
                return (x, y, z)
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
