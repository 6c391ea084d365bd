"""Two-node elements with one integration point that are of fourth order: `integration: corrected`.

**Stiffness.** One point sees the moment M of the middle of an element; M varies by its slope Q, and EI tapers. With g = 1/EI and x
from the middle, the energy of bending of an element is

    2 U = F11 M^2 + 2 F12 M Q + F22 Q^2,   F11 = int g,  F12 = int x g,  F22 = int x^2 g + int 1/GA

F22 alone is the residual bending flexibility (MacNeal 1978), h^2/(12 EI) for an even beam, and goes into the shear stiffness. What
couples M and Q is moved to the neighbours: 2 M Q = (M^2)', whose differences D along the link give

    EI* = h / (F11 + D^T F12),   GA* = h / F22

**Mass.** The nodes of such elements are where those of the exact beam under forces at its nodes are, so inertia belongs into the
nodes: the sum m_i a_i v_i shall be the integral of rhoA a v for smooth accelerations a and displacements v. Parabolas through three
nodes, the mean of both that hold an element, give weights that are exact for rigid motions (mass, centre and moment of inertia of
the link are right). On equal elements they are Gregory's,

    m = rhoA h (9/24, 28/24, 23/24, 1, ..., 1, 23/24, 28/24, 9/24)

An element beside which there is none of a similar length keeps its consistent mass.

**Limit.** A shear that stands for bending turns no section, but an axial force N acts as if it did: GA* becomes GA* - N. Links whose
weight pulls them by more than a small share of 12 EI/h^2 therefore keep plain elements.

Equations: E24, E25, E26.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.methods.left_out import beyond
from flexarm.numerics.gauss import gauss

SIMILAR = 2.5
"""Neighbours whose lengths differ by a larger factor do not share parabolas, whose weights would become negative."""
LEAST = 0.5
"""Least share of F11 that is left by the correction of a taper so steep that the mesh does not resolve it."""
MOST_WEIGHT, MOST_PULL = 0.02, 0.05
"""Largest axial force, as a share of 12 EI/h^2: by weight, for corrected elements; in a run, without a word."""
Property = Callable[[np.ndarray], np.ndarray]
"""A property of the section at distances from the joint."""


def _points(places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sizes (n,), distances of integration points from the joint and the lengths that they stand for, (n, 5) each."""
    sizes, (xi, weights) = np.diff(places), gauss(5)
    x = places[:-1, None] + 0.5 * (1.0 + xi) * sizes[:, None]
    return sizes, x, 0.5 * weights * sizes[:, None]


def mean_stiffness(places: np.ndarray, stiffness: Property) -> np.ndarray:
    """Stiffness of elements in series, (n,): what axial force or torsion feels."""
    sizes, x, lengths = _points(places)
    return sizes / np.sum(lengths / stiffness(x.ravel()).reshape(x.shape), axis=1)


def bending_stiffness(places: np.ndarray, EI: Property, GA: Property) -> tuple[np.ndarray, np.ndarray]:
    """EI* in N m^2 and GA* in N of a link's elements, (n,) each (E24, E25)."""
    sizes, x, lengths = _points(places)
    middles = 0.5 * (places[1:] + places[:-1])
    g, away = lengths / EI(x.ravel()).reshape(x.shape), x - middles[:, None]
    first, mixed = g.sum(axis=1), (away * g).sum(axis=1)
    second = (away**2 * g).sum(axis=1) + np.sum(lengths / GA(x.ravel()).reshape(x.shape), axis=1)
    moved = np.zeros_like(mixed)
    for e in range(len(sizes)) if len(sizes) > 1 else ():
        before, after = max(e - 1, 0), min(e + 1, len(sizes) - 1)
        slope = mixed[e] / (middles[after] - middles[before])
        moved[after] += slope
        moved[before] -= slope
    return sizes / np.maximum(first + moved, LEAST * first), sizes / second


