"""Figure: signals of several runs over each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import OutputError
from flexarm.view.curves import curve
from flexarm.view.source import Source, has, joint_types, names, times, units, values
from flexarm.view.style import Size, axis_label, grid_of_axes, headline, legend_above, styled, time_axis
from flexarm.view.units import largest, scale
from flexarm.view.words import signal_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 4
"""Signals that are shown when none are named."""
MOST_DIFFERENCES = 2
"""Differences of scenarios that make the name of a run."""
UNTOLD = ("name", "about", "output")
"""Parts of a scenario that do not tell runs apart."""


@styled
def overlay(
    runs: Sequence[Source], signals: str | Sequence[str] | None = None, labels: Sequence[str] | None = None, size: Size = "wide"
) -> Figure:  # fmt: skip
    """Signals of several runs over time, one panel each, one line per run.

    Parameters
    ----------
    runs : sequence of Source
        Results, two or more; of the same arm or of others with the same signals.
    signals : str or sequence of str, optional
        ``variable`` or ``variable:part``, such as ``tip_error:y`` or ``drive_torque:elbow``. A vector without a part is shown by its
        length, a signal of joints or gauges by each of them. Left out: how far the tip misses or bends, torques of motors, strains.
    labels : sequence of str, optional
        Names of the runs; left out: what tells them apart.
    size : {"wide", "column"}
        Width of the figure.

    Examples
    --------
    ``overlay([light, heavy], ["tip_error:y", "drive_torque"])``
    """
    runs = list(runs)
    if len(runs) < 2:
        raise OutputError(f"An overlay shows two or more runs, and {len(runs)} was given.")
    called = list(labels) if labels is not None else run_labels(runs)
    if len(called) != len(runs):
        raise OutputError(f"There are {len(runs)} runs and {len(called)} labels: give one for each.")
    asked = [signals] if isinstance(signals, str) else signals
    shown = _usual(runs) if asked is None else [one for signal in asked for one in _expanded(runs, signal)]
    if not shown:
        raise OutputError("The runs have no signal in common that an overlay could show; name some with signals=[...].")
    figure, rows = grid_of_axes(size, len(shown), sharex=True, row_height=1.6)
    for (axes,), signal in zip(rows, shown, strict=True):
        series = [series_of(run, signal) for run in runs]
        factor, unit = scale(_unit(runs[0], signal), *series)
        for run, line, label in zip(runs, series, called, strict=True):
            curve(axes, times(run), factor * line, label=label)
        axes.set_ylabel(axis_label(signal_words(signal, _slides(runs[0], signal)), unit))
    legend_above(rows[0][0])
    ends = [times(run) for run in runs]
    time_axis(rows[-1][0], [min(float(t[0]) for t in ends), max(float(t[-1]) for t in ends)])
    titles = {str(run.data.attrs.get("title", "")) for run in runs}
    headline(figure, None, titles.pop() if len(titles) == 1 else f"{len(runs)} runs")
    return figure


def series_of(run: Source, signal: str) -> np.ndarray:
    """A signal over time, (nt,); of a vector without a part its length."""
    name, _, part = signal.partition(":")
    array = values(run, name)
    if array.ndim == 1:
        return array
    dim = str(run.data[name].dims[1])
    return array[:, names(run, dim).index(part)] if part else np.linalg.norm(array, axis=1)


def _unit(run: Source, signal: str) -> str:
    name, _, part = signal.partition(":")
    if name == "strain":
        return "m/m"
    unit = units(run, name)
    if " or " in unit and part in names(run, "joint"):
        from flexarm.view.source import joint_units

        return joint_units(run, name)[names(run, "joint").index(part)]
    return unit


def _slides(run: Source, signal: str) -> bool:
    part = signal.partition(":")[2]
    joints = names(run, "joint") if "joint" in run.data.dims else []
    return part in joints and joint_types(run)[joints.index(part)] == "prismatic"


def _expanded(runs: Sequence[Source], signal: str) -> list[str]:
    """A signal as it is drawn: one of joints or gauges becomes one per joint or gauge; refuses what a run does not have."""
    name, _, part = signal.partition(":")
    for run in runs:
        known = [str(k) for k, v in run.data.data_vars.items() if v.dims[:1] == ("time",) and v.ndim <= 2]
        if name not in known or not has(run, name):
            near = get_close_matches(name, known, 1)
            hint = f"did you mean '{near[0]}'? It has" if near else "it has"
            title = run.data.attrs.get("title", "the run")
            raise OutputError(f"'{title}' has no signal '{name}'; {hint} {', '.join(known)}.")
        parts = _parts(run, name)
        if part and part not in parts:
            raise OutputError(f"'{name}' has no part '{part}'; it has {', '.join(parts) or 'none'}.")
    if part or runs[0].data[name].ndim == 1 or runs[0].data[name].dims[1] in ("axis", "direction"):
        return [signal]
    return [f"{name}:{one}" for one in _parts(runs[0], name) if all(one in _parts(run, name) for run in runs)]


def _parts(run: Source, name: str) -> list[str]:
    return names(run, str(run.data[name].dims[1])) if run.data[name].ndim == 2 else []


def _usual(runs: Sequence[Source]) -> list[str]:
    """What is shown when nothing is named: the tip along the axis in which it moves most, motor torques, strains."""
    found: list[str] = []
    for name in ("path_error", "tip_error", "tip_deflection"):
        if all(has(run, name) and largest(values(run, name)) > 0.0 for run in runs):
            size = sum(np.nanmax(np.abs(values(run, name)), axis=0) for run in runs)
            found.append(f"{name}:{names(runs[0], 'axis')[int(np.argmax(size))]}")
            break
    for name in ("drive_torque", "strain"):
        if all(has(run, name) for run in runs):
            moved = [one for one in _expanded(runs, name) if any(largest(series_of(run, one)) > 0.0 for run in runs)]
            found += moved[:3]
    return found[:MOST_PANELS]


def run_labels(runs: Sequence[Source]) -> list[str]:
    """What tells runs apart: their titles, methods, or the values of their scenarios in which they differ."""
    titles = [str(run.data.attrs.get("title", "")) for run in runs]
    if len(set(titles)) == len(runs):
        return titles
    flat = [dict(_leaves(getattr(run, "scenario", None))) for run in runs]
    keys = [
        key for key in dict.fromkeys(key for each in flat for key in each) if len({each.get(key) for each in flat}) > 1
    ]
    if any(key == "method.name" for key in keys):
        keys = [key for key in keys if not key.startswith("method.") or key == "method.name"]
    told = [", ".join(_difference(key, each.get(key)) for key in keys[:MOST_DIFFERENCES]) for each in flat]
    if len(set(told)) == len(runs):
        return told
    return [f"{k + 1}: {title}" if title else f"run {k + 1}" for k, title in enumerate(titles)]


def _difference(key: str, value: str | None) -> str:
    words = " ".join(key.split(".")[-2:]).replace("_", " ").removesuffix(" name")
    return f"no {words}" if value is None else f"{words} {value}"


def _leaves(scenario: Any) -> Iterator[tuple[str, str]]:
    """Values of a scenario by their path, as a file would write them."""
    if scenario is None:
        return
    from flexarm.scenario.dump import file_form

    for name, value in file_form(scenario).items():
        if name not in UNTOLD:
            yield from _inside(name, value)


def _inside(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _inside(f"{path}.{name}", each)
    elif isinstance(value, (list, tuple)):
        for k, each in enumerate(value):
            named = each.get("name") or each.get("joint") if isinstance(each, Mapping) else None
            yield from _inside(f"{path}.{named or k}", each)
    else:
        yield path, str(value)
