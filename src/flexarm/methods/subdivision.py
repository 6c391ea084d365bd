"""Where the elements of a link end: at the steps of its section, and at what hangs on it.

An element over a step would see one section where there are two, and the answers would converge slowly however fine the
mesh: the error is of first order and the same in every method that divides alike. A step has a node in any case; kinks of
a taper, lumped masses and what stands on the link cost less, so they get nodes where there are elements enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from flexarm.arm import Arm, Link
from flexarm.drive import Patch
from flexarm.rigid.beam import section_place

SAME = 1e-9
"""Places nearer to each other than this share of the length are one."""


def share_out(lengths: Sequence[float], count: int) -> list[int]:
    """Elements of each part: `count` in all but at least one each, so that the longest element is as short as possible.

    Examples
    --------
    >>> share_out([0.6, 0.3, 0.1], 8)
    [5, 2, 1]
    """
    shares = [1] * len(lengths)
    while sum(shares) < count:
        longest = max(range(len(lengths)), key=lambda k: lengths[k] / shares[k] * (1.0 - 1e-12 * k))
        shares[longest] += 1
    return shares


def element_ends(link: Link, count: int, wanted: Iterable[float] = (), needed: Iterable[float] = ()) -> np.ndarray:
    """Fractions of the length at which the elements of a flexible link end, (elements + 1,).

    Parameters
    ----------
    link : Link
        Whose section may have steps and kinks.
    count : int
        Elements that are wanted; there are more if the parts between steps outnumber them.
    wanted, needed : iterable of float
        Other fractions that shall have a node: if there are elements enough, or in any case.
    """
    assert link.section is not None
    must = _apart([*link.section.steps, *needed])
    every = _apart([*must, *wanted, *([] if link.section.uniform else link.section.breaks)])
    return divided([0.0, *(every if len(every) < count else must), 1.0], count)


def divided(corners: Sequence[float], count: int) -> np.ndarray:
    """Ends of `count` elements (or one for each part) between the first and the last of `corners`, which all are ends."""
    shares = share_out(np.diff(corners).tolist(), count)
    parts = [a + (b - a) / n * np.arange(n) for a, b, n in zip(corners[:-1], corners[1:], shares, strict=True)]
    return np.concatenate([*parts, [corners[-1]]])


def attachment_places(arm: Arm, i: int, loads: Iterable[Patch] = ()) -> list[float]:
    """Fractions of a link's length at which lumps, other links and pins of loops stand on it, and where its loads begin and end."""
    link = arm.links[i]
    ends = [place for load in loads if load.link == link.name for place in (load.start, load.stop)]
    places = [lump.at for lump in link.masses]
    places += [other.at for other in arm.links if arm.parent(other.name) == link.name]
    places += [place for loop in arm.loops for owner, place in loop.places if owner == link.name]
    if arm.spatial:
        return [section_place(link, place)[0] for place in places] + ends
    return [link.place(place)[0] / link.span for place in places] + ends


def jump_places(arm: Arm, i: int, ends: np.ndarray, loads: Iterable[Patch] = ()) -> np.ndarray:
    """Fractions of a link's length, among the `ends` of its elements, at which its section forces jump: what stands on it there
    has weight and inertia, or pushes it."""
    inside = np.array(_apart(attachment_places(arm, i, loads)))
    return inside[np.abs(inside[:, None] - ends).min(axis=1) < SAME] if len(inside) else inside


def _apart(places: Iterable[float]) -> list[float]:
    """Places inside the link in order, each once."""
    found: list[float] = []
    for place in sorted(places):
        if SAME < place < 1.0 - SAME and (not found or place - found[-1] > SAME):
            found.append(place)
    return found


def finer_notes(arm: Arm, wanted: int | tuple[int, ...], counts: Sequence[int]) -> list[str]:
    """A sentence for every link that has more elements (`counts`) than were asked for."""
    asked = wanted if isinstance(wanted, tuple) else (wanted,) * len(arm.links)
    return [
        f"link '{link.name}' has {count} elements instead of {few}: one for each part between steps of the section, "
        "corners and masses beside the axis"
        for link, few, count in zip(arm.links, asked, counts, strict=True)
        if count > few
    ]
