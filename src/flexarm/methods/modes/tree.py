"""The arm as the kernels see it: bodies, points, coordinates, joints and loops, packed into arrays.

Equations: M3, M4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from flexarm.arm import GROUND, Arm
from flexarm.drive import Wiring
from flexarm.methods.modes import layout as at
from flexarm.methods.modes.arrays import Parts
from flexarm.methods.modes.bodies import Beam
from flexarm.methods.modes.coordinates import Coordinates, with_own_rotor
from flexarm.methods.modes.integrals import BodyIntegrals, Place, stiffness
from flexarm.methods.modes.options import ModesOptions
from flexarm.numerics.kept import kept

SPREAD = 8
"""Parts of a flexible link in each of which a load that is spread acts at three points."""


@dataclass(frozen=True)
class Tree:
    """What Python knows of the packed arm.

    names : of the coordinates; loop_of_row : loop of each loop equation
    points : body and place of the points on which bodies and loops hang; integrals : of the bodies
    elastic : per link its own stiffness block, (links, size, size); joint_damping : of the joints alone; parts : the arrays
    """

    names: tuple[str, ...]
    loop_of_row: tuple[int, ...]
    points: list[tuple[int, Place]]
    integrals: list[BodyIntegrals]
    elastic: np.ndarray
    joint_damping: np.ndarray
    parts: Parts


class _Packing(Coordinates):
    """Tables of one arm; points are numbered in the order in which they are asked for."""

    def __init__(self, arm: Arm, wiring: Wiring, beams: list[Beam]):
        super().__init__(arm, wiring, [name for beam in beams for name in beam.coordinate_names])
        self.beams = beams
        self.points: list[tuple[int, Place]] = []
        own = with_own_rotor(arm, wiring)
        self.rotors = [link for link in arm.links if link.name in own]
        self.integrals = [beam.integrals for beam in beams]
        self.integrals += [BodyIntegrals(0, I0=link.joint.rotor_inertia) for link in self.rotors]
        self.width = max(1, *(beam.count for beam in beams))

    def _bodies_of(self, joint: str) -> tuple[int, int]:
        turns = [len(self.beams) + n for n, rotor in enumerate(self.rotors) if rotor.name == joint]
        return self.arm.index(joint), turns[0] if turns else -1

    def point(self, body: int, where: float | str) -> int:
        """Number of a new point."""
        self.points.append((body, self.beams[body].place(where)))
        return len(self.points) - 1

    def bodies(self) -> dict[str, np.ndarray]:
        """Links, then rotors that turn on their own; and the coordinates that move each."""
        arm, sums = self.arm, self.integrals
        rows: list[Any] = []
        columns: list[Any] = []
        for b, link in enumerate([*arm.links, *self.rotors]):
            rotor = b >= len(self.beams)
            parent = arm.parent(link.name)
            carrier = -1 if parent == GROUND else arm.index(parent)
            count = 0 if rotor else self.beams[b].count
            first = self.index[f"{link.name} bending 1"] if count else 0
            hinge = self.index.get(f"{link.name} motor" if rotor and link.name in self.sprung else link.name, -1)
            rows.append((carrier, -1 if carrier < 0 else self.point(carrier, link.at), hinge, first, count))
            own = set(columns[carrier]) if carrier >= 0 else set()
            columns.append(sorted(own | ({hinge} - {-1}) | set(range(first, first + count))))
        parent, mount, hinge, first, count = np.array(rows, dtype=np.int64).T.copy()
        starts = [link.joint.start for link in [*arm.links, *self.rotors]]
        slopes = [[] if beam.shapes is None else beam.shapes.across(0.0, 1)[0] for beam in self.beams]
        slopes += [[] for _ in self.rotors]
        ratios = [1.0] * len(self.beams) + [link.joint.ratio for link in self.rotors]
        n, square = self.width, (self.width, self.width)
        return {
            "parent": parent, "mount": mount, "hinge": hinge, "first": first, "count": count,
            "angle": np.where(hinge < 0, starts, 0.0), "ratio": np.array(ratios),
            "columns": stacked(columns, len(self.names)).astype(np.int64),
            "column_count": np.array([len(own) for own in columns], dtype=np.int64),
            "mass": np.array([s.mass for s in sums]), "S": stacked([s.S for s in sums], 2),
            "I0": np.array([s.I0 for s in sums]), "N": stacked([s.N for s in sums], 2, n),
            "C": stacked([s.C for s in sums], n), "P": stacked([s.P for s in sums], n),
            "M": stacked([s.M for s in sums], *square),
            "modal_mass": stacked([s.M + s.rotary for s in sums], *square), "G": stacked([s.G for s in sums], *square),
            "H": stacked([s.H for s in sums], 2, *square), "root_slope": stacked(slopes, n),
        }  # fmt: skip

    def mass_points(self, second_order: bool) -> dict[str, np.ndarray]:
        """Mass points of the bodies that bend, with kinematics of second order; none else."""
        bodies, n = len(self.beams) + len(self.rotors), self.width
        first, beside = np.zeros(bodies + 1, dtype=np.int64), np.zeros(bodies, dtype=np.int64)
        places: list[Place] = []
        values = [np.zeros((0, 2))]
        N, P, M = np.zeros((bodies, n)), np.zeros((bodies, n)), np.zeros((bodies, n, n))
        for b, beam in enumerate(self.beams):
            points = beam.points if second_order else None
            own = [] if points is None else points.places
            off = np.array([place.r0[1] != 0.0 for place in own], dtype=bool)
            order, beside[b] = np.argsort(off, kind="stable"), len(places) + int(np.sum(~off))
            places += [own[k] for k in order]
            first[b + 1 :] = len(places)
            if points is not None:
                m, J = points.mass[order], points.inertia[order]
                values.append(np.column_stack([m, J]))
                across, slope = (
                    stacked([getattr(own[k], name)[at] for k in order], n) for name, at in (("s", 1), ("slope", ...))
                )
                m, J = m * ~off[order], J * ~off[order]
                N[b], P[b], M[b] = m @ across, J @ slope, (m * across.T) @ across + (J * slope.T) @ slope
        mass, inertia = np.concatenate(values).T.copy()
        return {
            "first_point": first, "first_beside": beside, "point_mass": mass, "point_inertia": inertia,
            "points_N": N, "points_P": P, "points_M": M,
            "point_r0": stacked([place.r0 for place in places], 2),
            "point_s": stacked([place.s for place in places], 2, n),
            "point_slope": stacked([place.slope for place in places], n),
            "point_back": stacked([place.H[0] for place in places], n, n),
        }  # fmt: skip

    def loops(self, cut: bool) -> tuple[dict[str, np.ndarray], tuple[int, ...]]:
        """Loops unless they are cut, and the loop of each equation."""
        loops = () if cut else self.arm.loops
        ends = [[self.point(self.arm.index(name), place) for name, place in loop.places] for loop in loops]
        welded = np.array([loop.type == "fixed" for loop in loops], dtype=np.int64)
        table = {
            "ends": np.array(ends, dtype=np.int64).reshape(len(loops), 2), "welded": welded,
            "weld": np.zeros(len(loops)), "row": np.cumsum(2 + welded) - (2 + welded),
        }  # fmt: skip
        return table, tuple(np.repeat(np.arange(len(loops)), 2 + welded).tolist())

    def loads(self) -> dict[str, np.ndarray]:
        """Points at which loads act, see `layout`."""
        rows, data = [], []
        for number, patch in enumerate(self.wiring.patches):
            kind, (x, y, z), body = at.L_MOMENT, patch.direction, self.arm.index(patch.link)
            if patch.kind == "force":
                kind = at.L_TURNING if patch.axes == "link" else at.L_WORLD
            for fraction, share in patch.points(SPREAD if self.beams[body].count else 1):
                rows.append((number, kind, self.point(body, float(fraction))))
                data.append((z * share, 0.0) if kind == at.L_MOMENT else (x * share, y * share))
        return {
            "load": np.array(rows, dtype=np.int64).reshape(-1, 3), "load_data": np.array(data, dtype=float).reshape(-1, 2),
        }  # fmt: skip

    def packed_points(self) -> dict[str, np.ndarray]:
        """All points that were asked for."""
        places, n = [place for _, place in self.points], self.width
        return {
            "owner": np.array([body for body, _ in self.points], dtype=np.int64),
            "r0": stacked([place.r0 for place in places], 2), "s": stacked([place.s for place in places], 2, n),
            "slope": stacked([place.slope for place in places], n),
            "second": stacked([place.H for place in places], 2, n, n),
        }  # fmt: skip

    def elastic(self) -> np.ndarray:
        """Stiffness of each link, (links, size, size)."""
        out = np.zeros((len(self.beams), len(self.names), len(self.names)))
        for b, beam in enumerate(self.beams):
            if beam.line is not None and beam.shapes is not None:
                first = self.index[f"{beam.link.name} bending 1"]
                own = slice(first, first + beam.count)
                line, shapes = beam.line, beam.shapes
                out[b, own, own] = kept((line, shapes), "stiffness", partial(stiffness, line, shapes))
        return out


def build_tree(
    arm: Arm, wiring: Wiring, options: ModesOptions, beams: list[Beam], second_order: bool, reach: float, scheme: str
) -> Tree:
    """Number coordinates and pack everything."""
    packing = _Packing(arm, wiring, beams)
    bodies, elastic = packing.bodies(), packing.elastic()
    loops, loop_of_row = packing.loops(options.loops != "closed")
    loads = packing.loads()
    parts = Parts(
        **packing.common(options, elastic, second_order, reach, scheme), rows=len(loop_of_row), **bodies, **packing.packed_points(),
        **packing.mass_points(second_order), **loops, **loads, loads=len(wiring.patches), gravity=np.array(arm.gravity[:2], dtype=float),
    )  # fmt: skip
    return Tree(
        packing.names, loop_of_row, packing.points, packing.integrals, elastic, parts.damping.copy(), parts,
    )  # fmt: skip


def stacked(items: Sequence[Any], *shape: int) -> np.ndarray:
    """Arrays of unequal size one after the other, each filled up with zeros to `shape`."""
    out = np.zeros((len(items), *shape))
    for k, item in enumerate(items):
        place: Any = (k, *map(slice, np.shape(item)))
        out[place] = item
    return out
