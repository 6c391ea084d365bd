"""Events: the payload changes on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from flexarm.arm import Arm, Payload
from flexarm.arm.base import Part
from flexarm.arm.quantity import PositiveTime
from flexarm.errors import ScenarioError


class Event(Part):
    """A new payload from the time `at` on.

    ``at-rest``: the added mass was at rest, momentum is conserved. ``matched``: it arrives with the
    velocity of the tip. ``released``: mass leaves with the velocity of the tip.
    """

    at: PositiveTime = Field(description="When")
    payload: Payload = Field(description="The whole payload afterwards, not the difference")
    rule: Literal["at-rest", "matched", "released"] = Field(description="How mass arrives or leaves")


def check_events(arm: Arm, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events in order of time, checked against the payload of the arm.

    Raises
    ------
    ScenarioError
        If mass does not go up (at-rest, matched) or down (released), two events coincide, or the payload
        would change to another link.
    """
    order = sorted(range(len(events)), key=lambda i: events[i].at)
    before, time = arm.payload, 0.0
    for i in order:
        event, field = events[i], f"events.{i}"
        if event.at == time:
            raise ScenarioError(f"two events happen at {time:g} s: put them into one", field=f"{field}.at")
        link = event.payload.link
        if link is not None and link != arm.payload_link.name:
            raise ScenarioError(
                f"the payload hangs on '{arm.payload_link.name}' and cannot change to '{link}'",
                field=f"{field}.payload.link",
            )
        change = event.payload.mass - before.mass
        if event.rule == "released" and change >= 0.0:
            raise ScenarioError(
                f"'released' means that mass leaves, but it goes from {before.mass:g} to "
                f"{event.payload.mass:g} kg; use at-rest or matched",
                field=f"{field}.rule",
            )
        if event.rule != "released" and change <= 0.0:
            raise ScenarioError(
                f"'{event.rule}' means that mass arrives, but it goes from {before.mass:g} to "
                f"{event.payload.mass:g} kg; use released when mass leaves",
                field=f"{field}.rule",
            )
        before, time = event.payload, event.at
    return tuple(events[i] for i in order)
