"""The exact single link: a uniform Euler-Bernoulli beam with hub inertia and rigid payload, without a grid.

Linear theory without shear, rotary inertia of the beam, damping and gravity; the equations are in `exact_modes`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from flexarm.analysis.exact_modes import modes, waves, zeros
from flexarm.errors import FlexarmError, check_word

if TYPE_CHECKING:
    from flexarm.arm import Arm, Link

Hub = Literal["pinned", "clamped"]


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
        hub = link.joint.hub_inertia + link.joint.rotor.reflected + sum(lump.inertia for lump in root)
        lumped, offset = sum(lump.mass for lump in tip), arm.payload.offset_vector[0]
        mass = arm.payload.mass + lumped
        share = arm.payload.mass / mass if mass else 0.0
        inertia = arm.payload.inertia_z + sum(lump.inertia for lump in tip) + share * lumped * offset**2
        properties = link.properties([0.5])
        beam = link.span, float(properties["EI"][0]), float(properties["rhoA"][0])
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
        return zeros(self, *_checked(n, hub)) / self.length

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
        z, factors = modes(self, *_checked(n, hub))
        place = np.asarray(x, dtype=float)
        beta = (z / self.length).reshape(-1, *(1 for _ in place.shape))
        bounded = waves(beta * self.length, beta * place, derivative)
        return beta**derivative * np.einsum("nb,bn...->n...", factors, bounded)


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
    check_word(hub, get_args(Hub), "hub")
    return int(n), hub
