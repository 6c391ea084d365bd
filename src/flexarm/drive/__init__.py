"""What moves the arm: profiles, laws, actuators, payload events, and the drive table made from them.

A `Drive` describes; `Program.compile` makes signals and wiring of a list of drives. Signals are exact
functions of absolute time, divided into intervals where they jump, so that no answer
depends on how a run is stepped.
"""

from flexarm.drive.actuators import Actuator
from flexarm.drive.columns import ACCELERATION, DISTURBANCE, KI, KP, KV, POSITION, TORQUE, VELOCITY, WIDTH
from flexarm.drive.control import Control, GainSet, Servo, servo_gains
from flexarm.drive.cylinder import Cylinder, Oil, Valve
from flexarm.drive.drive import Drive, PatchPlace
from flexarm.drive.event import Event, check_events
from flexarm.drive.filtered import FilteredSignal
from flexarm.drive.hydraulic import HydraulicCylinder
from flexarm.drive.law_block import REFERENCES, LawBlock, read_law
from flexarm.drive.paths import PathMotion, start_on_path
from flexarm.drive.program import Program
from flexarm.drive.signal import PieceSignal, Signal
from flexarm.drive.statespace import StateSpace
from flexarm.drive.wiring import JointWiring, Law, Patch, Wiring

__all__ = [
    "ACCELERATION",
    "DISTURBANCE",
    "KI",
    "KP",
    "KV",
    "POSITION",
    "REFERENCES",
    "TORQUE",
    "VELOCITY",
    "WIDTH",
    "Actuator",
    "Control",
    "Cylinder",
    "Drive",
    "Event",
    "FilteredSignal",
    "GainSet",
    "HydraulicCylinder",
    "JointWiring",
    "Law",
    "LawBlock",
    "Oil",
    "Patch",
    "PatchPlace",
    "PathMotion",
    "PieceSignal",
    "Program",
    "Servo",
    "Signal",
    "StateSpace",
    "Valve",
    "Wiring",
    "check_events",
    "read_law",
    "servo_gains",
    "start_on_path",
]
