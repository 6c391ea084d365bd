"""Mass, centre and inertia of every stiff link with all that it carries.

What counts to a link: its beam (mass per length on the beam's axis), or its `body`; its lumps; the hub and
rotor inertia of its own joint (about the joint axis, turning with the link); the motor masses of the joints
that it carries, at those joints; the payload. A motor on the ground moves nothing and does not count. Of a rotor
behind a gear a part turns with the link that carries the motor, and a part with the joint alone (`arm.joint`).

The beam is a line of mass: its rotary inertia is the integral of rhoA x^2. The small rotary inertia of the
cross sections themselves (rhoI per length) is left to the beam theory of the method that computes the
flexible arm; `sections` adds it, for comparison with a method that has it.

In space a single number for the inertia of a lump, a body or a payload holds about every axis; three numbers
hold about the body axes.

A prismatic link with ``retracted: rigid`` is one rigid rod of its whole length, the part behind the joint
included. With ``retracted: massless`` only the part that stands out of the joint has mass: material counts
from the moment that it leaves the joint, with the velocity and acceleration of the rod, and takes its
momentum along when it goes in. So the force needed is the sum of rhoA times acceleration over the part that
is outside, at every instant; the kinetic energy of that part changes also by what flows through the joint.
Lumps and bodies of a prismatic link ride with the material and always count.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.errors import FlexarmError
from flexarm.rigid.beam import Leg, carried, legs, parameters, place_point, tool_pose
from flexarm.rigid.chain import Chain
from flexarm.rigid.inertia import NOTHING, Inertia, MassLine, point_mass, rod, rotary


class Masses:
    """Inertias of all links of an arm; build once, evaluate for any joint values."""

    @staticmethod
    def of(arm: Arm, sections: bool = False) -> Masses:
        """The inertias of an arm; cached for the arms used last, because integrating sections takes time."""
        return _masses(_Same(arm), sections)

    def __init__(self, chain: Chain, sections: bool = False):
        arm = chain.arm
        self.chain, self.sections = chain, sections
        self.constant = [_attached(arm, link) for link in arm.links]
        self.sliding: dict[int, tuple[MassLine, tuple[Leg, ...]]] = {}
        for i, link in enumerate(arm.links):
            if link.section is not None:
                line, stretches = MassLine(link), legs(link, arm.spatial)
                if chain.slides[i] and link.joint.retracted == "massless":
                    self.sliding[i] = (line, stretches)
                else:
                    self.constant[i] += sum((rod(line, leg, leg.first) for leg in stretches), NOTHING)
                if sections and link.flexible and not chain.slides[i]:
                    self.constant[i] += sum((rotary(link, leg, 1.0) for leg in stretches), NOTHING)
            p, motor = chain.parent[i], (link.joint.motor_mass, link.joint.motor_inertia)
            if p >= 0 and any(motor):
                self.constant[p] += point_mass(motor[0], chain.mount[i], motor[1])
            if p >= 0 and link.joint.rotor.with_carrier:
                axis = chain.twist[i] @ chain.align[i][:, 2]
                self.constant[p] += point_mass(0.0, np.zeros(3), link.joint.rotor.with_carrier * np.outer(axis, axis))
        self.with_joint = np.array([arm.link(name).joint.rotor.with_joint for name in arm.joints])
        """Inertia that feels the joint alone, kg m^2, (nj,)."""

    def at(self, q: np.ndarray) -> list[Inertia]:
        """Inertias for joint values (nt, nj); the time axis has length 1 where nothing changes."""
        out = list(self.constant)
        for i, slides in enumerate(self.chain.slides):
            link = self.chain.arm.links[i]
            if not slides or link.section is None:
                continue
            free = self.chain.offset[i] + q[:, self.chain.column[i]]
            _check_travel(link, free)
            if i in self.sliding:
                line, stretches = self.sliding[i]
                run = abs(parameters(link).a)
                out[i] = out[i] + sum((rod(line, leg, link.span - run - free) for leg in stretches), NOTHING)
            if self.sections and link.flexible:
                for k, leg in enumerate(legs(link, True)):
                    out[i] = out[i] + rotary(link, leg, free / (leg.last - leg.first) if k == 0 else 1.0)
        return out


class _Same:
    """Makes an arm a key of a cache: the same object, not an equal one."""

    def __init__(self, arm: Arm):
        self.arm = arm

    def __hash__(self) -> int:
        return id(self.arm)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.arm is other.arm


@lru_cache(maxsize=8)
def _masses(key: _Same, sections: bool) -> Masses:
    return Masses(Chain.of(key.arm), sections)


def _attached(arm: Arm, link: Link) -> Inertia:
    """Everything that rides on a link except its beam and the motors of other joints."""
    spatial, joint = arm.spatial, link.joint
    axis = joint.align[:, 2]
    total = NOTHING + point_mass(0.0, np.zeros(3), (joint.hub_inertia + joint.rotor.with_motor) * np.outer(axis, axis))
    if link.body is not None:
        total += point_mass(link.body.mass, link.body.place, link.body.tensor)
    for lump in link.masses:
        total += point_mass(lump.mass, place_point(link, lump.at, spatial), lump.inertia)
    if link.name == arm.payload_link.name:
        centre, tensor = carried(arm)
        total += point_mass(arm.payload.mass, tool_pose(arm)[0] + centre, tensor)
    return total


def _check_travel(link: Link, free: np.ndarray) -> None:
    """Refuse a prismatic link that is pushed out of its joint at either end."""
    most = link.span - abs(parameters(link).a)
    low, high = float(free.min()), float(free.max())
    if low < -1e-9 * link.span or high > most + 1e-9 * link.span:
        worst = low if low < 0.0 else high
        raise FlexarmError(
            f"the prismatic joint '{link.name}' is asked to stand out by {worst:g} m, but its link can only "
            f"stand out by 0 to {most:g} m: change the motion or the link's length",
            field=f"arm.links.{link.name}.length",
        )
