"""One step for all runs of a group: the automatic one of its hardest corners, checked on others; and a first run of each group."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.simulation.build import prepare
from flexarm.studies.chunk import Chunk, number_of, reduce_block, run_chunk
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
    values = np.concatenate([plan.design.values(int(row), int(row) + 1) for row in rows])
    found = {group: rows[members] for group, members in plan.members(values)}
    if len(found) > MOST_GROUPS:
        raise FlexarmError(
            f"there are more than {MOST_GROUPS} groups of variants, each of which is built by itself; list fewer choices",
            field="vary",
        )
    return found


def fixed_steps(
    plan: Plan, groups: dict[Group, np.ndarray], tell: Callable[[int, int], None]
) -> tuple[dict[Group, float], list[str]]:
    """Step of every group whose scenario leaves it to the program, and what is to be said about it."""
    steps: dict[Group, float] = {}
    notes: list[str] = []
    if not plan.asked.runs or any(variable.name == "time.step" for variable in plan.variables):
        return steps, notes
    for k, (group, rows) in enumerate(groups.items()):
        tell(k, len(groups))
        if plan.base(group).time.step != "auto":
            continue
        values = np.concatenate([plan.design.values(int(row), int(row) + 1) for row in rows])
        corners = list(
            dict.fromkeys(int(at) for k in plan.numbers for at in (values[:, k].argmin(), values[:, k].argmax()))
        ) or [0]
        others = [int(at) for at in np.random.default_rng(0).permutation(len(rows)) if int(at) not in corners][:CHECKED]
        hardest = min(
            (step for at in corners if (step := _own_step(plan, group, values[at])) is not None), default=None
        )
        checked = [step for at in others if (step := _own_step(plan, group, values[at])) is not None]
        if hardest is None and not checked:
            continue  # each of its runs will say why it cannot be built
        steps[group] = min([*([hardest] if hardest is not None else []), *checked])
        finer = "" if hardest is None or steps[group] == hardest else ", which asked for a finer one"
        where = ", ".join(plan.variables[c].options[option][0] for c, option in zip(plan.choices, group, strict=True))
        notes.append(
            f"step of all runs{f' with {where}' if where else ''}: {steps[group]:.4g} s, the least automatic one of {len(corners)} corners"
            + (f", checked on {len(others)} others{finer}" if others else "")
        )
    return steps, notes


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
        row = int(rows[0])
        began = time.process_time()
        chunks.append(run_chunk(plan, row, row + 1))
        seconds = max(seconds, time.process_time() - began)
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
