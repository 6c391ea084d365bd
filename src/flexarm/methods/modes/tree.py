"""The arm as the kernels see it: bodies, points, coordinates, joints and loops, packed into arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.arm import GROUND, Arm
from flexarm.drive import Wiring
from flexarm.methods.modes import layout as at
from flexarm.methods.modes.bodies import Beam
from flexarm.methods.modes.integrals import BodyIntegrals, Place


@dataclass(frozen=True)
class Tree:
    """Packed arrays; see `layout` for their columns.

    names : of the coordinates; moving : how many of them the equations decide (the rest is prescribed)
    body, figures, modal : tables of the bodies (links first, then rotors); points, places, point_modal : of points
    columns, column_count : coordinates that move each body
    loop, weld : loop table and the angles of welded loops; rows : number of loop equations; owner : loop of each row
    joint, joint_figures : tables of the joints that can move; channel : channel of each prescribed coordinate
    K, D : elastic stiffness with joint springs, and joint dampers, both (size, size)
    elastic : per link its own stiffness block, (links, size, size)
    """

    names: tuple[str, ...]
    moving: int
    body: np.ndarray
    figures: np.ndarray
    modal: np.ndarray
    point: np.ndarray
    place: np.ndarray
    point_modal: np.ndarray
    columns: np.ndarray
    column_count: np.ndarray
    loop: np.ndarray
    weld: np.ndarray
    rows: int
    owner: tuple[int, ...]
    joint: np.ndarray
    joint_figures: np.ndarray
    channel: np.ndarray
    K: np.ndarray
    D: np.ndarray
    elastic: np.ndarray

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return len(self.names)


class _Numbers:
    """Coordinates in two lots: those that move by the equations, and prescribed ones behind them."""

    def __init__(self) -> None:
        self.moving: list[str] = []
        self.prescribed: list[str] = []

    def add(self, name: str, prescribed: bool = False) -> str:
        (self.prescribed if prescribed else self.moving).append(name)
        return name

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.moving, *self.prescribed)


def motor_coordinate(arm: Arm, wiring: Wiring) -> set[str]:
    """Joints whose motor side has a coordinate of its own: a spring, and something that holds or slows the motor."""
    found = set()
    for wired in wiring.joints:
        joint = arm.link(wired.name).joint
        if wired.spring and (wired.mode != "free" or joint.rotor_inertia > 0.0):
            found.add(wired.name)
    return found


def build_tree(arm: Arm, wiring: Wiring, beams: list[Beam], cut: bool = False) -> Tree:
    """Number coordinates and pack everything; `cut` leaves the loops open."""
    sprung = motor_coordinate(arm, wiring)
    numbers = _Numbers()
    for wired in wiring.joints:
        moved = wired.mode == "motion"
        numbers.add(f"{wired.name}", moved and wired.name not in sprung)
        if wired.name in sprung:
            numbers.add(f"{wired.name} motor", moved)
    for beam in beams:
        bending = 0 if beam.shapes is None else beam.shapes.bending
        for k in range(beam.count):
            kind = f"bending {k + 1}" if k < bending else f"axial {k + 1 - bending}"
            numbers.add(f"{beam.link.name} {kind}")
    names = numbers.names
    index = {name: k for k, name in enumerate(names)}
    points = _Points(beams)
    loops = [] if cut else list(arm.loops)
    body, figures, modal, columns = _pack_bodies(arm, beams, sprung, index, points)
    loop, owner, row = np.zeros((len(loops), 4), dtype=np.int64), [], 0
    for k, item in enumerate(loops):
        ends = [points.add(arm.index(name), place) for name, place in item.places]
        weld = item.type == "fixed"
        loop[k] = *ends, weld, row
        row += 3 if weld else 2
        owner += [k] * (3 if weld else 2)
    point, place, point_modal = points.pack(modal.shape[2])
    width = max(len(c) for c in columns)
    packed = np.full((len(columns), max(1, width)), -1, dtype=np.int64)
    for b, own in enumerate(columns):
        packed[b, : len(own)] = own
    joint, joint_figures = _joints(arm, wiring, sprung, index)
    K, D, elastic = _stiffness(arm, beams, joint, joint_figures, index, len(names))
    channel = np.array(
        [
            next(k for k, w in enumerate(wiring.joints) if name in (w.name, f"{w.name} motor"))
            for name in numbers.prescribed
        ],
        dtype=np.int64,
    )
    return Tree(
        names, len(numbers.moving), body, figures, modal, point, place, point_modal, packed,
        np.array([len(c) for c in columns], dtype=np.int64), loop, np.zeros(len(loops)), row, tuple(owner), joint,
        joint_figures, channel, K, D, elastic,
    )  # fmt: skip


class _Points:
    """Points in the order in which they are asked for."""

    def __init__(self, beams: list[Beam]):
        self.beams = beams
        self.found: list[tuple[int, Place]] = []

    def add(self, body: int, where: float | str) -> int:
        self.found.append((body, self.beams[body].place(where)))
        return len(self.found) - 1

    def pack(self, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        count = max(1, len(self.found))
        point, place = np.zeros(count, dtype=np.int64), np.zeros((count, 2))
        modal = np.zeros((count, at.S_BLOCKS + 2 * width, width))
        for k, (body, item) in enumerate(self.found):
            n = len(item.slope)
            point[k], place[k] = body, item.r0
            modal[k, [at.S_X, at.S_Y], :n] = item.s
            modal[k, at.S_SLOPE, :n] = item.slope
            for axis in range(2):
                first = at.S_BLOCKS + axis * width
                modal[k, first : first + n, :n] = item.H[axis]
        return point, place, modal


def _pack_bodies(
    arm: Arm, beams: list[Beam], sprung: set[str], index: dict[str, int], points: _Points
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[list[int]]]:
    """Tables of links, then of rotors that turn on their own; and the coordinates that move each."""
    rotors = [link for link in arm.links if link.name in sprung]
    width = max(1, *(beam.count for beam in beams))
    total = len(beams) + len(rotors)
    body = np.full((total, 5), -1, dtype=np.int64)
    figures, modal = np.zeros((total, 5)), np.zeros((total, at.BLOCKS + at.BLOCK_COUNT * width, width))
    columns: list[list[int]] = []
    for b, link in enumerate([*arm.links, *rotors]):
        rotor = b >= len(beams)
        parent = arm.parent(link.name)
        carrier = -1 if parent == GROUND else arm.index(parent)
        first, count = 0, 0
        if not rotor and beams[b].count:
            first, count = index[f"{link.name} bending 1"], beams[b].count
        coordinate = index.get(f"{link.name} motor" if rotor else link.name, -1)
        body[b] = carrier, -1 if carrier < 0 else points.add(carrier, link.at), coordinate, first, count
        sums = _rotor(link.joint.rotor_inertia) if rotor else beams[b].integrals
        _fill(figures[b], modal[b], sums, width)
        figures[b, at.ANGLE] = link.joint.start if coordinate < 0 else 0.0
        own = set(columns[carrier]) if carrier >= 0 else set()
        own |= {coordinate} - {-1} | set(range(first, first + count))
        columns.append(sorted(own))
    return body, figures, modal, columns


def _rotor(inertia: float) -> BodyIntegrals:
    sums = BodyIntegrals(0)
    sums.I0 = inertia
    return sums


def _fill(figures: np.ndarray, modal: np.ndarray, sums: BodyIntegrals, width: int) -> None:
    n = sums.n
    figures[: at.ANGLE] = sums.mass, *sums.S, sums.I0
    modal[[at.NX, at.NY], :n] = sums.N
    modal[at.C, :n], modal[at.P, :n], modal[at.SLOPE, :n] = sums.C, sums.P, sums.root_slope
    blocks = (sums.M, sums.M + sums.rotary, sums.G, sums.H[0], sums.H[1], sums.D, sums.G2)
    for k, block in enumerate(blocks):
        first = at.BLOCKS + k * width
        modal[first : first + n, :n] = block


def _joints(arm: Arm, wiring: Wiring, sprung: set[str], index: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    joint = np.full((len(wiring.joints), 7), -1, dtype=np.int64)
    figures = np.zeros((len(wiring.joints), 4))
    for k, wired in enumerate(wiring.joints):
        own = arm.link(wired.name).joint
        link, motor = index[wired.name], index.get(f"{wired.name} motor", -1)
        drive = motor if motor >= 0 else link
        by_motor = wired.law is not None and wired.law.sensor == "motor"
        joint[k] = link, motor, drive, drive if by_motor else link, k, wired.mode == "motion", arm.index(wired.name)
        if wired.name in sprung:
            figures[k, : at.F_INERTIA] = own.stiffness or 0.0, own.damping, own.backlash
        figures[k, at.F_INERTIA] = own.rotor_inertia
    return joint, figures


def _stiffness(
    arm: Arm, beams: list[Beam], joint: np.ndarray, figures: np.ndarray, index: dict[str, int], size: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stiffness with linear joint springs, damping of the joints, and the elastic stiffness of each link."""
    elastic = np.zeros((len(beams), size, size))
    for b, beam in enumerate(beams):
        if beam.count:
            first = index[f"{beam.link.name} bending 1"]
            own = slice(first, first + beam.count)
            elastic[b, own, own] = beam.integrals.K
    K, D = elastic.sum(axis=0), np.zeros((size, size))
    for k in range(len(joint)):
        if joint[k, at.J_MOTOR] >= 0:
            row = np.zeros(size)
            row[joint[k, at.J_LINK]], row[joint[k, at.J_MOTOR]] = 1.0, -1.0
            if figures[k, at.F_GAP] == 0.0:
                K += figures[k, at.F_SPRING] * np.outer(row, row)
            D += figures[k, at.F_DAMPER] * np.outer(row, row)
    return K, D, elastic
