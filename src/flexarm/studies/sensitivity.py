"""What each variable does: main effects from any table, and Sobol indices from one that was drawn for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    import xarray

    from flexarm.studies.result import StudyResult

CLASSES, LEAST_IN_CLASS = 10, 5
"""Classes of equal count into which drawn values are sorted, and runs that each should hold."""


def classes(values: np.ndarray) -> np.ndarray:
    """Number of the class of every value: each value is one where there are few, else classes of equal count, (runs,)."""
    different, which = np.unique(values, return_inverse=True)
    if len(different) <= max(2, min(CLASSES, len(values) // LEAST_IN_CLASS)) or values.dtype.kind in "UO":
        return which.reshape(-1)
    number = max(2, min(CLASSES, len(values) // LEAST_IN_CLASS))
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return ranks * number // len(values)


def main_effects(study: StudyResult, name: str) -> xarray.Dataset:
    """What each variable does to a number, the others averaged.

    Returns
    -------
    xarray.Dataset
        By ``variable``: ``low`` and ``high`` (mean of the number in the lowest and highest class of the variable; of choices
        the least and largest mean), ``share`` (part of the variance that it explains by itself, 0 to 1), ``mean``.
    """
    import xarray

    good = study.succeeded & np.isfinite(study.data[name].values)
    y = study.data[name].values[good]
    rows = []
    if len(y) < 3 or not study.variables:
        raise FlexarmError(f"effects need at least 3 runs that succeeded and something that varies, not {len(y)}")
    spread = float(((y - y.mean()) ** 2).sum())
    for variable in study.variables:
        values = study.data[variable].values[good]
        which = classes(values)
        counts = np.bincount(which)
        means = np.bincount(which, y) / np.maximum(counts, 1)
        between = float((counts * (means - y.mean()) ** 2).sum())
        k, n = int((counts > 0).sum()), len(y)
        # classes explain something even of noise: (k - 1) shares of what is left
        left = (spread - between) / max(n - k, 1)
        share = (between - (k - 1) * left) / spread if spread > 0.0 else 0.0
        ends = (means.min(), means.max()) if values.dtype.kind in "UO" else (means[0], means[-1])
        rows.append([*ends, float(np.clip(share, 0.0, 1.0))])
    unit = {"units": study.unit(name)}
    low, high, share = np.array(rows).T
    return xarray.Dataset(
        {
            "low": ("variable", low, unit), "high": ("variable", high, unit), "share": ("variable", share, {"units": "1"}),
            "mean": ((), y.mean(), unit),
        },
        {"variable": study.variables}, {"number": name},
    )  # fmt: skip


def sobol(study: StudyResult, name: str, confidence: float = 0.95) -> xarray.Dataset:
    """First-order and total Sobol indices (Saltelli 2010), with bootstrapped intervals.

    Returns
    -------
    xarray.Dataset
        By ``variable``: ``first``, ``first_low``, ``first_high``, ``total``, ``total_low``, ``total_high``.
    """
    import xarray
    from scipy.stats import sobol_indices

    design = study.design
    if design["kind"] != "saltelli" or design["listed"]:
        raise FlexarmError(
            "Sobol indices need design: {type: saltelli} and nothing listed; main effects (effects) come from any study"
        )
    if study.data.sizes["run"] != design["count"] or not study.succeeded.all():
        raise FlexarmError(
            "Sobol indices need all runs of the study, and some are missing or failed; narrow what varies, or use effects"
        )
    n, names = design["runs"], design["drawn"]
    if n & (n - 1):
        raise FlexarmError(f"Sobol indices need a power of two as design.runs, such as {1 << n.bit_length()}, not {n}")
    y: Any = study.data[name].values.reshape(len(names) + 2, 1, n)
    y = y - y[:2].mean()  # indices do not depend on it, their estimates do
    found = sobol_indices(func={"f_A": y[0], "f_B": y[1], "f_AB": y[2:]}, n=n)
    boot = found.bootstrap(confidence_level=confidence)
    first, total = boot.first_order.confidence_interval, boot.total_order.confidence_interval
    columns = {
        "first": found.first_order, "first_low": first.low, "first_high": first.high,
        "total": found.total_order, "total_low": total.low, "total_high": total.high,
    }  # fmt: skip
    return xarray.Dataset(
        {key: ("variable", np.reshape(values, -1), {"units": "1"}) for key, values in columns.items()},
        {"variable": names}, {"number": name, "confidence": confidence},
    )  # fmt: skip
