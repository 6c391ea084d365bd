"""What a fit found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.control.judgement import Whiteness
from flexarm.errors import check_word
from flexarm.scenario import Scenario

CLOSELY = 0.9
"""Correlation beyond which two unknowns are named."""


@dataclass(frozen=True, eq=False)
class FittedColumn:
    """A column of a log beside the fitted run.

    Attributes
    ----------
    log, signal, unit : str
    time, measured, fitted : ndarray, shape (n,)
        On the clock of the log, s, and in `unit`; the run with lag, offset and scale of the sensor.
    sigma : float
        Standard deviation of the noise, as given or as the residuals show it.
    estimated : bool
        Which of the two.
    whiteness : Whiteness
    """

    log: str
    signal: str
    unit: str
    time: np.ndarray
    measured: np.ndarray
    fitted: np.ndarray
    sigma: float
    estimated: bool
    whiteness: Whiteness

    @property
    def residuals(self) -> np.ndarray:
        """Measured minus fitted."""
        return self.measured - self.fitted


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters of a scenario that agree best with measured logs.

    Attributes
    ----------
    names : tuple of str
        Of the unknowns: fields of the scenario; lag, offset and scale of sensors.
    values, sd : ndarray, shape (p,)
        In SI units; `sd` is infinite for what the logs cannot tell.
    start : ndarray, shape (p,)
        Values at first.
    units : tuple of str
    correlation : ndarray, shape (p, p)
    chi_square : float
        Sum of squared residuals over sigma^2, by the degrees of freedom: 1 if model and noise are right, and by construction if no sigma was given.
    mesh_shift : ndarray, shape (p,)
        By how many standard deviations the values would move on a mesh of twice as many parts with half the step.
    cannot_tell : tuple of str
        Sentences on unknowns that the logs cannot tell apart, with the combinations that can be told.
    columns : tuple of FittedColumn
    scenarios : tuple of Scenario
        Fitted, one for each log.
    converged : bool
    steps, runs : int
    notes : tuple of str
    """

    names: tuple[str, ...]
    values: np.ndarray
    sd: np.ndarray
    start: np.ndarray
    units: tuple[str, ...]
    correlation: np.ndarray
    chi_square: float
    mesh_shift: np.ndarray
    cannot_tell: tuple[str, ...]
    columns: tuple[FittedColumn, ...]
    scenarios: tuple[Scenario, ...]
    converged: bool
    steps: int
    runs: int
    notes: tuple[str, ...]

    @property
    def scenario(self) -> Scenario:
        """The fitted scenario, of the first log."""
        return self.scenarios[0]

    def __getitem__(self, name: str) -> float:
        """Value of an unknown."""
        path = name.replace("[", ".").replace("]", "")
        check_word(path, self.names, "name")
        return float(self.values[self.names.index(path)])

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """A table of texts: name, start, value with unit, standard deviation, shift by the mesh in standard deviations."""
        return [
            (
                name,
                f"{start:.6g}",
                f"{value:.{_digits(value, sd)}g} {unit}".strip(),
                "cannot be told" if math.isinf(sd) else f"{sd:.2g}" + (f" ({100 * sd / abs(value):.2g} %)" if value else ""),
                "" if math.isnan(shift) else f"{shift:+.2g}",
            )
            for name, start, value, unit, sd, shift in zip(
                self.names, self.start, self.values, self.units, self.sd, self.mesh_shift, strict=True
            )
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The numbers without the curves, for scripts."""
        return {
            "parameters": {
                name: {"value": value, "sd": sd, "start": start, "unit": unit, "mesh_shift": shift}
                for name, value, sd, start, unit, shift in zip(
                    self.names, self.values.tolist(), self.sd.tolist(), self.start.tolist(), self.units,
                    self.mesh_shift.tolist(), strict=True,
                )
            },
            "correlation": self.correlation.tolist(),
            "chi_square": self.chi_square,
            "columns": [
                {
                    "log": each.log, "signal": each.signal, "unit": each.unit, "samples": len(each.time),
                    "sigma": each.sigma, "sigma_estimated": each.estimated, "rms": float(np.sqrt(np.mean(each.residuals**2))),
                    "white": each.whiteness.white, "probability": each.whiteness.probability,
                    "independent_samples": each.whiteness.effective,
                }
                for each in self.columns
            ],
            "cannot_tell": list(self.cannot_tell), "converged": self.converged, "steps": self.steps, "runs": self.runs,
            "notes": list(self.notes),
        }  # fmt: skip

    def __repr__(self) -> str:
        head = ("", "start", "found", "standard deviation", "mesh, sd")
        table = [head, *self.rows()]
        widths = [max(len(row[k]) for row in table) for k in range(len(head))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in table]
        end = f"chi-square {self.chi_square:.4g}, {self.steps} steps, {self.runs} runs"
        return "\n".join([*lines, end, *self.cannot_tell, *self.notes])


def close_pairs(names: Sequence[str], correlation: np.ndarray) -> list[str]:
    """A sentence for every two unknowns that are closely correlated."""
    return [
        f"{names[i]} and {names[k]} have a correlation of {correlation[i, k]:.2f}: their values hold together better than one by one"
        for i in range(len(names))
        for k in range(i)
        if abs(correlation[i, k]) > CLOSELY
    ]


def _digits(value: float, sd: float) -> int:
    """Digits of a value down to a tenth of its standard deviation."""
    if not value or not math.isfinite(sd) or sd <= 0.0:
        return 6
    return max(3, min(12, 2 + math.floor(math.log10(abs(value))) - math.floor(math.log10(sd))))
