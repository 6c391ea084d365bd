"""The material of a beam that slides, by its distance S from the end of the beam, which it keeps.

Kept are integrals from the end on, as cubics in cells of S: of the mass per length times 1, S and S^2; of one over each of the
six stiffnesses; and of the rotary inertia about the three axes times 1, S and S^2. An element between S2 and S1 > S2
then has its mass matrix from differences of them, and the mean compliance of its stretch, whatever the section does in
between: a step that passes through an element changes it steadily.

A table is (cells, 1 + 4 * COUNT): where a cell begins, and the coefficients of each integral in (S - S_begin). Cells that
a link does not need begin at infinity.

Equations: S23.
"""

from __future__ import annotations

import itertools

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.numerics.gauss import gauss
from flexarm.numerics.jit import njit_inside, njit_part
from flexarm.rigid.beam import legs

COUNT = 18
MASS, SOFT, ROTARY = 0, 3, 9
"""First of the integrals of mass, of compliances and of rotary inertia."""
CELLS = 24
"""Cells of a stretch whose section changes."""
STIFFNESSES = ("EA", "GA", "GA_z", "GJ", "EI_y", "EI")
ROTATIONS = ("rhoJ", "rhoI_y", "rhoI")


def densities(link: Link, S: np.ndarray, side: str) -> np.ndarray:
    """What the integrals are of, (COUNT, points), at distances S from the end of the sliding leg."""
    found = link.properties((sliding_length(link) - S) / link.span, side)  # type: ignore[arg-type]
    rows = [found["rhoA"] * S**k for k in range(3)]
    rows += [1.0 / found[name] for name in STIFFNESSES]
    rows += [found[name] * S**k for name in ROTATIONS for k in range(3)]
    return np.array(rows)


def sliding_length(link: Link) -> float:
    """Length of all material that slides in and out, m."""
    first = legs(link, True)[0]
    return first.last - first.first


def material_table(link: Link) -> np.ndarray:
    """The table of one link."""
    assert link.section is not None
    whole = sliding_length(link)
    edges = {0.0, whole, *(whole - x * link.span for x in link.section.breaks if 0.0 < whole - x * link.span < whole)}
    parts = 1 if link.section.uniform else CELLS
    ends = np.concatenate(
        [np.linspace(a, b, parts, endpoint=False) for a, b in itertools.pairwise(sorted(edges))] + [[whole]]
    )
    nodes, weights = gauss(6)
    table, total = np.zeros((len(ends) - 1, 1 + 4 * COUNT)), np.zeros(COUNT)
    for n, (a, b) in enumerate(itertools.pairwise(ends)):
        h = b - a
        grown = densities(link, 0.5 * (a + b) + 0.5 * h * nodes, "right") @ (0.5 * h * weights)
        left, right = densities(link, np.array([a]), "left")[:, 0], densities(link, np.array([b]), "right")[:, 0]
        table[n, 0] = a
        cubic = (total, left, (3.0 * grown / h - 2.0 * left - right) / h, (left + right - 2.0 * grown / h) / h**2)
        table[n, 1:] = np.column_stack(cubic).ravel()
        total = total + grown
    return table


def material_tables(arm: Arm) -> np.ndarray:
    """The tables (links, cells, 1 + 4 * COUNT) of an arm; links that do not slide as beams have none."""
    tables = {i: material_table(x) for i, x in enumerate(arm.links) if x.flexible and x.joint.type == "prismatic"}
    out = np.zeros((len(arm.links), max([len(t) for t in tables.values()], default=1), 1 + 4 * COUNT))
    out[:, :, 0] = np.inf
    for i, table in tables.items():
        out[i, : len(table)] = table
    return out


def material_at(table: np.ndarray, S: np.ndarray) -> np.ndarray:
    """The integrals at distances S of any shape, (..., COUNT)."""
    n = np.clip(np.searchsorted(table[:, 0], S, side="right") - 1, 0, None)
    x, c = (S - table[n, 0])[..., None], table[n, 1:].reshape(*np.shape(S), COUNT, 4)
    return c[..., 0] + x * (c[..., 1] + x * (c[..., 2] + x * c[..., 3]))


