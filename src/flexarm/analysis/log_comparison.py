"""A measured log beside a run: how late, how large, how alike, at which frequencies, and how both ring down.

Legend: the log is taken as y(t) = offset + scale u(t - lag) with u the simulated signal. A positive lag means that the
log is late; a scale or peak ratio above one means that it is larger than computed.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.free_motion import rest_from
from flexarm.analysis.gauge import GaugeChain
from flexarm.analysis.log_signal import simulated_signal
from flexarm.analysis.measured import Log
from flexarm.analysis.ringdown import Ringdown, ringdown
from flexarm.analysis.spectrum import peaks, spectrum
from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.result import Result

MOST_POINTS = 1 << 15
LONGEST_LAG = 0.25
"""Share of the run up to which the lag is looked for."""
FEWEST = 8
LONGEST_DECAY = 4000
"""Samples of a ring-down that are fitted."""
OPPOSITE = 1.3
"""The log counts as upside down if it fits so many times better that way."""


@dataclass(frozen=True, eq=False)
class LogComparison:
    """What a comparison found.

    Attributes
    ----------
    log, signal, unit : str
        What was compared, and in which unit.
    lag : float
        Time by which the log is late, s.
    scale, offset : float
        Of the log against the run, by least squares; `offset` in `unit`.
    peak_measured, peak_simulated, peak_ratio : float
        Largest deviations from rest, the log without its offset; measured over simulated.
    nrmse_raw, nrmse, nrmse_scaled : float
        Root mean square difference over that of the log about its mean: as they stand; with lag and offset taken off;
        with the scale taken off too.
    correlation : float
        Between both, with lag taken off.
    time, measured, simulated : ndarray, shape (n,)
        On the clock of the log, where both exist; the log without its offset, the run shifted by the lag.
    frequency, spectrum_measured, spectrum_simulated : ndarray, shape (nf,)
        Amplitude spectra, Hz and `unit`.
    peaks_measured, peaks_simulated : list of float
        Frequencies of their highest peaks, Hz.
    ring_from : float
        When the ring-down begins on the clock of the log, s; nan if there is none.
    ring_measured, ring_simulated : Ringdown or None
        Frequency and damping of the main mode.
    """

    log: str
    signal: str
    unit: str
    lag: float
    scale: float
    offset: float
    peak_measured: float
    peak_simulated: float
    peak_ratio: float
    nrmse_raw: float
    nrmse: float
    nrmse_scaled: float
    correlation: float
    time: np.ndarray
    measured: np.ndarray
    simulated: np.ndarray
    frequency: np.ndarray
    spectrum_measured: np.ndarray
    spectrum_simulated: np.ndarray
    peaks_measured: list[float]
    peaks_simulated: list[float]
    ring_from: float
    ring_measured: Ringdown | None
    ring_simulated: Ringdown | None
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The numbers without the curves, for scripts."""
        curves = ("time", "measured", "simulated", "frequency", "spectrum_measured", "spectrum_simulated")
        whole = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in curves}
        for name in ("ring_measured", "ring_simulated"):
            whole[name] = asdict(whole[name]) if whole[name] is not None else None
        return {**whole, "samples": len(self.time), "from": float(self.time[0]), "to": float(self.time[-1])}


def compare_log(
    result: Result,
    log: Log,
    signal: str | None = None,
    chain: GaugeChain | None = None,
    *,
    lag: float | None = None,
    offset: bool = True,
    ring_from: float | None = None,
) -> LogComparison:
    """Compare a measured log with a run.

    Parameters
    ----------
    result : Result
        The run.
    log : Log
        See `read_log` and `read_dump`.
    signal : str, optional
        ``variable`` or ``variable:component`` of the result, such as ``strain:root`` or ``tip_deflection:y``; the first
        gauge by default.
    chain : GaugeChain, optional
        Bridge, amplifier and converter, needed for logs in volts or counts.
    lag : float, optional
        Known time by which the log is late, s; found by default.
    offset : bool
        Whether the log may have a constant offset.
    ring_from : float, optional
        When the free decay begins on the clock of the run, s; when the drives rest by default.
    """
    from scipy.interpolate import make_interp_spline

    time, values, name = simulated_signal(result, signal, log.unit, chain)
    u = make_interp_spline(time, values, k=min(3, len(time) - 1))
    notes = list(log.notes)
    raw_inside = _inside(log.time, time, 0.0)
    found = float(lag) if lag is not None else _lag(log, time, u, offset, notes)
    inside = _inside(log.time, time, found)
    if inside.sum() < FEWEST:
        raise FlexarmError(
            f"{log.name} and the run overlap in {int(inside.sum())} samples only: the log lasts from {log.time[0]:g} to "
            f"{log.time[-1]:g} s, the run from {time[0]:g} to {time[-1]:g} s; shift its times, or give the lag"
        )
    t, y = log.time[inside], log.values[inside]
    x = u(t - found)
    scale, shift = _line(x, y, offset)
    level = float(np.mean(y - x)) if offset else 0.0
    spread = float(np.std(y)) or math.nan
    raw = _rms(log.values[raw_inside] - u(log.time[raw_inside])) / spread if raw_inside.sum() >= FEWEST else math.nan
    if scale < 0.0:
        notes.append("the log has the opposite sign of the run: check the side of the gauge and the wiring")
    tops = float(np.abs(y - shift).max()), float(np.abs(x).max())
    f, both = _spectra(t, y - shift, x)
    start = (rest_from(result) if ring_from is None else float(ring_from)) + found
    rings = [_ring(t, part, start, who, notes) for part, who in ((y - shift, "the log"), (x, "the run"))]
    return LogComparison(
        log=log.name, signal=name, unit=log.unit, lag=found, scale=scale, offset=shift,
        peak_measured=tops[0], peak_simulated=tops[1], peak_ratio=tops[0] / tops[1] if tops[1] else math.nan,
        nrmse_raw=raw, nrmse=_rms(y - level - x) / spread, nrmse_scaled=_rms(y - shift - scale * x) / spread,
        correlation=float(np.corrcoef(x, y)[0, 1]) if np.std(x) and np.std(y) else math.nan,
        time=t, measured=y - shift, simulated=x, frequency=f, spectrum_measured=both[:, 0],
        spectrum_simulated=both[:, 1], peaks_measured=_tops(f, both[:, 0]), peaks_simulated=_tops(f, both[:, 1]),
        ring_from=start if start < t[-1] else math.nan, ring_measured=rings[0], ring_simulated=rings[1], notes=notes,
    )  # fmt: skip


