"""Parameters of a scenario from measured logs, by least squares between log and run.

The unknowns p, scaled to their start values, make sum ((y - y(p))/sigma)^2 over all samples, columns and logs least (`gauss_newton`).
All runs have the step that the first one needs, so that y(p) is smooth; its derivatives are differences of runs for numbers of the
scenario and known for lag, offset and scale of the sensors. The covariance is (J^T J)^-1 with stated sigma, times the reduced chi-square if
sigma is estimated. What the mesh does to the values is read from one run on a finer one: J^+ (y - y_fine).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.analysis.measured import Log
from flexarm.control import gauss_newton
from flexarm.control.fields import with_values
from flexarm.control.fit_data import Curves, Experiment, Sigma, columns_of, curves, experiment, record_interval
from flexarm.control.fit_result import Fit, FittedColumn, close_pairs
from flexarm.control.judgement import BLURRED, Information, information, whiteness
from flexarm.control.unknowns import SENSOR, as_wanted, field_unknowns, sensor_unknowns
from flexarm.errors import FlexarmError, Interrupted
from flexarm.numerics.blas import with_one_blas_thread
from flexarm.scenario import Scenario, as_scenario
from flexarm.simulation.build import prepare
from flexarm.simulation.many import run_many
from flexarm.simulation.progress import Cancel, Progress
from flexarm.simulation.run import simulate

DIFFERENCE = 1e-5
"""Change of a scaled unknown for a difference of runs."""
WEAK = 3e-3
"""Singular value of J, as a share of the largest, below which its one-sided differences are made two-sided."""
MOST_STEPS, USUAL = 30, 5
"""Steps after which a fit is given up, and those that it usually takes."""
FINER_BY = 2
"""Times that the mesh is made finer: to about twice as many parts."""
LARGEST_SHIFT = 0.2
"""Standard deviations by which the mesh may move a value without a word."""
FLOOR = 1e-9
"""Least sigma that is estimated, as a share of a column's spread: a log without noise has none."""
NO_EFFECT = 1e-6
"""Change of a signal, as a share of its size and that of the unknown, that counts as none."""


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
    return Fitting(
        [as_scenario(base) for base in bases], several, wanted, columns or {}, sigma, bounds or {}, progress, cancel
    ).found(most_steps)


