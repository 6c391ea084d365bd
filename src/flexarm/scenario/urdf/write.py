"""An arm written as URDF: its links as rigid bodies, joints with their places, axes and limits, frames as links that are fixed."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr

import numpy as np

from flexarm.arm import Arm
from flexarm.arm.pose import to_rpy
from flexarm.errors import CapabilityError
from flexarm.numerics.rotations import about_z
from flexarm.rigid.chain import Chain
from flexarm.rigid.mass import Masses

ROOT = "world"
TINY = 1e-12


def urdf_text(arm: Arm, name: str) -> str:
    """The stiff arm as the text of a URDF file.

    Flexible links are written as the rigid bodies that they are when nothing bends, hubs, motors, lumps and payload included; a motor on
    the ground moves nothing and is left out. Numbers are written in full.
    """
    if arm.loops:
        raise CapabilityError("a URDF is a tree: it cannot hold loops", field="arm.loops")
    chain = Chain.of(arm)
    root = ROOT
    while root in [link.name for link in arm.links]:
        root += "_"
    taken = {root, *(link.name for link in arm.links)}
    lines = ['<?xml version="1.0"?>', f"<robot name={quoteattr(name)}>", f"  <link name={quoteattr(root)}/>"]
    parts = Masses.of(arm).at(np.array(arm.pose)[None])
    for i, link in enumerate(arm.links):
        lines += _link(link.name, float(parts[i].mass[0]), parts[i].moment[0], parts[i].tensor[0])
        lines += _joint(arm, chain, i, root)
    for link in arm.links:
        for frame, pose in link.frames.items():
            own = frame if frame not in taken else f"{link.name}_{frame}"
            taken.add(own)
            lines.append(f"  <link name={quoteattr(own)}/>")
            lines.append(f'  <joint name={quoteattr(own + "_fixed")} type="fixed"><parent link={quoteattr(link.name)}/>'
                         f"<child link={quoteattr(own)}/>{_origin(pose.xyz, pose.rpy)}</joint>")  # fmt: skip
    return "\n".join([*lines, "</robot>", ""])


def _numbers(values) -> str:  # type: ignore[no-untyped-def]
    return " ".join(repr(float(value) + 0.0) for value in values)


def _origin(xyz, rpy) -> str:  # type: ignore[no-untyped-def]
    return f'<origin xyz="{_numbers(xyz)}" rpy="{_numbers(rpy)}"/>'


def _link(name: str, mass: float, moment: np.ndarray, tensor: np.ndarray) -> list[str]:
    if mass <= 0.0:
        return [f"  <link name={quoteattr(name)}/>"]
    centre = moment / mass
    own = tensor - mass * ((centre @ centre) * np.eye(3) - np.outer(centre, centre))
    entries = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    small = TINY * max(float(np.abs(own).max()), mass * float(centre @ centre), 1e-300)
    words = " ".join(f'{key}="{(0.0 if abs(own[at]) < small else float(own[at]))!r}"' for key, at in entries.items())
    return [f'  <link name={quoteattr(name)}><inertial><origin xyz="{_numbers(centre)}"/><mass value="{mass!r}"/>'
            f"<inertia {words}/></inertial></link>"]  # fmt: skip


def _joint(arm: Arm, chain: Chain, i: int, root: str) -> list[str]:
    link, p = arm.links[i], chain.parent[i]
    joint, axis = link.joint, chain.align[i][:, 2]
    place, turn = chain.mount[i], chain.twist[i]
    if chain.angle[i]:
        turn = turn @ chain.align[i] @ about_z(chain.angle[i]) @ chain.align[i].T
    if chain.slides[i]:
        place = place + turn @ axis * chain.offset[i]
    as_given = joint.origin is not None and not chain.angle[i] and (p >= 0 or arm.base is None)
    rpy = joint.origin.rpy if as_given and joint.origin is not None else to_rpy(turn)
    limits = {} if joint.limits is None else joint.limits.model_dump(exclude_none=True)
    kind = {"fixed": "fixed", "prismatic": "prismatic"}.get(
        joint.type, "revolute" if "lower" in limits else "continuous"
    )
    if kind == "prismatic" and "lower" not in limits:
        limits = {"lower": 0.0, "upper": link.span or 1.0, **limits}
    inside = [f"<parent link={quoteattr(arm.links[p].name if p >= 0 else root)}/>", f"<child link={quoteattr(link.name)}/>",
              _origin(place, rpy)]  # fmt: skip
    if kind != "fixed":
        inside.append(f'<axis xyz="{_numbers(joint.axis if joint.axis is not None else axis)}"/>')
        if limits:
            full = {"effort": 0.0, "velocity": 0.0, **limits}
            inside.append("<limit " + " ".join(f'{key}="{value!r}"' for key, value in full.items()) + "/>")
        if joint.viscous or joint.friction:
            inside.append(f'<dynamics damping="{joint.viscous!r}" friction="{float(joint.friction)!r}"/>')
    lines = [f'  <joint name={quoteattr(link.name)} type="{kind}">{"".join(inside)}</joint>']
    if joint.gear is not None:
        name, motor = quoteattr(link.name), quoteattr(f"m_{link.name}")
        ratio = f"<mechanicalReduction>{joint.gear.ratio!r}</mechanicalReduction>"
        parts = f"<joint name={name}/><actuator name={motor}>{ratio}</actuator>"
        lines.append(f"  <transmission name={quoteattr(f't_{link.name}')}>{parts}</transmission>")
    return lines
