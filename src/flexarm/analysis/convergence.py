"""Convergence of one method on one scenario: orders in mesh and step, error estimates, and the setting for an accuracy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.analysis.refining import JUDGED, Level, run_level, setting
from flexarm.errors import FlexarmError
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.build import prepare
from flexarm.simulation.progress import Cancel, Progress

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
    progress: Progress | None = None,
    cancel: Cancel | None = None,
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
        Called with (stage, done, total): what is refined, and the runs.
    cancel : callable, optional
        The work stops once this returns True, and nothing of it is kept: orders need all runs.
    """
    if levels < 3:
        raise FlexarmError(f"an order of convergence needs at least 3 levels, not {levels}")
    if not 0.0 < accuracy <= 0.5:
        raise FlexarmError(f"accuracy is a share between 0 and 0.5, not {accuracy:g}")
    scenario = as_scenario(scenario)
    name = method or scenario.method.name
    scenario = setting(scenario, name, {})
    given = scenario.method.options.resolution
    if isinstance(given, tuple):
        raise FlexarmError("convergence needs one resolution for all links", field="method.resolution")
    base = scenario.time.step if isinstance(scenario.time.step, float) else prepare(scenario).step
    steps, meshes = [base / 2**k for k in range(levels)], [int(given) * 2**k for k in range(levels)]
    settings = [(f"step {h:.3g} s", meshes[0], scenario.with_({"time.step": h})) for h in steps]
    refined = scenario.method.options.mesh
    for n in meshes:
        settings.append((f"resolution {n}", n, scenario.with_({"time.step": steps[1], **refined(n)})))
    by_step: list[Level] = []
    by_mesh: list[Level] = []
    for k, (stage, resolution, finer) in enumerate(settings):
        if progress is not None:
            progress(stage, k, len(settings))
        done = by_step if k < levels else by_mesh
        done.append(run_level(finer, resolution, done[-1].answers if done else None, cancel))
    mesh, step = _study("mesh", by_mesh), _study("step", by_step)
    return Convergence(
        scenario.name, name, accuracy, mesh, step, _resolution(mesh, 0.5 * accuracy), _step(step, 0.5 * accuracy)
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
