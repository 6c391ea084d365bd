"""What would hold an arm that sampled laws destabilise: each remedy is tried on the linear model before it is named.

A torque that is held for a period T changes the rate of what it turns, of inertia J, by T / J per unit. So a rate feedback kv
needs kv T / J < 2 on both sides of the joint: motor and link side, and the place of the parent on which the motor stands. The
end of a beam has next to no inertia of its own, and the shorter a moment acts the faster, per unit of time, it turns: there
shorter periods do not help, nor does the rotary inertia of the sections, which is a thousand times too small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from flexarm.methods.base import LinearModel, Model
from flexarm.simulation.control_loops.cylinder import Rests
from flexarm.simulation.control_loops.sampled import sampled_loop
from flexarm.simulation.program import Gains

INERTIAS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""What is tried, over kv T."""
SHARES = (0.5, 0.25, 0.125, 0.0625)
"""Of kv, of the period, of all gains."""


@dataclass(frozen=True)
class UnstableLoop:
    """A sampled loop that does not hold the arm.

    Attributes
    ----------
    model : Model
        The arm as it is driven.
    linearise : callable
        Small motions of a model about the rest that is looked at.
    rests : mapping
        Position and holding torque of joints that cylinders with oil move.
    gains : sequence of (kp, kv, ki)
        In the order of the wiring's joints.
    joint : str
        Whose law drives the motion that grows.
    period : float
        Time between two instants, s.
    """

    model: Model
    linearise: Callable[[Model], LinearModel]
    rests: Rests
    gains: Sequence[Gains]
    joint: str
    period: float

    def remedies(self) -> list[str]:
        """What alone makes the loop stable, with figures: inertia, a smaller kv, a shorter period; if nothing does, less of all gains."""
        kv = self.gains[self._number][1]
        found = list(self._inertias(kv * self.period))
        share = next((share for share in SHARES if self._holds(kv=share)), 0.0)
        found += [f"kv of {share * kv:.2g}"] if share else []
        share = next((share for share in SHARES if self._holds(period=share * self.period)), 0.0)
        found += [f"a period of {share * self.period:g} s"] if share else []
        share = 0.0 if found else next((share for share in SHARES if self._holds(all_gains=share)), 0.0)
        return found + ([f"a share of {share:g} in the gains of all joints"] if share else [])

    @cached_property
    def _number(self) -> int:
        return [joint.name for joint in self.model.wiring.joints].index(self.joint)

    @cached_property
    def _base(self) -> LinearModel:
        return self.linearise(self.model)

    def _holds(self, more: Any = 0.0, kv: float = 1.0, all_gains: float = 1.0, period: float | None = None) -> bool:
        """True if no motion grows with `more` mass (n, n), a share of the joint's kv or of all gains, or another period."""
        gains = [(all_gains * kp, all_gains * rate, all_gains * ki) for kp, rate, ki in self.gains]
        own = gains[self._number]
        gains[self._number] = (own[0], kv * own[1], own[2])
        model = replace(self._base, M=self._base.M + more)
        loop = sampled_loop(model, self.model.wiring, gains, self.rests, period or self.period)
        return loop is not None and loop.factor < 1.0

    def _inertias(self, unit: float) -> Iterator[str]:
        """Inertia on one side of the joint, else on both; `unit`: what is tried first, about, kg m^2."""
        arm = self.model.arm
        joint, parent = arm.link(self.joint).joint, arm.parent(self.joint)
        if joint.type != "revolute" or not unit:
            return
        places = (
            {}
            if parent == "ground"
            else {"motor_inertia": f"motor_inertia of joint '{self.joint}', carried by link '{parent}'"}
        )
        side = "rotor_inertia" if joint.stiffness and joint.gear is None else "hub_inertia"
        places[side] = f"{side} of joint '{self.joint}'"
        more = {field: self.linearise(self._heavier(field, unit)).M - self._base.M for field in places}
        sides = [(field,) for field in places]
        for fields in sides if any(self._holds(INERTIAS[-1] * more[field]) for field in places) else [tuple(places)]:
            whole: np.ndarray = np.sum([more[field] for field in fields], axis=0)
            share = next((share for share in INERTIAS if self._holds(share * whole)), 0.0)
            if share:
                yield f"{share * unit:.2g} kg·m² more as {' and as '.join(places[field] for field in fields)}"

    def _heavier(self, field: str, inertia: float) -> Model:
        """The same arm and damping with more inertia at the joint."""
        model, link = self.model, self.model.arm.link(self.joint)
        joint = link.joint.model_copy(update={field: getattr(link.joint, field) + inertia})
        links = tuple(each.model_copy(update={"joint": joint}) if each is link else each for each in model.arm.links)
        arm = model.arm.model_copy(update={"links": links})
        made = type(model)(arm, model.wiring, model.options, model.watch, model.hints)
        made.set_damping(model.damping_times)
        return made
