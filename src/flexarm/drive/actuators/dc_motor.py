"""A direct-current motor on an amplifier that sets its voltage.

Legend: V voltage, i current, K torque constant (and constant of the back-emf, the same number in SI units), R resistance,
L inductance, v rate of the motor:

    L i' = V - R i - K v,      tau = K i,      V = (R / K) u .

The command u is the torque that the voltage gives at standstill, so that laws keep their units. In terms of torques,

    (L / R) tau' = u - (K^2 / R) v - tau,     |u| <= K V_max / R,     |tau| <= K i_max .

Where the current would pass its limit the amplifier lowers the voltage until it does not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import Field

from flexarm.arm.quantity import Quantity
from flexarm.drive.actuators.base import Actuator
from flexarm.drive.statespace import StateSpace
from flexarm.drive.wiring import JointWiring, Law
from flexarm.errors import ScenarioError

if TYPE_CHECKING:
    from flexarm.drive.drive import Drive
    from flexarm.drive.joint_drive import JointDrive
    from flexarm.drive.line import Line

Positive = Field(gt=0, allow_inf_nan=False)


class DCMotor(Actuator):
    """A direct-current motor on a voltage amplifier: its current follows with L/R, its speed takes voltage off (back-emf)."""

    type: Literal["dc-motor"] = Field(description="Kind of actuator")
    torque_constant: Annotated[float, Positive, Quantity("N*m/A|N/A")] = Field(
        description="Torque per current, which is also the back-emf per speed"
    )
    resistance: Annotated[float, Positive, Quantity("ohm")] = Field(description="Resistance of the winding")
    inductance: Annotated[float, Field(ge=0, allow_inf_nan=False), Quantity("H")] = Field(
        default=0.0, description="Inductance of the winding; the current follows at once when left out"
    )
    voltage_limit: Annotated[float, Positive, Quantity("V")] | None = Field(
        default=None, description="Largest voltage of the amplifier"
    )
    current_limit: Annotated[float, Positive, Quantity("A")] | None = Field(
        default=None, description="Largest current that the amplifier lets through"
    )

    def check(self, drive: Drive, whom: str) -> None:
        """Refuse a prescribed motion, which leaves the motor nothing to do."""
        if not (drive.torque or drive.servo or drive.control):
            raise ValueError(f"the DC motor of {whom} gives a torque: give torque, servo or control")

    def wire(self, joint: JointDrive) -> tuple[JointWiring, Line, list[str]]:
        """Refuse a gear with losses: what the current gives is the torque of the joint."""
        gear = joint.joint.gear
        if gear is not None and gear.efficiency < 1.0:
            raise ScenarioError(
                f"the current of the DC motor of joint '{joint.name}' makes all of its torque, so its gear can lose nothing: "
                "leave out the gear's efficiency, and give the joint friction",
                field=joint.place,
            )
        return super().wire(joint)

    def system(self) -> StateSpace | None:
        """The lag of the current."""
        if not self.inductance:
            return None
        rate = self.resistance / self.inductance
        return StateSpace(np.array([[-rate]]), np.array([rate]), np.ones(1), 0.0)

    def behind(self, law: Law) -> Law:
        """The law in front of amplifier and motor."""
        limit, most, per_volt = law.limit, law.torque_limit, self.torque_constant / self.resistance
        if self.voltage_limit is not None:
            limit = min(limit, per_volt * self.voltage_limit)
        if self.current_limit is not None:
            most = self.torque_constant * self.current_limit
        back_emf = per_volt * self.torque_constant
        return replace(law, limit=limit, actuator=self.system(), back_emf=back_emf, torque_limit=most)
