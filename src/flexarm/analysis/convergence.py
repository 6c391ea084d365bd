"""Convergence of one method on one scenario: orders in mesh and step, error estimates, and the setting for an accuracy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.refining import JUDGED, Level, run_level, setting
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.scenario import Scenario

EXACT = 1e-10
"""Changes below this are rounding: there is nothing to refine."""


@dataclass(frozen=True)
class Study:
    """Refinement of one thing (mesh or step) with the other one kept.

    values : resolutions, or steps in s; levels : the runs; order : observed order of every answer (nan where it cannot be
    seen); error : estimated relative error of the last level.
    """

    what: str
    levels: tuple[Level, ...]
    order: dict[str, float]
    error: dict[str, float]

    @property
    def values(self) -> list[float]:
        """Resolutions, or steps in s."""
        return [level.resolution if self.what == "mesh" else level.step for level in self.levels]


@dataclass(frozen=True)
class Convergence:
    """Studies of mesh and step, and the setting that is expected to reach `accuracy`."""

    scenario: str
    method: str
    accuracy: float
    mesh: Study
    step: Study
    wanted_resolution: int
    wanted_step: float

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "scenario": self.scenario, "method": self.method, "accuracy": self.accuracy,
            "resolution": self.wanted_resolution, "step": self.wanted_step,
            **{
                study.what: {
                    "values": study.values, "order": study.order, "error": study.error,
                    "answers": [level.answers.numbers for level in study.levels],
                    "changes": [level.changes for level in study.levels],
                    "seconds": [level.seconds for level in study.levels],
                }
                for study in (self.mesh, self.step)
            },
        }  # fmt: skip


def convergence(
    scenario: Scenario | str,
    method: str | None = None,
    levels: int = 4,
    accuracy: float = 1e-3,
    progress: Callable[[int, int, str], Any] | None = None,
) -> Convergence:
    """Refine mesh and step one after the other and watch the answers.

    Parameters
    ----------
    scenario : Scenario or str
        A scenario, the name of a bundled one, or a file; its step and resolution are where the refinement begins.
    method : str, optional
        Another method than the scenario's.
    levels : int
        Runs of each study, at least 3.
    accuracy : float
        Relative accuracy for which a setting is sought.
    progress : callable, optional
        Called with (done, end, what).
    """
    from flexarm.scenario import Scenario, load

    if levels < 3:
        raise FlexarmError(f"an order of convergence needs at least 3 levels, not {levels}")
    if not 0.0 < accuracy <= 0.5:
        raise FlexarmError(f"accuracy is a share between 0 and 0.5, not {accuracy:g}")
    plan = scenario if isinstance(scenario, Scenario) else load(scenario)
    name = method or plan.method.name
    plan = setting(plan, name, {})
    given = plan.method.options.resolution
    if isinstance(given, tuple):
        raise FlexarmError("convergence needs one resolution for all links", field="method.resolution")
    from flexarm.simulation.build import prepare

    base = plan.time.step if isinstance(plan.time.step, float) else prepare(plan).step
    count = 2 * levels
    steps, meshes = [base / 2**k for k in range(levels)], [int(given) * 2**k for k in range(levels)]

    def tell(done: int, what: str) -> None:
        if progress is not None:
            progress(done, count, what)

    by_step: list[Level] = []
    for k, h in enumerate(steps):
        by_step.append(run_level(plan.with_({"time.step": h}), meshes[0], by_step[-1].answers if by_step else None))
        tell(k + 1, f"step {h:.3g} s")
    by_mesh: list[Level] = []
    for k, n in enumerate(meshes):
        finer = plan.with_({"time.step": steps[1], "method.resolution": n})
        by_mesh.append(run_level(finer, n, by_mesh[-1].answers if by_mesh else None))
        tell(levels + k + 1, f"resolution {n}")
    mesh, step = _study("mesh", by_mesh), _study("step", by_step)
    return Convergence(
        plan.name, name, accuracy, mesh, step, _resolution(mesh, 0.5 * accuracy), _step(step, 0.5 * accuracy)
    )


def _study(what: str, levels: list[Level]) -> Study:
    order, error = {}, {}
    for name in levels[-1].changes:
        before, last = levels[-2].changes.get(name, np.nan), levels[-1].changes[name]
        if last < EXACT:
            order[name], error[name] = float("nan"), last
            continue
        p = float(np.log2(before / last)) if before > 0 else float("nan")
        order[name] = p
        error[name] = last / (2.0 ** min(max(p, 1.0), 4.0) - 1.0) if np.isfinite(p) else last
    return Study(what, tuple(levels), order, error)


def _halvings(study: Study, accuracy: float) -> float:
    """How often the last level must be halved (negative: may be doubled) to reach an accuracy of the tip's deflection."""
    needs = []
    for name, error in study.error.items():
        if name not in JUDGED:
            continue
        order = study.order[name]
        if error < EXACT:
            continue
        needs.append(np.log2(error / accuracy) / (min(max(order, 1.0), 4.0) if np.isfinite(order) else 1.0))
    return max(needs, default=-float(len(study.levels) - 1))


def _resolution(study: Study, accuracy: float) -> int:
    return max(1, int(np.ceil(study.levels[-1].resolution * 2.0 ** _halvings(study, accuracy) - 1e-9)))


def _step(study: Study, accuracy: float) -> float:
    longest = study.levels[0].step
    return float(min(longest, study.levels[-1].step * 2.0 ** -_halvings(study, accuracy)))
