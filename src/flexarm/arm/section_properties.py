"""Area, moments, torsion constant and shear coefficients of cross sections by shape, for one place or for many at once.

Height lies along y, in the plane of bending of planar arms, width along z. Areas and moments are those of the exact outline; torsion
constants and shear coefficients of sections with walls are those of thin walls (`thin_walls`).
A C section opens to +z. Its shear centre lies off its centroid, on the side of the web: forces are taken to act through the shear
centre, and the twist that forces through the centroid would cause is left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from flexarm.arm.thin_walls import bredt_box, cowper_box, cowper_i, flow_c, flow_c_across

Sizes = Mapping[str, Any]
THICKEST = 0.25
"""Thickest wall for which formulas of thin walls are taken, as a part of the size across it."""


class SectionValues(NamedTuple):
    """Properties of a cross section in SI units, named as in `Profile`; each a float, or an array over stations."""

    area: Any
    inertia: Any
    inertia_y: Any
    torsion: Any
    shear_factor: Any
    shear_factor_z: Any
    """The same for shear along z."""
    fibre: Any
    fibre_y: Any
    """Distance of the outer fibre for bending in the x-z plane, which is that at +z."""
    fibre_back: Any
    """Distance of the fibre at -z."""


@dataclass(frozen=True)
class Shape:
    """A kind of section.

    Attributes
    ----------
    needs, takes : tuple of str
        Sizes that must be given, and those that may be.
    values : callable
        (sizes, nu) -> SectionValues.
    obstacle : callable
        What is wrong with sizes, in a sentence; empty if nothing is.
    """

    needs: tuple[str, ...]
    values: Callable[[Sizes, float], SectionValues]
    takes: tuple[str, ...] = ()
    obstacle: Callable[[Sizes], str] = lambda sizes: ""


def _rectangle_torsion(width: Any, height: Any) -> Any:
    """Saint-Venant torsion constant of a solid rectangle (series solution)."""
    a, b = np.maximum(width, height), np.minimum(width, height)
    series = sum(np.tanh(n * math.pi * a / (2 * b)) / n**5 for n in range(1, 12, 2))
    return a * b**3 / 3.0 * (1.0 - 192.0 / math.pi**5 * b / a * series)


def cowper_rectangle(nu: float) -> float:
    """Cowper's shear coefficient of a solid rectangle."""
    return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu)


def cowper_tube(nu: float, inner_over_outer: Any) -> Any:
    """Cowper's shear coefficient of a round tube; 0 for the ratio gives the solid circle."""
    m2 = inner_over_outer**2
    square = (1.0 + m2) ** 2
    return 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m2)


def _rectangle(sizes: Sizes, nu: float) -> SectionValues:
    b, h, k = sizes["width"], sizes["height"], cowper_rectangle(nu)
    return SectionValues(b * h, b * h**3 / 12.0, h * b**3 / 12.0, _rectangle_torsion(b, h), k, k, h / 2, b / 2, b / 2)


def _round(sizes: Sizes, nu: float) -> SectionValues:
    outer, inner = sizes["diameter"], _inner(sizes)
    inertia, k = math.pi / 64 * (outer**4 - inner**4), cowper_tube(nu, inner / outer)
    area = math.pi / 4 * (outer**2 - inner**2)
    return SectionValues(area, inertia, inertia, 2 * inertia, k, k, outer / 2, outer / 2, outer / 2)


def _inner(sizes: Sizes) -> Any:
    outer = sizes["diameter"]
    return sizes["inner"] if "inner" in sizes else outer - 2.0 * sizes.get("thickness", 0.5 * outer)


def _of_tube(sizes: Sizes) -> str:
    if ("inner" in sizes) == ("thickness" in sizes):
        return "a tube needs either inner or thickness"
    if not 0 < _inner(sizes) < sizes["diameter"]:
        return "the inner diameter of a tube must be positive and less than the outer one"
    return ""


def _box_walls(sizes: Sizes) -> tuple[Any, Any]:
    """Thickness of the walls across and along the height."""
    if "thickness" in sizes:
        return sizes["thickness"], sizes["thickness"]
    return (sizes["height"] - sizes["inner_height"]) / 2.0, (sizes["width"] - sizes["inner_width"]) / 2.0


def _box(sizes: Sizes, nu: float) -> SectionValues:
    b, h, (flange, web) = sizes["width"], sizes["height"], _box_walls(sizes)
    inner_b, inner_h = b - 2.0 * web, h - 2.0 * flange
    walls = b - web, h - flange, flange, web
    across = h - flange, b - web, web, flange
    return SectionValues(
        b * h - inner_b * inner_h,
        (b * h**3 - inner_b * inner_h**3) / 12.0,
        (h * b**3 - inner_h * inner_b**3) / 12.0,
        bredt_box(*walls),
        cowper_box(nu, *walls),
        cowper_box(nu, *across),
        h / 2,
        b / 2,
        b / 2,
    )


