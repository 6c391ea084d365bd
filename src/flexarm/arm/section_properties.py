"""Area, moments, torsion constant and shear coefficient of cross sections, for one place or for many at once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np


class SectionValues(NamedTuple):
    """Properties of a cross section in SI units, named as in `Profile`; each a float, or an array over stations."""

    area: Any
    inertia: Any
    inertia_y: Any
    torsion: Any
    shear_factor: Any
    fibre: Any
    fibre_y: Any
    """Distance of the outer fibre for bending in the x-z plane."""


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


def section_properties(shape: str, sizes: Mapping[str, Any], nu: float) -> SectionValues:
    """Properties of a section of a shape.

    Parameters
    ----------
    shape : {"rectangle", "circle", "tube", "given"}
        Kind of section.
    sizes : mapping of str to float or ndarray, shape (n,)
        What `Profile` gives: dimensions, or area and inertia; shear_factor and fibre where they are stated.
    nu : float
        Poisson's ratio, for Cowper's shear coefficient.
    """
    if shape == "rectangle":
        b, h = sizes["width"], sizes["height"]
        area, inertia, inertia_y = b * h, b * h**3 / 12.0, h * b**3 / 12.0
        torsion, factor, fibre, fibre_y = _rectangle_torsion(b, h), cowper_rectangle(nu), h / 2, b / 2
    elif shape in ("circle", "tube"):
        outer = sizes["diameter"]
        inner = sizes["inner"] if "inner" in sizes else outer - 2.0 * sizes.get("thickness", 0.5 * outer)
        area = math.pi / 4 * (outer**2 - inner**2)
        inertia = inertia_y = math.pi / 64 * (outer**4 - inner**4)
        torsion, factor, fibre, fibre_y = 2 * inertia, cowper_tube(nu, inner / outer), outer / 2, outer / 2
    else:
        area, inertia = sizes["area"], sizes["inertia"]
        inertia_y = sizes.get("inertia_y", inertia)
        torsion = sizes.get("torsion", inertia + inertia_y)
        # half the height of the rectangle that has this area and inertia
        fibre, fibre_y = np.sqrt(3.0 * inertia / area), np.sqrt(3.0 * inertia_y / area)
        factor = 5.0 / 6.0
    shear, fibre = sizes.get("shear_factor", factor), sizes.get("fibre", fibre)
    return SectionValues(area, inertia, inertia_y, torsion, shear, fibre, fibre_y)
