"""The model of `segments` in the document's own form, with warnings where that form is delicate.

Equations: G30.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from flexarm.arm import Arm
from flexarm.drive import Wiring
from flexarm.errors import CapabilityError, StepError
from flexarm.methods.base import Hints, Run, State, TickSteps, Watch
from flexarm.methods.segments import paper, ticks
from flexarm.methods.segments.elements import matrices
from flexarm.methods.segments.model import SegmentsModel
from flexarm.methods.segments.options import SegmentsOptions
from flexarm.methods.segments.prediction import braking
from flexarm.numerics.by_address import address_of
from flexarm.numerics.gauss import gauss
from flexarm.numerics.tick_loop import STEPS, steps_address

SAFE_GROWTH, MOST_GROWTH = 20.0, 34.0
"""Beyond the first the product of matrices loses digits that show, beyond the second it has none left."""


class PaperModel(SegmentsModel):
    """Transfer matrices of every step; x, y and angle have histories of their own."""

    def __init__(self, arm: Arm, wiring: Wiring, options: SegmentsOptions, watch: Watch, hints: Hints):
        for joint in wiring.joints:
            if joint.mode != "motion":
                raise CapabilityError(
                    f"variant paper knows joints that follow a motion, and joint '{joint.name}' does not; use variant sound",
                    field="method.variant",
                )
        for link in arm.links:
            if link.joint.gear is not None:
                raise CapabilityError(
                    "variant paper knows no gears; use variant sound", field=f"arm.links.{link.name}.joint.gear"
                )
        if wiring.patches:
            raise CapabilityError("variant paper knows no loads on links; use variant sound", field="method.variant")
        super().__init__(arm, wiring, options, watch, hints)

    history = paper.H_SIZE

    def _pack(self) -> None:
        super()._pack()
        arms = ("taylor", "frozen", "newton").index(self.options.arms)
        self.choice = paper.Choice(arms, int(self.options.solution == "riccati"))
        self.matrices = matrices(2 * self.chain.size)

    def restart(self, state: State, row: np.ndarray, jumped: bool = False) -> State:
        """Angles' accelerations by the sound sweep; positions and their rates as the angles say."""
        super().restart(state, row, jumped)
        paper.first_history(state.x, self.parts)
        return state

    def _run(self, state: State, table: np.ndarray, records: np.ndarray, every: int, offset: int) -> Run:
        done, written = paper.march(
            state.x, state.z, table, records, every, offset, self.h, self.parts, self.choice,
            self.matrices, self.work.body,
        )  # fmt: skip
        return done, written, int(done < len(table) - 1)

    def between_ticks(self, state: State) -> TickSteps:
        """Of the document's march."""
        packed = self.parts, self.choice, self.matrices
        march = address_of(paper.march, ticks.RUN, *STEPS[:-1], *packed, self.work.body)
        method = ticks.PaperTicks(march, *packed, self.work)
        return TickSteps(steps_address(ticks.paper_between_ticks, method), method)

    def rewired(self, mode: Literal["motion", "free"]) -> SegmentsModel:
        """The linear model knows no histories: that of the sound form with the same ends."""
        options = self.options.model_copy(
            update={"variant": "sound", "ends": self.options.end_rule, "beta": self.options.newmark[0],
                    "gamma": self.options.newmark[1]}
        )  # fmt: skip
        sound = SegmentsModel(self.arm, self.wiring, options, self.watch, self.hints)
        return sound.rewired(mode)

    def growth(self, h: float) -> float:
        """lambda L of the plain product: how many e-fold the solutions grow from root to tip at a step h."""
        beta = self.options.newmark[0]
        nodes, weights = gauss(16)
        total = 0.0
        for link in self.arm.links:
            if link.flexible:
                properties = link.properties(0.5 * (1.0 + nodes))
                rate = (properties["rhoA"] / (4.0 * properties["EI"] * beta * h * h)) ** 0.25
                total += 0.5 * link.span * float(weights @ rate)
        return total

    def prepare(self, h: float) -> None:
        """Refuses a step at which the plain product has no digits left."""
        growth = self.growth(h)
        if self.options.solution == "product" and growth > MOST_GROWTH:
            raise StepError(
                f"at steps of {h:g} s the product of transfer matrices grows by exp({growth:.0f}) along the arm and has no right "
                "digit left; use method.solution: riccati, variant: sound, or a longer step",
                field="time.step",
            )
        super().prepare(h)

    def step_notes(self, h: float) -> list[str]:
        """Where the document's form is delicate at this step."""
        gamma, growth = self.options.newmark[1], self.growth(h)
        found = super().step_notes(h)
        found.append(f"growth number of the product of transfer matrices lambda L = {growth:.1f}; up to 20 is safe")
        if self.options.solution == "product" and growth > SAFE_GROWTH:
            found.append(
                "warning: the product of transfer matrices loses digits at so small a step; use solution: riccati or a longer step"
            )
        if gamma == 0.5:
            found.append(
                "warning: gamma = 1/2 with histories of x and y is weakly unstable: torques can grow without bound after some "
                "seconds; use gamma of 0.51 or more, or variant sound"
            )
        else:
            found.append(
                f"warning: gamma = {gamma:g} brakes rigid turning too: at a rate w by {braking(gamma, h):.2g} w^2 of it per "
                "second (w in rad/s), and bends the links falsely; variant sound does not"
            )
        if self.options.arms == "frozen":
            found.append("warning: frozen arms feed energy into a turning arm, in proportion to step and rate cubed")
        if self.options.end_rule == "literal":
            found.append(
                "warning: ends literal leave the links too stiff, in proportion to 1/resolution (about 1.7 % in frequency with 60 "
                "segments); ends half or both do not"
            )
        return found