def _i(sizes: Sizes, nu: float) -> SectionValues:
    b, h, flange, web = (sizes[name] for name in ("width", "height", "flange", "web"))
    inner, flanges = h - 2.0 * flange, 2.0 * b * flange
    area = flanges + inner * web
    return SectionValues(
        area,
        (b * h**3 - (b - web) * inner**3) / 12.0,
        (2.0 * flange * b**3 + inner * web**3) / 12.0,
        (2.0 * b * flange**3 + inner * web**3) / 3.0,
        cowper_i(nu, b, h - flange, flange, web),
        cowper_rectangle(nu) * flanges / area,  # the flanges alone carry it
        h / 2,
        b / 2,
        b / 2,
    )


def _c(sizes: Sizes, nu: float) -> SectionValues:
    b, h, flange, web = (sizes[name] for name in ("width", "height", "flange", "web"))
    inner = h - 2.0 * flange
    area = 2.0 * b * flange + inner * web
    centre = (flange * b**2 + inner * web**2 / 2.0) / area  # from the back of the web
    walls = b - web / 2.0, h - flange, flange, web
    return SectionValues(
        area,
        (b * h**3 - (b - web) * inner**3) / 12.0,
        (2.0 * flange * b**3 + inner * web**3) / 3.0 - area * centre**2,
        (2.0 * b * flange**3 + inner * web**3) / 3.0,
        flow_c(*walls),
        flow_c_across(*walls),
        h / 2,
        b - centre,
        centre,
    )


def _given(sizes: Sizes, nu: float) -> SectionValues:
    area, inertia = sizes["area"], sizes["inertia"]
    inertia_y = sizes.get("inertia_y", inertia)
    # half the height of the rectangle that has this area and inertia
    fibre, fibre_y = np.sqrt(3.0 * inertia / area), np.sqrt(3.0 * inertia_y / area)
    return SectionValues(area, inertia, inertia_y, inertia + inertia_y, 5.0 / 6.0, 5.0 / 6.0, fibre, fibre_y, fibre_y)


def _walls(kind: str, across: tuple[tuple[str, str], ...]) -> Callable[[Sizes], str]:
    """An obstacle for thin walls; `across`: names of a wall and of the size across which it stands."""

    def obstacle(sizes: Sizes) -> str:
        most = 0.5 if {"torsion", "shear_factor"} <= sizes.keys() else THICKEST
        for wall, size in across:
            thickness = sizes[wall] if wall in sizes else (sizes[size] - sizes[f"inner_{size}"]) / 2.0
            if not 0.0 < thickness <= most * sizes[size] * (1.0 + 1e-9) or thickness == sizes[size] / 2.0:
                return (
                    f"the {wall} of {kind} must be positive and at most a quarter of its {size}, being taken for a thin wall; for a "
                    "thicker one also give torsion and shear_factor, or give area and inertia in place of a shape"
                )
        return ""

    return obstacle


BOTH_WAYS = (("thickness", "height"), ("thickness", "width"))
SHAPES: dict[str, Shape] = {
    "rectangle": Shape(("width", "height"), _rectangle),
    "circle": Shape(("diameter",), _round),
    "tube": Shape(("diameter",), _round, ("inner", "thickness"), _of_tube),
    "box": Shape(("width", "height", "thickness"), _box, ("torsion",), _walls("a box", BOTH_WAYS)),
    "hollow-rectangle": Shape(
        ("width", "height", "inner_width", "inner_height"),
        _box,
        ("torsion",),
        _walls("a hollow rectangle", (("wall", "height"), ("wall", "width"))),
    ),
    "I": Shape(
        ("width", "height", "flange", "web"),
        _i,
        ("torsion",),
        _walls("an I section", (("flange", "height"), ("web", "width"))),
    ),
    "C": Shape(
        ("width", "height", "flange", "web"),
        _c,
        ("torsion",),
        _walls("a C section", (("flange", "height"), ("web", "width"))),
    ),
    "given": Shape(("area", "inertia"), _given, ("inertia_y", "torsion")),
}
"""Kinds of sections by name. A new one is a function of its sizes here; its sizes are fields of `Profile`."""
ALWAYS = ("shear_factor", "shear_factor_z", "fibre")
"""What may be stated of every shape in place of what follows from it."""


def section_properties(shape: str, sizes: Sizes, nu: float) -> SectionValues:
    """Properties of a section of a shape.

    Parameters
    ----------
    shape : str
        One of `SHAPES`.
    sizes : mapping of str to float or ndarray, shape (n,)
        What `Profile` gives: dimensions, or area and inertia; shear_factor, fibre and torsion where they are stated.
    nu : float
        Poisson's ratio, for Cowper's shear coefficient.
    """
    found = SHAPES[shape].values(sizes, nu)
    stated = {name: sizes[name] for name in (*ALWAYS, "torsion") if name in sizes}
    if "shear_factor" in stated:
        stated.setdefault("shear_factor_z", stated["shear_factor"])
    return found._replace(**stated)
