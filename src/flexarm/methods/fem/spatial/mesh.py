"""Frames, elements and the numbering of the unknowns of a spatial arm."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.drive import JointWiring, Patch, Wiring
from flexarm.methods.fem.spatial import layout as at
from flexarm.methods.subdivision import attachment_places, divided, element_ends
from flexarm.numerics.blocklu import EDGE
from flexarm.numerics.rotations import about_z
from flexarm.rigid.beam import Leg, legs, place_point, section_place, tip_axes, tip_point, tool_pose
from flexarm.rigid.chain import Chain

BRACKET = 1e-12
"""A shorter bracket is none, m."""


@dataclass(frozen=True)
class Mesh:
    """Numbering and geometry.

    blocks : rows of each block of a chain (see `matrix`), none if it is not one;
    frames : (F, F_INTS); geometry : (F, G_SIZE); moved_by : (F, most) unknowns that move each frame, -1 where none;
    elements : (ne, E_INTS); places : (ne, 2) fractions of the link's material at the ends; roots, ends, tips : (links,) frames behind
    the joint, at the end of the beam (or of the rigid link), and there or at the tool; owners : (F,) links, -1 for the ground;
    nodes : per link the frames along its axis, root first, and their fractions of the length that stands out.
    """

    size: int
    half_width: int
    blocks: np.ndarray
    frames: np.ndarray
    geometry: np.ndarray
    moved_by: np.ndarray
    elements: np.ndarray
    places: np.ndarray
    roots: np.ndarray
    ends: np.ndarray
    tips: np.ndarray
    owners: np.ndarray
    nodes: tuple[np.ndarray, ...]
    fractions: tuple[np.ndarray, ...]
    psi: np.ndarray
    turn: np.ndarray

    @property
    def counts(self) -> list[int]:
        """Elements of every link."""
        return np.bincount(self.elements[:, at.E_LINK], minlength=len(self.roots)).tolist()

    @cached_property
    def sliding_joint(self) -> np.ndarray:
        """The joint whose free length a node's place is a share of, -1 if there is none, (F,)."""
        found, flows = np.full(len(self.frames), -1), self.elements[self.elements[:, at.E_SLIDES] == 1]
        found[flows[:, at.E_SECOND]] = flows[:, at.E_LINK]
        return found

    @cached_property
    def node_frames(self) -> np.ndarray:
        """Frames that are nodes, (n,)."""
        return np.flatnonzero(self.frames[:, at.F_KIND] == at.NODE)

    @cached_property
    def node_unknowns(self) -> np.ndarray:
        """Their unknowns, (n, 6)."""
        return self.frames[self.node_frames, at.F_DOF][:, None] + np.arange(6)

    @cached_property
    def joint_unknowns(self) -> list[tuple[int, int, int]]:
        """Unknowns of joints and motors, each with its row in the deviations and its link."""
        both = ((self.psi, at.PSI), (self.turn, at.TURN))
        return [(int(k), row, i) for unknowns, row in both for i, k in enumerate(unknowns) if k >= 0]

    def bare_line(self, link: int) -> tuple[int, int]:
        """Frame behind the joint of a rigid link without a length, and the farthest that is fixed to it."""
        root = int(self.roots[link])
        fixed = (self.frames[:, at.F_PARENT] == root) & (self.frames[:, at.F_JOINT] < 0)
        reach = np.where(fixed, np.linalg.norm(self.geometry[:, at.G_LEVER : at.G_LEVER + 3], axis=1), 0.0)
        return root, int(np.argmax(reach)) if reach.any() else root

    def gather(self, on_frames: np.ndarray, on_joints: np.ndarray) -> np.ndarray:
        """A vector of the unknowns (size,) from values on the frames (F, 6) and rows of the joints as in `deviation`."""
        vector = np.zeros(self.size)
        vector[self.node_unknowns] = on_frames[self.node_frames]
        for k, row, i in self.joint_unknowns:
            vector[k] = on_joints[row, i]
        return vector

    def scatter(self, vector: np.ndarray, on_frames: np.ndarray, on_joints: np.ndarray) -> None:
        """Write a vector of the unknowns to where `gather` reads it."""
        on_frames[self.node_frames] = vector[self.node_unknowns]
        for k, row, i in self.joint_unknowns:
            on_joints[row, i] = vector[k]


