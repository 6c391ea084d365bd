"""One scenario computed by one method on finer and finer meshes with shorter and shorter steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flexarm.analysis.answers import Answers, answers, differences
from flexarm.errors import FlexarmError
from flexarm.methods import get_method
from flexarm.simulation.run import simulate

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

JUDGED = ("tip deflection, peak", "tip deflection, rms", "tip error, peak")
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


def setting(scenario: Scenario, method: str, changes: dict[str, Any]) -> Scenario:
    """The scenario with another method (options of its own method stay), other options, and records in common."""
    plan = scenario if method == scenario.method.name else scenario.with_({"method": {"name": method}})
    every = scenario.output.every or scenario.time.end / RECORDS
    return plan.with_({"output.every": every, **changes})


def run_level(plan: Scenario, resolution: int, before: Answers | None) -> Level:
    """Run a setting; a run that does not reach its end is an error."""
    result = simulate(plan, warn=False)
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
    progress: Callable[[int, int, str], Any] | None = None,
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
    progress : callable, optional
        Called with (levels done, most, what).

    Raises
    ------
    FlexarmError
        If the method cannot do the coarsest level.
    """
    levels: list[Level] = []
    first = coarsest(method)
    for k in range(most):
        resolution = first * 2**k
        accuracy = min(0.1, COARSEST * target / 4**k)
        plan = setting(
            scenario, method, {"time.step": "auto", "method.resolution": resolution, "method.accuracy": accuracy}
        )
        try:
            if not levels:
                simulate(plan, warn=False)  # compiles, so that it is not in the time of the first level
            levels.append(run_level(plan, resolution, levels[-1].answers if levels else None))
        except FlexarmError as error:
            if not levels:
                raise
            return Refinement(method, tuple(levels), f"the next level was refused: {error}", False)
        if progress is not None:
            progress(k + 1, most, f"{method}, resolution {resolution}")
        if len(levels) > 1 and levels[-1].change < target:
            return Refinement(method, tuple(levels), "the deflection changes by less than the target", True)
    return Refinement(method, tuple(levels), f"{most} levels were not enough", False)
