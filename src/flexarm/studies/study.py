"""Run a study: from a file or from Python, here or on a cluster, from the beginning or on from where it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flexarm.errors import FlexarmError, Interrupted
from flexarm.processes import cores
from flexarm.scenario import Scenario, as_scenario
from flexarm.scenario.node import Node, wrap
from flexarm.studies.answers import read_limit
from flexarm.studies.file import find_study, make_plan
from flexarm.studies.fill import SECONDS, fill
from flexarm.studies.places import Cluster, Here, Place, Processes
from flexarm.studies.plan import Plan
from flexarm.studies.result import StudyResult, make_result
from flexarm.studies.steps import first_runs, fixed_settings, group_rows, prepared
from flexarm.studies.store import Store, read_about
from flexarm.studies.table import Table

PAYS = 4.0
"""Seconds of work that must be left, as the first run tells, before processes are started."""
Progress = Callable[[str, int, int], None]
"""Called with (stage, done, total)."""


@dataclass(frozen=True)
class Where:
    """Where a study runs and what becomes of it.

    workers : processes of this machine, by default as many as it has processors, and none if little is to be done; scheduler :
    address of a Dask scheduler or a client; folder, resume, force : where chunks are kept; chunk : processor time of a chunk
    that is aimed at, s.
    """

    workers: int | None = None
    scheduler: Any = None
    folder: Path | None = None
    resume: bool = False
    force: bool = False
    chunk: float = SECONDS


def study(
    scenario: Scenario | str | Path,
    vary: Mapping[str, Any] | None = None,
    keep: Sequence[str] | Mapping[str, str | Callable[..., Any]] = (),
    *,
    signals: Sequence[str] | Mapping[str, str] = (),
    design: Mapping[str, Any] | None = None,
    workers: int | None = None,
    scheduler: Any = None,
    folder: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    chunk: float = SECONDS,
    progress: Progress | None = None,
    cancel: Callable[[], bool] | None = None,
    **more: Any,
) -> StudyResult:
    """Run many variants of a scenario and keep some numbers of each.

    Parameters
    ----------
    scenario : Scenario, str or Path
        What is varied; or, if `vary` and `keep` are left out, the name of a bundled study or the path of a study file.
    vary : mapping
        By dotted path of a field: a list of values, ``{"from": a, "to": b, "count": n}``, a distribution such as
        ``{"distribution": "normal", "mean": "20 g", "sd": "2 g"}``, or ``{"variants": {...}}``; as in study files.
    keep : sequence or mapping
        Kept numbers: formulas such as ``tip_deflection_peak`` or ``max(abs(joint_torque.upper))``, by name if it is a
        mapping. A Python function of the result is taken as well.
    signals : sequence or mapping
        Kept signals, as formulas, at common instants (`instants`).
    design : mapping
        ``{"type": "random", "runs": 100, "seed": 1}``; type also latin-hypercube, sobol or saltelli.
    workers : int, optional
        Processes; by default as many as there are processors, and one (this one) if little is to be done.
    scheduler : str or distributed.Client, optional
        A Dask cluster in place of processes of this machine.
    folder : str or Path, optional
        Where finished chunks are kept; with `resume` a study goes on that was interrupted there, with `force` it begins anew.
    chunk : float
        Processor time in s of the pieces in which runs are handed out and kept; it changes no bit of the table.
    progress : callable, optional
        Called with (stage, done, total).
    cancel : callable, optional
        The study stops once it returns True; what is done is kept in the folder, and `Interrupted` is raised.
    **more
        Other keys of study files: name, set, correlation, step, instants, static, limits.

    Returns
    -------
    StudyResult

    Examples
    --------
    >>> import flexarm as fa
    >>> spread = {"arm.payload.mass": {"distribution": "uniform", "low": "0 g", "high": "50 g"}}
    >>> table = fa.study("tokhi-azad", spread, ["tip_deflection_peak"], design={"runs": 20, "type": "sobol"}, workers=1)
    >>> table.data.sizes["run"], bool(table.succeeded.all())
    (20, True)
    """
    if not 0.0 < chunk <= 86400.0:
        raise FlexarmError(f"chunk is a time of up to a day in s, not {chunk:g}", field="chunk")
    place = Where(workers, scheduler, Path(folder) if folder is not None else None, resume, force, chunk)
    if vary is None and not keep and not signals and not isinstance(scenario, Scenario):
        node, beside = find_study(scenario)
        return run_plan(make_plan(_with(node, design, more), beside), place, progress, cancel)
    base = as_scenario(scenario)
    formulas, functions = _taken_apart(keep)
    entries = {
        "name": base.name,
        **more,
        "scenario": base.name,
        "vary": dict(vary or {}),
        "keep": formulas,
        "signals": signals,
    }
    node = wrap({key: value for key, value in entries.items() if value not in (None, (), {}, [])}, "")
    return run_plan(make_plan(_with(node, design, {}), None, functions, base), place, progress, cancel)


def _with(node: Node, design: Mapping[str, Any] | None, more: Mapping[str, Any]) -> Node:
    """A study with other values of some keys."""
    over = wrap({**more, **({"design": dict(design)} if design else {})}, "")
    merged = dict(node.value)
    for key, child in over.value.items():
        both = isinstance(child.value, dict) and isinstance(getattr(merged.get(key), "value", None), dict)
        merged[key] = Node({**merged[key].value, **child.value}, child.file, child.line) if both else child
    return Node(merged, node.file, node.line)


def _taken_apart(keep: Any) -> tuple[Any, dict[str, Callable[..., Any]]]:
    """Formulas and functions of what is kept."""
    if isinstance(keep, str):
        raise FlexarmError("it is a list of formulas, or a mapping of names to formulas", field="keep")
    if not isinstance(keep, Mapping):
        keep = {getattr(each, "__name__", str(each)) if callable(each) else str(each): each for each in keep}
    functions = {name: each for name, each in keep.items() if callable(each)}
    return {name: each for name, each in keep.items() if not callable(each)}, functions


def run_plan(
    plan: Plan, where: Where, progress: Progress | None = None, cancel: Callable[[], bool] | None = None
) -> StudyResult:
    """Run what is not done yet, and make the table."""
    tell = progress or (lambda stage, done, total: None)
    began, stop = time.perf_counter(), cancel or (lambda: False)
    store = Store(where.folder, plan, where.resume, where.force) if where.folder is not None else None
    groups = group_rows(plan)
    kept = store.settings if store is not None else None
    notes = store.notes if store is not None else []
    if kept is None:
        kept, notes = fixed_settings(plan, groups, lambda done, total: tell("choosing the step", done, total))
    plan = prepared(plan.fixed(settings=kept), groups)
    tell("first runs", 0, len(groups))
    chunks, units, per_run = first_runs(plan, groups)
    if store is not None:
        store.begin(plan, notes)
    table = Table(plan, store)
    for chunk in chunks:
        table.add(chunk)
    found = make_result(plan, table, units, [], {})
    for limit in plan.limits:
        read_limit(found, limit)
    place = _place(plan, where, per_run * (plan.count - table.done))
    spent = 0.0

    def rates(done: int, total: int, rate: float) -> None:
        tell(f"{rate:.3g} runs/s", done, total)

    try:
        spent = fill(table, place, per_run, rates, stop, plan.aligned, where.chunk)
    except (FlexarmError, KeyboardInterrupt) as error:
        raise _broken_off(error, table, store) from None
    finally:
        place.close()
    wall = time.perf_counter() - began
    timing = {"wall": wall, "processor": spent, "runs_per_second": plan.count / wall}
    return make_result(plan, table, units, [*notes, *(store.remarks if store is not None else [])], timing)


def _place(plan: Plan, where: Where, work: float) -> Place:
    if where.scheduler is not None:
        return Cluster(plan, where.scheduler)
    workers = where.workers or (cores() if work > PAYS else 1)
    return Processes(plan, workers) if workers > 1 and plan.count > 1 else Here(plan)


def _broken_off(error: BaseException, table: Table, store: Store | None) -> FlexarmError:
    """What is told when a study ends early: what is kept, and how to go on."""
    kept = (
        f"; {table.done} of {len(table.outcomes)} runs are kept in '{store.folder}', go on with --resume"
        if store is not None
        else ""
    )
    if isinstance(error, FlexarmError) and not isinstance(error, Interrupted):
        return FlexarmError(error.message + kept, field=error.field)
    return Interrupted(f"interrupted after {table.done} of {len(table.outcomes)} runs" + kept)


def read_plan(name: str | Path, runs: int | None = None, seed: int | None = None) -> Plan:
    """The plan of a bundled study or a study file, with another number of draws or another seed if they are given."""
    node, beside = find_study(name)
    changed = {key: value for key, value in (("runs", runs), ("seed", seed)) if value is not None}
    return make_plan(_with(node, changed, {}), beside)


def look_into(plan: Plan, folder: Path) -> StudyResult:
    """What a study has found so far, also while it runs elsewhere."""
    if read_about(folder) is None:
        raise FlexarmError(
            f"the folder '{folder}' holds no study yet; give the one of a study that has begun", field="--out"
        )
    store = Store(folder, plan, resume=True)
    plan = plan.fixed(settings=store.settings or {})
    _, units, _ = first_runs(plan, group_rows(plan))
    return make_result(plan, Table(plan, store), units, store.remarks, {})
