"""Figures of studies by name, and which of them a study has data for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from flexarm.errors import FlexarmError, check_word
from flexarm.view.study_curves import bands, convergence, histogram
from flexarm.view.study_maps import contour, heat
from flexarm.view.study_spread import scatter, tornado

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: dict[str, Callable[..., Figure]] = {
    "bands": bands, "scatter": scatter, "histogram": histogram, "heat": heat, "contour": contour, "tornado": tornado,
    "convergence": convergence,
}  # fmt: skip


def available(study: Any) -> list[str]:
    """Names of the figures that a study has data for, the one that suits it best first."""
    if int(study.succeeded.sum()) < 2:
        return []
    design, numeric = study.design, [name for name in study.variables if study.data[name].dtype.kind == "f"]
    found = ["bands"] if study.signals else []
    if study.numbers:
        found += ["heat"] if len(design["listed"]) >= 2 else []
        found += ["histogram"] if design["drawn"] else []
        if int(study.succeeded.sum()) > 2 and study.variables:
            found += ["tornado"] if len(study.variables) > 1 else []
            found += ["scatter"] if numeric else []
            found += ["contour"] if len(numeric) >= 2 and int(study.succeeded.sum()) >= 16 else []
        found += ["convergence"] if design["drawn"] and not design["listed"] and design["kind"] != "saltelli" else []
    return found


def study_figure(study: Any, kind: str | None = None, *names: str) -> Figure:
    """A figure of a study; without a name the one that suits it best. `names` are columns, as the figure takes them."""
    can = available(study)
    if kind is None:
        if not can:
            raise FlexarmError("there is nothing to draw: fewer than two runs of the study succeeded")
        kind = can[0]
    check_word(kind, tuple(FIGURES), "kind")
    if kind not in can:
        raise FlexarmError(
            f"this study has no data for the figure '{kind}'; it has {', '.join(can) or 'none'}", field="kind"
        )
    return FIGURES[kind](study, *names)
