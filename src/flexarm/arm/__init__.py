"""The arm: material, section, link, joint, payload, loop. Frozen models in SI units; no files."""

from flexarm.arm.arm import GROUND, Arm
from flexarm.arm.body import Body, Lump
from flexarm.arm.damping import Damping
from flexarm.arm.joint import DenavitHartenberg, Gear, Joint
from flexarm.arm.link import Beam, Link
from flexarm.arm.loop import Loop
from flexarm.arm.material import LIBRARY as MATERIALS
from flexarm.arm.material import Material
from flexarm.arm.payload import Payload
from flexarm.arm.pose import Pose
from flexarm.arm.section import Profile, Section, Station

__all__ = [
    "GROUND",
    "MATERIALS",
    "Arm",
    "Beam",
    "Body",
    "Damping",
    "DenavitHartenberg",
    "Gear",
    "Joint",
    "Link",
    "Loop",
    "Lump",
    "Material",
    "Payload",
    "Pose",
    "Profile",
    "Section",
    "Station",
]
