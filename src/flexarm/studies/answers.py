"""Answers from the table of a study: statistics, probabilities with their confidence, convergence of a mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.arm.quantity import Quantity
from flexarm.errors import FlexarmError, check_word
from flexarm.scenario.units import QuantityError, read_quantity
from flexarm.studies.runner import OUTCOMES

if TYPE_CHECKING:
    import xarray

    from flexarm.studies.result import StudyResult

LIMIT = re.compile(r"(?P<name>.+?)\s*(?P<sign><=|>=|<|>)\s*(?P<value>[^<>=]+)")
POINTS = 200
"""Counts of draws at which a running mean is told."""


@dataclass(frozen=True)
class Probability:
    """Probability of missing a limit.

    limit : as it was asked; estimate : share of the runs that miss it; low, high : interval of its confidence;
    missed, count : runs; failed : those of them that did not reach their end, which count as missed.
    """

    limit: str
    estimate: float
    low: float
    high: float
    missed: int
    count: int
    failed: int
    confidence: float
    method: str

    def __str__(self) -> str:
        failed = f", {self.failed} of them failed" if self.failed else ""
        return (
            f"{self.limit}: missed by {self.missed} of {self.count} runs{failed}; probability {self.estimate:.4g}, "
            f"{100 * self.confidence:g} % interval {self.low:.4g} to {self.high:.4g}"
        )


def statistics(study: StudyResult, quantiles: Sequence[float]) -> xarray.Dataset:
    """Of every kept number: count, mean, its standard error, standard deviation, least, largest and quantiles.

    Returns
    -------
    xarray.Dataset
        Variables named as the numbers, with the dimension ``statistic``.
    """
    import xarray

    good, names = (
        study.succeeded,
        ["count", "mean", "standard_error", "sd", "min", "max", *(f"q{q:g}" for q in quantiles)],
    )
    found = {}
    for name in study.numbers:
        values = study.data[name].values[good]
        values = values[np.isfinite(values)]
        n = len(values)
        sd = float(values.std(ddof=1)) if n > 1 else np.nan
        ends = [values.min(), values.max(), *np.quantile(values, quantiles)] if n else [np.nan] * (2 + len(quantiles))
        row = [n, values.mean() if n else np.nan, sd / np.sqrt(n) if n else np.nan, sd, *ends]
        found[name] = ("statistic", np.array(row, dtype=float), {"units": study.unit(name)})
    return xarray.Dataset(found, {"statistic": names})


def interval(missed: int, count: int, confidence: float, method: str) -> tuple[float, float]:
    """Interval of a share: ``wilson``, or ``clopper-pearson``, which is never too narrow.

    Examples
    --------
    >>> low, high = interval(0, 100, 0.95, "clopper-pearson")
    >>> low, round(high, 4)
    (0.0, 0.0362)
    """
    from scipy.stats import binomtest

    check_word(method, ("wilson", "clopper-pearson"), "method")
    if not 0.0 < confidence < 1.0:
        raise FlexarmError(f"confidence is a share between 0 and 1, not {confidence:g}")
    found = binomtest(missed, count).proportion_ci(confidence, method="wilson" if method == "wilson" else "exact")
    return float(found.low), float(found.high)


def read_limit(study: StudyResult, limit: str) -> tuple[str, str, float]:
    """Name, sign and value (SI) of a limit."""
    found = LIMIT.fullmatch(limit.strip())
    if found is None:
        raise FlexarmError(f"'{limit}' is not a limit: write it like tip_error_peak < 2 mm", field="limits")
    name, unit = study.number(found["name"].strip()), study.unit(found["name"].strip()) or "1"
    try:
        return (
            name,
            found["sign"],
            float(read_quantity(found["value"].strip(), Quantity(unit if " " not in unit else "1"))),
        )
    except (QuantityError, ValueError) as error:
        words = error.about(name) if isinstance(error, QuantityError) else str(error)
        raise FlexarmError(words, field="limits") from None


def probability(study: StudyResult, limit: str, confidence: float, method: str) -> Probability:
    """Probability that a limit is missed; runs that failed count as missed.

    The interval holds for random draws. Latin hypercubes and Sobol sequences estimate better than it says.
    """
    name, sign, value = read_limit(study, limit)
    values = study.data[name].values
    kept = {"<": values < value, "<=": values <= value, ">": values > value, ">=": values >= value}[sign]
    missed = ~(kept & study.succeeded)
    count = len(values)
    low, high = interval(int(missed.sum()), count, confidence, method)
    return Probability(
        limit,
        float(missed.mean()),
        low,
        high,
        int(missed.sum()),
        count,
        int((~study.succeeded).sum()),
        confidence,
        method,
    )


def convergence(study: StudyResult, name: str, confidence: float) -> xarray.Dataset:
    """Running mean of a number and the half width of its interval, over the runs that succeeded in their order."""
    import xarray
    from scipy.stats import t

    if not study.design["drawn"] or study.design["listed"] or study.design["kind"] == "saltelli":
        raise FlexarmError("a running mean needs draws alone, nothing listed beside them and no saltelli design")
    values = study.data[name].values[study.succeeded]
    if len(values) < 2:
        raise FlexarmError(f"{len(values)} runs succeeded, and a running mean needs two")
    counts = np.unique(np.geomspace(2, len(values), min(POINTS, len(values) - 1)).round().astype(int))
    sums, squares = np.cumsum(values - values[0]), np.cumsum((values - values[0]) ** 2)
    mean = sums[counts - 1] / counts
    variance = np.maximum(squares[counts - 1] - counts * mean**2, 0.0) / (counts - 1)
    half = t.ppf(0.5 + 0.5 * confidence, counts - 1) * np.sqrt(variance / counts)
    unit = {"units": study.unit(name)}
    return xarray.Dataset(
        {"mean": ("count", mean + values[0], unit), "half_width": ("count", half, unit)},
        {"count": counts}, {"number": name, "confidence": confidence},
    )  # fmt: skip


def grid(study: StudyResult) -> xarray.Dataset:
    """The table with a dimension for every listed variable."""
    import xarray

    design = study.design
    if study.data.sizes["run"] != design["count"]:
        raise FlexarmError("the study is not finished: its grid has holes; go on with --resume")
    drawn = design["draws"] > 1
    dims, shape = (
        [*design["listed"], *(["draw"] if drawn else [])],
        [*design["shape"], *([design["draws"]] if drawn else [])],
    )
    if not dims:
        raise FlexarmError("nothing is listed: the study has one run")

    def unfolded(each: xarray.DataArray) -> Any:
        return ((*dims, *each.dims[1:]), each.values.reshape(*shape, *each.shape[1:]), each.attrs)

    found = {str(name): unfolded(each) for name, each in study.data.data_vars.items()}
    coordinates: dict[str, Any] = {}
    for k, name in enumerate(design["listed"]):
        whole = study.data[name].values.reshape(shape)
        coordinates[name] = (name, np.moveaxis(whole, k, 0).reshape(shape[k], -1)[:, 0], study.data[name].attrs)
    for name in design["drawn"]:
        coordinates[name] = ("draw", study.data[name].values[: design["draws"]], study.data[name].attrs)
    if "time" in study.data.coords:
        coordinates["time"] = study.data["time"]
    return xarray.Dataset(found, coordinates, study.data.attrs)


def outcome_words(study: StudyResult) -> str:
    """How many runs there are and how they ended."""
    outcomes, total = study.data["outcome"].values, study.design["count"]
    kinds, counts = np.unique(outcomes, return_counts=True)
    bad = ", ".join(
        f"{n} {OUTCOMES[kind]}" for kind, n in zip(kinds, counts, strict=True) if OUTCOMES[kind] != "SUCCESS"
    )
    part = f"{len(outcomes)} of {total} runs are done" if len(outcomes) < total else f"{total} run{'s' * (total != 1)}"
    return f"{part}{', ' + bad if bad else ''}"


def table_lines(study: StudyResult) -> list[tuple[str, str]]:
    """Each number in a line: mean, spread and extremes."""
    found = statistics(study, (0.05, 0.95))
    lines = []
    for name in study.numbers:
        row = dict(zip(found["statistic"].values, found[name].values, strict=True))
        unit = study.unit(name) if study.unit(name) not in ("", "1") else ""
        text = f"mean {row['mean']:.5g}, sd {row['sd']:.3g}, from {row['min']:.5g} to {row['max']:.5g}"
        lines.append((name, f"{text} {unit}".rstrip()))
    return lines
