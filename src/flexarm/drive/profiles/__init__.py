"""Profiles: the shapes that motions and torques can have, as descriptions and as signals."""

from flexarm.drive.profiles.sequence import motion_signal, torque_signal
from flexarm.drive.profiles.union import (
    MOTION_PROFILES,
    TORQUE_PROFILES,
    MotionProfile,
    MotionSequence,
    TorqueProfile,
    TorqueSequence,
)

__all__ = [
    "MOTION_PROFILES",
    "TORQUE_PROFILES",
    "MotionProfile",
    "MotionSequence",
    "TorqueProfile",
    "TorqueSequence",
    "motion_signal",
    "torque_signal",
]
