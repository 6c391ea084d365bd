"""Natural frequencies and shapes of the exact single link, from its characteristic equation.

At the wave number beta free vibration has the angular frequency ``omega = beta^2 sqrt(EI/rho)``. With
z = beta L; s, c, S, C = sin, cos, sinh, cosh(z); a the offset of the payload beyond the tip; and

    eps = I_h beta^3/rho, mu = M beta/rho, k = (I + M a^2) beta^3/rho, chi = M a beta^2/rho, d = mu k - chi^2

the natural frequencies are the zeros of ``base + eps * held``, and of ``held`` alone when the hub is clamped:

    base = (sC - cS) + 2 k cC + 2 mu sS - d (sC - cS) + 2 chi (sC + cS)
    held = (1 + cC) - mu (sC - cS) - k (sC + cS) + d (1 - cC) - 2 chi sS

All is divided by C, so nothing overflows. The zeros are told apart by the Wittrick-Williams count of natural
frequencies below z, so that none can be missed, and are then closed in by bisection on the sign.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from flexarm.analysis.exact_link import ExactLink

SMALLEST = 1e-8
"""Lower end of the search for z; a zero below it would need inertias 1e30 times that of the beam."""


def _ends(link: ExactLink, z: np.ndarray) -> tuple[np.ndarray, ...]:
    """eps, mu, k, chi and d of the module's docstring at `z`."""
    beam, L = link.rhoA * link.length, link.length
    (m, first), (_, second) = link.tip_mass
    mu, k, chi = m / beam * z, second / (beam * L**2) * z**3, first / (beam * L) * z**2
    eps, own = (inertia / (beam * L**2) * z**3 for inertia in (link.hub_inertia, link.payload_inertia))
    return eps, mu, k, chi, mu * own


def _series(z: np.ndarray, first: int, base: float) -> np.ndarray:
    """Sum of base^n z^(4n+first)/(4n+first)! over n."""
    return np.sum([base**n * z ** (4 * n + first) / math.factorial(4 * n + first) for n in range(5)], axis=0)


def _combined(z: np.ndarray) -> tuple[np.ndarray, ...]:
    """cC, sS, sC+cS, sC-cS, 1+cC, 1-cC, C-c and S-s, divided by C; by series where leading terms cancel."""
    s, c, T = np.sin(z), np.cos(z), np.tanh(z)
    sech = 2.0 * np.exp(-z) / (1.0 + np.exp(-2.0 * z))
    near = np.minimum(z, 1.0)

    def careful(factor: float, first: int, base: float, direct: np.ndarray) -> np.ndarray:
        return np.where(z < 1.0, factor * _series(near, first, base) * sech, direct)

    difference, one_minus = careful(4.0, 3, -4.0, s - c * T), careful(4.0, 4, -4.0, sech - c)
    cosines, sines = careful(2.0, 2, 1.0, 1.0 - c * sech), careful(2.0, 3, 1.0, T - s * sech)
    return c, s * T, s + c * T, difference, sech + c, one_minus, cosines, sines


def _characteristic(link: ExactLink, z: np.ndarray, hub: str) -> np.ndarray:
    """The function of the module's docstring, divided by cosh z; zero at the natural frequencies."""
    cC, sS, total, difference, one_plus, one_minus, *_ = _combined(z)
    eps, mu, k, chi, d = _ends(link, z)
    held = one_plus - mu * difference - k * total + d * one_minus - 2.0 * chi * sS
    if hub == "clamped":
        return held
    return (1.0 - d) * difference + 2.0 * (k * cC + mu * sS + chi * total) + eps * held


