"""Elastic axial force, shear force and bending moment along the links, from the strains of the elements.

Equations: A4, A5, A6.

Each is taken where the element has it at its best: axial force as the mean over an element (within it, bending makes it
waver), shear force and moment at the Gauss points; between and beyond them it runs straight, on each side of lumps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.methods.ancf.beam import PLACE
from flexarm.methods.ancf.layout import CABLE, Parts
from flexarm.methods.ancf.matrices import LOBATTO
from flexarm.methods.ancf.mesh import Mesh
from flexarm.methods.subdivision import jump_places
from flexarm.numerics.along import between
from flexarm.numerics.expressions import Graph

POINTS = len(PLACE)
"""Points of an element at which it has strains: 3 Lobatto, 2 Gauss."""
AXIAL, SHEAR, CURVATURE = range(3)


def shear_angles(graph: Graph, m: Parts, e: int) -> tuple[Any, Any]:
    """Formulas of the shear angles at both ends of element e; a cable has none."""

    def angle(x: int, y: int) -> Any:
        (ax, ay), (bx, by) = ((graph.state(p), graph.state(p + 1)) for p in (m.connection[e, x], m.connection[e, y]))
        return np.arctan2(ax * bx + ay * by, ax * by - ay * bx)

    return (0.0, 0.0) if m.kind[e] == CABLE else (angle(1, 4), angle(3, 5))


def strains(graph: Graph, m: Parts, e: int) -> list[tuple[Any, Any, Any]]:
    """Formulas of axial strain, shear strain and curvature (Gauss points only) at the points of element e."""
    places, found = m.connection[e], []

    def derivative(weights: np.ndarray) -> tuple[Any, Any]:
        return graph.state_sum(places[:4], weights), graph.state_sum(places[:4] + 1, weights)

    low, high = shear_angles(graph, m, e)
    for k, xi in enumerate(PLACE):
        ax, ay = derivative(m.slope[e, k])
        square = ax * ax + ay * ay
        f, shear, curvature = np.sqrt(square), 0.0, 0.0
        axial = f - 1.0
        if m.kind[e] != CABLE:
            gamma = (1.0 - xi) * low + xi * high
            axial, shear = f * np.cos(gamma) - 1.0, f * np.sin(gamma)
        if k >= len(LOBATTO):
            bx, by = derivative(m.curve[e, k - len(LOBATTO)])
            curvature = (ax * by - ay * bx) / square - (high - low) / m.length[e]
        found.append((axial, shear, curvature))
    return found


def force_weights(arm: Arm, mesh: Mesh, link: int, fractions: np.ndarray) -> np.ndarray:
    """Weights of the strains at all points of a link in its section forces at fractions of it, (3, fractions, points).

    Axial force of axial strains, shear force of shear strains (none of a cable), moment of curvatures.
    """
    part, ends, count = arm.links[link], mesh.ends[link], mesh.counts[link]
    places = (ends[:-1, None] + np.diff(ends)[:, None] * np.array(PLACE)).ravel()
    stiffness, before = part.properties(places), part.properties(ends[1:], "left")
    for name, values in stiffness.items():  # the last Lobatto point of an element lies before a step at its end
        values[2::POINTS] = before[name]
    gauss = np.arange(count * POINTS) % POINTS >= len(LOBATTO)
    out, jumps = np.zeros((3, len(fractions), count * POINTS)), jump_places(arm, link, ends)
    mean = between(0.5 * (ends[1:] + ends[:-1]), np.eye(count), fractions, jumps).T
    out[0][:, ~gauss] = np.repeat(mean, len(LOBATTO), axis=1) * np.tile(LOBATTO, count) * stiffness["EA"][~gauss]
    at_gauss = between(places[gauss], np.eye(2 * count), fractions, jumps).T
    if mesh.sheared[link]:
        out[1][:, gauss] = at_gauss * stiffness["GA"][gauss]
    out[2][:, gauss] = at_gauss * stiffness["EI"][gauss]
    return out
