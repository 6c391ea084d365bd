"""One scenario computed by one method on finer and finer meshes with shorter and shorter steps."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from flexarm.analysis.answers import Answers, answers, differences
from flexarm.errors import FlexarmError, Interrupted
from flexarm.methods import get_method
from flexarm.methods.base import Outcome
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.progress import SILENT, Cancel, Monitor
from flexarm.simulation.run import simulate

JUDGED = ("tip_deflection_peak", "tip_deflection_rms", "tip_error_peak")
"""Answers that decide when a mesh is fine enough. Strains and the exact course of an undamped arm that is pushed by
jumps converge far more slowly; they are told beside."""
RECORDS = 1000
"""Records of a run that names no output interval."""
COARSEST = 4.0
"""Accuracy asked of the coarsest step, in multiples of the target."""


@dataclass(frozen=True)
class Level:
    """One run: its setting, cost and answers.

    `seconds` is the time for building and stepping the model, without compilation; `changes` are the differences of
    all answers from the level before (none for the first).
    """

    resolution: int
    step: float
    seconds: float
    answers: Answers
    changes: dict[str, float]

    @property
    def change(self) -> float:
        """Largest change of peak and root mean square of the tip's deflection and error: the method's own estimate."""
        return max((share for name, share in self.changes.items() if name in JUDGED), default=float("nan"))


@dataclass(frozen=True)
class Refinement:
    """Levels of one method, coarse to fine, and why they ended."""

    method: str
    levels: tuple[Level, ...]
    ended: str
    reached: bool
    """The last change is below the target."""

    @property
    def finest(self) -> Level:
        """The last level."""
        return self.levels[-1]

    @property
    def errors(self) -> tuple[tuple[Level, float], ...]:
        """Every level but the last with the change that the next one makes, the estimate of its error."""
        return tuple((level, after.change) for level, after in itertools.pairwise(self.levels))


def setting(scenario: Scenario, method: str, changes: dict[str, Any]) -> Scenario:
    """The scenario with another method (options of its own method stay), other options, and records in common."""
    every = scenario.output.every or scenario.time.end / RECORDS
    return as_scenario(scenario, method).with_({"output.every": every, **changes})


def run_level(scenario: Scenario, resolution: int, before: Answers | None, cancel: Cancel | None = None) -> Level:
    """Run a setting; a run that does not reach its end is an error."""
    result = simulate(scenario, warn=False, cancel=cancel)
    if result.outcome is Outcome.CANCELLED:
        raise Interrupted("the refinement was interrupted before its first level was done")
    if not result.success:
        raise FlexarmError(result.message)
    found = answers(result)
    seconds = result.timing["build"] + result.timing["march"]
    changes = differences(before, found) if before is not None else {}
    return Level(resolution, float(result.data.attrs["step"]), seconds, found, changes)


def coarsest(method: str) -> int:
    """Resolution at which a refinement begins: half of the method's own."""
    default = get_method(method).Options.model_fields["resolution"].default
    return max(2, int(default) // 2) if int(default) > 2 else 1


def refine(
    scenario: Scenario,
    method: str,
    target: float = 2e-3,
    most: int = 6,
    monitor: Monitor = SILENT,
) -> Refinement:
    """Double the mesh and halve the step until the tip's deflection (peak and rms) changes by less than `target`.

    Parameters
    ----------
    scenario : Scenario
    method : str
        Name of the method.
    target : float
        Relative change below which it ends.
    most : int
        Most levels.
    monitor : Monitor
        Is told the levels that are done, and may stop the refinement.

    Raises
    ------
    FlexarmError
        If the method cannot do the coarsest level, or the refinement is stopped before it is done.
    """
    levels: list[Level] = []
    first, own = coarsest(method), setting(scenario, method, {})
    for k in range(most):
        resolution = first * 2**k
        accuracy = min(0.1, COARSEST * target / 4**k)
        mesh = own.method.options.mesh(resolution)
        chosen = own.with_({"time.step": "auto", "method.accuracy": accuracy, **mesh})
        if monitor.progress is not None:
            monitor.progress(f"{method}, resolution {resolution}", k, most)
        try:
            if not levels:
                run_level(chosen, resolution, None, monitor.cancel)  # compiles, which the first level does not count
            levels.append(run_level(chosen, resolution, levels[-1].answers if levels else None, monitor.cancel))
        except Interrupted:
            if not levels:
                raise
            return Refinement(method, tuple(levels), "it was interrupted", False)
        except FlexarmError as error:
            if not levels:
                raise
            return Refinement(method, tuple(levels), f"the next level was refused: {error}", False)
        if len(levels) > 1 and levels[-1].change < target:
            return Refinement(method, tuple(levels), "the deflection changes by less than the target", True)
    return Refinement(method, tuple(levels), f"{most} levels were not enough", False)
