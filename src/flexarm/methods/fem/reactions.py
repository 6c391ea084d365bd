"""Point loads on the unknowns, and what the roots of the links carry, by the elements and by equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from flexarm.errors import CapabilityError
from flexarm.methods.base import PointLoad
from flexarm.methods.fem import layout as at
from flexarm.methods.fem.mesh import shape_functions

if TYPE_CHECKING:
    from flexarm.methods.fem.model import FemModel


def _planar(load: PointLoad) -> np.ndarray:
    """Force along x and y, and moment, (3,)."""
    return np.append(load.force[:2], load.moment[2])


def load_vector(model: FemModel, loads: Sequence[PointLoad]) -> np.ndarray:
    """Forces (size,) on the unknowns; what falls on the ground is left out."""
    force = np.zeros(model.size)
    for load in loads:
        length = model.arm.links[load.link].span
        nodes, share, _ = model.mesh.around(load.link, load.at * length, length)
        for weight, node in zip(share, nodes, strict=True):
            for index, part in zip(node, _planar(load), strict=True):
                if index >= 0:
                    force[index] += weight * part
    return force


def element_roots(model: FemModel, record: np.ndarray, loads: Sequence[PointLoad]) -> np.ndarray:
    """Force and moment (links, 3) on the first section of every link, from the forces in its elements.

    Weight and loads that fall on the first node itself are part of what holds it.
    """
    beside = [link.name for i, link in enumerate(model.arm.links) if link.flexible and i in model.mesh.far_nodes[:, 0]]
    if beside:
        raise CapabilityError(
            "reactions are known for masses on the axis of flexible links only", field=f"arm.links.{beside[0]}.masses"
        )
    roots = balanced_roots(model, record, record, loads)  # of rigid links; they have no elements
    for i, link in enumerate(model.arm.links):
        if not link.flexible:
            continue
        roots[i] = _first_rows(model, record, i)
        roots[i, :2] -= _first_weight(model, i)
        for load in (load for load in loads if load.link == i):
            e, xi = model.mesh.element_at(i, load.at * link.span, link.span)
            if e == model.mesh.first(i):
                roots[i] -= shape_functions(model.mesh.order, np.array([xi]))[0][0, 0] * _planar(load)
    return roots


def _first_rows(model: FemModel, record: np.ndarray, link: int) -> np.ndarray:
    """Forces of a link's elements on the displacement and the turning of its first section."""
    theory, c, span = model.options.theory, model.constant, model.arm.links[link].span
    N, Q, M = model.reader.point_forces(record, link)
    own = model.mesh.link == link
    w, EA, GA = (c.properties[own, :, k].ravel() for k in (at.MEASURE, at.EA, at.GA))
    base = _value(model, record, link, 0.0, 2)
    chi = np.array([_value(model, record, link, s / span, 2) for s in model.reader.points(link)])
    Theta = record[model.layout["frame"]][at.ANGLE * model.links + link]
    phi = Theta + (chi if theory == "exact" else base if theory == "link" else 0.0)
    fx, fy = np.cos(phi) * N - np.sin(phi) * Q, np.sin(phi) * N + np.cos(phi) * Q
    turning = Q / GA * N - (1.0 + N / EA) * Q if theory == "exact" else -Q
    points, total = c.shape.shape[0], np.zeros(3)
    for g in range(points):
        value, slope = c.shape[g, 0, 0], c.shape[g, 1, 0] * c.properties[model.mesh.first(link), g, at.JACOBIAN]
        total += w[g] * np.array([slope * fx[g], slope * fy[g], value * turning[g] + slope * M[g]])
    if theory == "link":  # the first section carries the frame of the whole link
        total[2] += float(np.sum(w * ((Q / GA + chi - base) * N - N / EA * Q)))
    return total


def _own_weight(model: FemModel, i: int) -> np.ndarray:
    """Weight of a link with its lumps, and of the motor on its tip, (2,)."""
    link = model.arm.links[i]
    mass = link.mass + sum(lump.mass for lump in link.masses)
    if i + 1 < model.links:
        mass += model.arm.links[i + 1].joint.motor_mass
    return mass * np.array(model.arm.gravity[:2])


def _first_weight(model: FemModel, i: int) -> np.ndarray:
    """What a link's own weight puts on its first node, (2,)."""
    inner = np.zeros(2)
    for node in model.mesh.nodes[i][1:]:
        inner += model.constant.weight[node[:2]]
    if i + 1 < model.links:  # the next link's share of the common node
        inner -= _first_weight(model, i + 1)
    return _own_weight(model, i) - inner


def balanced_roots(model: FemModel, record: np.ndarray, rigid: np.ndarray, loads: Sequence[PointLoad]) -> np.ndarray:
    """The same (links, 3) by equilibrium of all that lies beyond each root.

    Levers are those of the deformed arm (`record`); theories of small displacements balance on the stiff one (`rigid`).
    """
    shape = record if model.options.theory in ("exact", "link") else rigid
    padded = np.concatenate([shape[: model.size], [0.0]])
    roots = np.zeros((model.links, 3))
    weight, payload = np.append(model.constant.weight, 0.0), model.arm.index(model.arm.payload_link.name)
    for i in range(model.links):
        root = padded[model.mesh.nodes[i][0, :2]]
        for j in range(i, model.links):
            nodes = model.mesh.nodes[j][1:]
            _add(roots[i], padded[nodes[:, :2]] - root, weight[nodes[:, :2]], 0.0)
        roots[i, :2] -= _first_weight(model, i)
        for load in loads:
            if load.link >= i:
                place = [_value(model, shape, load.link, load.at, axis) for axis in (0, 1)]
                _add(roots[i], np.array([place]) - root, load.force[None, :2], load.moment[2])
        if payload >= i and model.arm.payload.mass > 0.0:
            lever = _payload_lever(model, shape, payload)
            heavy = model.arm.payload.mass * np.array(model.arm.gravity[:2])
            _add(roots[i], (padded[model.parts.payload[:2]] + lever - root)[None, :], heavy[None, :], 0.0)
    return roots


def _add(root: np.ndarray, levers: np.ndarray, forces: np.ndarray, moment: float) -> None:
    """Take forces at levers, and a moment, off what the root carries."""
    root[:2] -= forces.sum(axis=0)
    root[2] -= float(np.sum(levers[:, 0] * forces[:, 1] - levers[:, 1] * forces[:, 0])) + moment


def _value(model: FemModel, record: np.ndarray, link: int, fraction: float, axis: int) -> float:
    """x, y or chi (axis 0, 1, 2) at a fraction of a link."""
    span = model.arm.links[link].span
    nodes, share, _ = model.mesh.around(link, fraction * span, span)
    return float(share @ np.append(record[: model.size], 0.0)[nodes[:, axis]])


def _payload_lever(model: FemModel, shape: np.ndarray, link: int) -> np.ndarray:
    angle = shape[model.layout["frame"]][at.ANGLE * model.links + link] + _value(model, shape, link, 1.0, 2)
    x, y, _ = model.arm.payload.offset_vector
    return np.array([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y])