def compliance_tables(table: np.ndarray) -> list[np.ndarray]:
    """The integrals of the six compliances alone, (cells, 5) each: where a cell begins, and a cubic."""
    cells = table[np.isfinite(table[:, 0])]
    return [np.column_stack([cells[:, 0], cells[:, 1 + 4 * k : 5 + 4 * k]]) for k in range(SOFT, SOFT + 6)]


def flexibilities(link: Link, where: np.ndarray, back: bool = False) -> np.ndarray:
    """Strain per axial force, per moment at the top, and per moment about y at the side z, at fractions of a link, (3, n); with
    `back` at the side -z, whose distance may be another, with the sign of z."""
    assert link.section is not None and link.material is not None
    found, section = link.properties(where), link.section.values(link.material.nu, where)
    across = section.fibre_back if back else section.fibre_y
    return np.array([1.0 / found["EA"], found["fibre"] / found["EI"], across / found["EI_y"]])


def flexibility_tables(link: Link, back: bool = False) -> np.ndarray:
    """The same as cubics in cells of the fraction, (3, cells, 5)."""
    assert link.section is not None
    ends = np.concatenate(
        [
            np.linspace(a, b, CELLS, endpoint=False)
            for a, b in itertools.pairwise(sorted({0.0, *link.section.breaks, 1.0}))
        ]
    )
    steps = np.diff([*ends, 1.0])
    inside = ends[:, None] + steps[:, None] * np.array([0.01, 0.34, 0.66, 0.99])  # breaks are at the ends of cells
    values = flexibilities(link, inside.ravel(), back).reshape(3, -1, 4)
    powers = (inside - ends[:, None])[..., None] ** np.arange(4)
    cubics = np.linalg.solve(powers, values[..., None])[..., 0]
    return np.concatenate([np.broadcast_to(ends[:, None], (3, len(ends), 1)), cubics], axis=-1)


@njit_part
def cell_at(table, S):
    """The cell in which a distance lies."""
    low, high = 0, table.shape[0]
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, 0] <= S:
            low = middle
        else:
            high = middle
    return low


@njit_inside
def integral(table, n, S, k):
    """Integral k at a distance in cell n, and its slope."""
    x, i = S - table[n, 0], 1 + 4 * k
    c, d = table[n, i + 2], table[n, i + 3]
    return table[n, i] + x * (table[n, i + 1] + x * (c + x * d)), table[n, i + 1] + x * (2.0 * c + 3.0 * x * d)


# what `set_sliding` finds for an element; see `convective_terms`
(
    Z_ONE, Z_TWO, Z_BOTH, Z_FIRST, Z_SECOND, Z_DRIVE, Z_RHO, Z_ROTARY, Z_STIFFER, Z_ONE_MORE, Z_TWO_MORE, Z_BOTH_MORE,
    Z_MASS_MORE, Z_WEIGHT_MORE, Z_SPARE,
) = (0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 20, 22)  # fmt: skip
Z_LENGTH = Z_SPARE + 2 * COUNT
Z_SIZE = Z_LENGTH + 1
"""int rho g N (2), int rho g^2; factors of the terms with the square of L' (3); mass per length and rotary inertia about the
axis at the root end; change of the stiffnesses with L (6); change with L of the first three, the masses (3) and the weights
(2), beyond that in proportion to L; integrals between the ends, and their change with L; the L for which all this was found (0: none)."""


@njit_part
def between_ends(table, L, g1, g2, z):
    """Integrals over the element between the shares g1 > g2 of the free length L, and their change with L, into z."""
    one, two = cell_at(table, L * g1), cell_at(table, L * g2)
    for k in range(COUNT):
        y1, slope1 = integral(table, one, L * g1, k)
        y2, slope2 = integral(table, two, L * g2, k)
        z[Z_SPARE + k], z[Z_SPARE + COUNT + k] = y1 - y2, g1 * slope1 - g2 * slope2
    z[Z_RHO], z[Z_ROTARY] = integral(table, one, L * g1, MASS)[1], integral(table, one, L * g1, ROTARY)[1]
    return integral(table, two, L * g2, MASS)[1]


