"""`optimise`: the best design of an arm, its drives or its laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.processes import cores
from flexarm.scenario import Scenario, as_scenario
from flexarm.scenario.node import wrap
from flexarm.studies.design_file import Problem, find_design, read_design
from flexarm.studies.search import MET, best_of, front_of, search
from flexarm.studies.trials import Trials

if TYPE_CHECKING:
    import xarray


@dataclass
class Optimum:
    """What a search has found.

    Attributes
    ----------
    name : str
        Title.
    success : bool
        A trial meets all limits.
    message : str
        What was found, in a sentence.
    values : dict
        Values of the variables (SI; labels of choices), of the best trial, or of the one that misses its limits least.
    numbers : dict
        What was kept of it: objectives, left sides of limits, and the rest.
    scenario : Scenario
        The scenario with these values.
    limits : dict
        By how much of its bound every limit is kept, negative where it is missed.
    trials : xarray.Dataset
        Every trial: variables, kept numbers, outcome, message, whether all limits are met, and for several objectives which are on
        the front.
    """

    name: str
    success: bool
    message: str
    values: dict[str, float | str]
    numbers: dict[str, float]
    scenario: Scenario
    limits: dict[str, float]
    trials: xarray.Dataset
    units: dict[str, str]
    objectives: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def front(self) -> xarray.Dataset:
        """The trials that no other one betters in all objectives, by the first of these."""
        on = self.trials.isel(trial=np.flatnonzero(self.trials["front"].values))
        return on.sortby(self.objectives[0])


def optimise(
    scenario: Scenario | str | Path,
    variables: Mapping[str, Any] | None = None,
    minimise: str | Mapping[str, str] | None = None,
    limits: Sequence[str] = (),
    *,
    search: Mapping[str, Any] | None = None,
    workers: int | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    **more: Any,
) -> Optimum:
    """Find the values of some fields with which a formula is least and limits hold.

    Parameters
    ----------
    scenario : Scenario, str or Path
        What is changed; or, if `variables` is left out, the name of a bundled design or the path of a design file.
    variables : mapping
        By dotted path of a field: ``{"from": a, "to": b}``, with ``start``, ``spacing: logarithmic``, ``fields`` (several that get
        the value together) or ``relative``; or a list of choices, such as materials.
    minimise : str or mapping
        A formula as studies have it (``arm.mass``, ``tip_error_peak``), or the name of a variable; several by name give a front.
    limits : sequence of str
        What must hold, as ``frequency(1) > 20 Hz``.
    search : mapping
        ``{"type": "auto", "runs": 400, "seed": 1}``; type also local, evolution, cma-es, front.
    workers : int, optional
        Processes; 1 when left out (this one), 0 as many as there are processors.
    folder, resume, force :
        Where trials are kept; go on with those that are there; or replace them.
    progress, cancel : callable, optional
        Called with (stage, done, total); asked between generations.
    **more
        Other keys of design files: name, set, keep, step, static.

    Returns
    -------
    Optimum

    Examples
    --------
    >>> import flexarm as fa
    >>> height = {"arm.links.link.section.height": {"from": "2 mm", "to": "20 mm"}}
    >>> found = fa.optimise("li-zhang-single", height, "arm.mass", ["frequency(1) > 60 Hz"], search={"type": "local"})
    >>> found.success, abs(found.limits["frequency(1) > 60 Hz"]) < 1e-3
    (True, True)
    """
    if variables is None and not isinstance(scenario, Scenario):
        node, beside = find_design(scenario)
        problem = read_design(node, beside)
    else:
        base = as_scenario(scenario)
        entries = {
            "name": base.name, **more, "scenario": base.name, "variables": dict(variables or {}), "minimise": minimise, "limits": list(limits),
            "search": dict(search or {}),
        }  # fmt: skip
        problem = read_design(wrap({k: v for k, v in entries.items() if v not in (None, [], {})}, ""), None, base)
    count, tell = (cores() if workers == 0 else workers or 1), progress or (lambda stage, done, total: None)
    trials = Trials(
        problem.plan, count, Path(folder) if folder is not None else None, resume, force,
        lambda done: tell("trials", min(done, problem.search.runs), problem.search.runs), cancel or (lambda: False),
    )  # fmt: skip
    try:
        find(problem, trials)
    finally:
        trials.close()
    return answer(problem, trials)


def find(problem: Problem, trials: Trials) -> None:
    """Search; see `flexarm.studies.search`."""
    search(problem, trials)


def answer(problem: Problem, trials: Trials) -> Optimum:
    """What the trials say."""
    plan, values, numbers = problem.plan, np.array(trials.values), np.array(trials.numbers)
    goals, over = problem.judged(values, numbers)
    best = best_of(problem, trials)
    missed = np.where(
        trials.succeeded & np.isfinite(over).all(axis=1), np.clip(over, 0.0, None).max(axis=1, initial=0.0), np.inf
    )
    k = int(np.argmin(missed)) if best is None else best
    changes: dict[str, Any] = {}
    for variable, value in zip(plan.variables, values[k], strict=True):
        changes |= variable.changes(value)
    found = {
        v.name: v.options[int(x)][0] if v.options else float(x) for v, x in zip(plan.variables, values[k], strict=True)
    }
    several = len(problem.objectives) > 1
    on = front_of(problem, trials) if several else np.array([] if best is None else [best], dtype=int)
    return Optimum(
        plan.name, best is not None, _message(problem, trials, best, k, missed, len(on)), found,
        dict(zip(plan.asked.numbers, map(float, numbers[k]), strict=True)), plan.scenario.with_(changes),
        {limit.text: float(-over[k, c]) for c, limit in enumerate(problem.limits)}, _table(problem, trials, goals, over, on),
        problem.units | {v.name: "" if v.options else v.unit for v in plan.variables}, tuple(problem.objectives), problem.notes,
    )  # fmt: skip


def _message(problem: Problem, trials: Trials, best: int | None, k: int, missed: np.ndarray, on: int) -> str:
    if best is None:
        worst = (
            f"the nearest one misses a limit by {100 * missed[k]:.3g} %"
            if np.isfinite(missed[k])
            else "none could be judged"
        )
        return (
            f"none of {len(trials)} trials meets all limits: {worst}; widen the ranges, or make the limits less strict"
        )
    if len(problem.objectives) > 1:
        return f"{on} of {len(trials)} trials are on the front"
    ends = [
        v.name
        for v, x in zip(problem.plan.variables, trials.values[best], strict=True)
        if v.law is not None and not v.options and _at_end(v.law, x)
    ]
    note = f"; {', '.join(ends)} {'is' if len(ends) == 1 else 'are'} at the end of the range" if ends else ""
    return f"the best of {len(trials)} trials{note}"


def _at_end(law: Any, x: float) -> bool:
    return bool(min(x - law.low, law.high - x) <= 1e-9 * (law.high - law.low))


def _table(problem: Problem, trials: Trials, goals: np.ndarray, over: np.ndarray, on: np.ndarray) -> xarray.Dataset:
    import xarray

    plan, values, numbers = problem.plan, np.array(trials.values), np.array(trials.numbers)
    columns: dict[str, Any] = {}
    for c, v in enumerate(plan.variables):
        labels = [v.options[int(x)][0] for x in values[:, c]] if v.options else values[:, c]
        columns[v.name] = ("trial", labels, {} if v.options else {"units": v.unit})
    for c, name in enumerate(plan.asked.numbers):
        columns[name] = ("trial", numbers[:, c], {"units": problem.units.get(name, "")})
    for c, name in enumerate(problem.objectives):
        columns[name] = ("trial", goals[:, c], columns.get(name, ("", "", {}))[2] if name in columns else {})
    front = np.zeros(len(values), dtype=bool)
    front[on] = True
    columns["allowed"] = ("trial", trials.succeeded & (over <= MET).all(axis=1))
    columns["front"] = ("trial", front)
    columns["outcome"], columns["message"] = ("trial", trials.outcomes), ("trial", trials.messages)
    return xarray.Dataset(columns, coords={"trial": np.arange(len(values))}, attrs={"title": plan.name})
