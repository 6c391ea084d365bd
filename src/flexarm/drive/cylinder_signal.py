"""Commands that an actuator shapes as lengths of a cylinder: joint position to length, filter, and back."""

from __future__ import annotations

import itertools
import math

import numpy as np

from flexarm.drive.cylinder import Cylinder
from flexarm.drive.filtered import FilteredSignal
from flexarm.drive.paths.tracking import quintic
from flexarm.drive.piecewise import Row
from flexarm.drive.signal import PieceSignal, Signal
from flexarm.drive.statespace import StateSpace
from flexarm.errors import ScenarioError

CLOSE = 1e-11
"""Largest error of a length in polynomials, as a share of the cylinder's length."""
LOOKED_AT = 4001
"""Points at which a command is looked at for stops and dead centres."""
SETTLING = 10.0
"""Time constants of the slowest pole after the last jump during which it is looked at."""


class CylinderSignal:
    """`source`, a joint position, after an actuator that moves a cylinder; a `Signal`.

    Parameters
    ----------
    source : PieceSignal
        Commanded position of the joint.
    cylinder : Cylinder
        Its geometry.
    system : StateSpace
        The actuator, from commanded to actual length.
    """

    def __init__(self, source: PieceSignal, cylinder: Cylinder, system: StateSpace):
        self.initial, self.cylinder = source.initial, cylinder
        self.lengths = FilteredSignal(lengths_in_pieces(source, cylinder), system)
        self.finest = self.lengths.finest

    def breaks(self, end: float) -> list[float]:
        """Times in (0, end) where the response jumps."""
        return self.lengths.breaks(end)

    def evaluate(self, t: np.ndarray, inside: float) -> np.ndarray:
        """Value, first and second derivative of the joint's position, shape (3, n)."""
        length, rate, push = self.lengths.evaluate(t, inside)
        y = self.cylinder.position(length, self.initial)
        _, slope, bend = self.cylinder.reach(y)
        turning = rate / slope
        return np.stack([y, turning, (push - bend * turning**2) / slope])

    def jumps(self) -> tuple[np.ndarray, np.ndarray]:
        """Break times from 0 on, shape (n,), and the sizes of the jumps, shape (3, n)."""
        times, sizes = self.lengths.jumps()
        if not len(times):
            return times, sizes
        edges = np.append(times, times[-1] + 1.0)
        found = np.zeros_like(sizes)
        for k, time in enumerate(times):
            after = self.evaluate(np.array([time]), 0.5 * (edges[k] + edges[k + 1]))[:, 0]
            before = (
                np.array([self.initial, 0.0, 0.0])
                if k == 0 and time == 0.0
                else self.evaluate(np.array([time]), 0.5 * ((edges[k - 1] if k else 0.0) + time))[:, 0]
            )
            found[:, k] = np.where(sizes[:, k] != 0.0, after - before, 0.0)
        return times, found


def lengths_in_pieces(source: PieceSignal, cylinder: Cylinder) -> PieceSignal:
    """Length of the cylinder for a commanded joint position, in polynomials of degree five, exact to rounding."""
    pieces = source.pieces
    last = len(pieces) - 1
    if not pieces.resting[last]:
        raise ValueError("the motion of a cylinder must come to rest: give its profile a duration")
    rows: list[Row] = []
    for k, (a, b) in enumerate(itertools.pairwise(pieces.start[1:]), 1):
        for n in (4 * 2**m for m in range(14)):
            nodes = np.linspace(0.0, b - a, n + 1)
            value, rate, push = _length(pieces, cylinder, k, nodes)
            found = quintic(nodes, value[:, None], rate[:, None], push[:, None])
            middle = 0.5 * (nodes[1:] + nodes[:-1])
            if np.abs(found(middle)[:, 0] - _length(pieces, cylinder, k, middle)[0]).max() <= CLOSE * value.max():
                break
        for i, begin in enumerate(nodes[:-1]):
            rows.append(Row(float(a + begin), tuple(found.c[::-1, i, 0].tolist()), smooth=i > 0))
    rest = float(cylinder.length(pieces.poly[last, 0]))
    rows.append(Row(float(pieces.start[last]), (rest,)))
    return PieceSignal(rows, initial=float(cylinder.length(source.initial)), finest=source.finest)


def _length(pieces, cylinder: Cylinder, k: int, tau: np.ndarray) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Length and two derivatives over time on piece k, shape (3, n)."""
    at = np.full(tau.shape, k)
    y, turning, push = (pieces.derivative(order, at, tau) for order in range(3))
    length, slope, bend = cylinder.reach(y)
    return np.stack([length, slope * turning, bend * turning**2 + slope * push])


def check_reach(name: str, signal: Signal, cylinder: Cylinder, start: float, rate: float, field: str) -> None:
    """Refuse a motion that drives a cylinder beyond its stops or through a dead centre.

    Parameters
    ----------
    name : str
        The joint.
    signal : Signal
        Its motion, or what is commanded.
    start : float
        Position of the joint before t = 0.
    rate : float
        Slowest pole of the actuator, 1/s: after the last jump it is looked at for ten times its time constant.
    field : str
        Place of the cylinder in the scenario.
    """
    span = last_break(signal) + SETTLING / rate
    edges = [0.0, *signal.breaks(span), span]
    y = np.concatenate(
        [
            [start],
            *(signal.evaluate(np.linspace(a, b, LOOKED_AT), 0.5 * (a + b))[0] for a, b in itertools.pairwise(edges)),
        ]
    )
    angle, product = cylinder.geometry[3], cylinder.geometry[2]
    if product:
        sine = np.sin(y + angle)
        centre = math.floor((start + angle) / math.pi)
        if np.any(np.floor((y + angle) / math.pi) != centre) or np.min(np.abs(sine)) < 1e-3:
            raise ScenarioError(
                f"the cylinder of joint '{name}' would go through a dead centre, where it lies in line with the joint and "
                "turns nothing: move base or lug, or make the motion smaller",
                field=field,
            )
    if cylinder.stroke is None:
        return
    lengths, (short, long) = cylinder.length(y), cylinder.stroke
    for value, beyond, end in (
        (lengths.min(), lengths.min() < short, f"short stop at {short:g} m"),
        (lengths.max(), lengths.max() > long, f"long stop at {long:g} m"),
    ):
        if beyond:
            where = "starts" if not short <= lengths[0] <= long else "would go"
            raise ScenarioError(
                f"the cylinder of joint '{name}' {where} beyond its {end}: this motion takes it to {value:.5g} m; "
                "make the motion smaller, or change stroke, base or lug",
                field=f"{field}.stroke",
            )


def last_break(signal: Signal) -> float:
    """Time after which a signal is smooth, s."""
    times = signal.breaks(math.inf)
    if isinstance(signal, CylinderSignal):
        times = [*times, float(signal.lengths.source.pieces.start[-1])]
    elif isinstance(signal, FilteredSignal):
        times = [*times, float(signal.source.pieces.start[-1])]
    elif isinstance(signal, PieceSignal):
        pieces = signal.pieces
        fastest = float(pieces.fastest[-1])
        period = 2.0 * math.pi / fastest if fastest else 0.0
        times = [*times, float(pieces.start[-1]) + period]
    return max(times, default=0.0)
