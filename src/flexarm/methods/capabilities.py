"""What a method can do, declared once and shown as a table."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Capabilities:
    """What a method can do; the command line prints it as a table."""

    planar: bool
    spatial: bool
    most_links: int | None
    """None: any number."""
    tree: bool
    loops: bool
    prismatic: bool
    torque_driven: bool
    motion_driven: bool
    flexible_joints: bool
    taper: bool
    payload_inertia: bool
    payload_offset: bool
    payload_change: bool
    gravity: bool
    damping: bool
    equilibrium_start: bool
    strain: bool
    patches: bool
    large_rotation: bool
    large_deformation: bool
    shear: bool

    def table(self) -> dict[str, str]:
        """Capability names in words, each with yes, no or a number."""
        rows = {}
        for item in fields(self):
            value = getattr(self, item.name)
            text = "any" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)
            rows[item.name.replace("_", " ")] = text
        return rows