@njit_inside
def moments(z, k, h, S1, S2):
    """Products of the shape functions with a density whose integrals begin at k: 11, 12 and 22."""
    d0, d1, d2 = z[k], z[k + 1], z[k + 2]
    square = 1.0 / (h * h)
    return (
        (d2 - 2.0 * S2 * d1 + S2 * S2 * d0) * square,
        ((S1 + S2) * d1 - d2 - S1 * S2 * d0) * square,
        (S1 * S1 * d0 - 2.0 * S1 * d1 + d2) * square,
    )


@njit_part
def find_streams(z, L, h, g1, g2, root, rho2):
    """What flows, from the integrals in z."""
    d0, d1, d2 = z[Z_SPARE], z[Z_SPARE + 1], z[Z_SPARE + 2]
    e0, e1, e2 = z[Z_SPARE + COUNT], z[Z_SPARE + COUNT + 1], z[Z_SPARE + COUNT + 2]
    S1, S2, rho1 = L * g1, L * g2, z[Z_RHO]
    one, two, both = (d2 - S2 * d1) / (L * h), (S1 * d1 - d2) / (L * h), d2 / (L * L)
    z[Z_ONE], z[Z_TWO], z[Z_BOTH] = one, two, both
    gone = rho1 if root else 0.0
    z[Z_FIRST], z[Z_SECOND] = rho1 * g1 * g1 - 2.0 * one / L - gone, -rho2 * g2 * g2 - 2.0 * two / L
    z[Z_DRIVE] = (rho1 - gone) * g1**3 - rho2 * g2**3
    z[Z_ONE_MORE] = (e2 - g2 * d1 - S2 * e1) / (L * h) - 3.0 * one / L
    z[Z_TWO_MORE] = (g1 * d1 + S1 * e1 - e2) / (L * h) - 3.0 * two / L
    z[Z_BOTH_MORE] = e2 / (L * L) - 3.0 * both / L
    m11, m12, m22 = moments(z, Z_SPARE, h, S1, S2)
    square = 1.0 / (h * h)
    z[Z_MASS_MORE] = (e2 - 2.0 * (g2 * d1 + S2 * e1) + S2 * (2.0 * g2 * d0 + S2 * e0)) * square - 3.0 * m11 / L
    mixed = (g1 + g2) * d1 + (S1 + S2) * e1 - e2 - 2.0 * L * g1 * g2 * d0 - S1 * S2 * e0
    z[Z_MASS_MORE + 1] = mixed * square - 3.0 * m12 / L
    z[Z_MASS_MORE + 2] = (S1 * (2.0 * g1 * d0 + S1 * e0) - 2.0 * (g1 * d1 + S1 * e1) + e2) * square - 3.0 * m22 / L
    z[Z_WEIGHT_MORE] = (e1 - g2 * d0 - S2 * e0) / h - 2.0 * (d1 - S2 * d0) / (h * L)
    z[Z_WEIGHT_MORE + 1] = (g1 * d0 + S1 * e0 - e1) / h - 2.0 * (S1 * d0 - d1) / (h * L)


@njit_part
def retracted_material(table, L, whole):
    """Of the material between the free length and the rear end: mass per length at the root, mass, its first and second
    moment about the root."""
    here, end = cell_at(table, L), cell_at(table, whole)
    y0, rho = integral(table, here, L, MASS)
    d0 = integral(table, end, whole, MASS)[0] - y0
    d1 = integral(table, end, whole, MASS + 1)[0] - integral(table, here, L, MASS + 1)[0]
    d2 = integral(table, end, whole, MASS + 2)[0] - integral(table, here, L, MASS + 2)[0]
    return rho, d0, d1 - L * d0, d2 - L * (2.0 * d1 - L * d0)
