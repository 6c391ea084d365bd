"""A link as rigid pieces and springs: masses and compliances by integration over the taper.

Equations: G1, G3.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from flexarm.arm import Link
from flexarm.numerics.gauss import gauss
from flexarm.numerics.kept import kept
from flexarm.rigid.inertia import MassLine


@dataclass(frozen=True)
class Pieces:
    """A link in n rigid pieces.

    edges : (n + 1,) distances from the root between the pieces, m
    mass, centre, inertia : (n,), (n, 2), (n,) of each piece; centre from its inboard edge, inertia about the centre
    compliance : (n - 1,) of the springs between the pieces, rad/(N m)
    root, tip : compliance of the half springs at the ends; 0 where the rule has none
    """

    edges: np.ndarray
    mass: np.ndarray
    centre: np.ndarray
    inertia: np.ndarray
    compliance: np.ndarray
    root: float = 0.0
    tip: float = 0.0


def segmented(link: Link, segments: int, ends: str, springs: str) -> Pieces:
    """Pieces of a link; a rigid one is a single piece.

    Parameters
    ----------
    link : Link
        With section and material, or rigid.
    segments : int
        Into how many segments; with ends `half` the first and the last piece are half as long, and there is one more.
    ends : {"half", "both", "root", "literal"}
        What stands at the ends.
    springs : {"exact", "series"}
        Integral of 1/EI, or EI at the middle of what bends.
    """
    return kept((link,), (segments, ends, springs), lambda: _segmented(link, segments, ends, springs))


def _segmented(link: Link, segments: int, ends: str, springs: str) -> Pieces:
    if not link.flexible:
        return _rigid(link)
    L = link.span
    if ends == "half":
        edges = np.concatenate([[0.0], (np.arange(segments) + 0.5) * (L / segments), [L]])
        bends = np.linspace(0.0, L, segments + 1)  # each spring stands for one whole segment
        places: list[tuple[float, ...]] = [(0.5 * (a + b),) for a, b in itertools.pairwise(bends)]
    else:
        edges = np.linspace(0.0, L, segments + 1)
        bends = 0.5 * (edges[:-1] + edges[1:])  # from middle to middle
        places = list(itertools.pairwise(bends))
    compliance = [_compliance(link, a, b, springs, places[k]) for k, (a, b) in enumerate(itertools.pairwise(bends))]
    root = _compliance(link, 0.0, bends[0], springs, bends[:1]) if ends in ("root", "both") else 0.0
    tip = _compliance(link, bends[-1], L, springs, bends[-1:]) if ends == "both" else 0.0
    return Pieces(edges, *_masses(link, edges), np.array(compliance), root, tip)


def _rigid(link: Link) -> Pieces:
    """A rigid link, which may have a body in the place of a section, or no mass at all."""
    edges = np.array([0.0, link.span])
    if link.body is not None:
        inertia = link.body.inertia[2] if isinstance(link.body.inertia, tuple) else link.body.inertia
        masses = np.array([link.body.mass]), np.array([link.body.center[:2]], dtype=float), np.array([inertia])
    elif link.section is None:
        masses = np.zeros(1), np.zeros((1, 2)), np.zeros(1)
    else:
        masses = _masses(link, edges)
    return Pieces(edges, *masses, np.zeros(0))


def _masses(link: Link, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass, centre (from the inboard edge) and inertia about it of each piece between the edges."""
    beyond = MassLine(link).moments(edges, link.span)
    m0, m1, m2 = beyond[:, :-1] - beyond[:, 1:]
    centre = m1 / m0
    return m0, np.column_stack([centre - edges[:-1], np.zeros(len(m0))]), m2 - m0 * centre**2


def _compliance(link: Link, a: float, b: float, rule: str, places: tuple[float, ...] | np.ndarray) -> float:
    """Compliance of the beam from a to b: integral of 1/EI between the steps of the section, or its mean at `places`."""
    assert link.section is not None
    if rule == "series":
        return (b - a) * float(np.mean(1.0 / link.properties(np.array(places) / link.span)["EI"]))
    nodes, weights = gauss(8)
    inside = [s * link.span for s in link.section.breaks if a < s * link.span < b]
    total = 0.0
    for p, q in itertools.pairwise([a, *inside, b]):
        at = 0.5 * (p + q) + 0.5 * (q - p) * nodes
        total += 0.5 * (q - p) * float(np.sum(weights / link.properties(at / link.span)["EI"]))
    return total
