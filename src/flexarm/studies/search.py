"""Searches for the best design, on shares 0..1 of the variables' ranges: a local one by slopes, an evolution, CMA-ES, a front.

Slopes are differences of runs with one step in time, which is the same for all, so that they do not feel the step's own choice.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from flexarm.errors import FlexarmError
from flexarm.studies.design_file import Problem
from flexarm.studies.trials import Trials, check_any

NUDGE = 1e-4
"""Share of a range over which slopes are taken."""
FAILED = 1e3
"""What a failed run counts as missing its limits by."""
MET = 1e-6
"""Share of its bound by which a limit may be missed through rounding."""
MOST_GROUPS = 24
"""Combinations of choices that are searched one by one."""


class Judge:
    """Objectives and limits of shares, by trials."""

    def __init__(self, problem: Problem, trials: Trials):
        self.problem, self.trials = problem, trials

    def __call__(self, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Objectives (rows, objectives) and limits (rows, limits), positive where missed; of failed runs large."""
        values = self.problem.values(shares)
        goals, over = self.problem.judged(values, self.trials.run(values))
        failed = ~np.isfinite(np.concatenate([goals, over], axis=1)).all(axis=1)
        known = np.isfinite(goals).all(axis=1)
        goals[failed & ~known] = np.abs(goals[known]).max(initial=1.0) * 10.0
        over[failed] = FAILED
        return goals, over

    def merit(self, shares: np.ndarray, scale: float) -> np.ndarray:
        """One number to be small, (rows,): designs that miss a limit come after all that miss none, by how much they miss."""
        goals, over = self(shares)
        missed = np.clip(over, 0.0, None).sum(axis=1)
        return np.where(missed > MET, 1e6 + 1e3 * missed, goals[:, 0] / scale)


def best_of(problem: Problem, trials: Trials) -> int | None:
    """Number of the best trial that meets all limits; None if none does."""
    values, numbers = np.array(trials.values), np.array(trials.numbers)
    goals, over = problem.judged(values, numbers)
    good = trials.succeeded & np.isfinite(goals[:, 0]) & (over <= MET).all(axis=1)
    return int(np.flatnonzero(good)[np.argmin(goals[good, 0])]) if good.any() else None


def groups_of(problem: Problem) -> list[tuple[int, ...]]:
    """All combinations of the choices."""
    plan = problem.plan
    return list(itertools.product(*(range(len(plan.variables[k].options)) for k in plan.choices)))


