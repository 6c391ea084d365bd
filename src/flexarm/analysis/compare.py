"""Every method that can on the same arm: how well they agree, and what an accuracy costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analysis.answers import COURSE, differences
from flexarm.analysis.refining import JUDGED, Level, Refinement, refine, setting
from flexarm.errors import FlexarmError, Interrupted
from flexarm.methods import get_method, method_names
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.progress import Cancel, Monitor, Progress

AGREE = 3.0
"""Methods that differ from the median by more than so many targets are not recommended."""


@dataclass(frozen=True)
class Comparison:
    """Methods on one scenario, each refined until its own error is below the target.

    Attributes
    ----------
    target : float
        Relative accuracy asked for.
    refinements : dict
        Method -> its levels.
    refused : dict
        Method -> why it cannot.
    median : dict
        Answer -> median over the methods at their finest levels.
    hz : dict
        Method -> first natural frequencies in Hz, joints as driven.
    recommended, reason : str
        The cheapest method that reaches the target and agrees with the others.
    """

    scenario: str
    target: float
    refinements: dict[str, Refinement]
    refused: dict[str, str]
    median: dict[str, float]
    hz: dict[str, list[float]]
    recommended: str
    reason: str

    def difference(self, method: str, name: str) -> float:
        """Difference of a method's answer from the median, as a share of it; of the course from the most exact one."""
        found = self.refinements[method].finest.answers
        if name == COURSE:
            return differences(found, self.refinements[self.most_exact].finest.answers)[COURSE]
        return found.numbers[name] / self.median[name] - 1.0 if self.median[name] else 0.0

    @property
    def most_exact(self) -> str:
        """The method whose last refinement changed its answers least."""
        return min(self.refinements, key=lambda name: self.refinements[name].finest.change)

    @property
    def refined(self) -> dict[str, Refinement]:
        """Methods with more than one level, of which an error is known."""
        return {name: item for name, item in self.refinements.items() if len(item.levels) > 1}

    @property
    def remarks(self) -> list[str]:
        """A sentence for every method that has converged, but away from the others; linear ones alone if there are any."""
        off = {name: self.disagreement(name) for name, item in self.refinements.items() if item.reached}
        apart = [name for name in off if off[name] > self.agreement]
        linear = [name for name in apart if not get_method(name).capabilities.large_rotation]
        why = "it is linear, without centrifugal forces and large deflections" if linear else "its assumptions differ"
        return [
            f"{name} has converged, but {100 * off[name]:.2g} % from the median of all: {why}"
            for name in linear or apart
        ]

    @property
    def agreement(self) -> float:
        """Largest difference from the median that counts as agreement, as a share."""
        return AGREE * max(self.target, 1e-3)

    def disagreement(self, method: str) -> float:
        """Largest difference of peak and root mean square of deflection and error from the median, as a share."""
        return max((abs(self.difference(method, key)) for key in self.median if key in JUDGED), default=0.0)

    def told(self, method: str) -> tuple[Level, float] | None:
        """The first level whose deflection the next one changes by less than the target, else the last one that was refined; and that
        change. None if none was refined."""
        errors = self.refinements[method].errors
        return next((pair for pair in errors if pair[1] < self.target), errors[-1] if errors else None)

    def cost(self, method: str) -> float:
        """Seconds of the first level whose deflection the next one changes by less than the target, nan if there is none."""
        told = self.told(method)
        return told[0].seconds if told is not None and told[1] < self.target else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "scenario": self.scenario, "target": self.target, "recommended": self.recommended, "reason": self.reason,
            "median": self.median, "refused": self.refused, "remarks": self.remarks,
            "methods": {
                name: {
                    "reached": item.reached, "ended": item.ended, "seconds_to_target": self.cost(name), "hz": self.hz[name],
                    "answers": item.finest.answers.numbers,
                    "difference": {key: self.difference(name, key) for key in (*self.median, COURSE)},
                    "levels": [
                        {"resolution": level.resolution, "step": level.step, "seconds": level.seconds,
                         "change": level.change} for level in item.levels
                    ],
                }
                for name, item in self.refinements.items()
            },
        }  # fmt: skip


