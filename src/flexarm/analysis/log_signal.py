"""The signal of a run that a log is compared with: a variable, or what a gauge's converter would read."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from flexarm.analysis.gauge import GaugeChain, read_gauge
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.result import Result


def log_unit(result: Result, signal: str | None, given: str | None = None) -> str:
    """Unit in which a column of a log is read: `given` (volts, counts) for gauges, that of the signal for others."""
    own = _find(result, signal)[2]
    return given if given is not None and own == "1" else own


def simulated_signal(
    result: Result, signal: str | None, unit: str, chain: GaugeChain | None
) -> tuple[np.ndarray, np.ndarray, str]:
    """Times in s, values in `unit`, and the full name of a signal.

    Parameters
    ----------
    signal : str or None
        ``variable`` or ``variable:component``; None for the first gauge.
    unit : str
        Of the log. In volts or counts, the strain goes through the `chain`.
    """
    values, name, own, part = _find(result, signal)
    time = result.data["time"].values
    if unit in ("V", "counts"):
        if not name.startswith("strain"):
            raise FlexarmError(f"a log in {unit} is compared with a strain gauge, not with {name}", field="signal")
        if chain is None:
            raise FlexarmError(f"a log in {unit} needs the gauge's bridge, amplifier and converter", field="chain")
        reading = read_gauge(result, part, chain)
        return time, (reading.volts if unit == "V" else reading.counts.astype(float)), name
    if unit != own:
        raise FlexarmError(
            f"{name} is in {own}, but the log is in {unit}: choose another signal or column", field="signal"
        )
    return time, values, name


def _find(result: Result, signal: str | None) -> tuple[np.ndarray, str, str, str]:
    """Values, full name, unit and component of a signal."""
    data = result.data
    usable = [str(k) for k, v in data.data_vars.items() if v.dims[0] == "time" and "s" not in v.dims]
    if signal is None:
        if "strain" not in data:
            raise FlexarmError(
                f"the run has no strain gauge: add output.gauges, or name a signal ({', '.join(usable)})",
                field="signal",
            )
        signal = f"strain:{data['gauge'].values[0]}"
    name, _, part = signal.partition(":")
    if name not in usable:
        near = get_close_matches(name, usable, 1)
        hint = f"did you mean '{near[0]}'? There are" if near else "there are"
        raise FlexarmError(f"the run has no signal '{name}'; {hint} {', '.join(usable)}", field="signal")
    variable = data[name]
    unit = str(variable.attrs.get("units", "1"))
    if variable.ndim == 1:
        return variable.values, name, unit, ""
    axis = str(variable.dims[1])
    parts = [str(v) for v in variable[axis].values]
    if not part and len(parts) == 1:
        part = parts[0]
    if part not in parts:
        raise FlexarmError(f"say which {axis} of {name}: {', '.join(f'{name}:{p}' for p in parts)}", field="signal")
    return variable.values[:, parts.index(part)], f"{name}:{part}", unit, part
