"""What of an arm is drawn: links that move, brackets beside them, and what belongs to the ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.sketch.arm import gaps
from flexarm.view.smooth import curve_matrix
from flexarm.view.source import Source, is_spatial, stations, values

if TYPE_CHECKING:
    from flexarm.arm import Arm
    from flexarm.view.stage import Stage


LOOKS = 20
"""Records at which links are looked at to find their vertices."""


@dataclass(frozen=True)
class Mechanism:
    """Places of everything that is drawn of an arm, over time.

    Attributes
    ----------
    links : ndarray, shape (nt, links, ns, 3)
        Places along the links, m.
    brackets : ndarray, shape (nt, count, 2, 3)
        Both ends of every rigid bracket that carries a pin beside the axis of a link.
    s : ndarray, shape (ns,)
        Fractions of the links' lengths.
    moving, bars : tuple of int
        Links that move, and rigid ones that are part of the ground.
    feet : tuple of int
        Links that stand on the ground.
    flexible : tuple of bool
        Which links bend.
    names : tuple of str
        Of the joints at the roots of the links; empty for one that cannot move.
    """

    links: np.ndarray
    s: np.ndarray
    brackets: np.ndarray
    moving: tuple[int, ...]
    bars: tuple[int, ...]
    feet: tuple[int, ...]
    flexible: tuple[bool, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, shape: np.ndarray, s: np.ndarray, arm: Arm | None) -> Mechanism:
        """From places (nt, links, ns, 3) at stations `s` (ns,); without an `arm` all links are alike, one after the other."""
        count = shape.shape[1]
        if arm is None or len(arm.links) != count:
            none = np.zeros((len(shape), 0, 2, shape.shape[-1]))
            return cls(shape, s, none, tuple(range(count)), (), (0,), (True,) * count, ("",) * count)
        bars = ground_bars(arm)
        return cls(
            shape,
            s,
            brackets(arm, shape, s),
            tuple(i for i in range(count) if i not in bars),
            bars,
            tuple(i for i, link in enumerate(arm.links) if arm.parent(link.name) == "ground" or _on_bar(arm, i, bars)),
            tuple(bool(link.flexible) for link in arm.links),
            tuple("" if link.joint.type == "fixed" else link.name for link in arm.links),
        )

    @property
    def clouds(self) -> list[np.ndarray]:
        """All places, for the size of a picture."""
        return [cloud for cloud in (self.links, self.brackets) if cloud.size]

    @cached_property
    def matrices(self) -> list[np.ndarray]:
        """Of every link, what makes a smooth curve of its stations."""
        some = self.links[:: max(1, len(self.links) // LOOKS)]
        return [curve_matrix(self.s, some[:, i]) for i in range(self.links.shape[1])]

    def curves(self, places: np.ndarray) -> list[np.ndarray]:
        """Smooth curves through places (links, ns, 3), one per link that moves."""
        return [self.matrices[i] @ places[i] for i in self.moving]

    def draw_ground(self, stage: Stage) -> list[Any]:
        """The bars of the ground, and the places where links stand on it."""
        feet = [i for i in self.feet if i in self.moving]
        return stage.ground(self.links[0, feet, 0], [self.links[0, i, [0, -1]] for i in self.bars])

    def draw_names(self, stage: Stage, k: int = -1, least: int = 2) -> None:
        """Names of the joints in record `k`, on the side that no link takes; fewer than `least` go without."""
        named = [i for i in self.moving if self.names[i]]
        if len(named) < least:
            return
        stage.name(
            [self.names[i] for i in named], self.links[k, named, 0], np.stack([self._free_side(k, i) for i in named])
        )

    def _free_side(self, k: int, link: int) -> np.ndarray:
        """The direction (3,) from the root of a link in which there is most room: away from all lines that end there."""
        root, size = self.links[k, link, 0], float(np.ptp(self.links[k].reshape(-1, 3), axis=0).max()) or 1.0
        lines = [*self.links[k], *self.brackets[k]]
        away = np.zeros(3)
        for line in lines:
            for end, inner in ((line[0], line[len(line) // 2]), (line[-1], line[len(line) // 2 - len(line) % 2])):
                length = float(np.linalg.norm(inner - end))
                if np.linalg.norm(end - root) < 0.01 * size and length > 0.0:
                    away -= (inner - end) / length
        return (
            away
            if np.linalg.norm(away) > 0.3
            else np.array([0.0, 1.0, 0.0])
            if not is_spatial(self.links)
            else np.array([0.0, 0.0, 1.0])
        )


def mechanism(result: Source) -> Mechanism:
    """The arm of a run."""
    return Mechanism.of(
        values(result, "shape"), stations(result), getattr(getattr(result, "scenario", None), "arm", None)
    )


def ground_bars(arm: Arm) -> tuple[int, ...]:
    """Indices of rigid links that cannot move: fixed to the ground, or to one that is."""
    found: list[int] = []
    for i, link in enumerate(arm.links):
        parent = arm.parent(link.name)
        held = parent == "ground" or arm.index(parent) in found
        if held and link.joint.type == "fixed" and not link.flexible:
            found.append(i)
    return tuple(found)


def _on_bar(arm: Arm, i: int, bars: tuple[int, ...]) -> bool:
    parent = arm.parent(arm.links[i].name)
    return parent != "ground" and arm.index(parent) in bars


def brackets(arm: Arm, shape: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Both ends of every bracket that moves, shape (nt, count, 2, axes): from the root of a link to a pin beside its axis.

    Parameters
    ----------
    arm : Arm
        With links as in `shape`.
    shape : ndarray, shape (nt, links, stations, axes)
        Places along the links, m.
    s : ndarray, shape (stations,)
        Fractions of the links' lengths.
    """
    if arm.spatial:
        return gaps(arm, shape, s)
    ends: list[tuple[int, np.ndarray]] = []
    for i, link in enumerate(arm.links):
        parent = arm.parent(link.name)
        if parent != "ground" and link.at in arm.link(parent).points:
            ends.append((arm.index(parent), shape[:, i, 0]))
    for loop in arm.loops:
        for (name, place), (other, opposite) in (loop.places, loop.places[::-1]):
            pin = _on_axis(shape[:, arm.index(other)], opposite, s)
            if place in arm.link(name).points and pin is not None:
                ends.append((arm.index(name), pin))
    bars = ground_bars(arm)
    moving = [np.stack([shape[:, i, 0], pin], axis=1) for i, pin in ends if i not in bars]
    return np.stack(moving, axis=1) if moving else np.zeros((len(shape), 0, 2, shape.shape[-1]))


def _on_axis(line: np.ndarray, place: str, s: np.ndarray) -> np.ndarray | None:
    """A place on the axis of a link, (nt, axes); None if it is a named point."""
    try:
        share = {"tip": 1.0, "root": 0.0}.get(place)
        share = float(place) if share is None else share
    except ValueError:
        return None
    k = int(np.clip(np.searchsorted(s, share), 1, len(s) - 1))
    part = (share - s[k - 1]) / (s[k] - s[k - 1])
    return (1.0 - part) * line[:, k - 1] + part * line[:, k]
