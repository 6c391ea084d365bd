"""A cylinder with pressures as the joint laws need it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flexarm.drive.cylinder import Cylinder, Oil, Valve
from flexarm.drive.statespace import StateSpace, state_space

STOP_YIELD = 0.005
DEAD_SHARE = 0.05


@dataclass(frozen=True)
class HydraulicCylinder:
    """Cylinder, valve and oil together.

    Attributes
    ----------
    cylinder, valve, oil : Cylinder, Valve, Oil
        As in the file; `cylinder` has its area and stroke.
    loop_gain : float
        Speed per position error of the cylinder without load, 1/s; 0 if a controller opens the valve.
    """

    cylinder: Cylinder
    valve: Valve
    oil: Oil
    loop_gain: float

    @property
    def areas(self) -> tuple[float, float]:
        """Areas of both chambers, that which pushes longer first, m^2."""
        area = self.cylinder.area or 0.0
        return area, area - (self.cylinder.rod_area or 0.0)

    @property
    def edge(self) -> float:
        """Flow over one edge of the opened valve per root of the pressure drop."""
        return self.valve.flow / math.sqrt(self.valve.drop)

    @property
    def speed(self) -> float:
        """Speed of the cylinder without load at full opening, m/s."""
        return self.edge * math.sqrt(0.5 * (self.oil.supply - self.oil.tank)) / (0.5 * sum(self.areas))

    def spool(self) -> StateSpace | None:
        """Opening of the valve over its command."""
        if self.valve.frequency is None:
            return None
        w, zeta = 2.0 * math.pi * self.valve.frequency, self.valve.damping
        if zeta < 1.0:
            return state_space((complex(-zeta * w, w * math.sqrt(1.0 - zeta**2)),), (), 1.0)
        root = w * math.sqrt(zeta**2 - 1.0)
        return state_space((complex(-zeta * w + root), complex(-zeta * w - root)), (), 1.0)

    def row(self) -> np.ndarray:
        """Numbers for `flexarm.numerics.law_rows.pack`, from H_GAIN to H_STOP."""
        cylinder, oil = self.cylinder, self.oil
        assert cylinder.area is not None and cylinder.stroke is not None
        short, long = cylinder.stroke
        dead = cylinder.dead_volume or DEAD_SHARE * cylinder.area * (long - short)
        stop = cylinder.stop_stiffness or oil.supply * cylinder.area / (STOP_YIELD * (long - short))
        return np.array(
            [
                self.loop_gain / self.speed, *cylinder.geometry, *self.areas, dead, short, long, oil.bulk_modulus, self.edge,
                oil.supply, oil.tank, oil.leakage, cylinder.friction, stop,
            ]
        )  # fmt: skip

    def at_rest(self, force: float) -> tuple[float, float, float]:
        """Pressures and opening that hold a force in N: as much oil leaks as the valve lets through.

        Raises
        ------
        ValueError
            If the pressures cannot hold it.
        """
        big, small = self.areas
        total = self.oil.supply + self.oil.tank
        a = (force + small * total) / (big + small)
        b = total - a
        if not self.oil.tank < a < self.oil.supply:
            most = big * self.oil.supply - small * self.oil.tank, small * self.oil.supply - big * self.oil.tank
            raise ValueError(
                f"must {'push' if force > 0 else 'pull'} with {abs(force):.4g} N to hold the arm, but can only "
                f"{'push' if force > 0 else 'pull'} with {most[0] if force > 0 else most[1]:.4g} N: give it more area, "
                "pressure or lever"
            )
        leak, sign = self.oil.leakage * (a - b), math.copysign(1.0, a - b)
        drop = self.oil.supply - a if sign > 0 else a - self.oil.tank
        return a, b, leak / (self.edge * math.sqrt(drop))
