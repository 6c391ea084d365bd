"""Wiring: what a method must know about the drives before it can choose its coordinates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from flexarm.drive.hydraulic import HydraulicCylinder
from flexarm.drive.statespace import StateSpace

MOST_POLES = 4
"""Largest order of an actuator behind a law: the compiled laws keep room for so many states."""


@dataclass(frozen=True)
class Law:
    """How the motor's torque comes about.

    ``u = TORQUE + KP (POSITION - y) + KV (VELOCITY - y') + KI int(POSITION - y) dt``, with the columns of the
    drive table, cut at the limit, less the back-emf, then through the actuator, whose torque may have a limit of its own;
    friction acts against the motor's turning.

    Attributes
    ----------
    kind : {"pd", "pid", "external"}
        Without gains, ``pd`` passes the torque column on.
    sensor : {"hub", "motor", "chord"}
        What y is.
    limit : float
        Largest torque in N m (N), inf if there is none.
    period : float
        Time between updates in s, 0 if it acts continuously.
    actuator : StateSpace or None
        Filter between the law and the motor.
    friction : float
        Coulomb friction in N m (N) on the motor side.
    cylinder : HydraulicCylinder or None
        Then u, between -1 and 1, opens its valve, through the actuator, its spool; y is the motor side. The loop gain is
        the cylinder's own.
    back_emf : float
        Torque that an electric motor loses per rate of its shaft, N m s/rad (N s/m).
    torque_limit : float
        Largest torque behind the actuator in N m (N); the actuator then passes a constant command on as it is.
    """

    kind: Literal["pd", "pid", "external"] = "pd"
    sensor: Literal["hub", "motor", "chord"] = "hub"
    limit: float = math.inf
    period: float = 0.0
    actuator: StateSpace | None = None
    friction: float = 0.0
    cylinder: HydraulicCylinder | None = None
    back_emf: float = 0.0
    torque_limit: float = math.inf


@dataclass(frozen=True)
class JointWiring:
    """One joint: its motor side is prescribed, driven or free; a spring may sit between motor and link."""

    name: str
    mode: Literal["motion", "torque", "free"]
    spring: bool = False
    law: Law | None = None


@dataclass(frozen=True)
class Patch:
    """A distributed actuator between two fractions of a link's length.

    ``force``: total force in N across the link, spread evenly (a point force if both places coincide).
    ``moment``: a pair of opposite moments in N m at the two places, as a piezo pair makes.
    """

    name: str
    link: str
    kind: Literal["force", "moment"]
    start: float
    stop: float


@dataclass(frozen=True)
class Wiring:
    """All joints in the order of `Arm.joints`, then the patches."""

    joints: tuple[JointWiring, ...]
    patches: tuple[Patch, ...] = ()

    @cached_property
    def sampled(self) -> bool:
        """True if a torque is held between the instants of a law: it jumps at each of them."""
        return any(joint.law is not None and joint.law.period > 0.0 for joint in self.joints)
