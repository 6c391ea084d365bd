"""Answers from tables whose answers are known."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray
from scipy import stats

import flexarm as fa
from flexarm.errors import FlexarmError
from flexarm.studies.answers import interval


def table_of(
    columns: dict[str, np.ndarray], kept: dict[str, np.ndarray], kind: str = "random", runs: int | None = None
) -> fa.StudyResult:
    """A table of numbers that no run has made."""
    count = len(next(iter(kept.values())))
    design = {
        "kind": kind,
        "runs": runs or count,
        "draws": count,
        "count": count,
        "listed": [],
        "drawn": list(columns),
        "limits": [],
    }
    outcome, message = ("run", np.zeros(count, np.uint8)), ("run", np.full(count, "", object))
    data = xarray.Dataset(
        {**{k: ("run", v, {"units": "m"}) for k, v in kept.items()}, "outcome": outcome, "message": message},
        {"run": np.arange(count), **{k: ("run", v, {"units": "1"}) for k, v in columns.items()}},
        {"title": "made", "design": json.dumps(design)},
    )
    return fa.StudyResult(data)


def test_statistics_and_running_mean() -> None:
    y = np.random.default_rng(1).normal(3.0, 0.5, 1000)
    table = table_of({"x": y}, {"y": y})
    found = dict(zip(table.statistics()["statistic"].values, table.statistics()["y"].values, strict=True))
    assert (
        found["mean"] == pytest.approx(y.mean())
        and found["sd"] == pytest.approx(y.std(ddof=1))
        and found["q0.95"] == np.quantile(y, 0.95)
    )
    running = table.convergence("y")
    low, high = stats.t.interval(0.95, 999, y.mean(), stats.sem(y))
    assert float(running["mean"][-1]) == pytest.approx(y.mean()) and float(running["half_width"][-1]) == pytest.approx(
        (high - low) / 2
    )


def test_intervals_cover() -> None:
    """Of many samples of a known probability the interval holds it about as often as it says, Clopper-Pearson at least."""
    missed = np.random.default_rng(2).binomial(60, 0.07, 2000)
    for method, least in (("wilson", 0.93), ("clopper-pearson", 0.95)):
        ends = {k: interval(int(k), 60, 0.95, method) for k in np.unique(missed)}
        inside = np.mean([ends[k][0] <= 0.07 <= ends[k][1] for k in missed])
        assert inside >= least, method


def test_probability_reads_units() -> None:
    table = table_of({"x": np.zeros(4)}, {"y": np.array([1e-3, 2e-3, 3e-3, 4e-3])})
    assert [table.probability(limit).missed for limit in ("y < 2.5 mm", "y <= 2 mm", "y > 1 mm", "y >= 0.001")] == [
        2,
        2,
        1,
        0,
    ]
    with pytest.raises(FlexarmError, match="wants m"):
        table.probability("y < 2 kg")
    with pytest.raises(FlexarmError, match="write it like"):
        table.probability("y is small")
    with pytest.raises(FlexarmError, match="no number 'z'; it has y"):
        table.probability("z < 1")


def test_main_effects() -> None:
    x = np.random.default_rng(3).uniform(-1.0, 1.0, (20_000, 3))
    table = table_of({f"x{k}": x[:, k] for k in range(3)}, {"y": 3.0 * x[:, 0] + x[:, 1] ** 2})
    effects = table.effects("y")
    parts = np.array([9.0 / 3.0, 4.0 / 45.0, 0.0])
    assert np.allclose(effects["share"], parts / parts.sum(), atol=0.02)
    ends = [float(effects[end][0]) for end in ("low", "high")]
    assert ends == pytest.approx([-3 * 0.9 + 1 / 3, 3 * 0.9 + 1 / 3], abs=0.05)


def test_sobol_indices_of_ishigami() -> None:
    """Closed form: T. Ishigami and T. Homma, 1990, with a = 7 and b = 0.1."""
    from flexarm.studies.laws import Uniform
    from flexarm.studies.sampling import Design

    design = Design("saltelli", 2048, 1, (None,) * 3, (Uniform(-np.pi, np.pi),) * 3)
    x = design.values(0, design.count)
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = table_of({f"x{k}": x[:, k] for k in range(3)}, {"y": y}, "saltelli", 2048).sobol("y")
    first, second, both = 0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8, 0.01 * np.pi**8 * (1 / 18 - 1 / 50)
    whole = first + second + both
    assert np.allclose(found["first"], np.array([first, second, 0.0]) / whole, atol=0.02)
    assert np.allclose(found["total"], np.array([first + both, second, both]) / whole, atol=0.02)
    assert (found["first_low"] <= found["first"]).all() and (found["total"] <= found["total_high"]).all()


def test_sobol_needs_its_design() -> None:
    with pytest.raises(FlexarmError, match="saltelli"):
        table_of({"x": np.arange(4.0)}, {"y": np.arange(4.0)}).sobol()
