"""The free motion of a run: when its drives come to rest, how long the arm rings then, and at which frequencies."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexarm.analysis.frequencies import driven_frequencies
from flexarm.analysis.ringdown import ringdown
from flexarm.analysis.spectrum import fit_modes, peaks, spectrum
from flexarm.drive import Program
from flexarm.errors import FlexarmError
from flexarm.simulation.acting import acting
from flexarm.simulation.poses import commanded_pose
from flexarm.simulation.program import prepare_program

if TYPE_CHECKING:
    from flexarm.analysis.frequencies import Frequencies
    from flexarm.result import Result
    from flexarm.simulation.build import Setup

MOST_SAMPLES = 1200
"""Longer records are thinned and cut, because the cost of the fit grows with their length."""
EDGE = 10
"""Samples at both ends of a thinned record that its filter spoils."""
CALM = 0.05
"""Share of the first amplitude at which the ringing counts as over."""
FAINT = 1e-3
"""Ringing below this share of the largest deflection is not worth a word."""
ROUNDING = 1e-9
"""Changes below this share of the deflection, and below a thousandth of it of the arm's length, are those of rounding."""
STEADY = 1e-3
"""A change of the amplitude by less than this share over the record is none."""
LARGEST_RESIDUAL = 0.1
"""A fit that leaves more than this share is not believed."""


def free_motion(result: Result, natural: Sequence[float] = (), program: Program | None = None) -> dict[str, Any]:
    """Frequencies in the deformation of the payload's link and, where the drives rest, the decay of its main mode.

    Parameters
    ----------
    result : Result
        A run.
    natural : sequence of float
        Natural frequencies in Hz, lowest first: they tell true frequencies from those that only appear because the
        records are too far apart.
    program : Program, optional
        The drives of the run, if they are at hand with the gains of automatic servos.

    Returns
    -------
    dict
        ``drives_rest_from`` in s, None if they never rest; ``frequencies_found`` in Hz; ``ringing`` with
        frequency in Hz, damping ratio, amplitude in m where it begins and time in s until 5 % of that are left, None if
        nothing rings clearly;
        ``records_too_coarse`` if not even the first mode could be seen; ``still_moves`` by how much in m the link bends to
        and fro at rest if that is no clear decay.
    """
    time, bend = tip_bend(result)
    largest, reach = float(np.abs(bend).max()), sum(link.span for link in result.scenario.arm.links)
    moves = bool(np.ptp(bend) > ROUNDING * (largest + 1e-3 * reach))
    start = rest_from(result, program)
    rests = start < time[-1]
    found: dict[str, Any] | None = None
    frequencies: list[float] = []
    free = time >= start
    first = next((hz for hz in natural if hz * (time[-1] - time[0]) > 1.0), 0.0)  # slower ones do not swing here
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # records beside a jump are a little uneven, which does not matter here
        with contextlib.suppress(FlexarmError, np.linalg.LinAlgError):
            if moves:
                found, frequencies = _decay(*_thinned(time[free], bend[free], first), largest)
        if not frequencies and moves:
            frequencies = _in_spectrum(time, bend)
    rate = (len(time) - 1) / float(time[-1] - time[0]) if len(time) > 1 else 0.0
    coarse = first > 0.5 * rate
    frequencies = [] if coarse else [hz for hz in frequencies if not mirrored(hz, natural, rate)]
    if found is not None and (not rests or mirrored(found["frequency"], natural, rate)):
        found = None
    left = float(np.ptp(bend[free])) if found is None and rests and moves else 0.0
    return {
        "drives_rest_from": start if rests else None,
        "ringing": found,
        "records_too_coarse": coarse,
        "still_moves": left if left > 2.0 * FAINT * largest else None,
        "frequencies_found": frequencies,
    }


@dataclass(frozen=True)
class Resting:
    """Natural frequencies of the arm as it is when its drives rest.

    Attributes
    ----------
    frequencies : Frequencies or None
        With the joints as they are driven; None if the method cannot tell.
    pose : tuple of float
        Of the arm, rad or m: what the drives command there (the mean of the joint positions if they command none), with the
        payload and gains of that time; the start pose if they never rest.
    since : float
        Time in s from which on that holds, 0 for the start pose.
    spin : float
        Rate in rad/s of a steady turn about the first joint that is counted.
    """

    frequencies: Frequencies | None
    pose: tuple[float, ...]
    since: float = 0.0
    spin: float = 0.0