@dataclass
class _Builder:
    """Grows frames and elements along the chain."""

    chain: Chain
    size: int = 0
    frames: list[list[int]] = field(default_factory=list)
    geometry: list[np.ndarray] = field(default_factory=list)
    moved_by: list[list[int]] = field(default_factory=list)
    elements: list[tuple[int, ...]] = field(default_factory=list)
    places: list[tuple[float, float]] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    owner: int = -1

    def new(self, count: int) -> int:
        """Number `count` more unknowns; returns the first."""
        self.size += count
        return self.size - count

    def node(self, parent: int, base: int, share: float, place: float) -> int:
        """A node of a beam that begins at frame `base`."""
        dof = self.new(6)
        row = np.zeros(at.G_SIZE)
        row[at.G_SHARE], row[at.G_PLACE] = share, place
        return self._add(at.NODE, parent, -1, dof, base, row, list(range(dof, dof + 6)))

    def derived(
        self, parent: int, joint: int, before: np.ndarray, after: np.ndarray, lever: np.ndarray, psi: int, slid: bool
    ) -> int:
        """A frame that follows from another one."""
        row = np.zeros(at.G_SIZE)
        row[at.G_BEFORE : at.G_BEFORE + 9], row[at.G_AFTER : at.G_AFTER + 9] = before.ravel(), after.ravel()
        row[at.G_LEVER : at.G_LEVER + 3] = lever
        dofs = self.moved_by[parent] + ([psi] if psi >= 0 else [])
        return self._add(at.SLID if slid else at.DERIVED, parent, joint, -1, -1, row, dofs)

    def _add(self, kind: int, parent: int, joint: int, dof: int, base: int, row: np.ndarray, dofs: list[int]) -> int:
        plain = dof if kind == at.NODE else -1
        if kind not in (at.NODE, at.GROUND):
            alone = (
                kind == at.SLID or np.any(row[at.G_LEVER : at.G_LEVER + 3]) or len(dofs) != len(self.moved_by[parent])
            )
            plain = -2 if alone else self.frames[parent][at.F_PLAIN]
        self.frames.append([kind, parent, joint, dof, base, len(dofs), plain])
        self.geometry.append(row)
        self.moved_by.append(dofs)
        self.owners.append(self.owner)
        return len(self.frames) - 1

    def moved(self, parent: int, place: np.ndarray) -> int:
        """The frame at a place in the axes of another one, which is at its end of a rigid bracket; that one itself if there is none."""
        if not np.any(np.abs(place) > BRACKET):
            return parent
        return self.derived(parent, -1, np.eye(3), np.eye(3), place, -1, False)

    def beam(self, i: int, link: Link, stretches: tuple[Leg, ...], places: np.ndarray, root: int) -> list[int]:
        """Nodes and elements of a flexible link whose first section is the frame `root`; `places` as from `divide`."""
        along, base, slides = [root], root, link.joint.type == "prismatic"
        for k, leg in enumerate(stretches):
            if k:
                corner = stretches[k - 1].axes.T @ leg.axes
                base = self.derived(along[-1], -1, corner, np.eye(3), np.zeros(3), -1, False)
            first, flows, near = base, slides and k == 0, 1e-9 * link.span
            ends = places[(places > leg.first - near) & (places < leg.last + near)]
            for n, end in enumerate(ends[1:]):
                share = (n + 1) / (len(ends) - 1)
                second = self.node(first, base, share if flows else 0.0, end - leg.first)
                self.elements.append((first, second, i, int(flows), int(n == 0), len(ends) - 1))
                self.places.append((ends[n] / link.span, end / link.span))
                along.append(second)
                first = second
        return along


def needs_own(wired: JointWiring | None) -> tuple[bool, bool]:
    """Whether a joint, and its motor, have an unknown of their own."""
    if wired is None:
        return False, False
    return wired.mode != "motion" or wired.spring, wired.spring and wired.mode != "motion"


def divide(arm: Arm, i: int, stretches: tuple[Leg, ...], count: int, loads: tuple[Patch, ...] = ()) -> np.ndarray:
    """Distances along a flexible link at which its elements end; corners are such places, and what `element_ends` tells.

    Material that slides flows through equal elements, wherever its section steps.
    """
    link = arm.links[i]
    if link.joint.type == "prismatic" and link.section is not None:
        fixed = [x * link.span for x in link.section.steps if x * link.span > stretches[0].last * (1.0 + 1e-9)]
        return divided([0.0, *sorted({stretches[0].last, *fixed, link.span})], count)
    carried = [section_place(link, other.at)[0] for other in arm.links if arm.parent(other.name) == link.name]
    needed = [*(leg.first / link.span for leg in stretches), *carried]
    return link.span * element_ends(link, count, attachment_places(arm, i, loads), needed)


