"""What stands between the command and the joint: one file per kind, chosen by its `type`."""

from flexarm.drive.actuators.base import Actuator
from flexarm.drive.actuators.dc_motor import DCMotor
from flexarm.drive.actuators.hydraulic import Hydraulic
from flexarm.drive.actuators.ideal import Ideal
from flexarm.drive.actuators.oil_cylinder import OilCylinder
from flexarm.drive.actuators.stepping_motor import SteppingMotor
from flexarm.drive.actuators.transfer import Transfer
from flexarm.drive.actuators.union import ACTUATORS, AnyActuator

__all__ = [
    "ACTUATORS",
    "Actuator",
    "AnyActuator",
    "DCMotor",
    "Hydraulic",
    "Ideal",
    "OilCylinder",
    "SteppingMotor",
    "Transfer",
]