def resting_frequencies(result: Result, setup: Setup, n: int) -> Resting:
    """Natural frequencies in the pose in which the free motion is seen.

    Parameters
    ----------
    result, setup : Result, Setup
        A run and its set-up.
    n : int
        How many.
    """
    start, since = setup.scenario.arm.pose, rest_from(result, setup.program)
    time = result.data["time"].values
    if 0.0 < since < time[-1]:
        mean = result.data["joint_position"].values[time >= since].mean(axis=0)
        pose = commanded_pose(setup.scenario, since, setup.program) or tuple(float(value) for value in mean)
        for spin in dict.fromkeys((_steady_turn(result, since), 0.0)):  # a method without it has none in its run either
            with contextlib.suppress(FlexarmError):
                return Resting(driven_frequencies(setup, n, pose, since, spin), pose, since, spin)
    with contextlib.suppress(FlexarmError):
        return Resting(driven_frequencies(setup, n), start)
    return Resting(None, start)


def _steady_turn(result: Result, since: float) -> float:
    """Rate in rad/s with which the command turns the first joint from `since` on; 0 if it stands, or is not commanded."""
    if "commanded_velocity" not in result.data:
        return 0.0
    return float(result.data["commanded_velocity"].values[-1, 0])


def mirrored(hz: float, natural: Sequence[float], rate: float) -> bool:
    """True if a frequency is that of a mode above half of the record `rate` (Hz), folded down by the sampling."""
    known = np.asarray(natural, dtype=float)
    folded = np.abs(known - rate * np.round(known / rate)) if rate > 0.0 else known
    true = known[known <= 0.5 * rate]
    near = np.abs(folded[known > 0.5 * rate] - hz) < 0.02 * hz
    return bool(near.any() and not np.any(np.abs(true - hz) < 0.02 * hz))


def tip_bend(result: Result) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) and deflection of the payload link's tip from the tangent at its root (n,), m."""
    data, arm = result.data, result.scenario.arm
    time = data["time"].values
    if "deflection" in data and data.sizes.get("s", 0):
        return time, data["deflection"].values[:, arm.index(arm.payload_link.name), -1]
    values = data["tip_deflection"].values
    return time, values[:, int(np.argmax(np.ptp(values, axis=0)))]


def rest_from(result: Result, program: Program | None = None) -> float:
    """Time in s from which on drives, gains and payload stay as they are; at most that of the last record."""
    scenario, reached = result.scenario, float(result.data["time"].values[-1])
    program, end = program or prepare_program(scenario), scenario.time.end
    if program.external:
        return reached  # a controller from outside never rests as far as we can know
    last = acting(program, end)[1]
    return min(max([last, *(event.at for event in scenario.events)]), reached)


def _thinned(time: np.ndarray, signal: np.ndarray, first: float) -> tuple[np.ndarray, np.ndarray]:
    """At most `MOST_SAMPLES` from the beginning, low-pass filtered to 20 samples per period of the first mode."""
    excess = -(-len(time) // MOST_SAMPLES)
    room = (len(time) - 1) / (20.0 * first * (time[-1] - time[0])) if first > 0.0 and len(time) > 1 else excess
    factor = int(min(excess, room))
    if factor > 1:
        from scipy.signal import decimate

        inner = slice(EDGE, -EDGE)
        time, signal = time[::factor][inner], decimate(signal, factor, ftype="fir")[inner]
    return time[:MOST_SAMPLES], signal[:MOST_SAMPLES]


def _decay(time: np.ndarray, signal: np.ndarray, peak: float) -> tuple[dict[str, Any] | None, list[float]]:
    """The main mode of a free decay, and all frequencies found in it."""
    if not np.ptp(signal) > 2.0 * FAINT * peak:
        return None, []
    main = ringdown(time, signal)
    swings = (time[-1] - time[0]) * main.frequency
    if main.residual > LARGEST_RESIDUAL or swings < 2.0 or main.amplitude > 2.0 * peak:
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
    if len(time) < 16 or not np.ptp(signal) > 0.0 or not np.all(np.isfinite(signal)):
        return []
    hz, _ = peaks(*spectrum(time, signal), n=4)
    return [float(f) for f in hz if f * (time[-1] - time[0]) > 2.0]
