"""A measured log beside a run: how late, how large, how alike, at which frequencies, and how both ring down.

Legend: the log is taken as y(t) = offset + scale u(t - lag) with u the simulated signal. A positive lag means that the
log is late; a scale or peak ratio above one means that it is larger than computed.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.free_motion import rest_from
from flexarm.analysis.gauge import GaugeChain
from flexarm.analysis.log_lag import MOST_POINTS, Pair, driven_until, find_lag
from flexarm.analysis.log_signal import simulated_signal
from flexarm.analysis.measured import Log
from flexarm.analysis.ringdown import Ringdown, ringdown
from flexarm.analysis.spectrum import peaks, spectrum
from flexarm.errors import FlexarmError
from flexarm.numerics.blas import with_one_blas_thread

if TYPE_CHECKING:
    from flexarm.result import Result

FEWEST = 8
LONGEST_DECAY = 4000
"""Samples of a ring-down that are fitted."""
DIFFERENT = 0.01
"""Log and run ring differently if their frequencies differ by more than this share."""


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


@with_one_blas_thread
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
    return compare_logs(result, [log], [signal], chain, lag=lag, offset=offset, ring_from=ring_from)[0]


@with_one_blas_thread
def compare_logs(
    result: Result,
    logs: Sequence[Log],
    signals: Sequence[str | None],
    chain: GaugeChain | None = None,
    *,
    lag: float | None = None,
    offset: bool = True,
    ring_from: float | None = None,
) -> list[LogComparison]:
    """Compare several columns of one log with a run; they have one clock, so one lag is found for all of them.

    Parameters
    ----------
    result, chain, lag, offset, ring_from
        As in `compare_log`.
    logs : sequence of Log
        Columns of one file, see `read_log`.
    signals : sequence of str
        The signal of the run for each.

    Returns
    -------
    list of LogComparison
        One for each column.
    """
    from scipy.interpolate import make_interp_spline

    if len(logs) != len(signals) or not logs:
        raise FlexarmError(f"there are {len(logs)} columns and {len(signals)} signals: give one signal for each column")
    names, pairs = [], []
    for log, signal in zip(logs, signals, strict=True):
        time, values, name = simulated_signal(result, signal, log.unit, chain)
        names.append(name)
        pairs.append(Pair(log, time, make_interp_spline(time, values, k=min(3, len(time) - 1))))
    rest, notes = rest_from(result), list[str]()
    found = float(lag) if lag is not None else find_lag(pairs, rest, offset, notes)
    start = (rest if ring_from is None else float(ring_from)) + found
    given = lag is not None
    return [_compare(p, n, found, given, start, rest, offset, notes) for p, n in zip(pairs, names, strict=True)]


def _compare(
    pair: Pair, name: str, lag: float, given: bool, start: float, rest: float, offset: bool, told: Sequence[str]
) -> LogComparison:
    """A column beside its signal at a known lag; `start` of the ring-down on the clock of the log, `rest` on the run's."""
    log, time, u = pair.log, pair.time, pair.signal
    notes = [*log.notes, *told]
    raw_inside, inside = _inside(log.time, time, 0.0), _inside(log.time, time, lag)
    if inside.sum() < FEWEST:
        raise FlexarmError(
            f"{log.name} and the run overlap in {int(inside.sum())} samples only: the log lasts from {log.time[0]:g} to "
            f"{log.time[-1]:g} s, the run from {time[0]:g} to {time[-1]:g} s; shift its times, or give the lag"
        )
    t, y = log.time[inside], log.values[inside]
    x = u(t - lag)
    scale, shift = _line(x, y, offset)
    level = float(np.mean(y - x)) if offset else 0.0
    spread = float(np.std(y)) or math.nan
    raw = _rms(log.values[raw_inside] - u(log.time[raw_inside])) / spread if raw_inside.sum() >= FEWEST else math.nan
    driven = t - lag <= driven_until(time, rest)
    if (_line(x[driven], y[driven], offset)[0] if driven.sum() >= FEWEST else scale) < 0.0:
        notes.append("the log has the opposite sign of the run: check the side of the gauge and the wiring")
    tops = float(np.abs(y - shift).max()), float(np.abs(x).max())
    f, both = _spectra(t, y - shift, x)
    rings = [_ring(t, part, start, who, notes) for part, who in ((y - shift, "the log"), (x, "the run"))]
    notes += _detuned(rings, rest, given)
    return LogComparison(
        log=log.name, signal=name, unit=log.unit, lag=lag, scale=scale, offset=shift,
        peak_measured=tops[0], peak_simulated=tops[1], peak_ratio=tops[0] / tops[1] if tops[1] else math.nan,
        nrmse_raw=raw, nrmse=_rms(y - level - x) / spread, nrmse_scaled=_rms(y - shift - scale * x) / spread,
        correlation=float(np.corrcoef(x, y)[0, 1]) if np.std(x) and np.std(y) else math.nan,
        time=t, measured=y - shift, simulated=x, frequency=f, spectrum_measured=both[:, 0],
        spectrum_simulated=both[:, 1], peaks_measured=_tops(f, both[:, 0]), peaks_simulated=_tops(f, both[:, 1]),
        ring_from=start if start < t[-1] else math.nan, ring_measured=rings[0], ring_simulated=rings[1], notes=notes,
    )  # fmt: skip


def _detuned(rings: Sequence[Ringdown | None], rest: float, given: bool) -> list[str]:
    """What a model whose frequency is off by a share e means for scale, error and lag (by e times half the drives' time)."""
    log, run = rings
    if log is None or run is None or abs(log.frequency / run.frequency - 1.0) < DIFFERENT:
        return []
    off = log.frequency / run.frequency - 1.0
    text = (
        f"the log rings at {log.frequency:.4g} Hz, the run at {run.frequency:.4g} Hz: scale and error hold this difference, "
        "identify the model first"
    )
    return [
        text
        if given
        else f"{text}; the lag may be off by some {1e3 * abs(off) * 0.5 * rest:.2g} ms, give it if it is known"
    ]


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
