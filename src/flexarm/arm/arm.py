"""The arm: links in a tree, closed by loops, with a payload, in a field of gravity."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from flexarm.arm.base import Part
from flexarm.arm.damping import Damping
from flexarm.arm.link import Link
from flexarm.arm.loop import Loop
from flexarm.arm.payload import Payload
from flexarm.arm.pose import Pose
from flexarm.arm.quantity import Acceleration

GROUND = "ground"


class Arm(Part):
    """What the arm is, apart from what moves it and how it is computed.

    Planar arms lie in the x-y plane and turn about +z; an arm with a `base`, or with any joint that has `dh`, `origin` or `axis`
    or slides, or a link with `beam` or `frames`, is spatial, with z up.

    Examples
    --------
    >>> rod = {"section": {"shape": "circle", "diameter": 0.01}, "material": "steel", "length": 1.0}
    >>> arm = Arm(links=[{"name": "upper", **rod}, {"name": "fore", **rod}])
    >>> arm.parent("fore"), arm.spatial, arm.serial
    ('upper', False, True)
    """

    links: Annotated[tuple[Link, ...], Field(min_length=1)] = Field(description="Links, root first")
    gravity: Annotated[tuple[Acceleration, ...], Field(min_length=3, max_length=3)] = Field(
        default=(0.0, 0.0, 0.0), description="Gravity vector"
    )
    damping: Damping | None = Field(default=None, description="Kelvin-Voigt damping of all flexible links")
    payload: Payload = Field(default_factory=Payload, description="Load at the tip")
    base: Pose | None = Field(
        default=None, description="Frame on which the arm stands, in world axes; makes the arm spatial"
    )
    tool: str | None = Field(
        default=None,
        description="Frame, link.frame, to which tip results, paths and payload refer; default the tip of the payload's link",
    )
    loops: tuple[Loop, ...] = Field(default=(), description="Pins that close chains")

    @model_validator(mode="after")
    def _consistent(self) -> Arm:
        names = [link.name for link in self.links]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two links are called '{name}'")
        for i, link in enumerate(self.links):
            parent = self._parent_of(i)
            if parent != GROUND:
                if parent not in names:
                    raise ValueError(f"link '{link.name}' has the unknown parent '{parent}'")
                if names.index(parent) >= i:
                    raise ValueError(f"link '{link.name}' must come after its parent '{parent}'")
                self.links[names.index(parent)].check_place(link.at)
            elif "at" in link.model_fields_set:
                raise ValueError(f"link '{link.name}' stands on the ground: 'at' has no meaning there")
        if self.payload.link is not None and self.payload.link not in names:
            raise ValueError(f"the payload hangs on the unknown link '{self.payload.link}'")
        self._check_tool()
        for loop in self.loops:
            for name, place in loop.places:
                if name not in names:
                    raise ValueError(f"loop '{loop.name}' names the unknown link '{name}'")
                self.link(name).check_place(place)
        if self.spatial and self.loops:
            raise ValueError(
                "loops are for planar arms: this arm is spatial, because of dh, origin, axis, base or a slider"
            )
        if not self.spatial and not any(self.gravity[:2]) and self.gravity[2]:
            raise ValueError(
                "a planar arm lies in the x-y plane, so gravity along z does nothing; "
                "a standing arm says gravity: [0, -9.81, 0]"
            )
        return self

    def _check_tool(self) -> None:
        if self.tool is None:
            return
        link, _, frame = self.tool.partition(".")
        if link not in [part.name for part in self.links] or frame not in self.link(link).frames:
            known = [f"{part.name}.{name}" for part in self.links for name in part.frames]
            raise ValueError(
                f"the tool '{self.tool}' is no frame of a link; "
                + (f"known are {', '.join(known)}" if known else "give 'frames' to the link that carries it")
            )
        if self.payload.link not in (None, link):
            raise ValueError(f"the payload hangs on link '{self.payload.link}', the tool is on '{link}'")

    def _parent_of(self, i: int) -> str:
        link = self.links[i]
        if link.parent is not None:
            return link.parent
        return self.links[i - 1].name if i else GROUND

    def link(self, name: str) -> Link:
        """The link called `name`."""
        for link in self.links:
            if link.name == name:
                return link
        known = ", ".join(link.name for link in self.links)
        raise ValueError(f"there is no link '{name}'; the arm has {known}")

    def index(self, name: str) -> int:
        """Position of a link in `links`."""
        return self.links.index(self.link(name))

    def parent(self, name: str) -> str:
        """Name of the link that carries `name`, or ``ground``."""
        return self._parent_of(self.index(name))

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints that can move; a joint is named after the link at whose root it sits."""
        return tuple(link.name for link in self.links if link.joint.type != "fixed")

    @property
    def spatial(self) -> bool:
        """True if the arm is described in space: by its base, joints that have a place or slide, beams or frames in links."""
        return self.base is not None or any(
            link.joint.in_space or link.beam is not None or bool(link.frames) for link in self.links
        )

    @property
    def serial(self) -> bool:
        """True if every link stands on the tip of the one before it."""
        return not self.loops and all(
            self._parent_of(i) == (self.links[i - 1].name if i else GROUND) and (i == 0 or link.at in ("tip", 1.0))
            for i, link in enumerate(self.links)
        )

    @property
    def payload_link(self) -> Link:
        """The link that carries the payload and the tool."""
        if self.tool is not None:
            return self.link(self.tool.partition(".")[0])
        return self.link(self.payload.link) if self.payload.link is not None else self.links[-1]

    @property
    def tool_frame(self) -> Pose | None:
        """The tool in the axes of its link."""
        if self.tool is None:
            return None
        link, _, frame = self.tool.partition(".")
        return self.link(link).frames[frame]

    @property
    def pose(self) -> tuple[float, ...]:
        """Start positions of the movable joints, rad or m."""
        return tuple(link.joint.start for link in self.links if link.joint.type != "fixed")

    @property
    def rates(self) -> tuple[float, ...]:
        """Start velocities of the movable joints, rad/s or m/s."""
        return tuple(link.joint.velocity for link in self.links if link.joint.type != "fixed")

    def damping_of(self, link: Link) -> Damping | None:
        """Damping of a link: its own, else that of the arm."""
        return link.damping if link.damping is not None else self.damping