def nodal_masses(places: np.ndarray, density: Property) -> tuple[np.ndarray, np.ndarray]:
    """Masses of a link's nodes, (n + 1,), and what couples the nodes of an element, (n,), kg (E26).

    Parameters
    ----------
    places : ndarray, shape (n + 1,)
        Distances of the nodes from the joint, m.
    density : callable
        Mass per length at such distances, kg/m.
    """
    own, beside = np.zeros(len(places)), np.zeros(len(places) - 1)
    sizes, x, lengths = _points(places)
    masses = lengths * density(x.ravel()).reshape(x.shape)
    alike = np.maximum(sizes[1:] / sizes[:-1], sizes[:-1] / sizes[1:]) <= SIMILAR
    for e, mass in enumerate(masses):
        triples = [k for k in (e - 1, e) if 0 <= k < len(alike) and alike[k]]
        for k in triples:
            for i in range(k, k + 3):
                a, b = (places[j] for j in range(k, k + 3) if j != i)
                own[i] += np.sum(mass * (x[e] - a) * (x[e] - b)) / ((places[i] - a) * (places[i] - b)) / len(triples)
        if not triples:
            share = (x[e] - places[e]) / sizes[e]
            own[e] += np.sum(mass * (1.0 - share) ** 2)
            own[e + 1] += np.sum(mass * share**2)
            beside[e] = np.sum(mass * share * (1.0 - share))
    return own, beside


def _bearable(link: Link, elements: int, spatial: bool) -> float:
    """12 EI/h^2 where the link bends most easily, N."""
    found = link.properties(np.linspace(0.0, 1.0, 11))
    least = min(found[name].min() for name in (("EI", "EI_y") if spatial else ("EI",)))
    return 12.0 * float(least) * (elements / link.span) ** 2


def corrected_links(arm: Arm, counts: Sequence[int], wanted: bool) -> tuple[list[bool], list[str]]:
    """Which links have corrected elements if that is wanted, and a sentence for each that has not because of its weight."""
    chosen, notes, g = [], [], float(np.linalg.norm(arm.gravity))
    for i, link in enumerate(arm.links):
        fits = wanted and link.flexible and not (arm.spatial and link.joint.type == "prismatic")
        weight = g * (link.mass + beyond(arm, i).mass) if fits and g else 0.0
        if weight and weight > MOST_WEIGHT * (bearable := _bearable(link, counts[i], arm.spatial)):
            needed = int(np.ceil(counts[i] * np.sqrt(weight / (MOST_WEIGHT * bearable))))
            notes.append(
                f"link '{link.name}' is slender for the {weight:.3g} N that it carries: its elements are plain, of second order; "
                f"resolution: {needed} with integration: corrected would be of fourth"
            )
            fits = False
        chosen.append(bool(fits))
    return chosen, notes


def pull_notes(
    arm: Arm, counts: Sequence[int], chosen: Sequence[bool], rate: float, axial: Callable[[], np.ndarray]
) -> list[str]:
    """A sentence for each link with corrected elements that is pulled too much by the largest axial forces, which are looked at only
    if weight and a turn at `rate` (rad/s) could make them large."""
    reach, weight = sum(link.span for link in arm.links), float(np.linalg.norm(arm.gravity))
    borne = [
        _bearable(link, n, arm.spatial) if fits else np.inf
        for link, n, fits in zip(arm.links, counts, chosen, strict=True)
    ]
    carried = [link.mass + beyond(arm, i).mass if chosen[i] else 0.0 for i, link in enumerate(arm.links)]
    if all(mass * (weight + rate**2 * reach) <= MOST_PULL * most for mass, most in zip(carried, borne, strict=True)):
        return []
    notes = []
    for link, count, most, force in zip(arm.links, counts, borne, axial(), strict=True):
        share = abs(force) / most
        if share > MOST_PULL:
            notes.append(
                f"link '{link.name}' is pulled with {abs(force):.3g} N, {100 * share:.2g} % of what its {count} elements bear "
                f"(12 EI/h^2): they bend too easily; give resolution: {int(np.ceil(count * np.sqrt(share / MOST_PULL)))} with "
                "integration: corrected"
            )
    return notes
