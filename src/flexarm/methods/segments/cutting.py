"""Cutting a link into rigid pieces and springs: masses and compliances by integration over the taper."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from flexarm.arm import Link
from flexarm.numerics.gauss import gauss
from flexarm.rigid.inertia import MassLine


@dataclass(frozen=True)
class Cut:
    """A link in pieces.

    edges : (n + 1,) distances from the root between the pieces, m
    mass, centre, inertia : (n,) of each piece; centre from its inboard edge, inertia about the centre
    compliance : (n - 1,) of the springs between the pieces, rad/(N m)
    root, tip : compliance of the half springs at the ends; 0 where the rule has none
    """

    edges: np.ndarray
    mass: np.ndarray
    centre: np.ndarray
    inertia: np.ndarray
    compliance: np.ndarray
    root: float
    tip: float


def cut(link: Link, segments: int, ends: str, springs: str) -> Cut:
    """Pieces of a flexible link.

    Parameters
    ----------
    link : Link
        With section and material.
    segments : int
        Into how many segments; with ends `half` the first and the last piece are half as long, and there is one more.
    ends : {"half", "both", "root", "literal"}
        What stands at the ends.
    springs : {"exact", "series"}
        Integral of 1/EI, or EI at the middle of what bends.
    """
    L = link.span
    l = L / segments
    if ends == "half":
        edges = np.concatenate([[0.0], (np.arange(segments) + 0.5) * l, [L]])
        bends = np.linspace(0.0, L, segments + 1)  # each spring stands for one whole segment
        middles = None
    else:
        edges = np.linspace(0.0, L, segments + 1)
        bends = 0.5 * (edges[:-1] + edges[1:])  # from middle to middle
        middles = bends
    m0, m1, m2 = _moments(link, edges)
    centre = m1 / m0
    compliance = np.array([
        _bending(link, a, b, springs, middles is not None) for a, b in itertools.pairwise(bends)
    ])  # fmt: skip
    root = _bending(link, 0.0, bends[0], springs, False, l) if ends in ("root", "both") else 0.0
    tip = _bending(link, bends[-1], L, springs, False, l) if ends == "both" else 0.0
    return Cut(edges, m0, centre - edges[:-1], m2 - m0 * centre**2, compliance, root, tip)


def _moments(link: Link, edges: np.ndarray) -> np.ndarray:
    """Integrals of rhoA times 1, s, s^2 over each piece, (3, n)."""
    line = MassLine(link)
    beyond = line.moments(edges, link.span)
    return beyond[:, :-1] - beyond[:, 1:]


def _bending(link: Link, a: float, b: float, rule: str, between: bool, whole: float = 0.0) -> float:
    """Compliance of the stretch from a to b: `between` two middles of segments, of a half one, or of a whole one."""
    if rule == "exact":
        return _integral(link, a, b)
    if between:  # two halves, each with the EI of its segment's middle
        one, two = link.figures([a / link.span, b / link.span])["EI"]
        return 0.5 * (b - a) * (1.0 / one + 1.0 / two)
    if whole:  # half a segment has the EI of the segment's middle
        middle = b if a == 0.0 else a
        return (b - a) / float(link.figures([middle / link.span])["EI"][0])
    return (b - a) / float(link.figures([0.5 * (a + b) / link.span])["EI"][0])


def _integral(link: Link, a: float, b: float) -> float:
    """Integral of 1/EI, piece by piece between the steps of the section."""
    assert link.section is not None
    nodes, weights = gauss(8)
    inside = [s * link.span for s in link.section.breaks if a < s * link.span < b]
    total = 0.0
    for p, q in itertools.pairwise([a, *inside, b]):
        places = 0.5 * (p + q) + 0.5 * (q - p) * nodes
        total += 0.5 * (q - p) * float(np.sum(weights / link.figures(places / link.span)["EI"]))
    return total


def rigid_piece(link: Link) -> tuple[float, float, float, float]:
    """Mass, centre (x, y) and inertia about it of a rigid link."""
    if link.body is not None:
        inertia = link.body.inertia[2] if isinstance(link.body.inertia, tuple) else link.body.inertia
        x, y = link.body.center[:2]
        return link.body.mass, x, y, inertia
    if link.section is None:
        return 0.0, 0.0, 0.0, 0.0
    m0, m1, m2 = (float(part[0]) for part in _moments(link, np.array([0.0, link.span])))
    return m0, m1 / m0, 0.0, m2 - m1 * m1 / m0
