"""An arm in space as the kernels see it: bodies, sections, spinners and coordinates, packed into arrays.

Equations: N12, N17.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import Wiring
from flexarm.methods.modes.coordinates import Coordinates
from flexarm.methods.modes.options import ModesOptions
from flexarm.methods.modes.spatial.arrays import SpatialParts
from flexarm.methods.modes.spatial.bodies import Bodies, Lump, SpatialBody
from flexarm.methods.modes.spatial.strain_fields import Section
from flexarm.methods.modes.tree import stacked


@dataclass(frozen=True)
class SpatialTree:
    """What Python knows of the packed arm; see `flexarm.methods.modes.tree.Tree`."""

    names: tuple[str, ...]
    loop_of_row: tuple[int, ...]
    elastic: np.ndarray
    joint_damping: np.ndarray
    parts: SpatialParts


class SpatialPacking(Coordinates):
    """Tables of an arm in space."""

    def __init__(self, arm: Arm, wiring: Wiring, bodies: Bodies):
        super().__init__(arm, wiring, [name for body in bodies.all for name in body.coordinate_names])
        self.bodies = bodies
        self.width = max(1, *(body.count for body in bodies.all))
        order: list[int] = []
        for body in bodies.all:
            order += [self.index[body.joint]] if body.joint else []
            order += range(self._first(body), self._first(body) + body.count)
        order += [k for k in range(len(self.names)) if k not in order]
        self.order = order
        self.sections: list[tuple[np.ndarray, Section]] = []

    def _first(self, body: SpatialBody) -> int:
        return self.index[body.coordinate_names[0]] if body.count else 0

    def tables(self) -> dict[str, Any]:
        """Bodies, with the coordinates that move each, in the order of the tree."""
        found: list[tuple[int, ...]] = []
        columns: list[list[int]] = []
        points = self._mass_points()
        for body in self.bodies.all:
            at, first = body.carrier, self._first(body)
            hinge = self.order.index(self.index[body.joint]) if body.joint else -1
            mount = -1 if at is None else self._section(at.r0, at.section)
            found.append((-1 if at is None else at.body, mount, hinge, body.slides, first, body.count))
            own = list(columns[at.body]) if at is not None else []
            own += [hinge] if hinge >= 0 else []
            columns.append(own + [self.order.index(first + k) for k in range(body.count)])
        names = ("parent", "mount", "hinge", "slides", "first", "count")
        whole = dict(zip(names, np.array(found, dtype=np.int64).T.copy(), strict=True))
        every = self.bodies.all
        starts = [np.zeros((0, 3)) if body.fields is None else body.fields.start.T for body in every]
        tensors = [_row(body.inertia.tensor[0]) for body in every]
        return {
            "coordinate": np.array(self.order, dtype=np.int64), **whole, **points, **self._packed_sections(),
            "place": np.array([body.place for body in every]), "rot": np.array([body.rot.ravel() for body in every]),
            "post": np.array([body.post.ravel() for body in every]), "offset": np.array([body.offset for body in every]),
            "lever": np.array([body.lever for body in every]),
            "start": stacked(starts, self.width, 3), "columns": stacked(columns, len(self.names)).astype(np.int64),
            "column_count": np.array([len(own) for own in columns], dtype=np.int64),
            "mass": np.array([float(body.inertia.mass[0]) for body in every]),
            "S": np.array([body.inertia.moment[0] for body in every]), "I0": np.array(tensors),
        }  # fmt: skip

    def _section(self, r0: np.ndarray, section: Section) -> int:
        """Number of a new section."""
        self.sections.append((r0, section))
        return len(self.sections) - 1

    def _mass_points(self) -> dict[str, np.ndarray]:
        """Mass points of the bodies that bend; their sections come first."""
        firsts, mass, offset, tensor = [0], [], [], []
        for body in self.bodies.all:
            if body.fields is not None:
                x, own, rotary = body.fields.mass_points()
                sections = body.fields.sections(x)
                for section, m, inertia in zip(sections, own, rotary, strict=True):
                    self._section(np.array([section.x, 0.0, 0.0]), section)
                    mass.append(m)
                    offset.append(np.zeros(3))
                    tensor.append(np.diag(inertia))
                for lump in body.lumps:
                    self._add_lump(lump, mass, offset, tensor)
            firsts.append(len(mass))
        return {
            "first_point": np.array(firsts, dtype=np.int64), "point_mass": np.array(mass),
            "point_offset": np.array(offset).reshape(-1, 3), "point_tensor": np.array(tensor).reshape(-1, 9),
        }  # fmt: skip

    def _add_lump(self, lump: Lump, mass: list[Any], offset: list[Any], tensor: list[Any]) -> None:
        self._section(lump.station.r0, lump.station.section)
        mass.append(lump.mass)
        offset.append(lump.centre)
        tensor.append(lump.tensor)

    def _packed_sections(self) -> dict[str, np.ndarray]:
        """All sections that were asked for."""
        n = self.width
        first = [np.concatenate([section.s, section.theta]).T for _, section in self.sections]
        second = [np.moveaxis(np.concatenate([section.b, section.Psi]), 0, -1) for _, section in self.sections]
        return {
            "r0": np.array([r0 for r0, _ in self.sections]).reshape(-1, 3), "first_order": stacked(first, n, 6),
            "second": stacked(second, n, n, 6),
        }  # fmt: skip

    def spinners(self) -> dict[str, np.ndarray]:
        """Hubs, which turn with their links, and rotors; and the rotor of each joint."""
        rows: list[tuple[int, int, float, float]] = []
        rotor = []
        for wired in self.wiring.joints:
            i, joint = self.arm.index(wired.name), self.arm.link(wired.name).joint
            body, link = self.bodies.of_link[i][0], self.order.index(self.index[wired.name])
            if joint.hub_inertia:
                rows.append((body, link, 1.0, joint.hub_inertia))
            rotor.append(len(rows) if joint.rotor_inertia else -1)
            if joint.rotor_inertia:
                motor = self.index.get(f"{wired.name} motor", self.index[wired.name])
                rows.append((body, self.order.index(motor), joint.ratio, joint.rotor_inertia))
        bodies, coordinates, ratios, inertias = zip(*rows, strict=True) if rows else ((), (), (), ())
        return {
            "spin_body": np.array(bodies, dtype=np.int64), "spin_coordinate": np.array(coordinates, dtype=np.int64),
            "spin_ratio": np.array(ratios, dtype=float), "spin_inertia": np.array(inertias, dtype=float),
            "rotor_spin": np.array(rotor, dtype=np.int64),
        }  # fmt: skip

    def elastic(self) -> np.ndarray:
        """Stiffness of each link, (links, size, size)."""
        out = np.zeros((len(self.arm.links), len(self.names), len(self.names)))
        for body in self.bodies.all:
            if body.fields is not None:
                own = slice(self._first(body), self._first(body) + body.count)
                out[body.link, own, own] = body.fields.stiffness()
        return out


def _row(tensor: np.ndarray) -> np.ndarray:
    """A symmetric tensor as (xx, yy, zz, xy, xz, yz)."""
    return tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def build_spatial_tree(
    arm: Arm, wiring: Wiring, options: ModesOptions, bodies: Bodies, second_order: bool, reach: float, scheme: str
) -> SpatialTree:
    """Number coordinates and pack everything."""
    packing = SpatialPacking(arm, wiring, bodies)
    elastic = packing.elastic()
    parts = SpatialParts(
        **packing.common(options, elastic, second_order, reach, scheme), rows=0, row=np.zeros(0, dtype=np.int64),
        loads=0, load=np.zeros((0, 3), dtype=np.int64), load_data=np.zeros((0, 2)),
        gravity=np.array(arm.gravity, dtype=float), **packing.tables(), **packing.spinners(),
    )  # fmt: skip
    return SpatialTree(packing.names, (), elastic, parts.damping.copy(), parts)
