"""The runs of a fit: what the sensors of all logs would read for given unknowns, and the derivatives of that.

All runs of a log have the step that the first one needs, so that differences of runs are smooth. Derivatives by numbers of the scenario are
such differences; those by lag, offset and scale of the sensors are known.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from flexarm.control.fields import with_values
from flexarm.control.fit_data import Curves, Experiment, Sigma, columns_of, curves, experiment, record_interval
from flexarm.control.judgement import Information, information
from flexarm.control.unknowns import SENSOR, field_unknowns, sensor_unknowns
from flexarm.errors import FlexarmError, Interrupted
from flexarm.scenario import Scenario
from flexarm.simulation.build import prepare
from flexarm.simulation.many import run_many
from flexarm.simulation.progress import Cancel, Progress
from flexarm.simulation.run import simulate

DIFFERENCE, SMALL = 1e-5, 1e-3
"""Change of a scaled unknown for a difference of runs, as a share of itself, and the least value that this is reckoned from."""
ROUGH = 0.5
"""Difference of two slopes, as a share of them, at which runs count as not smooth."""
WEAK = 3e-3
"""Singular value of J, as a share of the largest, below which its one-sided differences are made two-sided."""
USUAL = 5
"""Steps that a fit usually takes."""
FLOOR = 1e-9
"""Least sigma that is estimated, as a share of a column's spread: a log without noise has none."""
NO_EFFECT = 1e-6
"""Change of a signal, as a share of its size and that of the unknown, that counts as none."""


class FitRuns:
    """The runs of one fit, and what was read from them."""

    def __init__(
        self, bases: list[Scenario], logs: list[Any], wanted: Mapping[str, Any], columns: Mapping[str, str | None],
        sigma: Sigma, bounds: Mapping[str, tuple[Any, Any]], progress: Progress | None, cancel: Cancel | None,
    ):  # fmt: skip
        self.progress, self.cancel = progress, cancel
        self.bases, self.done, self.notes = bases, 0, list[str]()
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
        self.count(1)
        if not result.success:
            raise FlexarmError(f"the run with the start values did not reach its end: {result.message}")
        made = columns_of(log, columns, result, sigma)
        name = Path(log).name if isinstance(log, (str, Path)) else getattr(log, "name", f"log {number + 1}")
        every = record_interval(made, late, setup.step, setup.program.finest)
        fixed = watched.with_(
            {"time.step": f"{setup.step!r} s", "output.every": f"{every!r} s", "method.error_estimate": False}
        )
        return experiment(str(name), fixed, made, result, late, self.notes)

    def count(self, runs: int) -> None:
        """Tell that so many more runs are done."""
        self.done += runs
        if self.progress is not None:
            self.progress("runs", self.done, max(self.done, USUAL * (len(self.fields) + 1) * len(self.bases)))
        if self.cancel is not None and self.cancel():
            raise Interrupted("the fit was interrupted before it was done")

    def _key(self, x: np.ndarray) -> bytes:
        return x[: len(self.fields)].tobytes()

    def scenarios(self, x: np.ndarray) -> list[Scenario]:
        """What is run for each log."""
        values = {
            each.field: float(value)
            for each, value in zip(self.fields, x * self.size, strict=False)
            if each.field is not None
        }
        return [with_values(each.scenario, values) for each in self.experiments]

    def run(self, all_x: Sequence[np.ndarray]) -> None:
        """Run what was not run yet: all logs at each of these unknowns, in one go."""
        wanted: list[np.ndarray] = []
        scenarios: list[list[Scenario]] = []
        for x in all_x:
            if self._key(x) not in self.ran and self._key(x) not in map(self._key, wanted):
                wanted.append(x)
                try:
                    scenarios.append(self.scenarios(x))
                except FlexarmError:
                    self.ran[self._key(x)] = None
                    wanted.pop()
        for i in range(len(self.experiments)):  # each has signals of its own
            kept = run_many([made[i] for made in scenarios], self.keep(i))
            self.count(len(scenarios))
            for x, found in zip(wanted, kept, strict=True):
                before = self.ran.get(self._key(x), []) if i else []
                failed = before is None or isinstance(found, FlexarmError)
                self.ran[self._key(x)] = None if failed or before is None else [*before, found]

    def keep(self, i: int) -> Any:
        """What is kept of a run of log `i`."""
        return functools.partial(curves, [(c.signal, c.log.unit) for c in self.experiments[i].columns])

    def model(self, x: np.ndarray) -> np.ndarray | None:
        """What the sensors of all logs would read, shape (n,); None if there is no such run."""
        self.run([x])
        found = self.ran[self._key(x)]
        return None if found is None else self.read(found, x)[0]

    def read(self, found: Sequence[Curves], x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
        self.run([x])
        here = self.ran[self._key(x)]
        assert here is not None
        slopes = self.read(here, x)[1]
        count = len(self.fields)
        sides = [[self._moved(x, j, sign) for j in range(count)] for sign in ((1.0, -1.0) if both else (1.0,))]
        self.run([other for side in sides for other in side])
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
        size = self._sizes
        blind = [u.name for j, u in enumerate(self.unknowns) if not np.any(np.abs(slopes[:, j]) > NO_EFFECT * size)]
        if blind:
            raise FlexarmError(
                "the logs cannot tell it, because no column that is compared depends on it: leave it out, or compare another signal",
                field=", ".join(blind),
            )
        return slopes

    def _moved(self, x: np.ndarray, j: int, sign: float) -> np.ndarray:
        other = x.copy()
        other[j] += sign * DIFFERENCE * max(abs(x[j]), SMALL)
        return other

    def check_smooth(self) -> None:
        """Refuse runs that jump when a number changes a little: a change and ten times as much must show the same slope."""
        if not self.fields:
            return
        moved = [self._moved(self.start, 0, size) for size in (1.0, 10.0)]
        self.run([self.start, *moved])
        here, near, far = (self.model(x) for x in (self.start, *moved))
        if here is None or near is None or far is None:
            return
        slopes = [(near - here) / (moved[0] - self.start)[0], (far - here) / (moved[1] - self.start)[0]]
        felt = np.any(np.abs(slopes[1]) > NO_EFFECT * self._sizes)
        if felt and np.linalg.norm(slopes[0] - slopes[1]) > ROUGH * np.linalg.norm(slopes[1]):
            raise FlexarmError(
                f"the run jumps when it changes by {100 * DIFFERENCE:g} %, so nothing can be fitted: such a motion is chaotic, or its steps are "
                "halved now and then; end the run earlier, or use a shorter time.step",
                field=self.fields[0].name,
            )

    @property
    def _sizes(self) -> np.ndarray:
        """Spread of the column that each sample belongs to."""
        return np.concatenate([np.full(s.stop - s.start, np.std(self.data[s]) or 1.0) for s in self.slices])

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

    def shares(self, i: int, k: int) -> np.ndarray:
        """Times of a column as shares of the run, from when its signals begin to move."""
        each, end = self.experiments[i], self.experiments[i].scenario.time.end
        self.run([self.start])
        found = self.ran[self._key(self.start)]
        begin = found[i].begins if found else 0.0
        return np.clip((each.times(k) - each.lag - begin) / (end - begin), 0.0, 1.0)