def build_mesh(arm: Arm, wiring: Wiring, counts: tuple[int, ...]) -> Mesh:
    """Number the unknowns along the chain, so that the matrices have a narrow band."""
    chain = Chain.of(arm)
    builder = _Builder(chain)
    builder._add(at.GROUND, -1, -1, -1, -1, np.zeros(at.G_SIZE), [])
    modes = {joint.name: joint for joint in wiring.joints}
    psi, turn = np.full(len(arm.links), -1), np.full(len(arm.links), -1)
    roots, ends, tips = [], [], []
    nodes: list[np.ndarray] = []
    fractions: list[np.ndarray] = []
    for i, link in enumerate(arm.links):
        own, motor = needs_own(modes.get(link.name))
        turn[i] = builder.new(1) if motor else -1
        psi[i] = builder.new(1) if own else -1
        stretches, slides = legs(link, True), chain.slides[i]
        carrier, axes_there = _carrier(builder, arm, i, nodes, fractions)
        builder.owner = i
        before = axes_there.T @ chain.twist[i] @ chain.align[i] @ about_z(chain.angle[i])
        back = chain.align[i].T
        if link.flexible:
            axes = stretches[0].axes
            lever = np.zeros(3) if slides else axes.T @ stretches[0].start
            root = builder.derived(carrier, i, before, back @ axes, lever, -1 if slides else int(psi[i]), False)
            along = builder.beam(i, link, stretches, divide(arm, i, stretches, counts[i], wiring.patches), root)
            places = _fractions(builder, along, link, stretches)
        else:
            axes = tip_axes(link, True)
            root = builder.derived(carrier, i, before, back @ axes, axes.T @ tip_point(link, True), int(psi[i]), slides)
            along, places = [carrier, root], np.array([0.0, 1.0])
        roots.append(root)
        ends.append(along[-1])
        tips.append(_tool(builder, arm, along[-1]) if link is arm.payload_link and arm.tool else along[-1])
        nodes.append(np.array(along))
        fractions.append(places)
    return _finish(builder, psi, turn, roots, ends, tips, nodes, fractions)


def _carrier(
    builder: _Builder, arm: Arm, i: int, nodes: list[np.ndarray], fractions: list[np.ndarray]
) -> tuple[int, np.ndarray]:
    """The frame at a link's joint that is fixed to what carries it, and its axes in those of the carrying link (or the world)."""
    place, p = builder.chain.mount[i], builder.chain.parent[i]
    builder.owner = p
    if p < 0:
        return builder.moved(0, place), np.eye(3)
    parent = arm.links[p]
    axes, there, k = tip_axes(parent, True), tip_point(parent, True), -1
    share = section_place(parent, arm.links[i].at)[0]
    if parent.flexible and share < 1.0:
        k, there = int(np.argmin(np.abs(fractions[p] - share))), place_point(parent, share, True)
        axes = next(leg.axes for leg in legs(parent, True) if share * parent.span <= leg.last * (1.0 + 1e-9))
    return builder.moved(int(nodes[p][k]), axes.T @ (place - there)), axes


def _tool(builder: _Builder, arm: Arm, end: int) -> int:
    """The frame of the tool, behind that at the end of its link."""
    (place, turn), axes = tool_pose(arm), tip_axes(arm.payload_link, True)
    lever = turn.T @ (place - tip_point(arm.payload_link, True))
    return builder.derived(end, -1, axes.T @ turn, np.eye(3), lever, -1, False)


def _fractions(builder: _Builder, along: list[int], link: Link, stretches: tuple[Leg, ...]) -> np.ndarray:
    """Fractions of the length that stands out at the start, for the nodes of a link."""
    ends = [builder.places[e] for e, row in enumerate(builder.elements) if row[1] in along]
    places = np.array([ends[0][0], *(b for _, b in ends)]) * link.span
    if link.joint.type == "prismatic":
        rise = stretches[0].last
        free = link.joint.start + (link.joint.dh.d if link.joint.dh is not None else 0.0)
        places = np.where(places <= rise, places / rise * free, places - rise + free)
    return places / (places[-1] or 1.0)


def _finish(builder: _Builder, psi, turn, roots, ends, tips, nodes, fractions) -> Mesh:  # type: ignore[no-untyped-def]
    most = max(1, max(len(dofs) for dofs in builder.moved_by))
    moved_by = np.full((len(builder.moved_by), most), -1, dtype=np.int64)
    for f, dofs in enumerate(builder.moved_by):
        moved_by[f, : len(dofs)] = dofs
    groups = [{*builder.moved_by[a], *builder.moved_by[b]} for a, b, *_ in builder.elements]
    groups += [set(dofs) for dofs in builder.moved_by]
    for i, root in enumerate(roots):
        groups.append({*builder.moved_by[root], *(int(k) for k in (psi[i], turn[i]) if k >= 0)})
    spread = max([max(group) - min(group) for group in groups if group], default=0)
    return Mesh(
        builder.size, spread, _blocks(builder, groups), np.array(builder.frames, dtype=np.int64), np.array(builder.geometry), moved_by,
        np.array(builder.elements, dtype=np.int64).reshape(-1, at.E_INTS), np.array(builder.places).reshape(-1, 2),
        np.array(roots), np.array(ends), np.array(tips), np.array(builder.owners), tuple(nodes), tuple(fractions), psi, turn,
    )  # fmt: skip


def _blocks(builder: _Builder, groups: list[set[int]]) -> np.ndarray:
    """Every node with the joints before it, joints after the last one apart; none if that is no chain of small blocks."""
    ends = [row[at.F_DOF] + 6 for row in builder.frames if row[at.F_KIND] == at.NODE]
    ends += [builder.size] if ends[-1] < builder.size else []
    counts = np.diff([0, *ends])
    block = np.repeat(np.arange(len(counts)), counts)
    apart = max(int(np.ptp(block[list(group)])) for group in groups if group)
    return counts if apart < 2 and counts.max() <= EDGE else np.zeros(0, dtype=np.int64)
