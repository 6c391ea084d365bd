"""What a study gives: one labelled table of all runs, and what can be asked of it."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm._version import __version__
from flexarm.errors import FlexarmError
from flexarm.result import save_data
from flexarm.studies import answers, sensitivity
from flexarm.studies.plan import Plan
from flexarm.studies.runner import OUTCOMES, SUCCESS
from flexarm.studies.table import WAITING, Table

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

FILE = "study.nc"


@dataclass
class StudyResult:
    """The table of a study.

    Attributes
    ----------
    data : xarray.Dataset
        One row for every run (dimension ``run``): the varied values as coordinates, the kept numbers, ``outcome`` and
        ``message``; signals also have ``time``. Units stand with every column.
    notes : list of str
        What the program chose and found.
    timing : dict
        Seconds of wall and processor time, runs per second.

    Examples
    --------
    >>> import flexarm as fa
    >>> table = fa.study("tokhi-azad", {"arm.payload.mass": ["0 g", "50 g"]}, ["tip_deflection_peak"], workers=1)
    >>> table.data.tip_deflection_peak.values.round(4)
    array([0.0257, 0.0246])
    """

    data: xarray.Dataset
    notes: list[str] = field(default_factory=list)
    timing: dict[str, float] = field(default_factory=dict)

    @property
    def design(self) -> dict[str, Any]:
        """How the runs were chosen: kind, runs, seed, names of drawn and listed variables, limits."""
        return dict(json.loads(self.data.attrs["design"]))

    @property
    def variables(self) -> list[str]:
        """Names of what varies."""
        return [*self.design["listed"], *self.design["drawn"]]

    @property
    def numbers(self) -> list[str]:
        """Names of the kept numbers."""
        return [
            str(name)
            for name, each in self.data.data_vars.items()
            if each.dims == ("run",) and name not in ("outcome", "message")
        ]

    @property
    def signals(self) -> list[str]:
        """Names of the kept signals."""
        return [str(name) for name, each in self.data.data_vars.items() if each.dims == ("run", "time")]

    @property
    def succeeded(self) -> np.ndarray:
        """True for every run that reached its end, (runs,)."""
        found: np.ndarray = self.data["outcome"].values == SUCCESS
        return found

    def unit(self, name: str) -> str:
        """Unit of a column."""
        return str(self.data[self.checked(name)].attrs.get("units", "1"))

    def checked(self, name: str) -> str:
        """A name that the table has; refuses others."""
        known = [*self.numbers, *self.signals, *self.variables]
        if name not in known:
            raise FlexarmError(f"the study has no '{name}'; it has {', '.join(known)}")
        return name

    def number(self, name: str | None = None) -> str:
        """The name of a kept number; the first one if none is given."""
        if not self.numbers:
            raise FlexarmError("this study keeps signals only: name numbers under keep")
        if name is not None and name not in self.numbers:
            raise FlexarmError(f"the study has no number '{name}'; it has {', '.join(self.numbers)}")
        return name or self.numbers[0]

    def statistics(self, quantiles: Sequence[float] = (0.05, 0.5, 0.95)) -> xarray.Dataset:
        """Mean, spread, extremes and quantiles of every kept number, over the runs that succeeded (`answers.statistics`)."""
        return answers.statistics(self, quantiles)

    def probability(self, limit: str, confidence: float = 0.95, method: str = "clopper-pearson") -> answers.Probability:
        """Probability that a limit such as ``tip_error_peak < 2 mm`` is missed, with its interval (`answers.probability`)."""
        return answers.probability(self, limit, confidence, method)

    def convergence(self, name: str | None = None, confidence: float = 0.95) -> xarray.Dataset:
        """Running mean of a number over the draws, with its interval (`answers.convergence`)."""
        return answers.convergence(self, self.number(name), confidence)

    def effects(self, name: str | None = None) -> xarray.Dataset:
        """What each variable does to a number by itself (`sensitivity.main_effects`)."""
        return sensitivity.main_effects(self, self.number(name))

    def sobol(self, name: str | None = None) -> xarray.Dataset:
        """First and total Sobol indices of a number, of a study with ``design: {type: saltelli}`` (`sensitivity.sobol`)."""
        return sensitivity.sobol(self, self.number(name))

    def grid(self) -> xarray.Dataset:
        """The same table with one dimension for each listed variable, and ``draw`` if anything is drawn."""
        return answers.grid(self)

    def plot(self, kind: str | None = None, *names: str) -> Figure:
        """A figure of the table, the one that suits it when no kind is given.

        `kind` is bands, scatter, histogram, heat, contour, tornado or convergence; `names` are the columns that it shows.
        """
        # figures stand to the right of this room and are loaded when one is asked for
        figure: Figure = importlib.import_module("flexarm.view.study").study_figure(self, kind, *names)
        return figure

    def save(self, path: str | Path, force: bool = False) -> Path:
        """Write NetCDF-4; an existing file is replaced only with `force`."""
        return save_data(self.data.assign_attrs(notes="\n".join(self.notes)), Path(path), force)

    def __repr__(self) -> str:
        lines = [f"{self.data.attrs['title']}: {answers.outcome_words(self)}"]
        lines += [f"  {name}: {text}" for name, text in answers.table_lines(self)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The numbers and how the runs ended, for notebooks."""
        from flexarm.sketch.cards import card

        return card(str(self.data.attrs["title"]), [], answers.table_lines(self), answers.outcome_words(self))


