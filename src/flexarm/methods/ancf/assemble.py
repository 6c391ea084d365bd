"""Forces, inertia and tangent of all elements of the arm.

Equations: A1, A8, A9.
"""

from __future__ import annotations

from flexarm.methods.ancf import layout as at
from flexarm.methods.ancf.beam import beam_forces
from flexarm.methods.ancf.beam_tangent import beam_tangent, clear
from flexarm.methods.ancf.cable import cable_forces
from flexarm.methods.ancf.continuum import continuum_forces, continuum_tangent
from flexarm.methods.ancf.invariants import invariant_forces, invariant_tangent
from flexarm.numerics.jit import njit_inline, njit_part


@njit_part
def gather(m, n, q, e):
    """The vectors of element n; returns how many there are."""
    count = 4 if m.kind[n] == at.CABLE else 6
    for j in range(count):
        p = m.connection[n, j]
        e[2 * j], e[2 * j + 1] = q[p], q[p + 1]
    return count


@njit_part
def scatter(m, n, count, F, f):
    """Add the forces F on the vectors of element n to f."""
    for j in range(count):
        p = m.connection[n, j]
        f[p] += F[2 * j]
        f[p + 1] += F[2 * j + 1]


@njit_part
def element_forces(m, w, q, v, f):
    """Elastic and damping forces less the weight into f; returns stored energy and power of damping."""
    energy, power = 0.0, 0.0
    for k in range(q.shape[0]):
        f[k] = -m.weight[k]
        energy -= m.weight[k] * q[k]
    for n in range(m.kind.shape[0]):
        if m.kind[n] == at.CABLE:
            stored, lost = cable_forces(m, n, q, v, f)
        else:
            stored, lost = wide_forces(m, w, n, q, v, f)
        energy += stored
        power += lost
    return energy, power


@njit_inline
def wide_forces(m, w, n, q, v, f):
    """Add the forces of an element with section vectors; returns energy and power."""
    gather(m, n, q, w.e)
    gather(m, n, v, w.d)
    if m.kind[n] == at.SHEAR:
        stored, lost = beam_forces(m, w, n)
    elif m.kind[n] == at.CONTINUUM:
        stored, lost = continuum_forces(m, w, n)
    else:
        stored, lost = invariant_forces(m, w, n)
    scatter(m, n, 6, w.F, f)
    return stored, lost


@njit_part
def element_tangent(m, w, q, v, speed, push, share, band):
    """push M + share times the derivative of the elements' forces, into the band."""
    half, K = band.shape[1] // 2, w.K
    clear(band)
    add_mass(m, push, band)
    for n in range(m.kind.shape[0]):
        kind = m.kind[n]
        count = gather(m, n, q, w.e)
        gather(m, n, v, w.d)
        if kind <= at.SHEAR:
            beam_tangent(m, w, n, speed)
        elif kind == at.CONTINUUM:
            continuum_tangent(m, w, n, speed)
        else:
            invariant_tangent(m, w, n, speed)
        for a in range(count):
            for r in range(2):
                row = m.connection[n, a] + r
                for b in range(count):
                    place = m.connection[n, b] - row + half
                    band[row, place] += share * K[2 * a + r, 2 * b]
                    band[row, place + 1] += share * K[2 * a + r, 2 * b + 1]


@njit_inline
def add_mass(m, push, band):
    """Add push M to the band."""
    n, half = band.shape[0], band.shape[1] // 2
    for d in range(m.mass.shape[0]):
        k = m.mass_offset[d]
        for r in range(n - k):
            band[r, half + k] += push * m.mass[d, r]
            if k > 0:
                band[r + k, half - k] += push * m.mass[d, r]


@njit_part
def add_inertia(m, a, out):
    """out += M a, diagonal by diagonal, which the processor does several places at a time."""
    n = a.shape[0]
    for d in range(m.mass.shape[0]):
        k, line = m.mass_offset[d], m.mass[d]
        ahead, below = a[k:], out[k:]
        for r in range(n - k):
            out[r] += line[r] * ahead[r]
        if k > 0:
            for r in range(n - k):
                below[r] += line[r] * a[r]