def compare(
    scenario: Scenario | str,
    methods: Sequence[str] | None = None,
    target: float = 2e-3,
    most: int = 6,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Comparison:
    """Run every capable method, each refined until its own error estimate is below `target`.

    Parameters
    ----------
    scenario : Scenario or str
        A scenario, the name of a bundled one, or a file.
    methods : sequence of str, optional
        Which methods; all when left out.
    target : float
        Relative accuracy of the answers.
    most : int
        Most levels of refinement of each.
    progress : callable, optional
        Called with (stage, done, total): method and resolution, levels of all methods, and at most how many there are.
    cancel : callable, optional
        The comparison ends with what it has once this returns True.

    Examples
    --------
    >>> import flexarm as fa
    >>> found = fa.compare("tokhi-azad", methods=["fd"], target=1e-2)
    >>> found.recommended
    'fd'
    """
    scenario = as_scenario(scenario)
    if not 1e-6 <= target <= 0.1:
        raise FlexarmError(f"target is a relative accuracy between 1e-6 and 0.1, not {target:g}")
    names = list(methods) if methods else list(method_names())
    refinements: dict[str, Refinement] = {}
    refused: dict[str, str] = {}
    for k, name in enumerate(names):
        get_method(name)  # an unknown name is refused at once
        try:
            refinements[name] = refine(scenario, name, target, most, _part(progress, cancel, k, len(names)))
        except FlexarmError as error:
            refused[name] = str(error)
    if not refinements and cancel is not None and cancel():
        raise Interrupted("the comparison was interrupted before a method had its first level")
    if not refinements:
        raise FlexarmError("no method can run this scenario: " + "; ".join(f"{k}: {v}" for k, v in refused.items()))
    keys = [key for key in next(iter(refinements.values())).finest.answers.numbers
            if all(key in item.finest.answers.numbers for item in refinements.values())]  # fmt: skip
    median = {key: float(np.median([r.finest.answers.numbers[key] for r in refinements.values()])) for key in keys}
    found = Comparison(scenario.name, target, refinements, refused, median, _hz(scenario, refinements), "", "")
    best, reason = _recommend(found)
    return Comparison(scenario.name, target, refinements, refused, median, found.hz, best, reason)


def _part(progress: Progress | None, cancel: Cancel | None, part: int, parts: int) -> Monitor:
    """For one of several pieces of work of the same length."""
    if progress is None:
        return Monitor(None, cancel)
    return Monitor(lambda stage, done, total: progress(stage, part * total + done, parts * total), cancel)


def _hz(scenario: Scenario, refinements: dict[str, Refinement]) -> dict[str, list[float]]:
    from flexarm.analysis.frequencies import driven_frequencies

    found = {}
    for name, item in refinements.items():
        try:
            own = setting(scenario, name, {})
            own = own.with_(own.method.options.mesh(item.finest.resolution))
            found[name] = [float(f) for f in driven_frequencies(own, 3).hz]
        except FlexarmError:
            found[name] = []
    return found


def _recommend(found: Comparison) -> tuple[str, str]:
    """The cheapest method that reaches the target within reach of the median, and why."""
    good = {}
    for name, item in found.refinements.items():
        if item.reached and found.disagreement(name) <= found.agreement:
            good[name] = found.cost(name)
    if not good:
        name = found.most_exact
        return name, f"no method reached {100 * found.target:g} % in agreement with the others; {name} changed least"
    best = min(good, key=lambda name: good[name])
    others = len(good) - 1
    beside = f", the least of {others + 1} methods that agree" if others else ", the only one that got there"
    return best, f"{best} takes {good[best]:.3g} s for {100 * found.target:g} %{beside}"
