"""Loads of the static analysis: forces and moments at places of links."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.arm.quantity import Quantity
from flexarm.errors import FlexarmError
from flexarm.rigid.beam import section_place
from flexarm.scenario.units import QuantityError, read_quantity


@dataclass(frozen=True)
class Load:
    """A force and a moment at one place; both keep their direction when the arm bends.

    Attributes
    ----------
    link : str
        Name of the link.
    at : float
        Fraction of the link's length, 0 at its root, 1 at its tip.
    force : tuple of float
        Components along x and y of the ground, N; in space also along z.
    moment : float or tuple of float
        About z, counter-clockwise positive, N*m; in space the three components.
    """

    link: str
    at: float = 1.0
    force: tuple[float, ...] = (0.0, 0.0)
    moment: float | tuple[float, ...] = 0.0


def read_load(given: Load | Mapping[str, Any], arm: Arm, field: str = "loads") -> Load:
    """A load from a dict with the keys link, at, force, moment; numbers are SI, texts may carry units.

    Examples
    --------
    >>> rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    >>> read_load({"force": ["1 kN", 0]}, Arm(links=[{"name": "upper", **rod}]))
    Load(link='upper', at=1.0, force=(1000.0, 0.0), moment=0.0)
    """
    if isinstance(given, Load):
        given = {"link": given.link, "at": given.at, "force": given.force, "moment": given.moment}
    if not isinstance(given, Mapping):
        raise FlexarmError("a load is a mapping with the keys link, at, force and moment", field=field)
    unknown = sorted(set(given) - {"link", "at", "force", "moment"})
    if unknown:
        raise FlexarmError(f"a load has no '{unknown[0]}'; it has link, at, force and moment", field=field)
    if not {"force", "moment"} & set(given):
        raise FlexarmError("a load needs a force, a moment or both", field=field)
    name = given.get("link", arm.links[-1].name)
    links = {link.name: link for link in arm.links}
    if name not in links:
        raise FlexarmError(f"there is no link '{name}'; the arm has {', '.join(links)}", field=f"{field}.link")
    place = _fraction(links[name], given.get("at", "tip"), f"{field}.at", arm.spatial)
    if arm.spatial:
        force = _components(given.get("force", (0.0,) * 3), 3, "N", f"{field}.force")
        return Load(str(name), place, force, _components(given.get("moment", (0.0,) * 3), 3, "N*m", f"{field}.moment"))
    force = _components(given.get("force", (0.0, 0.0)), 2, "N", f"{field}.force")
    return Load(str(name), place, force, _number(given.get("moment", 0.0), "N*m", f"{field}.moment"))


def _components(given: Any, count: int, unit: str, field: str) -> tuple[float, ...]:
    """Two or three numbers along the axes of the ground."""
    what = field.rpartition(".")[2]
    words = (
        "two components, along x and along y of the ground" if count == 2 else "three components: the arm is spatial"
    )
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != count:
        raise FlexarmError(f"{what} needs {words}", field=field)
    return tuple(_number(part, unit, field) for part in given)


def _number(value: Any, unit: str, field: str) -> float:
    try:
        number = float(read_quantity(value, Quantity(unit)))
    except QuantityError as error:
        raise FlexarmError(error.about(field)) from None
    except (TypeError, ValueError):
        raise FlexarmError(f"'{value}' is not a number", field=field) from None
    if not math.isfinite(number):
        raise FlexarmError("a load must be finite", field=field)
    return number


def _fraction(link: Link, place: Any, field: str, spatial: bool) -> float:
    """Fraction of the length; named points must lie on the axis, and not on a link that slides."""
    if isinstance(place, str) and place in ("tip", "root"):
        return 1.0 if place == "tip" else 0.0
    if not isinstance(place, str) or place not in (*link.points, *link.frames):
        try:
            place = float(read_quantity(place, Quantity("1")))
        except (QuantityError, TypeError, ValueError):
            known = ", ".join(["tip", "root", *link.points, *link.frames])
            raise FlexarmError(
                f"'{place}' is no place on link '{link.name}'; give {known}, or a fraction of its length", field=field
            ) from None
        if not 0.0 <= place <= 1.0:
            raise FlexarmError("a fraction of the length lies between 0 and 1", field=field)
        return float(place)
    if spatial and link.joint.type == "prismatic":
        raise FlexarmError(
            f"'{place}' moves with the link that slides; give tip, root, or a fraction of what stands out", field=field
        )
    fraction, beside = section_place(link, place) if spatial else _planar_place(link, place)
    if beside.any():
        raise FlexarmError(f"the point '{place}' is off the link's axis; loads act on the axis", field=field)
    return fraction


def _planar_place(link: Link, place: str) -> tuple[float, np.ndarray]:
    """Fraction of the length of a point of a planar link, and how far it is beside the axis."""
    x, y, z = link.place(place)
    inside = min(max(x, 0.0), link.span)
    return inside / link.span, np.array([x - inside, y, z])
