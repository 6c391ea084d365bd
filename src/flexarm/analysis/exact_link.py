"""The exact single link: a uniform Euler-Bernoulli beam with hub inertia and rigid payload, without a grid.

At the wave number beta free vibration has the angular frequency ``omega = beta^2 sqrt(EI/rho)``. With
z = beta L; s, c, S, C = sin, cos, sinh, cosh(z); a the offset of the payload beyond the tip; and

    eps = I_h beta^3/rho, mu = M beta/rho, k = (I + M a^2) beta^3/rho, chi = M a beta^2/rho, d = mu k - chi^2

the natural frequencies are the zeros of ``base + eps * held``, and of ``held`` alone when the hub is clamped:

    base = (sC - cS) + 2 k cC + 2 mu sS - d (sC - cS) + 2 chi (sC + cS)
    held = (1 + cC) - mu (sC - cS) - k (sC + cS) + d (1 - cC) - 2 chi sS

All is divided by C, so nothing overflows. The zeros are told apart by the Wittrick-Williams count of natural
frequencies below z, so that none can be missed, and are then closed in by bisection on the sign.
Linear theory without shear, rotary inertia of the beam, damping and gravity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.arm import Arm, Link

Hub = Literal["pinned", "clamped"]
SMALLEST = 1e-8
"""Lower end of the search for z; a zero below it would need inertias 1e30 times that of the beam."""


@dataclass(frozen=True)
class ExactLink:
    """A uniform link that turns about its root, with exact frequencies and shapes.

    Parameters
    ----------
    length, EI, rhoA : float
        Length in m, bending stiffness in N m^2, mass per length in kg/m.
    hub_inertia : float
        Rotary inertia at the root, kg m^2.
    payload_mass, payload_inertia, payload_offset : float
        Mass in kg, inertia about its own centre in kg m^2, distance of that centre beyond the tip in m.

    Examples
    --------
    >>> link = ExactLink(0.96, 3.6917964, 0.16678424, hub_inertia=5.86e-4)
    >>> [round(float(f), 4) for f in link.frequencies(2)]
    [11.8015, 32.1541]
    """

    length: float
    EI: float
    rhoA: float
    hub_inertia: float = 0.0
    payload_mass: float = 0.0
    payload_inertia: float = 0.0
    payload_offset: float = 0.0

    def __post_init__(self) -> None:
        for name in ("length", "EI", "rhoA"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise FlexarmError(f"{name} of an exact link must be positive and finite")
        for name in ("hub_inertia", "payload_mass", "payload_inertia"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise FlexarmError(f"{name} of an exact link must be finite and not negative")
        if not math.isfinite(self.payload_offset):
            raise FlexarmError("payload_offset of an exact link must be finite")

    @classmethod
    def from_arm(cls, arm: Arm) -> ExactLink:
        """The exact counterpart of an arm of one uniform link; says why when there is none.

        Lumps at the root and at the tip go into the hub and the payload. Damping does not enter: the
        frequencies are the undamped ones.
        """
        link, reason = arm.links[0], _why_not(arm)
        if reason:
            raise FlexarmError(f"this arm has no exact solution: {reason}", field=f"arm.links.{link.name}")
        root = [lump for lump in link.masses if link.place(lump.at)[0] == 0.0]
        tip = [lump for lump in link.masses if lump not in root]
        hub = link.joint.hub_inertia + link.joint.rotor_inertia + sum(lump.inertia for lump in root)
        lumped, offset = sum(lump.mass for lump in tip), arm.payload.offset_vector[0]
        mass = arm.payload.mass + lumped
        share = arm.payload.mass / mass if mass else 0.0
        inertia = arm.payload.inertia_z + sum(lump.inertia for lump in tip) + share * lumped * offset**2
        figures = link.figures([0.5])
        beam = link.span, float(figures["EI"][0]), float(figures["rhoA"][0])
        return cls(*beam, hub, mass, inertia, share * offset)

    def with_payload(self, mass: float = 0.0, inertia: float = 0.0, offset: float = 0.0) -> ExactLink:
        """The same link with another payload."""
        return replace(self, payload_mass=mass, payload_inertia=inertia, payload_offset=offset)

    @property
    def tip_mass(self) -> np.ndarray:
        """Mass matrix of the payload for displacement and slope of the tip, shape (2, 2)."""
        m, a = self.payload_mass, self.payload_offset
        return np.array([[m, m * a], [m * a, self.payload_inertia + m * a * a]])

    @property
    def total_inertia(self) -> float:
        """Rotary inertia of the stiff link with hub and payload about the joint, kg m^2."""
        rigid = np.array([self.length, 1.0])
        return self.rhoA * self.length**3 / 3.0 + self.hub_inertia + float(rigid @ self.tip_mass @ rigid)

    def wave_numbers(self, n: int, hub: Hub = "pinned") -> np.ndarray:
        """The first `n` elastic wave numbers beta in 1/m, shape (n,); the rigid rotation is not among them.

        `hub` says whether the hub turns freely with its inertia (``pinned``) or is held (``clamped``).
        """
        return _zeros(self, *_checked(n, hub)) / self.length

    def frequencies(self, n: int, hub: Hub = "pinned") -> np.ndarray:
        """The first `n` elastic natural frequencies in Hz, shape (n,)."""
        return self.wave_numbers(n, hub) ** 2 * math.sqrt(self.EI / self.rhoA) / (2.0 * math.pi)

    def shape(self, k: int, x: Any, hub: Hub = "pinned", derivative: int = 0) -> np.ndarray:
        """Shape of mode `k` at `x`, mass-normalised with the beam, the hub and the payload.

        Parameters
        ----------
        k : int
            Mode number from 1; 0 is the rigid rotation of the pinned hub.
        x : array_like
            Places in m, 0 at the joint.
        hub : {"pinned", "clamped"}
            Whether the hub turns with its inertia, or is held.
        derivative : int
            0 for the displacement, 1 for the slope, 2 for the curvature, and so on.

        Returns
        -------
        ndarray, shape of `x`
            In 1/sqrt(kg) per m^derivative; a pinned hub turns forwards, a clamped root bends upwards.
        """
        if k == 0 and hub == "pinned":
            place = np.asarray(x, dtype=float)
            rigid = {0: place, 1: np.ones_like(place)}.get(derivative, np.zeros_like(place))
            return rigid / math.sqrt(self.total_inertia)
        together = 1 << (_checked(k, hub)[0] - 1).bit_length()  # so that neighbours share one solution
        return self.shapes(together, x, hub, derivative)[k - 1]

    def shapes(self, n: int, x: Any, hub: Hub = "pinned", derivative: int = 0) -> np.ndarray:
        """The first `n` elastic shapes, each as `shape` gives it; one row for each, then the shape of `x`."""
        z, factors = _modes(self, *_checked(n, hub))
        place = np.asarray(x, dtype=float)
        beta = (z / self.length).reshape(-1, *(1 for _ in place.shape))
        waves = _waves(beta * self.length, beta * place, derivative)
        return beta**derivative * np.einsum("nb,bn...->n...", factors, waves)


def _why_not(arm: Arm) -> str:
    """Reason why an arm has no exact solution here, or an empty text."""
    link: Link = arm.links[0]
    section, offset = link.section, arm.payload.offset_vector
    lumps = [link.place(lump.at) for lump in link.masses]
    reasons = {
        f"it is for one link, and this arm has {len(arm.links)}": len(arm.links) > 1,
        "the link is rigid": not link.flexible,
        "the joint must be a plane hinge, or fixed (not prismatic, no dh)": arm.spatial,
        "the section must be the same all along the link": section is not None and not section.uniform,
        "the joint has a series spring (joint.stiffness)": link.joint.stiffness is not None,
        "gravity is not part of it (set arm.gravity to zero)": any(arm.gravity[:2]),
        "the payload's offset must lie along the link": arm.payload.mass and any(offset[1:]),
        "lumps must sit at root or tip": any(y or z or x not in (0.0, link.span) for x, y, z in lumps),
    }
    return next((reason for reason, applies in reasons.items() if applies), "")


def _checked(n: int, hub: str) -> tuple[int, str]:
    if int(n) != n or n < 1:
        raise FlexarmError(f"modes are counted 1, 2, 3, ..., and {n} was asked for")
    if hub not in ("pinned", "clamped"):
        raise FlexarmError(f"hub is 'pinned' or 'clamped', not '{hub}'")
    return int(n), hub


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
def _zeros(link: ExactLink, n: int, hub: str) -> np.ndarray:
    """The first `n` zeros z; interlacing with the beam held at both ends gives z_n < (n + 3) pi."""
    modes = np.arange(1, n + 1)
    low, high = np.full(n, SMALLEST), np.full(n, (n + 3) * math.pi)
    below, above = np.zeros(n, dtype=int), _count(link, high, hub)
    for _ in range(60):
        if np.all((below == modes - 1) & (above == modes)):
            break
        middle = 0.5 * (low + high)
        found = _count(link, middle, hub)
        up = found < modes
        low, below = np.where(up, middle, low), np.where(up, found, below)
        high, above = np.where(up, high, middle), np.where(up, above, found)
    # next to a frequency of the beam held at both ends the count is unsure, but only by less than this
    low, high = low * (1.0 - 1e-9), high * (1.0 + 1e-9)
    sign = 1 - 2 * ((modes - 1) % 2)
    for _ in range(70):
        middle = 0.5 * (low + high)
        up = sign * _characteristic(link, middle, hub) > 0.0
        low, high = np.where(up, middle, low), np.where(up, high, middle)
    z = 0.5 * (low + high)
    z.setflags(write=False)
    return z


def _waves(z: Any, bx: Any, order: int) -> np.ndarray:
    """The four bounded solutions at beta x, differentiated `order` times by beta x; shape (4, ...)."""
    turn = 0.5 * math.pi * order
    return np.stack([np.cos(bx + turn), np.sin(bx + turn), (-1.0) ** order * np.exp(-bx), np.exp(bx - z)])


@lru_cache(maxsize=64)
def _modes(link: ExactLink, n: int, hub: str) -> tuple[np.ndarray, np.ndarray]:
    """Zeros (n,) and factors (n, 4) of the bounded solutions in the mass-normalised shapes."""
    z = _zeros(link, n, hub)
    beta = z / link.length
    root, tip = ([_waves(z, end, d) for d in range(4)] for end in (0.0 * z, z))
    eps, mu, k, chi, _ = _ends(link, z)
    turning = root[1] if hub == "clamped" else (root[2] + eps * root[1]) / (1.0 + eps)
    force = (tip[3] + mu * tip[0] + chi * tip[1]) / (1.0 + mu + np.abs(chi))
    moment = (tip[2] - k * tip[1] - chi * tip[0]) / (1.0 + k + np.abs(chi))
    conditions = np.stack([root[0], turning, force, moment]).transpose(2, 0, 1)
    factors = np.linalg.svd(conditions)[2][:, -1, :]
    r, t = ([np.einsum("nb,bn->n", factors, waves) for waves in end] for end in (root, tip))
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
