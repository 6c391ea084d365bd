"""Loads on links as inputs of linear models, by virtual work: a force does what its place moves along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexarm.methods.base import PointLoad, Pushes
from flexarm.methods.output_rows import output_names
from flexarm.numerics.law_rows import FORCE

if TYPE_CHECKING:
    from flexarm.methods.reader import Reader

SPREAD = 16
"""Parts of a link in each of which a load that is spread acts at three points."""


def point_loads(reader: Reader, x: np.ndarray, row: np.ndarray) -> list[PointLoad]:
    """The loads of a drive row (channels, 7) on the links of a record x, in the axes of the ground."""
    found, joints = [], len(reader.model.wiring.joints)
    for patch, size in zip(reader.model.wiring.patches, row[joints:, FORCE], strict=True):
        link = reader.arm.index(patch.link)
        for at, share in patch.points(SPREAD):
            vector = size * share * np.array(patch.direction)
            if patch.axes == "link" and (patch.kind == "force" or reader.arm.spatial):
                vector = reader.axes_at(x, link, at) @ vector
            force, moment = (vector, np.zeros(3)) if patch.kind == "force" else (np.zeros(3), vector)
            found.append(PointLoad(link, at, force, moment))
    return found


def load_rows(reader: Reader, x: np.ndarray, T: np.ndarray, places: slice) -> Pushes:
    """What the loads of a model do about a record x (width,).

    Parameters
    ----------
    T : ndarray, shape (numbers, n)
        Change of the record's numbers at `places` per unit of each coordinate.
    """
    formulas = []
    for patch in reader.model.wiring.patches:
        link, parts = reader.arm.index(patch.link), []
        for at, share in patch.points(SPREAD):
            direction = np.array(patch.direction)
            if patch.axes == "link" and (patch.kind == "force" or reader.arm.spatial):
                direction = reader.axes_at(x, link, at) @ direction
            if patch.kind == "moment":
                parts.append(share * reader.turn(link, at, direction))
            else:
                moved = reader.places(link, [at])[0]
                parts += [share * direction[k] * moved[k] for k in range(3) if direction[k]]
        formulas.append(reader.graph.total(parts))
    forces = reader.graph.tape(formulas).derivatives(x)[:, places] @ T if formulas else np.zeros((0, T.shape[1]))
    felt = np.zeros((len(output_names(reader)), len(formulas)))
    if len(reader.load_places):
        slopes = reader.graph.tape([reader.formula(name) for name in reader.names]).derivatives(x)
        felt[: len(slopes)] = slopes[:, list(reader.load_places)]
    return Pushes(forces.T, felt)
