"""How long the arm rings after its drives have come to rest, and at which frequencies."""

from __future__ import annotations

import itertools
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.result import Result

MOST_SAMPLES = 20010
"""Longer records are averaged in blocks, because the cost of the fit grows with their length."""
CALM = 0.05
"""Share of the first amplitude at which the ringing counts as over."""
FAINT = 1e-3
"""Ringing below this share of the largest deflection is not worth a word."""
SAMPLES = 2001
"""Looks at the drives between two jumps."""
STEADY = 1e-3
"""A change of the amplitude by less than this share over the record is none."""
LARGEST_RESIDUAL = 0.1
"""A fit that leaves more than this share is not believed."""


def ringing(result: Result) -> dict[str, Any]:
    """Frequencies in the tip deflection and, where the drives rest at the end, the decay of the main mode.

    Returns
    -------
    dict
        ``drives_rest_from`` in s, None if they never rest; ``frequencies_found`` in Hz; ``ringing`` with
        frequency in Hz, damping ratio, amplitude in m and time to 5 % in s, None if nothing rings clearly.
    """
    time, bend = tip_bend(result)
    start = rest_from(result)
    free = time >= start
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # records beside a jump are a little uneven, which does not matter here
        try:
            found, frequencies = _decay(*_thinned(time[free], bend[free]), float(np.abs(bend).max()))
        except (FlexarmError, np.linalg.LinAlgError):
            found, frequencies = None, []
        if not frequencies:
            frequencies = _in_spectrum(*_thinned(time, bend))
    rests = start < time[-1]
    return {
        "drives_rest_from": start if rests else None,
        "ringing": found if rests else None,
        "frequencies_found": frequencies,
    }


def tip_bend(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) and deflection of the payload link's tip from the tangent at its root (n,), m."""
    data, arm = result.data, result.scenario.arm
    time = data["time"].values
    if "deflection" in data and data.sizes.get("s", 0):
        return time, data["deflection"].values[:, arm.index(arm.payload_link.name), -1]
    values = data["tip_deflection"].values
    return time, values[:, int(np.argmax(np.ptp(values, axis=0)))]


def rest_from(result: Result) -> float:
    """Time in s from which on drives, gains and payload stay as they are; at most that of the last record."""
    from flexarm.drive import POSITION
    from flexarm.simulation.build import prepare_program

    scenario, reached = result.scenario, float(result.data["time"].values[-1])
    program, end = prepare_program(scenario), scenario.time.end
    edges = [0.0, *program.jumps(end), end]
    pieces = [(np.linspace(a, b, SAMPLES), 0.5 * (a + b)) for a, b in itertools.pairwise(edges)]
    times = np.concatenate([piece for piece, _ in pieces])
    rows = np.concatenate([program.table(piece, inside) for piece, inside in pieces])
    rows = np.delete(rows, POSITION, axis=2).reshape(len(times), -1)
    restless = np.any(np.abs(rows - rows[-1]) > FAINT * np.abs(rows).max(axis=0, initial=0.0), axis=1)
    last = times[np.flatnonzero(restless)[-1] + 1] if restless.any() else 0.0
    return min(max([float(last), *(event.at for event in scenario.events)]), reached)


def _thinned(time: np.ndarray, signal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    block = -(-len(time) // MOST_SAMPLES)
    if block <= 1:
        return time, signal
    count = len(time) // block
    return tuple(values[: count * block].reshape(count, block).mean(axis=1) for values in (time, signal))  # type: ignore[return-value]


def _decay(time: np.ndarray, signal: np.ndarray, peak: float) -> tuple[dict[str, Any] | None, list[float]]:
    """The main mode of a free decay, and all frequencies found in it."""
    from flexarm.analysis.ringdown import ringdown
    from flexarm.analysis.spectrum import fit_modes

    if not np.ptp(signal) > 2.0 * FAINT * peak:
        return None, []
    main = ringdown(time, signal)
    swings = (time[-1] - time[0]) * main.frequency
    if main.residual > LARGEST_RESIDUAL or swings < 2.0:
        return None, []
    fit = fit_modes(time, signal, 5)
    clear = (fit.amplitude > 0.01 * fit.amplitude.max()) & (fit.damping_ratio < 0.5)
    change = main.decay_rate * (time[-1] - time[0])
    found = {
        "frequency": main.frequency,
        "damping_ratio": main.damping_ratio if abs(change) > STEADY else 0.0,
        "amplitude": main.amplitude,
        "time_to_5_percent": float(-np.log(CALM) / main.decay_rate) if change > STEADY else None,
    }
    return found, [float(hz) for hz in fit.frequency[clear]]


def _in_spectrum(time: np.ndarray, signal: np.ndarray) -> list[float]:
    """Peaks of the spectrum that the record is long enough to tell apart from its trend."""
    from flexarm.analysis.spectrum import peaks, spectrum

    if len(time) < 16 or not np.ptp(signal) > 0.0 or not np.all(np.isfinite(signal)):
        return []
    hz, _ = peaks(*spectrum(time, signal), n=4)
    return [float(f) for f in hz if f * (time[-1] - time[0]) > 2.0]
