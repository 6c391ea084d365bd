"""Rigid brackets of an arm: from the root of a link to the pins beside its axis that carry other links or close loops."""

from __future__ import annotations

import numpy as np

from flexarm.view.source import Source, stations


def brackets(result: Source, shape: np.ndarray) -> np.ndarray:
    """Both ends of every bracket over time, shape (nt, count, 2, axes); none without a scenario.

    Parameters
    ----------
    result : Source
        A result with its scenario.
    shape : ndarray, shape (nt, links, stations, axes)
        Places along the links, m.
    """
    arm = getattr(getattr(result, "scenario", None), "arm", None)
    none = np.zeros((len(shape), 0, 2, shape.shape[-1]))
    if arm is None or len(arm.links) != shape.shape[1]:
        return none
    ends: list[tuple[int, np.ndarray]] = []
    for i, link in enumerate(arm.links):
        parent = arm.parent(link.name)
        if parent != "ground" and link.at in arm.link(parent).points:
            ends.append((arm.index(parent), shape[:, i, 0]))
    for loop in arm.loops:
        for (name, place), (other, opposite) in (loop.places, loop.places[::-1]):
            pin = _on_axis(shape[:, arm.index(other)], opposite, stations(result))
            if place in arm.link(name).points and pin is not None:
                ends.append((arm.index(name), pin))
    moving = [
        (i, pin) for i, pin in ends if arm.links[i].joint.type != "fixed" or arm.parent(arm.links[i].name) != "ground"
    ]
    if not moving:
        return none
    return np.stack([np.stack([shape[:, i, 0], pin], axis=1) for i, pin in moving], axis=1)


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
