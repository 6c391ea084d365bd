"""What the figures read from a result, and how they refuse when it is not there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from flexarm.errors import OutputError

if TYPE_CHECKING:
    import xarray as xr

REMEDIES = {
    "strain": "ask for it with output.gauges in the scenario",
    "tip_error": "it exists when every joint has a commanded motion",
    "path_error": "it exists when the drive follows a path",
    "path_position": "it exists when the drive follows a path",
    "travel": "it exists for arms with a single link",
    "shape": "ask for stations along the links with output.stations in the scenario",
    "deflection": "ask for stations along the links with output.stations in the scenario",
    "energy": "run it again with a method that keeps the energy audit",
}


FAR, LONG = 1.0, 0.15
"""A link that turns by more than this, rad, or bends by more than this part of its length, does so far."""
ROUNDING = 1e-9
"""Angles in rad and lengths in m below this are zero."""


class Source(Protocol):
    """The part of a result that figures need: `data` (an xarray.Dataset) and `scenario` (may be None)."""

    @property
    def data(self) -> xr.Dataset: ...

    @property
    def scenario(self) -> Any: ...


def missing(result: Source, needs: Sequence[str]) -> list[str]:
    """Those of `needs` that the result does not have; ``a|b`` means that either will do."""
    return [need for need in needs if not any(has(result, name) for name in need.split("|"))]


def has(result: Source, name: str) -> bool:
    """True if the variable is there and holds at least one finite number."""
    data = result.data
    return name in data and data[name].size > 0 and bool(np.isfinite(np.asarray(data[name], dtype=float)).any())


def require(result: Source, figure: str, *needs: str) -> None:
    """Refuse, in words, to draw a figure whose data the result does not hold."""
    lacking = missing(result, needs)
    if not lacking:
        return
    words = " and ".join(" or ".join(f"'{name}'" for name in need.split("|")) for need in lacking)
    remedy = next((REMEDIES[n] for need in lacking for n in need.split("|") if n in REMEDIES), "")
    tail = f"; {remedy}" if remedy else ""
    raise OutputError(f"The figure '{figure}' needs {words}, which this result does not have{tail}.")


def times(result: Source) -> np.ndarray:
    """Time stamps in s, shape (nt,)."""
    return np.asarray(result.data["time"], dtype=float)


def values(result: Source, name: str) -> np.ndarray:
    """The numbers of a variable, in SI units."""
    return np.asarray(result.data[name], dtype=float)


def names(result: Source, dim: str) -> list[str]:
    """Names along a dimension, for example of the joints."""
    data = result.data
    if dim in data.coords:
        return [str(name) for name in data[dim].values]
    return [f"{dim} {i + 1}" for i in range(data.sizes.get(dim, 0))]


def long_name(result: Source, name: str) -> str:
    """The readable name of a variable."""
    return str(result.data[name].attrs.get("long_name") or name.replace("_", " "))


def units(result: Source, name: str) -> str:
    """The SI unit of a variable as the result states it."""
    return str(result.data[name].attrs.get("units", "1"))


def joint_units(result: Source, name: str) -> list[str]:
    """SI unit of a joint variable for each joint: prismatic joints have metres and newtons.

    Results with both kinds of joint state their unit as ``rad or m``, ``rad or m/s``, ``N*m or N``.
    """
    stated = units(result, name)
    turning = stated.split(" or ")[0]
    if stated.endswith("/s") and not turning.endswith("/s"):
        turning += "/s"
    sliding = turning.replace("N*m", "N").replace("rad", "m")
    return [sliding if kind == "prismatic" else turning for kind in joint_types(result)]


def joint_types(result: Source) -> list[str]:
    """``revolute`` or ``prismatic`` for each joint, from the scenario, else from the unit of positions."""
    joints = names(result, "joint")
    arm = getattr(getattr(result, "scenario", None), "arm", None)
    if arm is None:
        slides = "joint_position" in result.data and units(result, "joint_position") == "m"
        return ["prismatic" if slides else "revolute"] * len(joints)
    known = {link.name: str(link.joint.type) for link in arm.links}
    return [known.get(joint, "revolute") for joint in joints]


def link_length(result: Source, link: int) -> float | None:
    """Length of a link in m from its stations, or None if it is unknown or changes with time."""
    if not has(result, "shape"):
        return None
    shape = values(result, "shape")[:, link]
    picked = shape[[0, len(shape) // 2, -1]]
    lengths = np.linalg.norm(np.diff(picked, axis=1), axis=-1).sum(axis=1)
    if not np.isfinite(lengths).all() or lengths[0] <= 0 or np.ptp(lengths) > 0.05 * lengths[0]:
        return None
    return float(lengths[0])


def tip_path(result: Source) -> np.ndarray:
    """Position of the tip over time in m, shape (nt, 3): as stated, else the end of the last link."""
    return values(result, "tip_position") if has(result, "tip_position") else values(result, "shape")[:, -1, -1]


def turns_far(result: Source) -> bool:
    """True if a single link turns or bends so far that arcs are no lengths any more: its travel and displacement have no meaning."""
    angle = values(result, "joint_position")[:, 0] if has(result, "joint_position") else np.zeros(1)
    return bool(np.ptp(angle) > FAR) or bends_far(result)


def bends_far(result: Source) -> bool:
    """True if a single link bends so far that the stiff link along the tangent at its root tells nothing about it."""
    length = link_length(result, 0)
    bend = values(result, "deflection")[:, 0] if has(result, "deflection") else np.zeros(1)
    return length is None or bool(np.nanmax(np.abs(bend)) > LONG * length)


def settled(array: np.ndarray) -> np.ndarray:
    """Angles or lengths; zeros if all of them are rounding."""
    return array if np.nanmax(np.abs(array), initial=0.0) > ROUNDING else np.zeros_like(array)


def stations(result: Source) -> np.ndarray:
    """Stations along the links as fractions 0..1, shape (ns,)."""
    data = result.data
    if "s" in data.coords:
        return np.asarray(data["s"], dtype=float)
    return np.linspace(0.0, 1.0, data.sizes["s"])


def is_spatial(points: np.ndarray) -> bool:
    """True if points, shape (..., 3), leave the x-y plane."""
    if points.shape[-1] < 3:
        return False
    reach = np.nanmax(np.abs(points))
    return bool(np.nanmax(np.abs(points[..., 2])) > 1e-9 * reach)


def active_axes(array: np.ndarray) -> list[int]:
    """Columns of `array` (nt, n) that hold something: finite and not negligible beside the largest."""
    peaks = np.nanmax(np.abs(np.where(np.isfinite(array), array, 0.0)), axis=0)
    keep = [i for i, peak in enumerate(peaks) if peak > 1e-9 * max(peaks.max(), 1e-300)]
    return keep or [0]


def instants(time: np.ndarray, wanted: int | Sequence[float]) -> np.ndarray:
    """Indices of the records nearest to the wanted times, or of a number of evenly spaced ones.

    Parameters
    ----------
    time : ndarray, shape (nt,)
        Time stamps in s.
    wanted : int or sequence of float
        How many instants, from the first to the last; or their times in s.
    """
    if isinstance(wanted, int):
        if wanted < 1:
            raise OutputError(f"A picture needs at least one instant, not {wanted}.")
        targets = np.linspace(time[0], time[-1], wanted) if wanted > 1 else time[-1:]
    else:
        targets = np.asarray(wanted, dtype=float)
        slack = 1e-9 * max(abs(float(time[-1])), 1.0)
        if targets.size == 0 or targets.min() < time[0] - slack or targets.max() > time[-1] + slack:
            raise OutputError(f"Instants must lie between {time[0]:g} s and {time[-1]:g} s.")
    return np.unique(np.abs(time[:, None] - targets[None, :]).argmin(axis=0))