def _rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


def _inside(times: np.ndarray, time: np.ndarray, lag: float) -> np.ndarray:
    return (times - lag >= time[0]) & (times - lag <= time[-1])


def _line(x: np.ndarray, y: np.ndarray, offset: bool) -> tuple[float, float]:
    """Scale and offset of y against x by least squares."""
    x0, y0 = (float(np.mean(x)), float(np.mean(y))) if offset else (0.0, 0.0)
    power = float(np.sum((x - x0) ** 2))
    scale = float(np.sum((x - x0) * (y - y0))) / power if power else 0.0
    return scale, y0 - scale * x0


def _lag(log: Log, time: np.ndarray, u: Callable[[np.ndarray], np.ndarray], offset: bool, notes: list[str]) -> float:
    """The lag at which both fit best: the peaks of their correlation, then least squares around them."""
    from scipy.optimize import minimize_scalar
    from scipy.signal import correlate

    start, stop = min(log.time[0], time[0]), max(log.time[-1], time[-1])
    step = max(min(np.median(np.diff(log.time)), np.median(np.diff(time))), (stop - start) / MOST_POINTS)
    grid = np.arange(start, stop + 0.5 * step, step)
    y = np.interp(grid, log.time, log.values - np.mean(log.values), left=0.0, right=0.0)
    x = np.where((grid >= time[0]) & (grid <= time[-1]), u(np.clip(grid, time[0], time[-1])), 0.0)
    x -= np.mean(u(time))
    if not (np.any(x) and np.any(y)):
        notes.append("the lag cannot be found, because one of the signals does not change")
        return 0.0
    fit = correlate(y, x, mode="full", method="fft")
    lags = step * (np.arange(len(fit)) - (len(grid) - 1))
    near = np.abs(lags) <= LONGEST_LAG * (time[-1] - time[0])
    fit, lags = fit[near], lags[near]

    def misfit(lag: float) -> float:
        inside = _inside(log.time, time, lag)
        if inside.sum() < FEWEST:
            return math.inf
        part, other = log.values[inside], u(log.time[inside] - lag)
        scale, shift = _line(other, part, offset)
        return _rms(part - shift - scale * other)

    upright, flipped = (
        minimize_scalar(misfit, bounds=(best - 2.0 * step, best + 2.0 * step), method="bounded")
        for best in (float(lags[np.argmax(fit)]), float(lags[np.argmin(fit)]))
    )
    best = float(flipped.x if OPPOSITE * flipped.fun < upright.fun else upright.x)
    if abs(best) >= LONGEST_LAG * (time[-1] - time[0]) - 3.0 * step:
        notes.append(f"the lag of {best:.4g} s lies at the end of what is searched: check the clock of the log")
    return best


def _spectra(t: np.ndarray, y: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Amplitude spectra of both on the same equal steps, as many as there are samples."""
    grid = np.linspace(t[0], t[-1], min(len(t), MOST_POINTS))
    both = np.stack([np.interp(grid, t, part) for part in (y, x)], axis=1)
    return spectrum(grid, both)


def _tops(f: np.ndarray, amplitude: np.ndarray) -> list[float]:
    if not np.any(amplitude[1:]):
        return []
    return [float(hz) for hz in peaks(f[1:], amplitude[1:], n=4)[0]]


def _ring(t: np.ndarray, y: np.ndarray, start: float, who: str, notes: list[str]) -> Ringdown | None:
    """The main mode from `start` on, or None with a note why not."""
    free = t >= start
    if free.sum() < 32:
        notes.append(f"{who} holds no ring-down: fewer than 32 samples after {start:.4g} s")
        return None
    time, part = t[free], y[free]
    grid = np.linspace(time[0], time[-1], min(len(time), LONGEST_DECAY))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = ringdown(grid, np.interp(grid, time, part), modes=2)
        except (FlexarmError, np.linalg.LinAlgError):
            notes.append(f"{who} does not ring after {start:.4g} s")
            return None
    if (grid[-1] - grid[0]) * found.frequency < 2.0:
        notes.append(f"{who} holds less than two swings after {start:.4g} s: too few for frequency and damping")
        return None
    return found
