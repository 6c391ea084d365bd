"""What a static analysis gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexarm.analysis.loads import Load
from flexarm.result import LABELS

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class StaticResult:
    """An arm at rest under its loads.

    Attributes
    ----------
    displacement : xarray.DataArray, dims (link, s, axis)
        From the stiff arm in the commanded pose, m; s is the fraction of a link's length.
    tip_displacement : ndarray, shape (3,)
        Of the tip that carries the payload, m.
    tip_rotation : float, or ndarray of shape (3,) in space
        Of the section at that tip, rad; in space its rotation vector in the axes of the ground.
    forces : xarray.Dataset, dim (point)
        Section forces under the names that they have in a run (axial_force, shear_force, bending_moment; in space also
        shear_force_z, torsion_moment, bending_moment_y), where the method knows them best: fem at the integration points
        of its elements, in space in their middles and at the roots. The coordinates link and s say where.
    roots : xarray.DataArray, dims (link, component)
        Forces x and y (N) and moment (N*m) with which each link is held at its root; in space x, y, z, moment_x,
        moment_y and moment_z, in the axes of the ground.
    reaction_force : ndarray, shape (3,)
        Force of the ground on the arm, N.
    reaction_moment : float, or ndarray of shape (3,) in space
        Moment of the ground on the arm at its root, N*m.
    stable : bool
        False if the arm would leave this equilibrium at the least touch: it buckles.
    imbalance : float
        Largest difference between the roots' forces from the elements and from equilibrium of the whole, as a share
        of the largest one; a moment counts as a force at the arm's reach.
    loads : tuple of Load
        What acts besides gravity.
    method : str
        The method that found it.
    notes : tuple of str
        What the user should know about it.
    """

    displacement: xarray.DataArray
    tip_displacement: np.ndarray
    tip_rotation: float | np.ndarray
    forces: xarray.Dataset
    roots: xarray.DataArray
    reaction_force: np.ndarray
    reaction_moment: float | np.ndarray
    stable: bool
    imbalance: float
    loads: tuple[Load, ...]
    method: str
    notes: tuple[str, ...] = ()


def displacement_array(moved: np.ndarray, links: Sequence[str], stations: np.ndarray) -> xarray.DataArray:
    """Displacements (link, s, axis) with their names."""
    import xarray

    return xarray.DataArray(
        moved, dims=("link", "s", "axis"), coords={"link": list(links), "s": stations, "axis": ["x", "y", "z"]},
        attrs={"units": "m", "long_name": "displacement"},
    )  # fmt: skip


def force_array(roots: np.ndarray, links: Sequence[str], components: Sequence[str]) -> xarray.DataArray:
    """Forces and moments (link, component) with their names."""
    import xarray

    units = ", ".join("N*m" if name.startswith("moment") else "N" for name in components)
    return xarray.DataArray(
        roots, dims=("link", "component"), coords={"link": list(links), "component": list(components)},
        attrs={"units": units, "long_name": "force and moment that hold the root"},
    )  # fmt: skip


def force_set(links: Sequence[tuple[str, np.ndarray, np.ndarray]], kinds: Sequence[str]) -> xarray.Dataset:
    """Section forces of all links, one point after the other from the root to the tip.

    links : name, fractions of the length (points,) and values (kinds, points); kinds : names of the forces.
    """
    import xarray

    names = [name for name, places, _ in links for _ in places]
    return xarray.Dataset(
        {
            kind: (
                "point", np.concatenate([values[k] for _, _, values in links]),
                dict(zip(("long_name", "units"), LABELS[kind], strict=True)),
            )
            for k, kind in enumerate(kinds)
        },
        coords={"link": ("point", names), "s": ("point", np.concatenate([places for _, places, _ in links]))},
    )  # fmt: skip


def imbalance_of(wrong: np.ndarray, roots: np.ndarray, reach: float, forces: int) -> float:
    """Largest wrong force or moment as a share of the largest there is; moments, after `forces` forces, count by the reach."""
    weights = np.where(np.arange(roots.shape[1]) < forces, 1.0, 1.0 / reach)
    size = float(np.abs(roots * weights).max())
    return float(np.abs(wrong * weights).max()) / size if size > 0.0 else 0.0
