"""Wiring: what a method must know about the drives before it can choose its coordinates."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from flexarm.drive.columns import WIDTH
from flexarm.drive.hydraulic import HydraulicCylinder
from flexarm.drive.statespace import StateSpace
from flexarm.numerics.gauss import gauss

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
    disturbed : bool
        A torque acts beside that of the motor, behind limit and actuator; without these it is part of the table's torque.
    over, table : str, tuple
        Reading over which the gains of a sampled law change, and its values with kp, kv, ki, linear in between.
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
    disturbed: bool = False
    over: str = ""
    table: tuple[tuple[float, float, float, float], ...] = ()

    def gains_over(self, value: float) -> tuple[float, float, float]:
        """kp, kv, ki where that reading has a value."""
        at, *gains = zip(*self.table, strict=True)
        kp, kv, ki = (float(np.interp(value, at, each)) for each in gains)
        return kp, kv, ki

    @property
    def stands_between(self) -> bool:
        """The torque column is not simply added to what acts on the motor."""
        limited = math.isfinite(self.limit) or math.isfinite(self.torque_limit)
        return (
            limited or self.period > 0.0 or self.actuator is not None or self.back_emf > 0.0 or self.kind == "external"
        )


@dataclass(frozen=True)
class JointWiring:
    """One joint: its motor side is prescribed, driven or free; a spring may sit between motor and link."""

    name: str
    mode: Literal["motion", "torque", "free"]
    spring: bool = False
    law: Law | None = None
    disturbed: bool = False
    """The drive table has a column for what acts beside the motors."""


@dataclass(frozen=True)
class Patch:
    """A load on a link between two fractions of its length.

    ``force``: total force in N, spread evenly (a point force if both places coincide).
    ``moment``: a pair of opposite moments in N m at the two places, as a piezo pair makes; where they coincide one moment.

    Attributes
    ----------
    direction : (float, float, float)
        Unit vector of the force, or of the moment's axis; y and z when left out.
    axes : {"link", "world"}
        Whose axes these are: those of the section, with which the load turns, or of the ground.
    """

    name: str
    link: str
    kind: Literal["force", "moment"]
    start: float
    stop: float
    direction: tuple[float, float, float] = ()  # type: ignore[assignment]
    axes: Literal["link", "world"] = "link"

    def __post_init__(self) -> None:
        if not self.direction:
            object.__setattr__(self, "direction", (0.0, 1.0, 0.0) if self.kind == "force" else (0.0, 0.0, 1.0))

    def points(self, parts: int) -> list[tuple[float, float]]:
        """Fractions of the link at which it acts, with its share in each; spread over a link of so many equal parts."""
        if self.start == self.stop:
            return [(self.start, 1.0)]
        if self.kind == "moment":
            return [(self.stop, 1.0), (self.start, -1.0)]
        edges = [self.start, *(k / parts for k in range(1, parts) if self.start < k / parts < self.stop), self.stop]
        return [
            (a + 0.5 * (1.0 + x) * (b - a), 0.5 * w * (b - a) / (self.stop - self.start))
            for a, b in pairwise(edges)
            for x, w in zip(*gauss(3), strict=True)
        ]


@dataclass(frozen=True)
class Wiring:
    """All joints in the order of `Arm.joints`, then the patches."""

    joints: tuple[JointWiring, ...]
    patches: tuple[Patch, ...] = ()

    @cached_property
    def row_width(self) -> int:
        """Columns of the drive table."""
        return WIDTH + any(joint.disturbed for joint in self.joints)

    @cached_property
    def sampled(self) -> bool:
        """True if a torque is held between the instants of a law: it jumps at each of them."""
        return any(joint.law is not None and joint.law.period > 0.0 for joint in self.joints)
