"""Forces and tangent of the whole arm, element by element."""

from __future__ import annotations

from flexarm.methods.ancf.beam import beam_damping, beam_forces
from flexarm.methods.ancf.beam_tangent import beam_tangent
from flexarm.methods.ancf.cable import cable_forces
from flexarm.methods.ancf.continuum import continuum_forces, continuum_tangent
from flexarm.methods.ancf.invariants import invariant_forces, invariant_tangent
from flexarm.methods.ancf.layout import CABLE, CONTINUUM, SHEAR
from flexarm.numerics.jit import njit, njit_part


@njit_part
def gather(con, count, q, e):
    """The vectors of an element."""
    for j in range(count):
        e[2 * j] = q[con[j]]
        e[2 * j + 1] = q[con[j] + 1]


@njit
def element_forces(m, q, v, w, fc, fd):
    """Elastic forces less the weight into fc, damping forces into fd; returns stored energy and power of damping."""
    energy, power = 0.0, 0.0
    weight = m.weight
    for k in range(q.shape[0]):
        fc[k], fd[k] = -weight[k], 0.0
        energy -= weight[k] * q[k]
    e, d, F, G, scratch = w.e[0], w.e[1], w.e[2], w.e[3], w.D
    kinds, cons, owners, betas, lengths = m.kind, m.con, m.owner, m.beta, m.length
    figs, hps, hpps = m.fig, m.hp, m.hpp
    for n in range(cons.shape[0]):
        kind, con, i, beta = kinds[n], cons[n], owners[n], betas[n]
        count = 4 if kind == CABLE else 6
        gather(con, count, q, e)
        if beta > 0.0:
            gather(con, count, v, d)
        if kind == CABLE:
            stored, lost = cable_forces(e, d, hps[i], hpps[i], figs[n], beta, F, G)
        elif kind == SHEAR:
            stored, lost = beam_forces(True, e, hps[i], hpps[i], lengths[n], figs[n], F), 0.0
            if beta > 0.0:
                lost = beam_damping(True, e, d, hps[i], hpps[i], lengths[n], figs[n], beta, G)
        elif kind == CONTINUUM:
            stored, lost = continuum_forces(e, d, m.cshape[n], m.cfig[n], beta, F, G)
        else:
            stored, lost = invariant_forces(e, d, m.gram[n], beta, figs[n, 0], F, G, scratch)
        energy += stored
        power += lost
        for j in range(count):
            p = con[j]
            fc[p] += F[2 * j]
            fc[p + 1] += F[2 * j + 1]
            if beta > 0.0:
                fd[p] += G[2 * j]
                fd[p + 1] += G[2 * j + 1]
    return energy, power


@njit
def element_tangent(m, q, v, speed, push, share, w, band):
    """push M + share times the derivative of the elements' forces, into the band."""
    half = band.shape[1] // 2
    for r in range(band.shape[0]):
        for c in range(band.shape[1]):
            band[r, c] = push * m.mass[r, c]
    e, d, K = w.e[0], w.e[1], w.K
    for n in range(m.con.shape[0]):
        kind, con, i, beta = m.kind[n], m.con[n], m.owner[n], m.beta[n]
        count = 4 if kind == CABLE else 6
        gather(con, count, q, e)
        gather(con, count, v, d)
        if kind <= SHEAR:
            beam_tangent(kind == SHEAR, e, d, m.hp[i], m.hpp[i], m.length[n], m.fig[n], beta, speed, K, w.Kz, w.D)
        elif kind == CONTINUUM:
            continuum_tangent(e, d, m.cshape[n], m.cfig[n], beta, speed, K, w.D)
        else:
            invariant_tangent(e, d, m.gram[n], beta, speed, K, w.D)
        for a in range(count):
            for r in range(2):
                row = con[a] + r
                for b in range(count):
                    place = con[b] - row + half
                    band[row, place] += share * K[2 * a + r, 2 * b]
                    band[row, place + 1] += share * K[2 * a + r, 2 * b + 1]


@njit_part
def add_inertia(mass, a, out):
    """out += M a for the band matrix of the mass."""
    n, half = mass.shape[0], mass.shape[1] // 2
    for r in range(n):
        total = 0.0
        for c in range(max(0, r - half), min(n, r + half + 1)):
            total += mass[r, c - r + half] * a[c]
        out[r] += total