class Fitting:
    """The runs of one fit, and what was read from them."""

    def __init__(
        self, bases: list[Scenario], logs: list[Any], wanted: Mapping[str, Any], columns: Mapping[str, str | None],
        sigma: Sigma, bounds: Mapping[str, tuple[Any, Any]], progress: Progress | None, cancel: Cancel | None,
    ):  # fmt: skip
        self.progress, self.cancel = progress, cancel
        self.bases, self.runs, self.notes = bases, 0, list[str]()
        stray = next((name for name in bounds if name not in wanted or name in SENSOR), None)
        if stray is not None:
            raise FlexarmError("bounds are for numbers of the scenario that are fitted", field=stray)
        self.fields = field_unknowns(bases[0], wanted, bounds)
        self.experiments = [
            self._begin(k, base, log, columns, sigma, "lag" in wanted)
            for k, (base, log) in enumerate(zip(bases, logs, strict=True))
        ]
        if len({each.name for each in self.experiments}) < len(bases):
            self.experiments = [replace(each, name=f"{each.name} ({k + 1})") for k, each in enumerate(self.experiments)]
        self.unknowns = [*self.fields, *sensor_unknowns(wanted, self.experiments)]
        self.size = np.array([each.size for each in self.unknowns])
        self.start = np.array([each.start for each in self.unknowns]) / self.size
        self.ran: dict[bytes, list[Curves] | None] = {}
        self.places = [(i, k) for i, each in enumerate(self.experiments) for k in range(len(each.columns))]
        edges = np.cumsum([0, *(int(self.experiments[i].used[k].sum()) for i, k in self.places)])
        self.slices = [slice(int(a), int(b)) for a, b in itertools.pairwise(edges)]
        self.data = np.concatenate([self.experiments[i].values(k) for i, k in self.places])

    def _begin(
        self, number: int, base: Scenario, log: Any, columns: Mapping[str, str | None], sigma: Sigma, late: bool
    ) -> Experiment:
        """A run of a log with the start values, which tells the step that all runs have; its columns; its lag."""
        values = {each.field: each.start for each in self.fields if each.field is not None}
        watched = with_values(base, values).with_({"output.stations": 2, "output.every": None})
        setup = prepare(watched)
        result = simulate(setup, warn=False, notes=False)
        self._count(1)
        if not result.success:
            raise FlexarmError(f"the run with the start values did not reach its end: {result.message}")
        made = columns_of(log, columns, result, sigma)
        name = Path(log).name if isinstance(log, (str, Path)) else getattr(log, "name", f"log {number + 1}")
        every = record_interval(made, late, setup.step)
        fixed = watched.with_(
            {"time.step": f"{setup.step!r} s", "output.every": f"{every!r} s", "method.error_estimate": False}
        )
        return experiment(str(name), fixed, made, result, late, self.notes)

    def _count(self, runs: int) -> None:
        self.runs += runs
        if self.progress is not None:
            self.progress("runs", self.runs, max(self.runs, USUAL * (len(self.fields) + 1) * len(self.bases)))
        if self.cancel is not None and self.cancel():
            raise Interrupted("the fit was interrupted before it was done")

    def _key(self, x: np.ndarray) -> bytes:
        return x[: len(self.fields)].tobytes()

    def _scenarios(self, x: np.ndarray, changes: Mapping[str, Any] | None = None) -> list[Scenario]:
        values = {
            each.field: float(value)
            for each, value in zip(self.fields, x * self.size, strict=False)
            if each.field is not None
        }
        return [with_values(each.scenario, values).with_(changes or {}) for each in self.experiments]

    def _run(self, all_x: Sequence[np.ndarray]) -> None:
        """Run what was not run yet: all logs at each of these unknowns, in one go."""
        wanted: list[np.ndarray] = []
        scenarios: list[list[Scenario]] = []
        for x in all_x:
            if self._key(x) not in self.ran and self._key(x) not in map(self._key, wanted):
                wanted.append(x)
                try:
                    scenarios.append(self._scenarios(x))
                except FlexarmError:
                    self.ran[self._key(x)] = None
                    wanted.pop()
        each = len(self.experiments)
        for i in range(each):  # logs may compare other signals
            kept = run_many([made[i] for made in scenarios], self._keep(i))
            self._count(len(scenarios))
            for x, found in zip(wanted, kept, strict=True):
                before = self.ran.get(self._key(x), []) if i else []
                failed = before is None or isinstance(found, FlexarmError)
                self.ran[self._key(x)] = None if failed or before is None else [*before, found]

    def _keep(self, i: int) -> Any:
        return functools.partial(curves, [(c.signal, c.log.unit) for c in self.experiments[i].columns])

    def model(self, x: np.ndarray) -> np.ndarray | None:
        """What the sensors of all logs would read, shape (n,); None if there is no such run."""
        self._run([x])
        found = self.ran[self._key(x)]
        return None if found is None else self._read(found, x)[0]

    def _read(self, found: Sequence[Curves], x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Readings, and their derivatives by the unknowns of the sensors, (n, p) in scaled unknowns."""
        readings, slopes = np.zeros(len(self.data)), np.zeros((len(self.data), len(x)))
        values = x * self.size
        for (i, k), rows in zip(self.places, self.slices, strict=True):
            own = {
                u.kind: (j, float(values[j]))
                for j, u in enumerate(self.unknowns)
                if u.log == i and (u.kind == "lag" or u.column == k) and u.field is None
            }
            lag = own["lag"][1] if "lag" in own else self.experiments[i].lag
            scale = own["scale"][1] if "scale" in own else 1.0
            u, rate = found[i].at(k, self.experiments[i].times(k) - lag)
            readings[rows] = scale * u + (own["offset"][1] if "offset" in own else 0.0)
            for kind, slope in (("lag", -scale * rate), ("offset", 1.0), ("scale", u)):
                if kind in own:
                    j = own[kind][0]
                    slopes[rows, j] = slope * self.size[j]
        return readings, slopes

    def residuals(self, x: np.ndarray) -> np.ndarray | None:
        """Data minus model."""
        found = self.model(x)
        return None if found is None else self.data - found

    def jacobian(self, x: np.ndarray, r: np.ndarray, both: bool = False) -> np.ndarray:
        """Derivatives of the model by the scaled unknowns, by differences to one side or to both."""
        self._run([x])
        here = self.ran[self._key(x)]
        assert here is not None
        slopes = self._read(here, x)[1]
        count = len(self.fields)
        sides = [[self._moved(x, j, sign) for j in range(count)] for sign in ((1.0, -1.0) if both else (1.0,))]
        self._run([other for side in sides for other in side])
        for j in range(count):
            ends = [(side[j], self.model(side[j])) for side in sides]
            found = [(other[j], value) for other, value in ends if value is not None]
            if not found:
                other = self._moved(x, j, -1.0)
                found = [(other[j], value)] if (value := self.model(other)) is not None else []
            if not found:
                raise FlexarmError(
                    "no run comes to its end with a value a little larger or smaller than "
                    f"{x[j] * self.size[j]:g}: begin with another one",
                    field=self.unknowns[j].name,
                )
            first, last = found[0], found[1] if len(found) > 1 else (x[j], self.data - r)
            slopes[:, j] = (first[1] - last[1]) / (first[0] - last[0])
        size = np.concatenate([np.full(s.stop - s.start, np.std(self.data[s]) or 1.0) for s in self.slices])
        blind = [u.name for j, u in enumerate(self.unknowns) if not np.any(np.abs(slopes[:, j]) > NO_EFFECT * size)]
        if blind:
            raise FlexarmError(
                "the logs cannot tell it, because no column that is compared depends on it: leave it out, or compare another signal",
                field=", ".join(blind),
            )
        return slopes

    def _moved(self, x: np.ndarray, j: int, sign: float) -> np.ndarray:
        other = x.copy()
        other[j] += sign * DIFFERENCE * max(abs(x[j]), DIFFERENCE)
        return other

    def reach(self, x: np.ndarray) -> np.ndarray:
        """How far around unknowns a linear model is believed: their own size, a sample for the lag; offset and scale enter linearly."""
        own = {"field": np.abs(x), "lag": np.ones(len(x))}
        return np.array([own[u.kind][j] if u.kind in own else np.inf for j, u in enumerate(self.unknowns)])

    def spread(self, r: np.ndarray, inside: np.ndarray) -> np.ndarray:
        """Sigma of each residual: as stated, or the root mean square of its column."""
        made = np.zeros(len(r))
        for (i, k), rows in zip(self.places, self.slices, strict=True):
            stated = self.experiments[i].columns[k].sigma
            if stated is None:
                part = r[rows][inside[rows]]
                floor = FLOOR * (float(np.std(self.data[rows])) or 1.0)
                share = 1.0 - len(self.unknowns) / max(int(inside.sum()), len(self.unknowns) + 1)
                stated = max(float(np.sqrt(np.mean(part**2) / share)) if len(part) else floor, floor)
            made[rows] = stated
        return made

    def found(self, most_steps: int) -> Fit:
        """Fit, and judge what was found."""
        time = np.concatenate([self._shares(i, k) for i, k in self.places])
        low, high = (np.array([getattr(u, end) for u in self.unknowns]) / self.size for end in ("low", "high"))
        columns = [
            (rows, self.experiments[i].columns[k].sigma is not None)
            for (i, k), rows in zip(self.places, self.slices, strict=True)
        ]
        best = gauss_newton.least_squares(
            self.residuals, self.jacobian, self.start, low, high, self.reach, time, columns, self.spread, most_steps
        )
        values, names = best.x * self.size, [u.name for u in self.unknowns]
        chi = float(np.sum((best.residuals / best.sigma) ** 2)) / max(len(best.residuals) - len(names), 1)
        stated = all(each.sigma is not None for made in self.experiments for each in made.columns)
        jacobian, known, sd = self.told(best.x, best.residuals, best.jacobian, best.sigma, 1.0 if stated else chi)
        best = replace(best, jacobian=jacobian)
        finite = np.where(np.isfinite(np.diag(known.covariance)), np.diag(known.covariance), 1.0)
        correlation = known.covariance / np.sqrt(np.outer(finite, finite))
        np.fill_diagonal(correlation, 1.0)
        shown = [self._column(n, best.residuals, best.sigma) for n in range(len(self.places))]
        shift = self._mesh_shift(best, sd / self.size)
        notes = [*self.notes, *self._remarks(best, shown, shift, chi, stated, low, high)]
        notes += close_pairs(names, correlation)
        return Fit(
            tuple(names), values, sd, self.start * self.size, tuple(u.unit for u in self.unknowns), correlation, chi, shift,
            tuple(map(str, known.blind)), tuple(shown), tuple(self._fitted(values)), best.converged, best.steps, self.runs,
            tuple(notes),
        )  # fmt: skip

    def told(
        self, x: np.ndarray, r: np.ndarray, jacobian: np.ndarray, sigma: np.ndarray, factor: float
    ) -> tuple[np.ndarray, Information, np.ndarray]:
        """J, two-sided if it is weak; what the logs tell; and the standard deviations of the unknowns.

        The scale is one on which one is all of an unknown: logarithms, but offsets and lags, which may be zero, by their sizes.
        """
        change = np.where([u.kind in ("field", "scale") for u in self.unknowns], np.abs(x), 1.0)
        strengths = np.linalg.svd(jacobian * change / sigma[:, None], compute_uv=False)
        if strengths[-1] < WEAK * strengths[0]:
            jacobian = self.jacobian(x, r, both=True)
        known = information(jacobian * change / sigma[:, None], [u.name for u in self.unknowns], factor)
        return jacobian, known, np.sqrt(np.diag(known.covariance)) * change * self.size

    def _fitted(self, values: np.ndarray) -> list[Scenario]:
        """The scenarios that were given, with the values that were found."""
        pairs = {u.field: float(v) for u, v in zip(self.fields, values, strict=False) if u.field is not None}
        return [with_values(base, pairs) for base in self.bases]

    def _shares(self, i: int, k: int) -> np.ndarray:
        """Times of a column as shares of the run, from when its signals begin to move."""
        each, end = self.experiments[i], self.experiments[i].scenario.time.end
        self._run([self.start])
        begin = min((found[i].begins for found in [self.ran[self._key(self.start)]] if found), default=0.0)
        return np.clip((each.times(k) - each.lag - begin) / (end - begin), 0.0, 1.0)

    def _column(self, n: int, r: np.ndarray, sigma: np.ndarray) -> FittedColumn:
        (i, k), rows = self.places[n], self.slices[n]
        each = self.experiments[i]
        column, part = each.columns[k], r[rows]
        return FittedColumn(
            each.name, column.signal, column.log.unit, each.times(k), self.data[rows], self.data[rows] - part,
            float(sigma[rows.start]), column.sigma is None, whiteness(part),
        )  # fmt: skip

    def _mesh_shift(self, best: gauss_newton.Found, sd: np.ndarray) -> np.ndarray:
        """Change of the values on a finer mesh with half the step, in standard deviations, by linearisation."""
        fine, readings = [], np.full(len(sd), np.nan)
        for i, made in enumerate(self._scenarios(best.x)):
            options = made.method.options.finer(FINER_BY)
            parts = list(options.resolution) if isinstance(options.resolution, tuple) else options.resolution
            half = f"{0.5 * float(made.time.step)!r} s"
            for step in (half, "auto"):  # an explicit scheme may need a step that is shorter still
                found = run_many([made.with_({"method.resolution": parts, "time.step": step})], self._keep(i))[0]
                self._count(1)
                if not isinstance(found, FlexarmError):
                    break
            if isinstance(found, FlexarmError):
                self.notes.append(
                    f"what the mesh does to the values is not known, because it cannot be made finer: {found}"
                )
                return readings
            fine.append(found)
        apart = (self.data - best.residuals) - self._read(fine, best.x)[0]
        weighted = best.jacobian / best.sigma[:, None]
        size = np.linalg.norm(weighted, axis=0)
        d = np.linalg.lstsq(weighted / size, apart / best.sigma, rcond=BLURRED)[0] / size
        return np.where(np.isfinite(sd), d / np.where(sd > 0.0, sd, np.inf), np.nan)

    def _remarks(
        self, best: gauss_newton.Found, columns: Sequence[FittedColumn], shift: np.ndarray, chi: float, stated: bool,
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
        for u, moved in zip(self.unknowns, shift, strict=True):
            if abs(moved) > LARGEST_SHIFT:
                made.append(
                    f"a finer mesh moves {u.name} by {moved:+.2g} standard deviations: make method.resolution larger or time.step shorter"
                )
        for j, u in enumerate(self.unknowns):
            if best.x[j] in (low[j], high[j]):
                made.append(f"{u.name} stands at its bound {best.x[j] * u.size:g} {u.unit}".strip())
        return made
