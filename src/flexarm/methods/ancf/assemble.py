"""Forces, inertia and tangent of the whole arm."""

from __future__ import annotations

from flexarm.methods.ancf.beam import beam_forces
from flexarm.methods.ancf.beam_tangent import beam_tangent
from flexarm.methods.ancf.cable import cable_forces
from flexarm.methods.ancf.continuum import continuum_forces, continuum_tangent
from flexarm.methods.ancf.invariants import invariant_forces, invariant_tangent
from flexarm.methods.ancf.layout import (
    CABLE,
    CONTINUUM,
    E_KIND,
    F_AXIAL,
    F_BETA,
    ROW_D,
    ROW_E,
    ROW_F,
    ROW_K,
    ROW_KZ,
    ROW_POINTS,
    SHEAR,
)
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def gather(elem, n, q, e):
    """The vectors of an element; returns how many there are."""
    count = 4 if elem[n, E_KIND] == CABLE else 6
    for j in range(count):
        p = elem[n, j]
        e[2 * j], e[2 * j + 1] = q[p], q[p + 1]
    return count


@njit_part
def element_forces(elem, fig, paper, weight, q, v, el, f):
    """Elastic and damping forces less the weight into f; returns stored energy and power of damping."""
    energy, power = 0.0, 0.0
    for k in range(q.shape[0]):
        f[k] = -weight[k]
        energy -= weight[k] * q[k]
    for n in range(elem.shape[0]):
        kind = elem[n, E_KIND]
        if kind == CABLE:
            stored, lost = cable_forces(elem, fig, n, q, v, f)
        else:
            stored, lost = wide_forces(elem, fig, paper, n, q, v, el, f)
        energy += stored
        power += lost
    return energy, power


@njit_inline
def wide_forces(elem, fig, paper, n, q, v, el, f):
    """Add the forces of an element with section vectors; returns energy and power."""
    e, d, F, kind = el[ROW_E], el[ROW_D], el[ROW_F], elem[n, E_KIND]
    gather(elem, n, q, e)
    gather(elem, n, v, d)
    if kind == SHEAR:
        stored, lost = beam_forces(e, d, fig[n], F)
    elif kind == CONTINUUM:
        stored, lost = continuum_forces(e, d, paper[n], fig[n, F_BETA], F)
    else:
        stored, lost = invariant_forces(e, d, paper[n], fig[n, F_BETA], fig[n, F_AXIAL], F, el[ROW_POINTS:])
    for j in range(6):
        p = elem[n, j]
        f[p] += F[2 * j]
        f[p + 1] += F[2 * j + 1]
    return stored, lost


@njit_part
def element_tangent(elem, fig, paper, mass, q, v, speed, push, share, el, band):
    """push M + share times the derivative of the elements' forces, into the band."""
    half = band.shape[1] // 2
    for r in range(band.shape[0]):
        for c in range(band.shape[1]):
            band[r, c] = 0.0
    add_mass(mass, push, band)
    e, d, K, Kz, points = el[ROW_E], el[ROW_D], el[ROW_K:ROW_KZ], el[ROW_KZ:ROW_POINTS], el[ROW_POINTS:]
    for n in range(elem.shape[0]):
        kind = elem[n, E_KIND]
        count = gather(elem, n, q, e)
        gather(elem, n, v, d)
        if kind <= SHEAR:
            beam_tangent(kind == SHEAR, e, d, fig[n], speed, K, Kz, points)
        elif kind == CONTINUUM:
            continuum_tangent(e, d, paper[n], fig[n, F_BETA], speed, K, points)
        else:
            invariant_tangent(e, d, paper[n], fig[n, F_BETA], speed, K, points)
        for a in range(count):
            for r in range(2):
                row = elem[n, a] + r
                for b in range(count):
                    place = elem[n, b] - row + half
                    band[row, place] += share * K[2 * a + r, 2 * b]
                    band[row, place + 1] += share * K[2 * a + r, 2 * b + 1]


@njit_inline
def add_mass(mass, push, band):
    """Add push M to the band."""
    n, half = band.shape[0], band.shape[1] // 2
    for d in range(mass.shape[0]):
        k = int(mass[d, n])
        for r in range(n - k):
            band[r, half + k] += push * mass[d, r]
            if k > 0:
                band[r + k, half - k] += push * mass[d, r]


@njit_part
def add_inertia(mass, a, out):
    """out += M a, diagonal by diagonal, which the processor does several places at a time."""
    n = a.shape[0]
    for d in range(mass.shape[0]):
        k, line = int(mass[d, n]), mass[d]
        ahead, below = a[k:], out[k:]
        for r in range(n - k):
            out[r] += line[r] * ahead[r]
        if k > 0:
            for r in range(n - k):
                below[r] += line[r] * a[r]
