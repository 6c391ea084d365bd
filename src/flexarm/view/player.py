"""What the player of a page (`player.js`) shows: pictures of the moving arm as numbers, the stiff arm and its deflection apart.

The place of a point is that of the stiff arm at the actual joints plus the deflection, so that a page can draw the deflection
larger, and say so. Numbers are whole counts of a small length, which keeps pages small.
"""

from __future__ import annotations

import math
from importlib import resources
from typing import Any

import numpy as np

from flexarm.view.film import at_instant, rounded_down
from flexarm.view.mechanism import Mechanism, mechanism
from flexarm.view.rigid_arm import rigid_shape, stiff_lines
from flexarm.view.source import Source, has, is_spatial, require, times, tip_path, values

MOST_PICTURES, MOST_POINTS = 300, 400
"""Pictures of a run, and points of a wanted path, at most."""
FINE = 20000
"""Counts over the largest coordinate, and over the largest deflection."""
VISIBLE = 0.08
"""Part of the arm's reach that the largest deflection takes at first, at most, when it is drawn larger."""
SHOWN = 6.0
"""Seconds that a film is to last about."""


def player_script() -> str:
    """The JavaScript that defines ``FlexarmPlayer(element, data)``."""
    return (resources.files("flexarm.view") / "player.js").read_text(encoding="utf-8")


def player_data(result: Source) -> dict[str, Any]:
    """Everything that ``FlexarmPlayer`` draws of a run, as plain numbers for JSON.

    Parameters
    ----------
    result : Source
        A result with ``shape``.
    """
    require(result, "player", "shape")
    bent, tip, stiff = mechanism(result), tip_path(result), stiff_lines(result, "joint_position")
    shape = bent.links
    axes = 3 if is_spatial(shape) else 2
    known = stiff is not None and has(result, "tip_deflection")
    if stiff is None or not known:
        stiff = shape
    stiff_tip = tip - values(result, "tip_deflection") if known else tip
    lines = list(zip(*np.swapaxes([shape, stiff], 1, 2), strict=True))
    arm = getattr(getattr(result, "scenario", None), "arm", None)
    straight = Mechanism.of(stiff, bent.s, arm)
    sides = zip(*(np.moveaxis(each.brackets, 1, 0) for each in (bent, straight)), strict=True)
    ghost, words = rigid_shape(result) or (None, "")
    time, pictures = times(result), _instants(times(result))

    def shown(array: np.ndarray) -> np.ndarray:
        return np.stack([at_instant(time, array[..., :axes], float(t)) for t in pictures])

    pairs = [(shown(one), shown(other)) for one, other in [*lines, *sides, (tip[:, None], stiff_tip[:, None])]]
    reach = max(float(np.abs(other).max()) for _, other in pairs)
    bend = max(float(np.abs(one - other).max()) for one, other in pairs)
    unit = {"stiff": (reach or 1.0) / FINE, "bend": (bend or 1.0) / FINE}

    def line(one: np.ndarray, other: np.ndarray) -> dict[str, Any]:
        return {**_stiff(other, unit["stiff"]), "bend": _counts((one - other) / unit["bend"])}

    drawn = [line(*pair) for pair in pairs]
    for i, each in enumerate(drawn[:-1]):
        kind = "bracket" if i >= len(lines) else "ground" if i in bent.bars else "link"
        each.update(kind=kind, flexible=i < len(lines) and bent.flexible[i])
    asked = None
    if ghost is not None:
        asked = {"words": words, "lines": [_stiff(shown(ghost[:, i]), unit["stiff"]) for i in bent.moving]}
    wanted = None
    if has(result, "path_position"):
        every = math.ceil(len(time) / MOST_POINTS)
        wanted = _stiff(values(result, "path_position")[None, ::every, :axes], unit["stiff"])
    return {
        "title": str(result.data.attrs.get("title", "")),
        "axes": axes,
        "time": [float(f"{t:.6g}") for t in pictures],
        "unit": unit,
        "lines": drawn[:-1],
        "tip": drawn[-1],
        "ghost": asked,
        "path": wanted,
        "ground": list(bent.feet),
        "bends": bool(known and bend > 0.0),
        "enlarge": rounded_down(VISIBLE * _span(shape) / bend, least=1, most=10000) if known and bend > 0.0 else 1,
        "speed": rounded_down((pictures[-1] - pictures[0]) / SHOWN * 1.4, least=0.01, most=10),
    }


def _instants(time: np.ndarray) -> np.ndarray:
    """Evenly spaced instants in s, no more than there are records."""
    return np.linspace(time[0], time[-1], min(len(time), MOST_PICTURES))


def _span(shape: np.ndarray) -> float:
    """Largest extent of all places in m."""
    places = shape.reshape(-1, shape.shape[-1])
    return float(np.ptp(places, axis=0).max())


def _counts(array: np.ndarray) -> list[int]:
    return np.rint(array).astype(int).ravel().tolist()


def _stiff(places: np.ndarray, unit: float) -> dict[str, Any]:
    return {"points": places.shape[1], "stiff": _counts(places / unit)}
