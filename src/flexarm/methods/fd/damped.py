"""Energy that damping takes in a step of given mean velocity, and the rate of the joint spring."""

from __future__ import annotations

from flexarm.methods.fd.forces import damping_moments, lump_gap
from flexarm.methods.fd.layout import (
    BENDING,
    HUB,
    I_DRIVE,
    I_HUB_STATE,
    I_LUMPS,
    I_N,
    LUMP_STIFFNESS,
    MOTOR,
    NODE,
    P_DAMPER,
    P_DX,
    P_ETA,
)
from flexarm.numerics.jit import njit_inline, njit_part


@njit_inline
def joint_rate(v, par, ip):
    """Rate at which the joint spring winds up."""
    hub = v[HUB] if ip[I_HUB_STATE] else v[NODE + 1] / par[P_DX]
    return v[MOTOR] - hub


@njit_part
def lost_at_rate(v, driven, d, e, h, lump, coef, par, ip):
    """Energy lost to damping in a step of mean velocity v: mean damping forces times displacements.

    The mean of the rates of a prescribed coordinate, `driven`, is not its displacement over the step; all others are.
    Uses the scratch arrays d, e.
    """
    total = 0.0
    eta, drive = par[P_ETA], ip[I_DRIVE]
    moved = v[drive]
    rate = joint_rate(v, par, ip)
    if eta > 0.0:
        damping_moments(v, eta, coef, par, ip, d)
        for k in range(ip[I_LUMPS]):
            d[ip[I_N] + 1 + k] = lump_gap(v, lump, k, ip)
    v[drive] = driven
    if eta > 0.0:
        damping_moments(v, eta, coef, par, ip, e)
        for i in range(ip[I_N] + 1):
            total += d[i] * e[i] / (eta * coef[BENDING, NODE + i] * par[P_DX])
        for k in range(ip[I_LUMPS]):
            total += eta * lump[k, LUMP_STIFFNESS] * d[ip[I_N] + 1 + k] * lump_gap(v, lump, k, ip)
    if par[P_DAMPER] > 0.0:
        total += par[P_DAMPER] * rate * joint_rate(v, par, ip)
    v[drive] = moved
    return h * total
