"""One step for all runs of a group: the automatic one of its hardest corners, checked on others; and a first run of each group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.simulation.build import prepare
from flexarm.studies.chunk import Chunk, number_of, reduce_block, run_chunk
from flexarm.studies.lean import ALIGNED, STARTS
from flexarm.studies.plan import Group, Plan
from flexarm.studies.runner import SUCCESS
from flexarm.studies.unit_powers import text_of

LOOKED_AT, CHECKED = 512, 3
"""Rows of a study that are looked at for its corners, and runs besides them that check the step."""
MOST_GROUPS = 1000
ATTEMPTS = 6
"""Runs that are tried before a study whose runs all fail is refused."""


def spread_rows(plan: Plan) -> np.ndarray:
    """Numbers of some runs, over the whole study, (rows,)."""
    few = min(plan.count, LOOKED_AT * max(1, int(np.prod([len(plan.variables[k].options) for k in plan.choices]))))
    return np.unique(np.linspace(0, plan.count - 1, min(few, 100 * LOOKED_AT)).round().astype(np.int64))


def group_rows(plan: Plan) -> dict[Group, np.ndarray]:
    """Some runs of every group, by number."""
    rows = spread_rows(plan)
    found = {group: rows[members] for group, members in plan.members(rows_of(plan, rows))}
    if len(found) > MOST_GROUPS:
        raise FlexarmError(
            f"there are more than {MOST_GROUPS} groups of variants, each of which is built by itself; list fewer choices",
            field="vary",
        )
    return found


def fixed_settings(
    plan: Plan, groups: dict[Group, np.ndarray], tell: Callable[[int, int], None]
) -> tuple[dict[Group, dict[str, Any]], list[str]]:
    """Step and time scheme of every group whose scenario leaves them to the program, and what is to be said about it."""
    settings: dict[Group, dict[str, Any]] = {}
    notes: list[str] = []
    if not plan.asked.runs:
        return settings, notes
    steps_vary = any(each.name == "time.step" for variable in plan.variables for each in variable.fields)
    for done, (group, rows) in enumerate(groups.items()):
        tell(done, len(groups))
        base, fixed = plan.base(group), {}
        if base.time.step == "auto" and not steps_vary:
            step, note = _step(plan, group, rows_of(plan, rows))
            if step is None:
                continue  # each of its runs will say why it cannot be built
            fixed["time.step"] = step
            notes.append(note)
        if getattr(base.method.options, "scheme", "") == "auto":
            made = prepare(base.with_(fixed) if fixed else base)
            fixed["method.scheme"] = made.model.choice.scheme  # type: ignore[attr-defined]
        if fixed:
            settings[group] = fixed
    return settings, notes


def _step(plan: Plan, group: Group, values: np.ndarray) -> tuple[float | None, str]:
    """The least automatic step of the corners among rows of values, checked on others; and a sentence about it."""
    ends = [int(at) for k in plan.numbers for at in (values[:, k].argmin(), values[:, k].argmax())]
    corners = list(dict.fromkeys(ends)) or [0]
    others = [int(at) for at in np.random.default_rng(0).permutation(len(values)) if int(at) not in corners][:CHECKED]
    found = [[_own_step(plan, group, values[at]) for at in some] for some in (corners, others)]
    hardest, checked = ([step for step in some if step is not None] for some in found)
    if not hardest and not checked:
        return None, ""
    step = min([*hardest, *checked])
    finer = ", which asked for a finer one" if hardest and step < min(hardest) else ""
    where = ", ".join(plan.variables[c].options[option][0] for c, option in zip(plan.choices, group, strict=True))
    note = (
        f"step of all runs{f' with {where}' if where else ''}: {step:.4g} s, the least automatic one of {len(corners)} corners"
        + (f", checked on {len(others)} others{finer}" if others else "")
    )
    return step, note


def rows_of(plan: Plan, rows: np.ndarray) -> np.ndarray:
    """Values of some runs, (rows, variables)."""
    return np.concatenate([plan.design.values(int(row), int(row) + 1) for row in rows])


def prepared(plan: Plan, groups: dict[Group, np.ndarray]) -> Plan:
    """The plan with what its runners begin with, and with chunks that keep together what runs in one call."""
    starts = {}
    for group, rows in groups.items():
        values = rows_of(plan, rows[: 4 * STARTS])[:, plan.numbers]
        values = values[(values != 0.0).all(axis=1)][:STARTS]
        if len(values) == STARTS:
            starts[group] = values
    plan = plan.fixed(starts=starts)
    together = any(getattr(plan.runner(group), "at_once", False) for group in groups)
    return plan.fixed(aligned=ALIGNED) if together else plan


def _own_step(plan: Plan, group: Group, row: np.ndarray) -> float | None:
    """Automatic step of one variant, s; None if it cannot be built."""
    try:
        return float(prepare(plan.one_by_one(group).scenario(row[plan.numbers])).step)
    except FlexarmError:
        return None


def first_runs(plan: Plan, groups: dict[Group, np.ndarray]) -> tuple[list[Chunk], dict[str, str], float]:
    """A first run of every group in this process: kernels get compiled, formulas are checked, a run is timed.

    Returns
    -------
    list of Chunk, dict, float
        The runs, as chunks of one; units of the kept numbers and signals; processor time of a run, s.

    Raises
    ------
    FlexarmError
        If a formula does not fit the runs, or if all that were tried fail.
    """
    chunks: list[Chunk] = []
    units: dict[str, str] = {}
    seconds = 0.0
    for group, rows in groups.items():
        units = _units(plan, group, rows) or units
        first = int(rows[0]) // plan.aligned * plan.aligned
        if not any(chunk.start <= first < chunk.stop for chunk in chunks):
            chunks.append(run_chunk(plan, first, min(first + plan.aligned, plan.count)))
            seconds = max(seconds, chunks[-1].seconds / (chunks[-1].stop - first))
    return chunks, units, seconds


def _units(plan: Plan, group: Group, rows: np.ndarray) -> dict[str, str]:
    """Run a few variants until one succeeds, and see what the formulas make of it."""
    runner, trouble = plan.one_by_one(group), ""
    for row in dict.fromkeys(int(rows[int(at)]) for at in np.linspace(0, len(rows) - 1, min(ATTEMPTS, len(rows)))):
        values = plan.design.values(row, row + 1)[0]
        try:
            block = runner.run(values[plan.numbers])
        except FlexarmError as error:
            trouble = trouble or str(error)
            continue
        if block.outcomes[0] != SUCCESS or block.source is None:
            trouble = trouble or block.messages[0]
            continue
        source = block.source
        reduce_block(source, 1, plan.asked)
        found = {name: number_of(source, name, each)[1] for name, each in plan.asked.numbers.items()}
        found |= {name: formula.value(source).unit for name, formula in plan.asked.signals.items()}
        return {name: text_of(unit) if unit is not None else "" for name, unit in found.items()}
    if len(rows) <= ATTEMPTS and len(rows) < plan.count:
        return {}
    raise FlexarmError(f"the first runs of this study all fail: {trouble}")
