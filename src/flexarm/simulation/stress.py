"""Largest normal stress in every section: axial force and bending at the outer fibre.

With area A, second moments I and fibre distances c of the section,

    sigma = |N| / A + |M| c / I                        in the plane,
    sigma = |N| / A + |M_z| c_y / I_z + |M_y| c_z / I_y  at the corner of a section in space; round ones: the root of the squares.

Forces are those that a cut feels, damping included. Shear and torsion are not counted, nor what lumps, holes and clamps add.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.signals import Later, Signals

ROUND = ("circle", "tube")


def add_stress(arm: Arm, signals: Signals) -> None:
    """Add `stress` (time, link, s) in Pa; not a number for rigid links. It is worked out when it is looked at."""
    if "bending_moment" in signals:
        axes, moment = signals.variables["bending_moment"]
        signals.variables["stress"] = (axes, Later(moment.shape, partial(_stress, arm, signals)))


def _stress(arm: Arm, signals: Signals) -> np.ndarray:
    axial, bending = (np.abs(signals[name]) for name in ("axial_force", "bending_moment"))
    sideways = np.abs(signals["bending_moment_y"]) if "bending_moment_y" in signals else None
    stress, stations = np.full(axial.shape, np.nan), np.asarray(signals.coordinates["s"])
    for i, link in enumerate(arm.links):
        if not link.flexible:
            continue
        area, own, across = _per_force(link, stations)
        first = bending[:, i] * own
        if sideways is not None:
            second = sideways[:, i] * across
            first = np.hypot(first, second) if _is_round(link) else first + second
        stress[:, i] = axial[:, i] * area + first
    return stress


def _is_round(link: Link) -> bool:
    return link.section is not None and all(station.shape in ROUND for station in link.section.stations)


def _per_force(link: Link, stations: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stress per axial force and per moment in both planes, (stations,) each; at a step the weaker side counts."""
    assert link.section is not None and link.material is not None
    sides = [link.section.values(link.material.nu, stations, side) for side in ("left", "right")]
    rows = [(1.0 / v.area, v.fibre / v.inertia, v.fibre_y / v.inertia_y) for v in sides]
    return tuple(np.maximum(a, b) for a, b in zip(*rows, strict=True))  # type: ignore[return-value]
