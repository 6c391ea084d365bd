"""Parameters of a scenario from measured logs, by least squares between log and run.

The unknowns p, scaled to their start values, make sum ((y - y(p))/sigma)^2 over all samples, columns and logs least (`gauss_newton`).
All runs have the step that the first one needs, so that y(p) is smooth; its derivatives are differences of runs for numbers of the
scenario and known for lag, offset and scale of the sensors. The covariance is (J^T J)^-1 with stated sigma, times the reduced chi-square if
sigma is estimated. What the mesh does to the values is read from one run on a finer one: J^+ (y - y_fine).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analysis.measured import Log
from flexarm.control import gauss_newton
from flexarm.control.fields import with_values
from flexarm.control.fit_data import Sigma
from flexarm.control.fit_result import Fit, FittedColumn, close_pairs
from flexarm.control.fit_runs import FitRuns
from flexarm.control.judgement import BLURRED, whiteness
from flexarm.control.unknowns import as_wanted
from flexarm.errors import FlexarmError
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.many import run_many
from flexarm.simulation.progress import Cancel, Progress

MOST_STEPS = 30
FINER_BY = 2
"""Times that the mesh is made finer: to about twice as many parts."""
LARGEST_SHIFT = 0.2
"""Standard deviations by which the mesh may move a value without a word."""


@with_one_blas_thread
def fit(
    scenario: Scenario | str | Path | Sequence[Scenario | str | Path],
    logs: Any,
    parameters: Any,
    *,
    columns: Mapping[str, str | None] | None = None,
    sigma: Sigma = None,
    bounds: Mapping[str, tuple[Any, Any]] | None = None,
    most_steps: int = MOST_STEPS,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Fit:
    """Fit numbers of a scenario to measured logs.

    Parameters
    ----------
    scenario : Scenario, str or Path, or a sequence of them
        The arm and what drives it; one for all logs, or one for each.
    logs : path, Log, mapping, or a sequence of them
        CSV files (see `read_log`), or mappings of a signal of the run (``strain:root``) to a `Log`.
    parameters : sequence of str, or mapping of str to start value
        Dotted names of numbers of the scenario, such as ``arm.payload.mass``; and ``lag`` (of each log), ``offset``, ``scale`` (of each column).
        Start values are those of the scenario unless given, in SI units or as text with a unit.
    columns : mapping, optional
        Column of the files -> signal of the run; a file with one column beside the time is taken for the first gauge.
    sigma : mapping or float, optional
        Standard deviation of the noise by column or signal, SI units; from the residuals when left out.
    bounds : mapping, optional
        Name -> (low, high), either may be None; those of the scenario's fields always hold.
    most_steps : int
        Steps after which it is given up.
    progress, cancel : callable, optional
        Told (``runs``, done, expected); asked between runs.

    Returns
    -------
    Fit
        Values, standard deviations, correlations, chi-square, whiteness, what cannot be told, the fitted scenario.

    Examples
    --------
    >>> import flexarm as fa
    >>> rig = fa.load("tokhi-azad-20g").with_({"arm.damping": {"time": 3e-4}})
    >>> run = fa.simulate(rig)
    >>> log = fa.Log("made up", run.data.time.values, run.data.joint_position.values[:, 0], "rad")
    >>> found = fa.fit(rig, {"joint_position:link": log}, {"arm.payload.mass": "15 g"})
    >>> round(found["arm.payload.mass"], 6)
    0.02
    """
    wanted = as_wanted(parameters)
    several = [logs] if isinstance(logs, (str, Path, Mapping, Log)) else list(logs)
    bases = [scenario] * len(several) if isinstance(scenario, (Scenario, str, Path)) else list(scenario)
    if len(bases) != len(several) or not several:
        raise FlexarmError(
            f"there are {len(bases)} scenarios and {len(several)} logs: give one for all, or one for each"
        )
    runs = FitRuns(
        [as_scenario(base) for base in bases], several, wanted, columns or {}, sigma, bounds or {}, progress, cancel
    )
    return _found(runs, most_steps)


def _found(runs: FitRuns, most_steps: int) -> Fit:
    """Fit, and judge what was found."""
    runs.check_smooth()
    time = np.concatenate([runs.shares(i, k) for i, k in runs.places])
    low, high = (np.array([getattr(u, end) for u in runs.unknowns]) / runs.size for end in ("low", "high"))
    columns = [
        (rows, runs.experiments[i].columns[k].sigma is not None)
        for (i, k), rows in zip(runs.places, runs.slices, strict=True)
    ]
    best = gauss_newton.least_squares(
        runs.residuals, runs.jacobian, runs.start, low, high, runs.reach, time, columns, runs.spread, most_steps
    )
    values, names = best.x * runs.size, [u.name for u in runs.unknowns]
    chi = float(np.sum((best.residuals / best.sigma) ** 2)) / max(len(best.residuals) - len(names), 1)
    stated = all(each.sigma is not None for made in runs.experiments for each in made.columns)
    jacobian, known, sd = runs.told(best.x, best.residuals, best.jacobian, best.sigma, 1.0 if stated else chi)
    best = replace(best, jacobian=jacobian)
    finite = np.where(np.isfinite(np.diag(known.covariance)), np.diag(known.covariance), 1.0)
    correlation = known.covariance / np.sqrt(np.outer(finite, finite))
    np.fill_diagonal(correlation, 1.0)
    shown = [_column(runs, n, best.residuals, best.sigma) for n in range(len(runs.places))]
    shift = _mesh_shift(runs, best, sd / runs.size)
    notes = [*runs.notes, *_remarks(runs, best, shown, shift, chi, stated, low, high)]
    notes += close_pairs(names, correlation)
    return Fit(
        tuple(names), values, sd, runs.start * runs.size, tuple(u.unit for u in runs.unknowns), correlation, chi, shift,
        tuple(map(str, known.blind)), tuple(shown), tuple(_fitted(runs, values)), best.converged, best.steps, runs.done,
        tuple(notes),
    )  # fmt: skip


def _fitted(runs: FitRuns, values: np.ndarray) -> list[Scenario]:
    """The scenarios that were given, with the values that were found."""
    pairs = {u.field: float(v) for u, v in zip(runs.fields, values, strict=False) if u.field is not None}
    return [with_values(base, pairs) for base in runs.bases]


def _column(runs: FitRuns, n: int, r: np.ndarray, sigma: np.ndarray) -> FittedColumn:
    (i, k), rows = runs.places[n], runs.slices[n]
    each = runs.experiments[i]
    column, part = each.columns[k], r[rows]
    return FittedColumn(
        each.name, column.signal, column.log.unit, each.times(k), runs.data[rows], runs.data[rows] - part,
        float(sigma[rows.start]), column.sigma is None, whiteness(part),
    )  # fmt: skip


def _mesh_shift(runs: FitRuns, best: gauss_newton.Found, sd: np.ndarray) -> np.ndarray:
    """Change of the values on a finer mesh with half the step, in standard deviations, by linearisation."""
    fine, readings = [], np.full(len(sd), np.nan)
    for i, made in enumerate(runs.scenarios(best.x)):
        options = made.method.options.finer(FINER_BY)
        parts = list(options.resolution) if isinstance(options.resolution, tuple) else options.resolution
        half = f"{0.5 * float(made.time.step)!r} s"
        for step in (half, "auto"):  # an explicit scheme may need a step that is shorter still
            found = run_many([made.with_({"method.resolution": parts, "time.step": step})], runs.keep(i))[0]
            runs.count(1)
            if not isinstance(found, FlexarmError):
                break
        if isinstance(found, FlexarmError):
            runs.notes.append(
                f"what the mesh does to the values is not known, because it cannot be made finer: {found}"
            )
            return readings
        fine.append(found)
    apart = (runs.data - best.residuals) - runs.read(fine, best.x)[0]
    weighted = best.jacobian / best.sigma[:, None]
    size = np.linalg.norm(weighted, axis=0)
    d = np.linalg.lstsq(weighted / size, apart / best.sigma, rcond=BLURRED)[0] / size
    return np.where(np.isfinite(sd), d / np.where(sd > 0.0, sd, np.inf), np.nan)


def _remarks(
    runs: FitRuns, best: gauss_newton.Found, columns: Sequence[FittedColumn], shift: np.ndarray, chi: float, stated: bool,
    low: np.ndarray, high: np.ndarray,
) -> list[str]:  # fmt: skip
    """What is to be said about the fit."""
    made = []
    if not best.converged:
        made.append(
            "the fit did not come to an end: begin with better values, fit fewer parameters, or check the drives"
        )
    for each in columns:
        white = each.whiteness
        if not white.white:
            made.append(
                f"the residuals of {each.signal} are not white ({white.effective:.3g} independent samples of {white.samples}): the model "
                f"leaves something out, and standard deviations are larger by up to {np.sqrt(white.samples / white.effective):.2g} times"
            )
    if stated and chi > 2.0:
        made.append(f"chi-square is {chi:.3g}: the model leaves something out, or the stated noise is too small")
    for u, moved in zip(runs.unknowns, shift, strict=True):
        if abs(moved) > LARGEST_SHIFT:
            made.append(
                f"a finer mesh moves {u.name} by {moved:+.2g} standard deviations: make method.resolution larger or time.step shorter"
            )
    for j, u in enumerate(runs.unknowns):
        if best.x[j] in (low[j], high[j]):
            made.append(f"{u.name} stands at its bound {best.x[j] * u.size:g} {u.unit}".strip())
    return made