def search(problem: Problem, trials: Trials) -> None:
    """Fill the trials."""
    kind = problem.search.type
    if len(problem.objectives) > 1:
        if kind not in ("auto", "front"):
            raise FlexarmError(
                f"several objectives make a front: leave out search.type: {kind}, or minimise one formula",
                field="search.type",
            )
        return front(problem, trials)
    if kind == "front":
        raise FlexarmError(
            "a front is between several objectives: give minimise as a mapping of names to formulas",
            field="search.type",
        )
    groups = groups_of(problem)
    if len(groups) > MOST_GROUPS:
        raise FlexarmError(
            f"{len(groups)} combinations of choices are more than {MOST_GROUPS}: list fewer, or give several objectives",
            field="variables",
        )
    for group in groups:
        _one_group(problem, Judge(problem, trials), group, max(4, problem.search.runs // len(groups)))
    check_any(trials)


def _one_group(problem: Problem, judge: Judge, group: tuple[int, ...], runs: int) -> None:
    """The best numbers for one combination of choices."""
    free, base = problem.plan.numbers, problem.start.copy()
    base[problem.plan.choices] = group
    if not free:
        judge(base[None])
        return
    kind = problem.search.type
    first = base[free]
    if kind != "local":
        wide = evolution if kind in ("auto", "evolution") else cma_es
        first = wide(problem, judge, base, free, runs)
    local(judge, base, free, first)


def _full(base: np.ndarray, free: list[int], shares: np.ndarray) -> np.ndarray:
    rows = np.tile(base, (len(shares), 1))
    rows[:, free] = np.clip(shares, 0.0, 1.0)
    return rows


def _scale(judge: Judge, row: np.ndarray) -> float:
    value = abs(float(judge(row[None])[0][0, 0]))
    return value if np.isfinite(value) and value > 0.0 else 1.0


def local(judge: Judge, base: np.ndarray, free: list[int], first: np.ndarray) -> None:
    """Sequential quadratic programming (SLSQP) with slopes by differences, all of a point at once."""
    from scipy.optimize import minimize

    scale = _scale(judge, _full(base, free, first[None])[0])
    memory: dict[bytes, Any] = {}

    def point(x: np.ndarray) -> Any:
        key = np.asarray(x, dtype=float).tobytes()
        if key not in memory:
            ends = [np.clip(x + sign * NUDGE * unit, 0.0, 1.0) for unit in np.eye(len(x)) for sign in (-1.0, 1.0)]
            goals, over = judge(_full(base, free, np.array([x, *ends])))
            width = np.array([b[k] - a[k] for k, (a, b) in enumerate(zip(ends[::2], ends[1::2], strict=True))])
            slopes = [(each[2::2] - each[1::2]) / width[:, None] for each in (goals[:, :1] / scale, over)]
            memory[key] = goals[0, 0] / scale, slopes[0][:, 0], over[0], slopes[1].T
        return memory[key]

    limits = (
        [{"type": "ineq", "fun": lambda x: -point(x)[2], "jac": lambda x: -point(x)[3]}] if judge.problem.limits else []
    )
    minimize(
        lambda x: point(x)[0], first, jac=lambda x: point(x)[1], method="SLSQP", bounds=[(0.0, 1.0)] * len(free), constraints=limits,
        options={"maxiter": 60, "ftol": 1e-9},
    )  # fmt: skip


def evolution(problem: Problem, judge: Judge, base: np.ndarray, free: list[int], runs: int) -> np.ndarray:
    """Differential evolution, a generation at once; the best shares."""
    from scipy.optimize import differential_evolution

    n = len(free)
    size = int(np.clip(runs // 12, 6, 15 * n))
    scale = _scale(judge, base)
    found = differential_evolution(
        lambda x: judge.merit(_full(base, free, np.atleast_2d(x.T)), scale), [(0.0, 1.0)] * n, maxiter=max(1, runs // size - 1),
        popsize=max(1, -(-size // n)), rng=problem.search.seed, polish=False, vectorized=True, updating="deferred",
        tol=1e-4, x0=base[free], init="sobol",
    )  # fmt: skip
    return np.asarray(found.x)


def cma_es(problem: Problem, judge: Judge, base: np.ndarray, free: list[int], runs: int) -> np.ndarray:
    """Adaptation of a covariance matrix (CMA-ES), a generation at once; the best shares."""
    try:
        from cmaes import CMA
    except ImportError:
        raise FlexarmError(
            "search.type: cma-es needs cmaes: pip install 'flexarm[tune]'", field="search.type"
        ) from None
    n, scale = len(free), _scale(judge, base)
    if n == 1:
        raise FlexarmError("cma-es wants two variables or more: take evolution", field="search.type")
    made = CMA(mean=base[free], sigma=0.25, bounds=np.array([[0.0, 1.0]] * n), seed=problem.search.seed)
    best, least = base[free], np.inf
    for _ in range(max(1, runs // made.population_size)):
        rows = np.array([made.ask() for _ in range(made.population_size)])
        merits = judge.merit(_full(base, free, rows), scale)
        made.tell(list(zip(rows, merits.tolist(), strict=True)))
        if merits.min() < least:
            best, least = rows[merits.argmin()], float(merits.min())
        if made.should_stop():
            break
    return np.asarray(best)


def front(problem: Problem, trials: Trials) -> None:
    """Designs of which none is better in all objectives (NSGA-II), a generation at once."""
    try:
        import optuna
    except ImportError:
        raise FlexarmError("several objectives need optuna: pip install 'flexarm[tune]'", field="minimise") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    plan, judge = problem.plan, Judge(problem, trials)
    size = int(np.clip(problem.search.runs // 10, 8, 100))
    sampler = optuna.samplers.NSGAIISampler(
        population_size=size, seed=problem.search.seed, constraints_func=lambda trial: trial.user_attrs["over"]
    )
    study = optuna.create_study(directions=["minimize"] * len(problem.objectives), sampler=sampler)
    for _ in range(max(1, problem.search.runs // size)):
        asked = [study.ask() for _ in range(size)]
        rows = np.array([
            [t.suggest_int(v.name, 0, len(v.options) - 1) if v.options else t.suggest_float(v.name, 0.0, 1.0) for v in plan.variables]
            for t in asked
        ], dtype=float)  # fmt: skip
        goals, over = judge(rows)
        for trial, goal, miss in zip(asked, goals, over, strict=True):
            trial.set_user_attr("over", miss.tolist() or [0.0])
            study.tell(trial, goal.tolist())
    check_any(trials)


def front_of(problem: Problem, trials: Trials) -> np.ndarray:
    """Numbers of the trials that meet all limits and that no other one betters in all objectives, by the first objective."""
    values, numbers = np.array(trials.values), np.array(trials.numbers)
    goals, over = problem.judged(values, numbers)
    good = np.flatnonzero(trials.succeeded & np.isfinite(goals).all(axis=1) & (over <= MET).all(axis=1))
    kept = [
        k for k in good
        if not ((goals[good] <= goals[k]).all(axis=1) & (goals[good] < goals[k]).any(axis=1)).any()
    ]  # fmt: skip
    return np.array(sorted(kept, key=lambda k: goals[k, 0]), dtype=int)
