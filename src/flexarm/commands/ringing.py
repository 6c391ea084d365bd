"""How long the arm rings after its drives have come to rest, and at which frequencies."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.errors import FlexarmError

if TYPE_CHECKING:
    from flexarm.result import Result

MOST_SAMPLES = 4000
"""Longer records are averaged in blocks, because the cost of the fit grows with their length."""
CALM = 0.05
"""Share of the first amplitude at which the ringing counts as over."""
FAINT = 1e-3
"""Ringing below this share of the largest deflection is not worth a word."""
STEADY = 1e-3
"""A change of the amplitude by less than this share over the record is none."""
LARGEST_RESIDUAL = 0.1
"""A fit that leaves more than this share is not believed."""


def ringing(result: Result) -> dict[str, Any]:
    """Frequencies in the tip deflection and, where the drives rest at the end, the decay of the main mode.

    Returns
    -------
    dict
        ``frequencies_found`` in Hz, and ``ringing`` with start and time to 5 % in s, frequency in Hz, damping ratio,
        amplitude in m; ``ringing`` is None where the drives act to the end, or nothing rings.
    """
    time, bend = tip_bend(result)
    start = rest_from(result)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # records beside a jump are a little uneven, which does not matter here
        try:
            if start is None:
                return {"ringing": None, "frequencies_found": _in_spectrum(*_thinned(time, bend))}
            free = time >= start
            found, frequencies = _decay(*_thinned(time[free], bend[free]), float(np.abs(bend).max()))
        except (FlexarmError, np.linalg.LinAlgError):
            return {"ringing": None, "frequencies_found": []}
    return {"ringing": found and {"start": start, **found}, "frequencies_found": frequencies}


def tip_bend(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) and deflection of the payload link's tip from the tangent at its root (n,), m."""
    data, arm = result.data, result.scenario.arm
    time = data["time"].values
    if "deflection" in data and data.sizes.get("s", 0):
        return time, data["deflection"].values[:, arm.index(arm.payload_link.name), -1]
    values = data["tip_deflection"].values
    return time, values[:, int(np.argmax(np.ptp(values, axis=0)))]


def rest_from(result: Result) -> float | None:
    """Time from which on drives and payload stay as they are; None if they do not, or the run ended before."""
    from flexarm.drive import ACCELERATION, TORQUE, VELOCITY
    from flexarm.simulation.build import prepare_program

    scenario, reached = result.scenario, float(result.data["time"].values[-1])
    end = scenario.time.end
    program = prepare_program(scenario)
    last = max([0.0, *program.jumps(end), *(event.at for event in scenario.events if event.at < end)])
    if last >= reached:
        return None
    rows = program.table(np.linspace(last, end, 200), 0.5 * (last + end))
    moving = np.any(rows[:, :, [VELOCITY, ACCELERATION]] != 0.0)
    changing = np.any(np.ptp(rows[:, :, TORQUE], axis=0) > 1e-12 * np.abs(rows[:, :, TORQUE]).max())
    return None if moving or changing else last


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

    if not np.ptp(signal) > 0.0:
        return []
    hz, _ = peaks(*spectrum(time, signal), n=4)
    return [float(f) for f in hz if f * (time[-1] - time[0]) > 2.0]