def make_result(
    plan: Plan, table: Table, units: dict[str, str], notes: list[str], timing: dict[str, float]
) -> StudyResult:
    """The labelled table; of a study that is not finished the runs that are done."""
    import xarray

    done = np.flatnonzero(table.outcomes != WAITING)
    whole = len(done) == plan.count
    values = plan.design.values(0, plan.count) if whole else plan.design.values(0, plan.count)[done]
    coordinates: dict[str, Any] = {"run": done}
    for k, variable in enumerate(plan.variables):
        column: Any = values[:, k]
        if variable.options:
            column = np.array([label for label, _ in variable.options])[column.astype(int)]
        attributes = {"fields": ", ".join(each.name for each in variable.fields)} if variable.fields else {}
        coordinates[variable.name] = (
            "run",
            column,
            attributes | ({} if variable.options else {"units": variable.unit}),
        )
    rows: Any = slice(None) if whole else done
    columns: dict[str, Any] = {}
    for k, (name, each) in enumerate(plan.asked.numbers.items()):
        text = getattr(each, "text", getattr(each, "__name__", name))
        columns[name] = ("run", table.numbers[rows, k], {"units": units.get(name, ""), "long_name": text})
    for k, (name, formula) in enumerate(plan.asked.signals.items()):
        columns[name] = (
            ("run", "time"),
            table.signals[rows, k],
            {"units": units.get(name, ""), "long_name": formula.text},
        )
    flags = {"flag_values": np.arange(len(OUTCOMES), dtype=np.uint8), "flag_meanings": " ".join(OUTCOMES)}
    columns["outcome"] = ("run", table.outcomes[rows], flags)
    messages = np.full(plan.count, "", dtype=object)
    for run, text in table.messages.items():
        messages[run] = text
    columns["message"] = ("run", messages[rows])
    if plan.asked.signals:
        coordinates["time"] = ("time", plan.asked.grid, {"units": "s", "long_name": "time"})
    design = {
        "kind": plan.design.kind if plan.design.drawn else "grid", "runs": plan.design.runs, "seed": plan.design.seed,
        "draws": plan.design.draws, "count": plan.count,
        "listed": [v.name for v in plan.variables if v.law is None], "drawn": [v.name for v in plan.variables if v.law is not None],
        "shape": list(plan.design.shape), "correlated": bool(plan.correlations), "limits": list(plan.limits),
    }  # fmt: skip
    data = xarray.Dataset(
        columns, coordinates,
        {
            "title": plan.name, "study": plan.id, "scenario": plan.scenario.to_yaml(), "design": json.dumps(design),
            "software": f"flexarm {__version__}",
        },
    )  # fmt: skip
    return StudyResult(data, notes, timing)


def open_study(path: str | Path) -> StudyResult:
    """A study that was stored.

    Parameters
    ----------
    path : str or Path
        A file of `StudyResult.save` or of ``flexarm study`` (``study.nc``), or the folder in which the latter stands.
    """
    import xarray

    path = Path(path)
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise FlexarmError(f"there is no file '{file}'; give the {FILE} that flexarm study has written, or its folder")
    try:
        data = xarray.load_dataset(file, engine="netcdf4")
    except (OSError, ValueError, RuntimeError) as error:
        raise FlexarmError(f"'{file}' cannot be read as NetCDF: {error}") from error
    if "design" not in data.attrs or "outcome" not in data:
        raise FlexarmError(f"'{file}' is no study of flexarm")
    notes = [note for note in str(data.attrs.pop("notes", "")).split("\n") if note]
    return StudyResult(data, notes)