def _count(link: ExactLink, z: np.ndarray, hub: str) -> np.ndarray:
    """Number of elastic natural frequencies below `z`, by Wittrick and Williams.

    It is the number of frequencies of the beam with both ends held, plus the number of negative eigenvalues
    of the dynamic stiffness for hub slope, tip displacement and tip slope (less one for the rigid rotation).
    """
    _, sS, total, difference, _, D, cosines, sines = _combined(z)
    eps, mu, k, chi, _ = _ends(link, z)
    D = np.where(D == 0.0, 1e-300, D)
    halves = np.floor(z / math.pi).astype(int)
    held = halves - (1 - np.where(halves % 2, -1, 1) * np.sign(D).astype(int)) // 2
    rows = [
        [difference / D - eps, -cosines / D, sines / D],
        [-cosines / D, total / D - mu, -sS / D - chi],
        [sines / D, -sS / D - chi, difference / D - k],
    ]
    first = 1 if hub == "clamped" else 0
    stiffness = np.moveaxis(np.array(rows), (0, 1), (-2, -1))[..., first:, first:]
    scale = 1.0 / np.sqrt(np.abs(stiffness).max(axis=-1))
    values = np.linalg.eigvalsh(stiffness * scale[..., :, None] * scale[..., None, :])
    return np.maximum(held + (values < 0.0).sum(axis=-1) - (1 - first), 0)


@lru_cache(maxsize=64)
def zeros(link: ExactLink, n: int, hub: str) -> np.ndarray:
    """The first `n` zeros z; interlacing with the beam held at both ends gives z_n < (n + 3) pi."""
    number = np.arange(1, n + 1)
    low, high = np.full(n, SMALLEST), np.full(n, (n + 3) * math.pi)
    below, above = np.zeros(n, dtype=int), _count(link, high, hub)
    for _ in range(60):
        if np.all((below == number - 1) & (above == number)):
            break
        middle = 0.5 * (low + high)
        found = _count(link, middle, hub)
        up = found < number
        low, below = np.where(up, middle, low), np.where(up, found, below)
        high, above = np.where(up, high, middle), np.where(up, above, found)
    # next to a frequency of the beam held at both ends the count is unsure, but only by less than this
    low, high = low * (1.0 - 1e-9), high * (1.0 + 1e-9)
    sign = 1 - 2 * ((number - 1) % 2)
    for _ in range(70):
        middle = 0.5 * (low + high)
        up = sign * _characteristic(link, middle, hub) > 0.0
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    z = 0.5 * (low + high)
    z.setflags(write=False)
    return z


def waves(z: Any, bx: Any, order: int) -> np.ndarray:
    """The four bounded solutions at beta x, differentiated `order` times by beta x; shape (4, ...)."""
    turn = 0.5 * math.pi * order
    return np.stack([np.cos(bx + turn), np.sin(bx + turn), (-1.0) ** order * np.exp(-bx), np.exp(bx - z)])


@lru_cache(maxsize=64)
def modes(link: ExactLink, n: int, hub: str) -> tuple[np.ndarray, np.ndarray]:
    """Zeros (n,) and factors (n, 4) of the bounded solutions in the mass-normalised shapes."""
    z = zeros(link, n, hub)
    beta = z / link.length
    root, tip = ([waves(z, end, d) for d in range(4)] for end in (0.0 * z, z))
    eps, mu, k, chi, _ = _ends(link, z)
    turning = root[1] if hub == "clamped" else (root[2] + eps * root[1]) / (1.0 + eps)
    force = (tip[3] + mu * tip[0] + chi * tip[1]) / (1.0 + mu + np.abs(chi))
    moment = (tip[2] - k * tip[1] - chi * tip[0]) / (1.0 + k + np.abs(chi))
    conditions = np.stack([root[0], turning, force, moment]).transpose(2, 0, 1)
    factors = np.linalg.svd(conditions)[2][:, -1, :]
    r, t = ([np.einsum("nb,bn->n", factors, wave) for wave in end] for end in (root, tip))
    # the integral of the squared shape in closed form, by parts from y'''' = beta^4 y
    square = z * (t[0] ** 2 + t[2] ** 2 - 2.0 * t[1] * t[3]) + 3.0 * (t[0] * t[3] - r[0] * r[3])
    square = (square - t[1] * t[2] + r[1] * r[2]) / (4.0 * beta)
    ends = np.stack([t[0], beta * t[1]])
    mass = link.rhoA * square + np.einsum("in,ij,jn->n", ends, link.tip_mass, ends)
    mass += link.hub_inertia * (beta * r[1]) ** 2
    forwards = r[2] if hub == "clamped" else r[1] - r[2]
    factors = factors * (np.where(forwards < 0.0, -1.0, 1.0) / np.sqrt(mass))[:, None]
    factors.setflags(write=False)
    return z, factors
