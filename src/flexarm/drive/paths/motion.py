"""A path over time: where the tip shall be, and the joint motions that bring it there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from flexarm.arm import Arm
from flexarm.drive.impulses import Impulses
from flexarm.drive.paths.curves import Curve, place
from flexarm.drive.paths.shapes import PathShape
from flexarm.drive.paths.tracking import SINGULAR_WORDS, JointCurve, PathTrouble, quintic
from flexarm.drive.piecewise import Row
from flexarm.drive.profiles import motion_signal
from flexarm.drive.shaped import shaped
from flexarm.drive.signal import PieceSignal
from flexarm.errors import FlexarmError, ScenarioError
from flexarm.rigid import inverse, tip, tip_joints
from flexarm.rigid.chain import Chain

NEAR = 0.02
"""Share of the arm's size (see `JointCurve.closest`) below which a path is said to come near a singular pose."""

ON_PATH, TURNED = 1e-3, 0.01
"""A start counts as on the path if the tip is within this share of the arm's length of it, and the joints within so
many rad (or m) of their commands."""


class PathMotion:
    """The tip's wanted motion and the joints' commands.

    Parameters
    ----------
    arm : Arm
        The arm.
    shape : PathShape
        The path.
    field : str
        Place in the scenario, for messages.
    impulses : Impulses, optional
        A shaper: the way along the path is shaped over time, so that the tip stays on the path.
    """

    def __init__(self, arm: Arm, shape: PathShape, field: str = "path", impulses: Impulses | None = None):
        self.arm, self.shape = arm, shape
        self._last: tuple[np.ndarray, float, np.ndarray] | None = None
        """Times, interval and rows that were last asked for: every joint asks for the same."""
        if arm.loops:
            raise ScenarioError("a path is not available for arms with loops in this version", field=field)
        if shape.coordinates == 3 and not arm.spatial:
            raise ScenarioError(
                "the arm is planar, but the path has three coordinates: give x and y alone", field=field
            )
        try:
            self._curve = shape.curve(tip(arm, arm.pose))
            self._clock = shaped(motion_signal(shape.clock(self._curve), 0.0), impulses)
        except ValueError as error:
            raise ScenarioError(str(error), field=field) from None
        try:
            self._joints = self._follow()
        except PathTrouble as trouble:
            self._refuse(trouble, field)
        self._edges = np.unique(self._curve.edges[1:-1])
        self._edge_times = self.time_at(self._edges)

    def _follow(self) -> JointCurve:
        arm, shape = self.arm, self.shape
        if shape.elbow is not None or not _given(arm):
            return _cached_curve(arm, shape, self._curve, arm.pose if _given(arm) else None, shape.elbow or "up")
        curves = [_cached_curve(arm, shape, self._curve, arm.pose, elbow) for elbow in ("up", "down")]
        return min(curves, key=lambda curve: float(np.linalg.norm(curve.first - arm.pose)))

    def _refuse(self, trouble: PathTrouble, field: str) -> None:
        """Say where and when; a pose that is singular because the reach ends there is told as such."""
        u, reason = trouble.u, trouble.reason
        if reason == SINGULAR_WORDS:
            beyond = self._curve.at(np.array([min(u + 1e-3 * self._curve.length, self._curve.length)]))[0]
            try:
                inverse(self.arm, beyond if self.arm.spatial else beyond[:, :2])
            except FlexarmError as error:
                reason = error.message
        time, point = float(self.time_at(np.array([u]))[0]), self._curve.at(np.array([u]))[0][0]
        raise ScenarioError(
            f"the arm cannot follow the path: at t = {time:.6g} s it is at {place(point)}: {reason}", field=field
        )

    @property
    def pose(self) -> np.ndarray:
        """Joint positions at the start of the path, shape (nj,)."""
        return self._joints.first

    @property
    def end(self) -> float:
        """Time at which the path ends, s."""
        return float(self._clock.pieces.start[-1])

    @property
    def finest(self) -> float:
        """Time in s that a step must resolve."""
        parts = [self._clock.finest, (self.end - self.shape.start) / 20.0, getattr(self.shape, "finest", math.inf)]
        marks = np.concatenate([[self.shape.start], self._edge_times, [self.end]])
        widths = np.diff(marks)
        return min(*parts, float(widths[widths > 1e-9].min(initial=math.inf)) / 5.0)

    def warnings(self) -> list[str]:
        """What the user should know about the path."""
        found = self._off_the_path()
        if self._joints.closest >= NEAR:
            return found
        return [
            *found,
            "the path comes close to a pose in which the arm is stretched or folded "
            f"({100 * self._joints.closest:.2g} % of its freedom to move the tip is left): joint speeds are high there",
        ]

    def _off_the_path(self) -> list[str]:
        """Say how far the arm starts from where the path begins; with the other elbow the tip may be on it."""
        arm, begin = self.arm, self._curve.at(np.zeros(1))[0][0]
        gap, turned = tip(arm, arm.pose) - begin, np.abs(self.pose - np.asarray(arm.pose))
        away, reach = float(np.linalg.norm(gap)), sum(link.span for link in arm.links)
        joint = int(np.argmax(turned))
        if away < ON_PATH * reach and turned[joint] < TURNED:
            return []
        unit = "rad" if arm.link(arm.joints[joint]).joint.type == "revolute" else "m"
        side = self.shape.elbow
        hint = f"say elbow: {'down' if side == 'up' else 'up'} if that side is meant, or " if side is not None else ""
        return [
            f"the arm starts with its tip {1e3 * away:.4g} mm from where the path begins, {place(begin)}, and joint "
            f"'{arm.joints[joint]}' {turned[joint]:.3g} {unit} from its command, which the drives have to make up at once: "
            f"torques are large; {hint}leave out the positions of the joints to start on the path"
        ]

    def way(self, t: np.ndarray) -> np.ndarray:
        """The curve's parameter at any times, shape (n,)."""
        pieces = self._clock.pieces
        piece = np.clip(np.searchsorted(pieces.start, t, "right") - 1, 0, len(pieces) - 1)
        return np.clip(pieces.derivative(0, piece, t - pieces.start[piece]), 0.0, self._curve.length)

    def time_at(self, u: np.ndarray) -> np.ndarray:
        """Times in s at which the curve's parameter reaches the values `u`."""
        low, high = np.full(u.shape, self.shape.start), np.full(u.shape, self.end)
        for _ in range(100):
            middle = 0.5 * (low + high)
            before = self.way(middle) < u
            low, high = np.where(before, middle, low), np.where(before, high, middle)
        # where the tip rests on its way the curve's parameter is flat, and bisection loses digits
        starts = self._clock.pieces.start[1:]
        close = np.abs(self.way(starts) - u[:, None]) <= 1e-12 * self._curve.length
        return np.where(close.any(axis=1), np.maximum(starts[close.argmax(axis=1)], self.shape.start), high)

    def place(self, t: Any) -> np.ndarray:
        """Where the tip shall be at times `t` (n,), shape (n, 3), m."""
        return self._curve.at(self.way(np.asarray(t, dtype=float)))[0]

    def tip(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Wanted place, velocity and acceleration, shape (3, n, 3), on the interval that contains the time `inside`."""
        u, piece = self._clock.evaluate(t, inside), self._piece(inside)
        return _chained(np.stack(self._curve.at(u[0], np.array(piece))), u)

    def joints(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Joint positions, velocities and accelerations, shape (3, n, nj), on the same interval."""
        known = self._last
        if known is None or known[1] != inside or not np.array_equal(known[0], t):
            u = self._clock.evaluate(np.asarray(t, dtype=float), inside)
            self._last = known = (np.array(t), inside, _chained(self._joints.at(u[0], self._piece(inside)), u))
        return known[2]

    def _piece(self, inside: float) -> int:
        return int(self._curve.piece_of(self.way(np.array([inside])))[0])

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) at which a velocity or an acceleration may jump."""
        times = {*self._clock.breaks(end), *(float(t) for t in self._edge_times if 0.0 < t < end)}
        return sorted(times)


def _chained(rows: np.ndarray, u: np.ndarray) -> np.ndarray:
    """From derivatives with respect to u, and u(t) with two derivatives, to derivatives with respect to time."""
    speed, push = u[1][:, None], u[2][:, None]
    return np.stack([rows[0], rows[1] * speed, rows[2] * speed**2 + rows[1] * push])


class JointPath:
    """The command of one joint on a path; a `Signal`.

    Parameters
    ----------
    motion : PathMotion
        The path.
    column : int
        Number of the joint in ``arm.joints``.
    initial : float
        Position of the joint before t = 0, rad or m.
    """

    def __init__(self, motion: PathMotion, column: int, initial: float):
        self.motion, self.column, self.initial = motion, column, initial
        self.finest = motion.finest

    @property
    def span(self) -> tuple[float, float]:
        """Times in s between which it changes."""
        return self.motion.shape.start, self.motion.end

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) where the command jumps."""
        return self.motion.breaks(end)

    def evaluate(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Value, first and second derivative, shape (3, n)."""
        return self.motion.joints(np.asarray(t, dtype=float), inside)[:, :, self.column]

    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """Break times from 0 on, shape (n,), and the sizes of the jumps, shape (3, n)."""
        breaks = [0.0, *self.motion.breaks(math.inf)]
        edges = np.array([*breaks, breaks[-1] + 1.0])
        insides = 0.5 * (edges[1:] + edges[:-1])
        limits = [self.evaluate(np.array([a, b]), x) for a, b, x in zip(edges[:-1], edges[1:], insides, strict=True)]
        size = np.max([np.abs(limit).max(axis=1) for limit in limits], axis=0)
        before = np.array([self.initial, 0.0, 0.0])
        sizes = np.zeros((3, len(breaks)))
        for k, limit in enumerate(limits):
            sizes[:, k] = limit[:, 0] - before
            before = limit[:, 1]
        sizes[np.abs(sizes) <= 1e-9 * np.maximum(size, 1e-3)[:, None]] = 0.0
        kept = np.any(sizes != 0.0, axis=0)
        return edges[:-1][kept], sizes[:, kept]

    def in_pieces(self) -> PieceSignal:
        """The same command in polynomials of degree five, exact to rounding, for actuators that shape it."""
        rows, breaks = [], [0.0, *self.motion.breaks(math.inf)]
        breaks.append(max(self.motion.end, breaks[-1] + 1e-9))
        for a, b in itertools.pairwise(breaks):
            t = np.linspace(a, b, 2 + 8 * max(1, math.ceil((b - a) / self.finest)))
            value, rate, push = self.evaluate(t, 0.5 * (a + b))
            found = quintic(t, value[:, None], rate[:, None], push[:, None])
            for k, begin in enumerate(t[:-1].tolist()):
                rows.append(Row(begin, tuple(found.c[::-1, k, 0].tolist()), smooth=k > 0))
        last = self.evaluate(np.array([breaks[-1]]), breaks[-1] + 1.0)[0, 0]
        return PieceSignal([*rows, Row(breaks[-1], (float(last),))], initial=self.initial, finest=self.finest)


def _given(arm: Arm) -> bool:
    """True if the start position of a joint that moves the tip is stated."""
    return any("position" in arm.link(name).joint.model_fields_set for name in tip_joints(arm))


_CACHE: dict[Any, JointCurve] = {}
_CACHE_SIZE = 16


def _cached_curve(arm: Arm, shape: PathShape, curve: Curve, guess: Any, elbow: str) -> JointCurve:
    """Joint motions along a path; those of the last paths are cached, since a scenario is put together many times."""
    chain = Chain.of(arm)
    geometry = b"".join(part.tobytes() for part in (chain.mount, chain.twist, chain.angle, chain.offset, chain.tip))
    start = curve.at(np.zeros(1))[0].tobytes()
    key = (geometry, chain.parent, chain.column, arm.payload_link.name, shape, getattr(shape, "content", b""), start,
           None if guess is None else tuple(guess), elbow)  # fmt: skip
    if key not in _CACHE:
        made = JointCurve(arm, curve, guess, elbow)
        while len(_CACHE) >= _CACHE_SIZE:
            _CACHE.pop(next(iter(_CACHE)))
        _CACHE[key] = made
    return _CACHE[key]


def check_path_joints(arm: Arm, names: Sequence[str], field: str) -> None:
    """Refuse a path that is not given for exactly the joints that move the tip."""
    needed = tip_joints(arm)
    if len(needed) < (3 if arm.spatial else 2):
        raise ScenarioError(
            f"a path needs at least {3 if arm.spatial else 2} joints that move the tip, but this arm has {len(needed)}",
            field=field,
        )
    if set(names) != set(needed):
        raise ScenarioError(
            f"a path is given for all joints that move the tip, and no others: joints: [{', '.join(needed)}]",
            field=field,
        )


def start_on_path(arm: Arm, shape: PathShape) -> Arm:
    """The arm with its joints where the path begins, as far as their positions are not stated."""
    try:
        pose = dict(zip(arm.joints, PathMotion(arm, shape).pose.tolist(), strict=True))
    except FlexarmError:
        return arm  # said with its place when the drives are put together
    links = []
    for link in arm.links:
        if link.name in pose and "position" not in link.joint.model_fields_set:
            joint = link.joint.model_copy(update={"position": pose[link.name]})
            joint.__pydantic_fields_set__.discard("position")  # so that a file leaves it to the path again
            link = link.model_copy(update={"joint": joint})
        links.append(link)
    return arm.model_copy(update={"links": tuple(links)})
